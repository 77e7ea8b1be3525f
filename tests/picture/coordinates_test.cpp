// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <support/builder.hpp>
#include <tgmap/tgmap.hpp>

#include "picture/coordinates.hpp"

using namespace tgmap_test;
using namespace tgmap::picture;

BOOST_AUTO_TEST_SUITE(coordinates_test)

namespace {

bytes named(const char* name) { return cbor::map({cbor::key("name", cbor::text(name))}); }

object_spec field(std::vector<std::uint64_t> shape) {
  std::uint64_t n = 1;
  for (const auto extent : shape) n *= extent;
  return {.dtype = "uint8", .shape = std::move(shape), .payload = bytes(n, 'x')};
}

object_spec line(double from, double step, std::size_t n) {
  object_spec out{.dtype = "float64", .shape = {n}};
  for (std::size_t i = 0; i < n; ++i) out.payload += native<double>({from + step * i});
  return out;
}

/// Returns the axes of object 0 of a message.
std::vector<axis> axes_in(const message_spec& spec, const slice& part = {}) {
  const bytes data = message(spec);
  const auto archive = tgmap::archive::from_memory(span_of(data));
  const auto shape = archive[0][0].descriptor();
  return find_axes(archive[0], archive[0][0], part.dimensions.empty() ? default_slice(shape.shape()) : part);
}

std::string names(const std::vector<axis>& axes) {
  std::string out;
  for (const axis& a : axes) out += (out.empty() ? "" : ", ") + (a.name.empty() ? std::string("index") : a.name);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(latitudes_and_longitudes_of_the_same_message) {
  for (const auto& [lat, lon] : {std::pair("lat", "lon"), {"Latitude", "LONGITUDE"}, {"latitudes", "longitudes"}}) {
    const auto axes = axes_in(
        {.objects = {field({3, 5}), line(60, -10, 3), line(0, 20, 5)}, .base = {named("t"), named(lat), named(lon)}});
    BOOST_TEST(names(axes) == "latitude, longitude");
    BOOST_TEST((axes[0].values == std::vector<double>{60, 50, 40}));
    BOOST_TEST((axes[1].values == std::vector<double>{0, 20, 40, 60, 80}));
  }
}

BOOST_AUTO_TEST_CASE(if_both_dimensions_fit_latitudes_are_rows_and_longitudes_columns) {
  BOOST_TEST(names(axes_in({.objects = {field({4, 4}), line(0, 20, 4), line(60, -10, 4)},
                            .base = {named("t"), named("lon"), named("lat")}})) == "latitude, longitude");
  BOOST_TEST(names(axes_in({.objects = {field({4, 4}), line(0, 20, 4), line(60, -10, 4)},
                            .base = {named("t"), named("x"), named("y")}})) == "y, x");
}

BOOST_AUTO_TEST_CASE(a_slice_takes_its_part_of_the_coordinates) {
  const message_spec spec{.objects = {field({2, 3, 5}), line(60, -10, 3), line(0, 20, 5), line(1000, -150, 2)},
                          .base = {named("t"), named("lat"), named("lon"), named("level")}};
  const auto axes = axes_in(spec, {{{1, 1, 2, true}, {0, 3, 3}, {1, 2, 5}}});
  BOOST_TEST(names(axes) == "latitude, longitude");
  BOOST_TEST((axes[1].values == std::vector<double>{20, 40}));
  BOOST_TEST(names(axes_in(spec, {{{0, 2, 2}, {2, 1, 3, true}, {0, 5, 5}}})) == "level, longitude");
  BOOST_TEST(names(axes_in(spec, {{{0, 2, 2}, {2, 1, 3, true}, {2, 1, 5, true}}})) == "level");
}

BOOST_AUTO_TEST_CASE(a_slice_with_steps_takes_every_nth_coordinate) {
  const message_spec spec{.objects = {field({3, 5}), line(60, -10, 3), line(0, 20, 5)},
                          .base = {named("t"), named("lat"), named("lon")}};
  const auto axes = axes_in(spec, {{{0, 2, 3, false, 2}, {1, 2, 5, false, 3}}});
  BOOST_TEST((axes[0].values == std::vector<double>{60, 40}));
  BOOST_TEST((axes[1].values == std::vector<double>{20, 80}));
  const bytes mars = cbor::map({cbor::key("area", cbor::text("60/0/40/80"))});
  const auto area = axes_in({.objects = {field({3, 5})}, .base = {cbor::map({cbor::key("mars", mars)})}},
                            {{{0, 2, 3, false, 2}, {1, 2, 5, false, 3}}});
  BOOST_TEST(names(area) == "latitude, longitude");
  BOOST_TEST((area[0].values == std::vector<double>{60, 40}));
  BOOST_TEST((area[1].values == std::vector<double>{20, 80}));
}

BOOST_AUTO_TEST_CASE(coordinates_that_do_not_fit_are_ignored) {
  BOOST_TEST(names(axes_in({.objects = {field({3, 5}), line(60, -10, 4), field({3})},
                            .base = {named("t"), named("lat"), named("name")}})) == "index, index");
  object_spec packed = line(60, -10, 3);
  packed.compression = "zstd";
  BOOST_TEST(names(axes_in({.objects = {field({3, 5}), packed}, .base = {named("t"), named("lat")}})) ==
             "index, index");
  object_spec truncated = line(60, -10, 3);
  truncated.payload.pop_back();
  BOOST_TEST(names(axes_in({.objects = {field({3, 5}), truncated}, .base = {named("t"), named("lat")}})) ==
             "index, index");
  BOOST_TEST(names(axes_in({.objects = {line(60, -10, 3)}, .base = {named("lat")}})) ==
             "index");  // an object is not its own axis
}

BOOST_AUTO_TEST_CASE(the_first_of_several_counts) {
  const auto axes = axes_in({.objects = {field({3, 5}), line(60, -10, 3), line(10, 10, 3)},
                             .base = {named("t"), named("lat"), named("latitude")}});
  BOOST_TEST((axes[0].values == std::vector<double>{60, 50, 40}));
}

BOOST_AUTO_TEST_CASE(the_area_of_mars) {
  const auto with = [](bytes area) {
    return message_spec{.objects = {field({5, 9})},
                        .base = {cbor::map({cbor::key("mars", cbor::map({cbor::key("area", std::move(area))}))})}};
  };
  const auto axes = axes_in(with(cbor::text("70/-20.5/50/40")));
  BOOST_TEST(names(axes) == "latitude, longitude");
  BOOST_TEST((axes[0].values == std::vector<double>{70, 65, 60, 55, 50}));
  BOOST_TEST(axes[1].values.front() == -20.5);
  BOOST_TEST(axes[1].values.back() == 40);
  BOOST_TEST(
      names(axes_in(with(cbor::array({cbor::integer(70), cbor::integer(350), cbor::real(50), cbor::integer(10)})))) ==
      "latitude, longitude");
  for (const char* bad :
       {"", "70/-20/50", "70/-20/50/40/1", "70/a/50/40", "700/-20/50/40", "70/-20/50/40 ", "nan/0/0/0", "70/0/70/40"})
    BOOST_TEST(names(axes_in(with(cbor::text(bad)))).starts_with("index"), bad);
  BOOST_TEST(names(axes_in(with(cbor::array({cbor::text("70")})))) == "index, index");
}

BOOST_AUTO_TEST_CASE(of_several_dimensions_the_last_two_are_rows_and_columns) {
  const bytes data =
      message({.objects = {field({4, 2, 4, 4}), line(0, 20, 4), line(60, -10, 4), line(1, 1, 2), line(5, 5, 4)},
               .base = {named("t"), named("lon"), named("lat"), named("step"), named("level")}});
  const auto archive = tgmap::archive::from_memory(span_of(data));
  const std::vector<slice::extent> whole{{0, 4, 4}, {0, 2, 2}, {0, 4, 4}, {0, 4, 4}};
  BOOST_TEST(names(find_axes(archive[0], archive[0][0], whole)) == "level, step, latitude, longitude");
}

BOOST_AUTO_TEST_CASE(points_have_the_shape_of_the_field) {
  const auto points_in = [](std::vector<object_spec> objects, std::vector<bytes> names) {
    const bytes data = message({.objects = std::move(objects), .base = std::move(names)});
    const auto archive = tgmap::archive::from_memory(span_of(data));
    const auto found = find_points(archive[0], archive[0][0]);
    return found ? std::vector<std::size_t>{found->latitudes.index(), found->longitudes.index()}
                 : std::vector<std::size_t>{};
  };
  const std::vector<std::size_t> both{2, 1}, none;
  BOOST_TEST(points_in({field({3}), line(0, 1, 3), line(5, 5, 3)}, {named("t"), named("lon"), named("lat")}) == both);
  BOOST_TEST(points_in({field({2, 2}), field({2, 2}), field({2, 2})},
                       {named("t"), named("longitude"), named("LATITUDE")}) == both);
  BOOST_TEST(points_in({field({3}), line(0, 1, 3), line(5, 5, 2)}, {named("t"), named("lon"), named("lat")}) == none);
  BOOST_TEST(points_in({field({2, 2}), field({4}), field({4})}, {named("t"), named("lon"), named("lat")}) == none);
  BOOST_TEST(points_in({field({3}), line(0, 1, 3)}, {named("t"), named("lat")}) == none);
}

BOOST_AUTO_TEST_SUITE_END()
