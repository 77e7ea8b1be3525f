// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <support/builder.hpp>
#include <support/enum_checks.hpp>
#include <tgmap/tgmap.hpp>
#include <tgmap/tools/grid.hpp>

#include "grid/slice.hpp"

using namespace tgmap_test;
using namespace tgmap::grids;
using tgmap::coordinate_source;
using tgmap::grid_axis;

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

tgmap::grid_axes found_in(const message_spec& spec, const slice& part,
                          std::span<const tgmap::grid_provider* const> providers = {}) {
  const bytes data = message(spec);
  const auto archive = tgmap::archive::from_memory(span_of(data));
  return tgmap::grid(archive[0], archive[0][0], providers).axes(part.slab());
}

/// Returns the axes of object 0 of a message: those of the last two dimensions, or of the ranges of a part.
std::vector<grid_axis> axes_in(const message_spec& spec, const slice& part = {}) {
  auto all = found_in(spec, part).axes;
  std::vector<grid_axis> out;
  for (const std::size_t d : part.dimensions.empty() ? full_slice(spec.objects[0].shape).axes() : part.axes())
    out.push_back(all[d]);
  return out;
}

/// Returns why the rows or columns of object 0 of a message have no degrees.
std::string reason_in(const message_spec& spec) {
  const auto why = found_in(spec, {}).obstacle;
  return why ? why.key + " " + why.value : "";
}

/// Returns an entry of `base` with these keys below `mars`.
bytes mars(const char* grid, const char* area) {
  return cbor::map(
      {cbor::key("mars", cbor::map({cbor::key("grid", cbor::text(grid)), cbor::key("area", cbor::text(area))}))});
}

