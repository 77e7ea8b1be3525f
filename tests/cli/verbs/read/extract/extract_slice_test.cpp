// SPDX-License-Identifier: Apache-2.0
// Slices equal those of NumPy: each is extracted and compared with NumPy's slice of the whole array.
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <support/builder.hpp>
#include <support/shared_data.hpp>
#include <tgmap/archive.hpp>

#include "../../../process.hpp"
#include "../../../samples.hpp"

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(extract_slices)

namespace {

using extents = std::vector<std::uint64_t>;

bool numpy_is_there() {
  static const bool there = std::system("python3 -c 'import numpy' 2>/dev/null") == 0;
  if (!there) say_skipped("slices as NumPy takes them", "python3 cannot import numpy");
  return there;
}

/// Returns a random item of a slice, seldom out of range.
std::string random_item(std::uint64_t extent, std::mt19937& random) {
  const auto up_to = [&](int most) { return std::uniform_int_distribution<int>(0, most)(random); };
  const int size = static_cast<int>(extent);
  const auto number = [&](int beyond) { return std::to_string(up_to(2 * (size + beyond)) - size - beyond); };
  if (up_to(3) == 0) return size == 0 || up_to(15) == 0 ? number(1) : std::to_string(up_to(2 * size - 1) - size);
  std::string out = (up_to(2) ? number(2) : "") + ":" + (up_to(2) ? number(2) : "");
  if (up_to(1)) out += ":" + (up_to(3) ? std::to_string(1 + up_to(size + 1)) : "");
  return out;
}

std::string random_slice(const extents& shape, std::mt19937& random) {
  const auto one_in = [&](int n) { return random() % static_cast<unsigned>(n) == 0; };
  std::string out;
  const auto add = [&](const std::string& item) { out += (out.empty() ? "" : one_in(3) ? " , " : ",") + item; };
  const std::size_t said = one_in(3) ? random() % (shape.size() + 1) : shape.size();
  const bool rest = said < shape.size() && (said == 0 || one_in(2));
  const std::size_t before = rest ? random() % (said + 1) : said;
  for (std::size_t d = 0; d < before; ++d) add(random_item(shape[d], random));
  if (rest) add("...");
  for (std::size_t d = before; d < said; ++d) add(random_item(shape[shape.size() - said + d], random));
  return "[" + out + "]";
}

/// Extracts the whole object and slices of it, and compares them with NumPy.
class comparison {
 public:
  void add(const std::string& address, const extents& shape, int slices, std::mt19937& random) {
    const std::string whole = std::to_string(objects_++);
    const outcome seen = run({"extract", address, "-o", (files_ / (whole + ".npy")).string()});
    BOOST_TEST_REQUIRE(fine(seen), seen.err);
    for (int i = 0; i < slices; ++i) {
      const std::string slice = random_slice(shape, random), name = whole + "_" + std::to_string(i);
      const outcome part = run({"extract", address + slice, "-o", (files_ / (name + ".npy")).string()});
      BOOST_TEST((fine(part) || part.err.find(" is out of range for axis ") != std::string::npos),
                 address << slice << ": " << part.err);
      cases_.push_back({whole, name, slice, fine(part)});
    }
  }

  void hold() const {
    files_.file("cases.json", cases_.dump());
    files_.file("compare.py", R"(
import json, numpy as np, os
for whole, name, slice, taken in json.load(open('cases.json')):
    array = np.load(whole + '.npy')
    try:
        wanted = eval('array' + slice)
    except IndexError:
        assert not taken and not os.path.exists(name + '.npy'), (slice, array.shape)
        continue
    assert taken, (slice, array.shape)
    found = np.load(name + '.npy')
    assert found.dtype == array.dtype and found.shape == wanted.shape, (slice, found.shape, wanted.shape)
    assert found.tobytes() == np.ascontiguousarray(wanted).tobytes(), (slice, array.shape)
)");
    const std::string command = "cd '" + files_.path().string() + "' && python3 compare.py";
    BOOST_TEST(std::system(command.c_str()) == 0);
    BOOST_TEST_MESSAGE(cases_.size() << " slices of " << objects_ << " objects");
  }

  std::size_t objects() const { return objects_; }

 private:
  static bool fine(const outcome& seen) { return seen.status == 0 || seen.status == 3; }  // 3: damage beside it

