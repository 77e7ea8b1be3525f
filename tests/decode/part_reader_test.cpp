// SPDX-License-Identifier: Apache-2.0
// Parts of objects equal those of the whole, however they are read.
#include <array>
#include <boost/test/unit_test.hpp>
#include <numeric>
#include <random>
#include <support/builder.hpp>
#include <support/decoded.hpp>
#include <support/failures.hpp>
#include <support/shared_data.hpp>
#include <support/temporary.hpp>
#include <tgmap/archive.hpp>
#include <tgmap/decode/part_reader.hpp>

#include <support/manifest_file.hpp>

using namespace tgmap_test;
using nlohmann::json;
using tgmap::errc;

BOOST_AUTO_TEST_SUITE(part_reader_test)

namespace {

using numbers = std::vector<std::uint64_t>;

bool bit_at(std::span<const std::byte> bits, std::uint64_t i) {
  return (std::to_integer<unsigned>(bits[i / 8]) >> (7 - i % 8) & 1) != 0;
}

/// Returns the elements of `whole` at these positions of its payload; bits are packed.
bytes picked(const tgmap::tensor& whole, const numbers& places) {
  bytes out;
  if (whole.dtype() == tgmap::dtype::bitmask) {
    out.resize((places.size() + 7) / 8, '\0');
    for (std::size_t i = 0; i < places.size(); ++i)
      if (bit_at(whole.bytes(), places[i])) out[i / 8] = static_cast<char>(out[i / 8] | 0x80 >> i % 8);
    return out;
  }
  const std::size_t width = tgmap::element_size(whole.dtype());
  for (const std::uint64_t at : places)
    out.append(reinterpret_cast<const char*>(whole.bytes().data()) + at * width, width);
  return out;
}

/// Returns the positions of a box in the payload, in C order of the box.
numbers places_of(const tgmap::tensor& whole, const numbers& start, const numbers& count, const numbers& stride) {
  numbers out;
  if (std::ranges::find(count, 0u) != count.end()) return out;
  numbers index(count.size(), 0);
  while (true) {
    std::uint64_t at = 0;
    for (std::size_t d = 0; d < count.size(); ++d)
      at += (start[d] + index[d] * stride[d]) * static_cast<std::uint64_t>(whole.strides()[d]);
    out.push_back(at);
    std::size_t d = count.size();
    while (d > 0 && ++index[d - 1] == count[d - 1]) index[--d] = 0;
    if (d == 0) return out;
  }
}

struct box {
  numbers start, count, stride;
  operator tgmap::slab() const { return {start, count, stride}; }
};

box any_box(std::span<const std::uint64_t> shape, std::mt19937& random) {
  box out;
  for (const std::uint64_t extent : shape) {
    const std::uint64_t start = random() % (extent + 1), stride = 1 + random() % (random() % 2 == 0 ? 3 : 40);
    const std::uint64_t most = start == extent ? 0 : (extent - start - 1) / stride + 1;
    out.start.push_back(start);
    out.stride.push_back(stride);
    out.count.push_back(random() % (most + 1) == 0 && most != 0 ? most : random() % (most + 1));
  }
  return out;
}

bytes bytes_of(const tgmap::tensor& t) { return {reinterpret_cast<const char*>(t.bytes().data()), t.bytes().size()}; }

void check_ranges(const tgmap::part_reader& parts, const tgmap::tensor& whole, std::mt19937& random) {
  for (int round = 0; round < 6; ++round) {
    const std::uint64_t first = random() % (whole.size() + 1);
    const std::uint64_t count = round == 0   ? whole.size() - first
                                : round == 1 ? std::min<std::uint64_t>(1, whole.size() - first)
                                             : random() % (whole.size() - first + 1);
    numbers places(count);
    std::iota(places.begin(), places.end(), first);
    const auto found = parts.range(first, count);
    BOOST_TEST(found.size() == count);
    BOOST_TEST((bytes_of(found) == picked(whole, places)), "elements " << first << " + " << count);
  }
}

void check_slabs(const tgmap::part_reader& parts, const tgmap::tensor& whole, std::mt19937& random) {
  std::vector<box> boxes;
  std::vector<bytes> expected, room;
  for (int round = 0; round < 5; ++round) {
    boxes.push_back(any_box(whole.shape(), random));
    const auto& [start, count, stride] = boxes.back();
    expected.push_back(picked(whole, places_of(whole, start, count, stride)));
    room.emplace_back(expected.back().size(), '?');
    const auto found = parts.slab(boxes.back());
    BOOST_TEST((bytes_of(found) == expected.back()));
    BOOST_TEST(std::ranges::equal(found.shape(), count));
    const auto cost = parts.cost(tgmap::slab(boxes.back()));
    BOOST_TEST((cost.bytes_read == 0) == (expected.back().empty() || parts.cost(0, whole.size()).bytes_read == 0));
  }
  const std::vector<tgmap::slab> list(boxes.begin(), boxes.end());
  std::vector<std::span<std::byte>> out;
  for (bytes& each : room) out.push_back(std::as_writable_bytes(std::span(each)));
  parts.slabs_into(list, out);
  BOOST_TEST((room == expected));
}

/// Numbers of compared objects.
std::size_t check_object(const tgmap::object& o, unsigned seed) {
  std::mt19937 random(seed);
  std::size_t compared = 0;
  for (const auto bytes : {tgmap::output_byte_order::native, tgmap::output_byte_order::stored})
    for (const auto elements : {tgmap::stride_policy::ignore, tgmap::stride_policy::apply}) {
      const tgmap::decode_options how{
          .byte_order = bytes, .strides = elements, .coalesce_bytes = random() % 2 == 0 ? 0u : 64u};
      tgmap::failure why;
      const tgmap::tensor whole = o.decode(how, why);
      if (why) {
        const auto parts = tgmap::part_reader::open(o, how, why);
        if (!why) static_cast<void>(parts.range(0, 1, why));  // fails unless this part is sound
        continue;
      }
      const tgmap::part_reader parts(o, how);
      check_ranges(parts, whole, random);
      check_slabs(parts, whole, random);
      ++compared;
    }
  return compared;
}

std::size_t check_all(const std::filesystem::path& directory, tgmap::io_mode mode) {
  std::size_t compared = 0;
  for (const json& one : manifest_of(directory)) {
    const std::string file = one.at("file");
    BOOST_TEST_CONTEXT(file) {
      const tgmap::archive a(directory / file, {.io = mode, .damage = tgmap::on_damage::skip});
      for (std::size_t i = 0; i < one.at("messages").size(); ++i) {
        const std::size_t objects = one["messages"][i].value("objects", json::array()).size();
        const tgmap::message m = a[i];
        for (std::size_t j = 0; j < objects; ++j) BOOST_TEST_CONTEXT("message " << i << ", object " << j)
        compared += check_object(m[j], static_cast<unsigned>(i * 1000 + j));
      }
    }
  }
  BOOST_TEST_MESSAGE(compared << " objects in parts");
  return compared;
}

}  // namespace

