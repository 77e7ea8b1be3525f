// SPDX-License-Identifier: Apache-2.0
// Degrees are given only where the metadata says that a grid is regular, and agrees with itself.
#include <array>
#include <boost/test/unit_test.hpp>
#include <support/builder.hpp>
#include <tgmap/tgmap.hpp>

#include "grid/regular_grid.hpp"

using namespace tgmap_test;
using namespace tgmap::grids;

BOOST_AUTO_TEST_SUITE(regular_grid_test)

namespace {

using pairs = std::vector<cbor::pair>;
using degrees = std::vector<double>;

bytes numbers(const std::vector<double>& values) {
  std::vector<bytes> items;
  for (const double each : values) items.push_back(cbor::real(each));
  return cbor::array(items);
}

/// Returns the grid that an object with these keys below `mars`, and beside it, has.
found_grid grid_of(std::vector<std::uint64_t> shape, pairs mars, pairs others = {}) {
  others.push_back(cbor::key("mars", cbor::map(std::move(mars))));
  const bytes data = message({.objects = {bytes_object("x")}, .base = {cbor::map(std::move(others))}});
  const auto archive = tgmap::archive::from_memory(span_of(data));
  return find_grid(archive[0][0].metadata(), shape);
}

found_grid grid_of(std::vector<std::uint64_t> shape, const char* grid, const char* area) {
  return grid_of(std::move(shape), {cbor::key("grid", cbor::text(grid)), cbor::key("area", cbor::text(area))});
}

degrees first_of(const even_places& places, std::size_t n) {
  degrees out;
  for (std::size_t i = 0; i < n; ++i) out.push_back(places[i]);
  return out;
}

void check(const found_grid& found, const degrees& latitudes, const degrees& longitudes) {
  BOOST_TEST(!found.why_none);
  BOOST_TEST_REQUIRE(found.grid.has_value());
  BOOST_TEST(first_of(found.grid->latitudes, latitudes.size()) == latitudes, boost::test_tools::per_element());
  BOOST_TEST(first_of(found.grid->longitudes, longitudes.size()) == longitudes, boost::test_tools::per_element());
}

/// Checks that there is no grid; `why` is the kind of the obstacle, its key and its value.
void check_none(const found_grid& found, const std::string& why) {
  BOOST_TEST(!found.grid.has_value());
  std::string seen(to_string_view(found.why_none.kind));
  for (const std::string& part : {found.why_none.key, found.why_none.value})
    if (!part.empty()) seen += " " + part;
  BOOST_TEST(seen == why);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_circle_is_without_its_end) {
  check(grid_of({3, 8}, "regular_ll", "90/0/-90/360"), {90, 0, -90}, {0, 45, 90, 135, 180, 225, 270, 315});
  check(grid_of({2, 4}, "regular_ll", "60/-180/30/180"), {60, 30}, {-180, -90, 0, 90});
  check(grid_of({2, 4}, "90/30", "60/0/30/360"), {60, 30}, {0, 90, 180, 270});
  // The area as the reference writes it ends one step before.
  check(grid_of({3, 8}, "regular_ll", "90/-180/-90/135"), {90, 0, -90}, {-180, -135, -90, -45, 0, 45, 90, 135});
  check(grid_of({3, 8}, "45/90", "90/0/-90/315"), {90, 0, -90}, {0, 45, 90, 135, 180, 225, 270, 315});
  // A stated step may include the end.
  check(grid_of({2, 5}, "90/30", "60/0/30/360"), {60, 30}, {0, 90, 180, 270, 360});
}

BOOST_AUTO_TEST_CASE(regions_and_the_date_line) {
  check(grid_of({5, 9}, "regular_ll", "70/-20.5/50/40"), {70, 65, 60, 55, 50}, {-20.5, -12.9375, -5.375});
  check(grid_of({2, 5}, "regular_ll", "10/170/0/-170"), {10, 0}, {170, 175, 180, 185, 190});
  check(grid_of({2, 5}, "5/10", "10/350/0/10"), {10, 0}, {350, 355, 360, 365, 370});
  check(grid_of({2, 3}, "10/10", "0/0/10/20"), {0, 10}, {0, 10, 20});  // the first corner is in the south
  check(grid_of({7, 2, 3}, "10/10", "10/0/0/20"), {10, 0}, {0, 10, 20});
  check(grid_of({1801, 2}, "0.1/0.1", "90/0/-90/0.1"), {90, 89.9, 89.8, 89.7}, {0, 0.1});
  check(grid_of({2, 1081}, "0.333/10", "10/0/0/359.64"), {10, 0}, {0});
  check(grid_of({1, 2}, "10/10", "10/0/10/10"), {10}, {0, 10});
}

BOOST_AUTO_TEST_CASE(grids_and_areas_may_be_lists_of_numbers) {
  check(grid_of({2, 3}, {cbor::key("grid", numbers({10, 5})), cbor::key("area", numbers({10, 0, 5, 20}))}), {10, 5},
        {0, 10, 20});
  check(grid_of(
            {2, 2},
            {cbor::key("grid", cbor::array({cbor::integer(10), cbor::integer(5)})),
             cbor::key("area", cbor::array({cbor::integer(10), cbor::integer(350), cbor::real(5), cbor::integer(0)}))}),
        {10, 5}, {350, 360});
}

BOOST_AUTO_TEST_CASE(the_type_of_the_grid_may_stand_elsewhere) {
  const cbor::pair area = cbor::key("area", cbor::text("10/0/5/20"));
  const cbor::pair type = cbor::key("gridType", cbor::text("regular_ll"));
  check(grid_of({2, 3}, {area, type}), {10, 5}, {0, 10, 20});
  check(grid_of({2, 3}, {area}, {type}), {10, 5}, {0, 10, 20});
  for (const char* place : {"grid", "geometry", "geography", "grib", "grib_repro"})
    check(grid_of({2, 3}, {area}, {cbor::key(place, cbor::map({type}))}), {10, 5}, {0, 10, 20});
  check(grid_of({2, 3}, {area}, {cbor::key("grib", cbor::map({cbor::key("geography", cbor::map({type}))}))}), {10, 5},
        {0, 10, 20});
}

BOOST_AUTO_TEST_CASE(other_grids_have_no_degrees) {
  for (const char* grid : {"O1280", "N320", "reduced_gg", "regular_gg", "lambert", "rotated_ll", "sh", "80", "1/1/1",
                           "1/x", "-1/1", "0/1", "nan/1"})
    check_none(grid_of({3, 8}, grid, "90/0/-90/360"), std::string("other_grid mars.grid ") + grid);
  check_none(grid_of({3, 8}, {cbor::key("grid", cbor::integer(320)), cbor::key("area", cbor::text("90/0/-90/360"))}),
             "other_grid mars.grid 320");
  // One statement of another grid is enough.
  const pairs steps{cbor::key("grid", cbor::text("45/90")), cbor::key("area", cbor::text("90/0/-90/360"))};
  check(grid_of({3, 8}, steps), {90, 0, -90}, {0, 45});
  check_none(grid_of({3, 8}, steps, {cbor::key("gridType", cbor::text("rotated_ll"))}),
             "other_grid gridType rotated_ll");
  pairs rotated = steps;
  rotated.push_back(cbor::key("rotation", cbor::text("-35/15")));
  check_none(grid_of({3, 8}, rotated), "other_grid mars.rotation -35/15");
  check_none(grid_of({3, 8}, steps, {cbor::key("jPointsAreConsecutive", cbor::integer(1))}),
             "other_order jPointsAreConsecutive");
  check_none(grid_of({3, 8}, {cbor::key("area", cbor::text("90/0/-90/360"))}), "grid_missing");
}

BOOST_AUTO_TEST_CASE(statements_that_disagree_give_no_degrees) {
  check_none(grid_of({3, 9}, "45/90", "90/0/-90/315"), "disagreement mars.area 90/0/-90/315");
  for (const auto& [grid, area] : {std::pair("44/90", "90/0/-90/360"),
                                   {"45/89", "90/0/-90/360"},
                                   {"44.9/90", "90/0/-90/315"},
                                   {"90/45", "90/0/-90/360"},
                                   {"45/90", "90/0/-90/180"}})
    BOOST_TEST(!grid_of({3, 8}, grid, area).grid, grid);
  const auto steps = grid_of({3, 9}, "45/90", "90/0/-90/315").why_none.steps;
  BOOST_TEST((steps && *steps == std::array<double, 2>{45, 90}));
  BOOST_TEST(!grid_of({3, 1}, "regular_ll", "90/0/-90/10").why_none.steps.has_value());
  check_none(grid_of({8, 3}, "45/90", "90/0/-90/360"), "disagreement mars.area 90/0/-90/360");
  check_none(grid_of({3, 1}, "regular_ll", "90/0/-90/10"), "disagreement mars.area 90/0/-90/10");
  check_none(grid_of({1, 8}, "regular_ll", "90/0/-90/360"), "disagreement mars.area 90/0/-90/360");
  check_none(grid_of({2, 2}, "regular_ll", "10/5/0/5"), "disagreement mars.area 10/5/0/5");
  check_none(grid_of({24}, "regular_ll", "90/0/-90/360"), "too_few_dimensions");
}

BOOST_AUTO_TEST_CASE(areas_that_are_none) {
  check_none(grid_of({3, 8}, {cbor::key("grid", cbor::text("regular_ll"))}), "area_missing");
  for (const char* bad : {"70/-20/50", "70/-20/50/40/1", "70/a/50/40", "700/-20/50/40", "70/-20/50/40 ", "nan/0/0/0",
                          "70/-360/50/360", "70/0/50/1e300", "70/0/50/inf", "70/-400/50/0"})
    check_none(grid_of({3, 8}, "regular_ll", bad), std::string("bad_area mars.area ") + bad);
  check_none(grid_of({3, 8}, "regular_ll", ""), "bad_area mars.area");
  check_none(grid_of({3, 8}, {cbor::key("grid", cbor::text("regular_ll")), cbor::key("area", cbor::map({}))}),
             "bad_area mars.area");
  check_none(grid_of({3, 8}, std::string(1000, 'O').c_str(), "90/0/-90/360"),
             "other_grid mars.grid " + std::string(40, 'O') + "…");
}

BOOST_AUTO_TEST_CASE(metadata_without_a_grid_gives_no_reason) {
  check_none(grid_of({3, 8}, pairs{}), "none");
  check_none(grid_of({0, 8}, "regular_ll", "90/0/-90/360"), "none");
}

BOOST_AUTO_TEST_CASE(flags_of_the_scanning_order) {
  const auto with = [](const char* flag, int set) {
    return grid_of({2, 3}, {cbor::key("grid", cbor::text("10/10")), cbor::key("area", cbor::text("10/0/0/20"))},
                   {cbor::key("geography", cbor::map({cbor::key(flag, cbor::integer(set))}))});
  };
  check(with("jScansPositively", 1), {0, 10}, {0, 10, 20});
  check(with("jScansPositively", 0), {10, 0}, {0, 10, 20});
  check(with("iScansNegatively", 1), {10, 0}, {20, 10, 0});
  check(with("iScansNegatively", 0), {10, 0}, {0, 10, 20});
}

BOOST_AUTO_TEST_SUITE_END()
