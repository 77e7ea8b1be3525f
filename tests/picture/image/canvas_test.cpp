// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <string>

#include "picture/image/canvas.hpp"

#include "image_reader.hpp"

using namespace tgmap::picture;
using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(canvas_test)

namespace {

constexpr colour red{255, 0, 0}, blue{0, 0, 255}, white{255, 255, 255};

}  // namespace

BOOST_AUTO_TEST_CASE(boxes_and_images_are_drawn_in_place) {
  if (!can_draw("boxes and images")) return;
  canvas on(100, 60);
  on.fill({10, 10, 20, 20}, red);
  const std::vector<pixel> two{{blue, 255}, {}};
  on.image({50, 10, 20, 10}, two, 2);
  const std::string png = on.png();
  BOOST_TEST(png.starts_with("\x89PNG\r\n\x1a\n"));
  const auto seen = *read_png(png);
  BOOST_TEST(seen.width == 100u);
  BOOST_TEST(seen.height == 60u);
  BOOST_TEST((seen.at(0, 0) == white));
  BOOST_TEST((seen.at(10, 10) == red && seen.at(29, 29) == red));
  BOOST_TEST((seen.at(9, 10) == white && seen.at(30, 29) == white));
  BOOST_TEST((seen.at(50, 10) == blue && seen.at(59, 19) == blue));
  BOOST_TEST((seen.at(60, 10) == white && seen.at(60, 20) == white));  // transparent, and outside
}

BOOST_AUTO_TEST_CASE(text_is_drawn_and_measured) {
  if (!can_draw("text")) return;
  canvas on(200, 60);
  const text_style style{.size = 20, .rgb = {0, 0, 0}};
  BOOST_TEST(on.width_of("wide", style) > on.width_of("i", style));
  on.text({190, 30}, "right", style, align::right);
  const auto seen = *read_png(on.png());
  std::size_t dark = 0;
  for (std::size_t y = 0; y < 60; ++y)
    for (std::size_t x = 0; x < 200; ++x) {
      if (seen.at(x, y).red > 128) continue;
      ++dark;
      BOOST_TEST(x > 100u);
      BOOST_TEST((y > 15 && y < 45));
    }
  BOOST_TEST(dark > 20u);
}

BOOST_AUTO_TEST_CASE(a_canvas_that_cannot_be_made_is_an_error_with_a_next_step) {
  if (canvas_version().empty()) {
    try {
      canvas on(10, 10);
      BOOST_ERROR("a canvas without cairo");
    } catch (const canvas_error& why) {
      BOOST_TEST(!why.next_step().empty());
    }
    return;
  }
  canvas on(100'000, 100'000);  // beyond what cairo draws on
  BOOST_CHECK_THROW(on.png(), canvas_error);
}

BOOST_AUTO_TEST_SUITE_END()