BOOST_AUTO_TEST_CASE(files_in_the_tree) {
  for (const auto mode : {tgmap::io_mode::map, tgmap::io_mode::read}) BOOST_TEST(check_all(test_data(), mode) >= 200u);
}

BOOST_AUTO_TEST_CASE(all_shared_files) {
  const auto shared = shared_data_or_skip("parts of 581 reference files");
  if (shared) BOOST_TEST(check_all(*shared / "data" / "tgm" / "reference", tgmap::io_mode::map) > 10000u);
}

BOOST_AUTO_TEST_CASE(parts_within_the_object) {
  const temporary_directory files;
  const tgmap::archive a(
      files.file("plain.tgm", message({.objects = {numbers_object<float>("float32", {1, 2, 3, 4, 5, 6})}})));
  const tgmap::part_reader parts(a[0][0]);
  BOOST_TEST(values_of<float>(parts.range(2, 3))[0] == 3.0f);
  BOOST_TEST(parts.range(6, 0).size() == 0u);
  TGMAP_THROWS(parts.range(6, 1), errc::out_of_range);
  TGMAP_THROWS(parts.range(UINT64_MAX, 2), errc::out_of_range);
  TGMAP_THROWS(parts.range(2, UINT64_MAX), errc::out_of_range);
  std::array<float, 2> into{};
  const auto bytes_into = std::as_writable_bytes(std::span(into));
  for (const auto& [offset, count, end] :
       {std::array<std::uint64_t, 3>{5, 2, 7}, {7, 0, 7}, {UINT64_MAX, 2, UINT64_MAX}}) {
    tgmap::failure why;
    parts.range_into(offset, count, bytes_into, why);
    TGMAP_FAILED(why, errc::out_of_range);
    BOOST_TEST((why.expected == 6u && why.found == end && why.message == 0u && why.object == 0u));
    TGMAP_THROWS(parts.range_into(offset, count, bytes_into), errc::out_of_range);
  }
  const numbers one{1}, two{2}, six{6}, none{0}, seven{7};
  BOOST_TEST(values_of<float>(parts.slab({one, two, two}))[1] == 4.0f);
  TGMAP_THROWS(parts.slab({one, six, {}}), errc::out_of_range);
  TGMAP_THROWS(parts.slab({seven, none, {}}), errc::out_of_range);
  TGMAP_THROWS(parts.slab({one, two, none}), errc::invalid_option);
  TGMAP_THROWS(parts.slab({one, {}, {}}), errc::invalid_option);
  const numbers vast{UINT64_MAX};
  TGMAP_THROWS(parts.slab({one, vast, {}}), errc::out_of_range);
  TGMAP_THROWS(parts.slab({one, two, vast}), errc::out_of_range);
  BOOST_TEST(parts.slab({six, none, vast}).size() == 0u);
  BOOST_TEST(parts.cost(1, 2).bytes_read == 8u);
  const tgmap::part_reader apart(a[0][0], {.coalesce_bytes = 0});
  for (const std::uint64_t step : {2, 5}) {
    const numbers from{0}, count{2}, steps{step};
    BOOST_TEST(apart.cost(tgmap::slab{from, count, steps}).bytes_read == 8u);
  }
  BOOST_TEST(parts.cost(1, 2).bytes_decoded == 0u);
  BOOST_TEST(!parts.cost(1, 2).decodes_whole_object);
}