std::string names(const std::vector<grid_axis>& axes) {
  std::string out;
  for (const grid_axis& a : axes) out += (out.empty() ? "" : ", ") + (a.name.empty() ? std::string("index") : a.name);
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
  const auto area = axes_in({.objects = {field({3, 5})}, .base = {mars("20/10", "60/0/40/80")}},
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

BOOST_AUTO_TEST_CASE(a_regular_grid_of_mars) {
  const message_spec global{.objects = {field({3, 8})}, .base = {mars("regular_ll", "90/0/-90/360")}};
  const auto axes = axes_in(global);
  BOOST_TEST(names(axes) == "latitude, longitude");
  BOOST_TEST((axes[0].values == std::vector<double>{90, 0, -90}));
  BOOST_TEST((axes[1].values == std::vector<double>{0, 45, 90, 135, 180, 225, 270, 315}));
  BOOST_TEST(reason_in(global) == "");
}

BOOST_AUTO_TEST_CASE(other_grids_of_mars_are_numbered_with_a_reason) {
  for (const char* grid : {"O1280", "N320", "lambert", "rotated_ll"}) {
    const message_spec spec{.objects = {field({3, 8})}, .base = {mars(grid, "90/0/-90/360")}};
    BOOST_TEST(names(axes_in(spec)) == "index, index");
    BOOST_TEST(reason_in(spec) == std::string("mars.grid ") + grid);
  }
  BOOST_TEST(reason_in({.objects = {field({24})}, .base = {mars("O1280", "90/0/-90/360")}}) == "mars.grid O1280");
  BOOST_TEST(reason_in({.objects = {field({3, 8})}, .base = {named("t")}}) == "");
}

BOOST_AUTO_TEST_CASE(objects_and_lists_have_no_need_of_a_grid) {
  const bytes with_name = cbor::map({cbor::key("mars", cbor::map({cbor::key("grid", cbor::text("N320"))}))});
  const message_spec objects{.objects = {field({3, 5}), line(60, -10, 3), line(0, 20, 5)},
                             .base = {with_name, named("lat"), named("lon")}};
  BOOST_TEST(names(axes_in(objects)) == "latitude, longitude");
  BOOST_TEST(reason_in(objects) == "");
  const bytes latitudes = cbor::array({cbor::integer(60), cbor::real(52.5), cbor::integer(-10)});
  const bytes longitudes = cbor::array({cbor::integer(1), cbor::integer(2), cbor::integer(4)});
  const message_spec lists{.objects = {field({3, 3})},
                           .base = {cbor::map({cbor::key("latitudes", latitudes),
                                               cbor::key("grid", cbor::map({cbor::key("lon", longitudes)}))})}};
  const auto axes = axes_in(lists, {{{0, 3, 3}, {0, 2, 3, false, 2}}});
  BOOST_TEST(names(axes) == "latitude, longitude");
  BOOST_TEST((axes[0].values == std::vector<double>{60, 52.5, -10}));
  BOOST_TEST((axes[1].values == std::vector<double>{1, 4}));
  BOOST_TEST(names(axes_in({.objects = {field({2, 2})},
                            .base = {cbor::map({cbor::key("latitudes", latitudes),
                                                cbor::key("longitudes", cbor::text("1/2"))})}})) == "index, index");
}

BOOST_AUTO_TEST_CASE(a_grid_belongs_to_the_last_two_dimensions_of_the_object) {
  const message_spec spec{.objects = {field({3, 3, 8})}, .base = {mars("regular_ll", "90/0/-90/360")}};
  BOOST_TEST(names(axes_in(spec)) == "index, latitude, longitude");
  BOOST_TEST(names(axes_in(spec, {{{0, 3, 3}, {1, 1, 3, true}, {0, 8, 8}}})) == "index, longitude");
  BOOST_TEST(names(axes_in(spec, {{{0, 3, 3}, {0, 3, 3}, {1, 1, 8, true}}})) == "index, latitude");
  BOOST_TEST(names(axes_in({.objects = {field({4, 4}), line(60, -10, 4), line(0, 20, 4)},
                            .base = {named("t"), named("lat"), named("lon")}},
                           {{{1, 1, 4, true}, {0, 4, 4}}})) == "longitude");
}

BOOST_AUTO_TEST_CASE(of_several_dimensions_the_last_two_are_rows_and_columns) {
  const message_spec spec{
      .objects = {field({4, 2, 4, 4}), line(0, 20, 4), line(60, -10, 4), line(1, 1, 2), line(5, 5, 4)},
      .base = {named("t"), named("lon"), named("lat"), named("step"), named("level")}};
  BOOST_TEST(names(axes_in(spec)) == "level, step, latitude, longitude");
}

BOOST_AUTO_TEST_CASE(points_have_the_shape_of_the_field) {
  const auto points_in = [](std::vector<object_spec> objects, std::vector<bytes> names) {
    const bytes data = message({.objects = std::move(objects), .base = std::move(names)});
    const auto archive = tgmap::archive::from_memory(span_of(data));
    const auto found = tgmap::grid(archive[0], archive[0][0]).points();
    return found ? std::vector<std::size_t>{*found->latitudes_from.object, *found->longitudes_from.object}
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

BOOST_AUTO_TEST_CASE(coordinates_name_their_source) {
  const bytes list = cbor::array({cbor::integer(1), cbor::integer(2), cbor::integer(4)});
  const auto axes =
      axes_in({.objects = {field({3, 3}), line(60, -10, 3)},
               .base = {cbor::map({cbor::key("grid", cbor::map({cbor::key("lons", list)}))}), named("lat")}});
  BOOST_TEST((axes[0].from.source == coordinate_source::object && *axes[0].from.object == 1u));
  BOOST_TEST((axes[1].from.source == coordinate_source::list));
  BOOST_TEST(axes[1].from.key == "grid.lons");
  const auto area = axes_in({.objects = {field({3, 8})}, .base = {mars("regular_ll", "90/0/-90/360")}});
  BOOST_TEST((area[1].from.source == coordinate_source::regular_grid));
  BOOST_TEST((axes_in({.objects = {field({3, 8})}})[0].from.source == coordinate_source::none));
}

BOOST_AUTO_TEST_CASE(longitudes_go_on_where_they_wrap_around) {
  const auto axes =
      axes_in({.objects = {field({2, 4}),
                           line(60, -10, 2),
                           {.dtype = "float32", .shape = {4}, .payload = native<float>({170, 180, -170, -160})}},
               .base = {named("t"), named("lat"), named("lon")}});
  BOOST_TEST((axes[1].values == std::vector<double>{170, 180, 190, 200}));
  BOOST_TEST(names(axes_in({.objects = {field({3, 5}), {.dtype = "int8", .shape = {3}, .payload = bytes("\1\3\2")}},
                            .base = {named("t"), named("level")}})) == "index, index");  // neither rising nor falling
}

BOOST_AUTO_TEST_CASE(points_of_a_part) {
  const bytes data = message({.objects = {field({2, 3}),
                                          {.dtype = "uint8", .shape = {2, 3}, .payload = "abcdef"},
                                          {.dtype = "uint8", .shape = {2, 3}, .payload = "ABCDEF"}},
                              .base = {named("t"), named("lat"), named("lon")}});
  const auto archive = tgmap::archive::from_memory(span_of(data));
  const auto found = tgmap::grid(archive[0], archive[0][0]).points({{0, 1}, {2, 2}});
  BOOST_TEST_REQUIRE(found.has_value());
  BOOST_TEST((found->latitudes == std::vector<double>{'b', 'c', 'e', 'f'}));
  BOOST_TEST((found->longitudes == std::vector<double>{'B', 'C', 'E', 'F'}));
}

namespace {

/// Knows the grid "X": two latitudes and three longitudes, or points.
struct sample_provider : tgmap::grid_provider {
  bool are_points = false, fails = false;
  std::size_t columns = 3;

  std::string_view name() const noexcept override { return "sample"; }
  std::optional<tgmap::provided_degrees> find(const tgmap::metadata& keys, std::span<const std::uint64_t>,
                                              tgmap::failure& why) const override {
    if (fails) why.code = tgmap::errc::unknown_codec;
    if (keys.get<std::string>("mars.grid") != "X") return std::nullopt;
    if (are_points) return tgmap::provided_degrees{{1, 2, 3, 4, 5, 6}, {10, 20, 30, 40, 50, 60}, true};
    return tgmap::provided_degrees{{60, 50}, std::vector<double>(columns, 0), false};
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(providers_are_asked_last) {
  sample_provider sample;
  sample.columns = 3;
  const tgmap::grid_provider* const providers[] = {&sample};
  const message_spec spec{.objects = {field({2, 3})}, .base = {mars("X", "1/2/3/4")}};
  const auto found = found_in(spec, {}, providers);
  BOOST_TEST(names(found.axes) == "latitude, index");  // its longitudes are all equal
  BOOST_TEST((found.axes[0].from.source == coordinate_source::provider));
  BOOST_TEST(found.axes[0].from.key == "sample");
  BOOST_TEST((found.obstacle.kind == tgmap::grid_obstacle_kind::other_grid));
  const message_spec regular{.objects = {field({3, 8})}, .base = {mars("regular_ll", "90/0/-90/360")}};
  sample.fails = true;
  BOOST_TEST(names(found_in(regular, {}, providers).axes) == "latitude, longitude");  // not asked
  BOOST_CHECK_THROW(found_in(spec, {}, providers), tgmap::error);
  sample.fails = false;
  sample.columns = 4;
  BOOST_CHECK_THROW(found_in(spec, {}, providers), tgmap::error);
  sample.are_points = true;
  const bytes data = message(spec);
  const auto archive = tgmap::archive::from_memory(span_of(data));
  const auto points = tgmap::grid(archive[0], archive[0][0], providers).points({{0, 1}, {2, 2}});
  BOOST_TEST_REQUIRE(points.has_value());
  BOOST_TEST((points->latitudes == std::vector<double>{2, 3, 5, 6}));
  BOOST_TEST((points->longitudes == std::vector<double>{20, 30, 50, 60}));
}

BOOST_AUTO_TEST_CASE(parts_that_do_not_fit_are_errors) {
  const bytes data = message({.objects = {field({2, 3})}});
  const auto archive = tgmap::archive::from_memory(span_of(data));
  const tgmap::grid grid(archive[0], archive[0][0]);
  const auto code = [&](const tgmap::slab& part) {
    tgmap::failure why;
    (void)grid.axes(part, why);
    return why.code;
  };
  BOOST_TEST((code({{0, 0}, {2, 3}}) == std::error_code()));
  BOOST_TEST((code({{0, 1}, {2, 1}, {1, 5}}) == std::error_code()));
  BOOST_TEST((code({{0, 1}, {2, 2}, {1, 2}}) == tgmap::errc::out_of_range));
  BOOST_TEST((code({{0, 1}, {2, 3}}) == tgmap::errc::out_of_range));
  BOOST_TEST((code({{0, UINT64_MAX}, {2, 1}}) == tgmap::errc::out_of_range));
  BOOST_TEST((code({{0, 0}, {2, 3}, {1, 0}}) == tgmap::errc::invalid_option));
  BOOST_TEST((code({{0}, {2}}) == tgmap::errc::invalid_option));
}

BOOST_AUTO_TEST_CASE(names_of_kinds) {
  check_names<tgmap::coordinate_kind>("coordinate_kind", 4);
  check_names<coordinate_source>("coordinate_source", 5);
  check_names<tgmap::grid_obstacle_kind>("grid_obstacle_kind", 8);
}

BOOST_AUTO_TEST_SUITE_END()