  temporary_directory files_;
  nlohmann::json cases_ = nlohmann::json::array();
  std::size_t objects_ = 0;
};

bytes counting(std::size_t length) {
  bytes out;
  for (std::size_t i = 0; i < length; ++i) out += static_cast<char>(i * 7 + i / 256);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(random_slices_of_what_needs_no_codec) {
  if (!numpy_is_there()) return;
  const temporary_directory files;
  const std::vector<object_spec> specs{
      {.dtype = "uint16", .shape = {5, 7, 11}, .payload = counting(5 * 7 * 11 * 2)},
      {.dtype = "float32", .shape = {4, 6, 5}, .payload = counting(4 * 6 * 5 * 4), .byte_order = "big"},
      {.dtype = "int64", .shape = {3, 4, 5}, .payload = counting(480), .strides = {{1, 3, 12}}},
      {.dtype = "bitmask", .shape = {5, 3, 6}, .payload = counting(12)},
      {.dtype = "uint8", .shape = {13}, .payload = counting(13)},
      {.dtype = "uint8", .shape = {3, 0, 2}},
  };
  const auto path = files.file("f.tgm", message({.objects = specs})).string();
  std::mt19937 random(20261122);
  comparison all;
  for (std::size_t j = 0; j < specs.size(); ++j)
    all.add(path + ":0:" + std::to_string(j), specs[j].shape, j == 0 ? 120 : 25, random);
  all.hold();
}

BOOST_AUTO_TEST_CASE(random_slices_of_what_codecs_hold) {
  if (!numpy_is_there()) return;
  const auto shared = shared_data_or_skip("slices of reference files");
  if (!shared) return;
  std::mt19937 random(7);
  comparison all;
  std::vector<std::filesystem::path> paths;
  for (const auto& each : std::filesystem::directory_iterator(*shared / "data" / "tgm" / "reference"))
    if (each.path().extension() == ".tgm") paths.push_back(each.path());
  std::sort(paths.begin(), paths.end());
  for (std::size_t i = 0; i < paths.size() && all.objects() < 60; i += 3) {
    const tgmap::archive from(paths[i], {.damage = tgmap::on_damage::skip});
    if (from.size() == 0 || from[0].version() == 1 || from[0].size() == 0) continue;
    const tgmap::object first = from[0][0];
    const auto what = first.descriptor();
    tgmap::failure why;
    first.decode({}, why);
    if (what.is_plain() || what.rank() == 0 || why) continue;
    all.add(paths[i].string() + ":0:0", {what.shape().begin(), what.shape().end()}, 3, random);
  }
  BOOST_TEST(all.objects() >= 30u);
  all.hold();
}

BOOST_AUTO_TEST_CASE(an_npz_and_names_of_files_take_slices) {
  const temporary_directory files;
  const auto path = files.file("f.tgm", forecast()).string();
  const outcome seen = run({"extract", "-j", path + ":0:0[:,1]", "-o", (files / "o.npz").string()});
  BOOST_TEST(seen.status == 0, seen.err);
  const auto told = json_lines(seen.out).at(0);
  BOOST_TEST(told["slice"] == "[:,1]");
  BOOST_TEST(told["bytes"] == 128 + 8);
  BOOST_TEST(run({"extract", path + ":..:0[:1]", "--format", "raw", "-o", (files / "o").string() + "/"}).status == 0);
  BOOST_TEST(read_file(files / "o" / "0_0.raw") == native<float>({1, 2, 3}));
  BOOST_TEST(read_file(files / "o" / "2_0.raw") == native<double>({0.5}));
}

BOOST_AUTO_TEST_CASE(a_slice_that_does_not_fit_names_the_object_and_spares_the_others) {
  const temporary_directory files;
  const auto path = files.file("f.tgm", forecast()).string();
  const outcome seen = run({"extract", path + ":..:0[2]", "-o", (files / "o").string() + "/"});
  BOOST_TEST(seen.status == 1);
  BOOST_TEST(seen.err.find("tgmap: " + path +
                           ":0:0: index 2 is out of range for axis 0 with extent 2, in the slice '[2]' "
                           "of the shape [2, 3]; use 0 to 1, or -2 to -1\n") == 0u,
             seen.err);
  BOOST_TEST(std::filesystem::exists(files / "o" / "1_0.npy"));
  BOOST_TEST(!std::filesystem::exists(files / "o" / "0_0.npy"));
  BOOST_TEST(run({"extract", path + ":0:0[1:x]", "-o", (files / "x.npy").string()}).status == 2);
}

BOOST_AUTO_TEST_SUITE_END()
