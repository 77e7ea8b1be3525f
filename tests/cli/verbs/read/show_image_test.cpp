// SPDX-License-Identifier: Apache-2.0
// show -o: a complete PNG file or none. tests/picture checks its contents.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <iterator>
#include <support/shared_data.hpp>

#include "picture/image/canvas.hpp"

#include "../../process.hpp"
#include "../../show_samples.hpp"

using namespace tgmap_test;

namespace {

bool can_draw() {
  if (!tgmap::picture::canvas_version().empty()) return true;
  say_skipped("images by the command", "cairo absent");
  return false;
}

struct image_shown {
  temporary_directory files;
  std::string path = files.file("f.tgm", map_message()).string() + ":0:0";
  std::string out = (files / "x.png").string();

  std::size_t entries() const {
    const std::filesystem::directory_iterator all(files.path());
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
  }
};

bool is_png(const bytes& data, std::uint64_t width = 0, std::uint64_t height = 0) {
  if (!data.starts_with("\x89PNG\r\n\x1a\n") || !data.ends_with("IEND\xae\x42\x60\x82")) return false;
  return width == 0 || (get(data, 16, 4) == width && get(data, 20, 4) == height);
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(show_image, image_shown)

BOOST_AUTO_TEST_CASE(an_image_and_the_statistics) {
  if (!can_draw()) return;
  const outcome seen = run({"show", path, "-o", out});
  BOOST_TEST(seen.status == 0, seen.err);
  BOOST_TEST(seen.out.ends_with("12 elements, 1 missing\nmin 0   max 11   mean 5.54545   std 3.60211   K\n"), seen.out);
  BOOST_TEST(is_png(read_file(out)));
  BOOST_TEST(run({"show", path, "-o", out, "--size", "640x480"}).status == 0);
  BOOST_TEST(is_png(read_file(out), 640, 480));
  BOOST_TEST(json_lines(run({"show", path, "-j", "-o", out}).out).size() == 1u);
  BOOST_TEST(entries() == 2u);  // nothing is left beside them
}

BOOST_AUTO_TEST_CASE(a_line) {
  if (!can_draw()) return;
  const auto line = files.file("l.tgm", message({.objects = {numbers_object<float>("float32", {1, 2, 3})}}));
  BOOST_TEST(run({"show", line.string(), "-o", out, "--log"}).status == 0);
  BOOST_TEST(is_png(read_file(out), 1200, 720));
}

BOOST_AUTO_TEST_CASE(standard_output) {
  if (!can_draw()) return;
  const outcome seen = run({"show", path, "-o", "-"});
  BOOST_TEST(seen.status == 0);
  BOOST_TEST(is_png(seen.out));
}

BOOST_AUTO_TEST_CASE(other_maps_of_colours_are_other_images) {
  if (!can_draw()) return;
  BOOST_TEST(run({"show", path, "-o", "-"}).out != run({"show", path, "-o", "-", "--cmap", "ember"}).out);
  BOOST_TEST(run({"show", path, "-o", "-"}).out == run({"show", path, "-o", "-", "--cmap", "lagoon"}).out);
  BOOST_TEST(run({"show", path, "-o", "-"}).out != run({"show", path, "-o", "-", "--range", "0,100"}).out);
}

BOOST_AUTO_TEST_CASE(one_element_has_an_image) {
  for (const std::vector<std::uint64_t>& shape : {std::vector<std::uint64_t>{1}, {1, 1}, {1, 1, 1}}) {
    object_spec one = numbers_object<double>("float64", {1.7e308});
    one.shape = shape;
    const auto file = files.file("one.tgm", message({.objects = {one}})).string();
    std::filesystem::remove(out);
    const outcome seen = run({"show", file, "-o", out});
    BOOST_TEST(seen.status == 0, seen.err);
    BOOST_TEST(std::filesystem::exists(out));
    BOOST_TEST(run({"show", file}).out.ends_with("value 1.7e+308\n"));
  }
  std::filesystem::remove(out);
}

BOOST_AUTO_TEST_CASE(objects_without_an_image) {
  const auto fails = [&](const object_spec& object, const std::string& why, std::vector<std::string> more = {}) {
    const auto one = files.file("g.tgm", message({.objects = {object}})).string();
    more.insert(more.begin(), {"show", one, "-o", out});
    const outcome seen = run(more);
    BOOST_TEST(seen.status == 1);
    BOOST_TEST(seen.out == "");
    BOOST_TEST(seen.err.find(why) != std::string::npos, seen.err);
    BOOST_TEST(!std::filesystem::exists(out));
  };
  fails({.dtype = "uint8", .shape = {}, .payload = "a"},
        "[...] cannot be drawn: it does not have one or two dimensions");
  fails({.dtype = "uint8", .shape = {2, 0}}, "cannot be drawn: it contains no numbers");
  fails({.dtype = "uint8", .shape = {2, 2, 2}, .payload = "abcdefgh"}, "[:, :, :] cannot be drawn",
        {"--slice", ":,:,:"});
  fails(numbers_object<float>("float32", {__builtin_nanf(""), __builtin_nanf("")}), "it contains no numbers");
}

BOOST_AUTO_TEST_CASE(the_input_is_never_overwritten) {
  const auto image = files.file("f.png", map_message()).string();
  const outcome seen = run({"show", image + ":0:0", "-o", image});
  BOOST_TEST(seen.status == 1);
  BOOST_TEST(seen.err.find("is the input and would be overwritten") != std::string::npos);
  BOOST_TEST(read_file(image) == map_message());
}

BOOST_AUTO_TEST_CASE(an_output_that_cannot_be_written_is_named) {
  if (!can_draw()) return;
  const std::string folder = (files / "no such directory").string(), there = folder + "/x.png";
  const outcome seen = run({"show", path, "-o", there});
  BOOST_TEST(seen.status == 1);
  BOOST_TEST(seen.err ==
             "tgmap: " + there + ": the folder '" + folder + "' does not exist; create it, or name another file\n");
}

BOOST_AUTO_TEST_CASE(without_cairo_it_says_what_to_install) {
  files.file("libcairo.so.2", "");  // found first, and no library
  const outcome seen =
      shell("LD_LIBRARY_PATH='" + files.path().string() + "' \"$TGMAP\" show '" + path + "' -o '" + out + "'");
  BOOST_TEST(seen.status == 1);
  BOOST_TEST(seen.out == "");
  BOOST_TEST(seen.err.find("; ") != std::string::npos);
  BOOST_TEST(seen.err.find("libcairo2") != std::string::npos, seen.err);
  BOOST_TEST(!std::filesystem::exists(out));
  BOOST_TEST(shell("LD_LIBRARY_PATH='" + files.path().string() + "' \"$TGMAP\" show '" + path + "'").status == 0);
}

BOOST_AUTO_TEST_SUITE_END()