BOOST_AUTO_TEST_CASE(functions_of_object) {
  const temporary_directory files;
  const tgmap::archive a(
      files.file("plain.tgm", message({.objects = {numbers_object<float>("float32", {1, 2, 3, 4, 5, 6})}})));
  const numbers start{1}, count{2};
  BOOST_TEST(values_of<float>(a[0][0].decode_range(4, 2))[1] == 6.0f);
  BOOST_TEST(values_of<float>(a[0][0].decode_slab({start, count, {}}))[1] == 3.0f);
  BOOST_TEST(a[0][0].part_cost({start, count, {}}).bytes_read == 8u);
  tgmap::failure why;
  BOOST_TEST(tgmap::part_reader::open(a[0][0], why).range(4, 2).size() == 2u);
  TGMAP_SUCCEEDED(why);
  BOOST_TEST(tgmap::part_reader::open(tgmap::object(), why).range(4, 2, why).size() == 0u);
  TGMAP_FAILED(why, errc::no_archive);
}

BOOST_AUTO_TEST_CASE(a_slab_owns_its_dimensions) {
  const temporary_directory files;
  object_spec square = numbers_object<float>("float32", {1, 2, 3, 4, 5, 6});
  square.shape = {2, 3};
  const tgmap::archive a(files.file("plain.tgm", message({.objects = {square}})));
  const tgmap::part_reader parts(a[0][0]);
  BOOST_TEST(values_of<float>(parts.slab({{0, 1}, {2, 2}}))[3] == 6.0f);
  BOOST_TEST(values_of<float>(parts.slab({{0, 0}, {2, 2}, {1, 2}}))[3] == 6.0f);
  std::vector<tgmap::slab> kept;
  for (std::uint64_t row = 0; row < 2; ++row) {
    const std::array<std::uint64_t, 2> start{row, 0};
    const numbers count{1, 3};
    kept.emplace_back(start, count);
  }
  tgmap::slab moved = std::move(kept[1]);
  moved.start[1] = 2;
  moved.count[1] = 1;
  BOOST_TEST(values_of<float>(parts.slab(moved))[0] == 6.0f);
  BOOST_TEST(values_of<float>(parts.slab(kept[0]))[2] == 3.0f);
}

BOOST_AUTO_TEST_CASE(default_constructed_reader) {
  const tgmap::part_reader none;
  TGMAP_THROWS(none.range(0, 0), errc::no_archive);
  TGMAP_THROWS(none.range_into(0, 0, {}), errc::no_archive);
  TGMAP_THROWS(none.slab({}), errc::no_archive);
  TGMAP_THROWS(none.slabs_into({}, {}), errc::no_archive);
  TGMAP_THROWS(none.cost(0, 0), errc::no_archive);
  TGMAP_THROWS(tgmap::part_reader(tgmap::object()), errc::no_archive);
}

BOOST_AUTO_TEST_SUITE_END()
