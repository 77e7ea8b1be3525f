// SPDX-License-Identifier: Apache-2.0
#include "convert/export/element_export.hpp"

#include <boost/test/unit_test.hpp>
#include <support/builder.hpp>
#include <support/temporary.hpp>
#include <tgmap/archive.hpp>

using namespace tgmap_test;
using tgmap::convert::element_format;
using tgmap::convert::exported_object;

BOOST_AUTO_TEST_SUITE(element_exports)

namespace {

/// Notes what it is told, and stops after the first failure if `goes_on` is false.
struct notes final : tgmap::convert::export_visitor {
  bool attempt(std::size_t object, const std::function<void()>& write) override try {
    write();
    return true;
  } catch (const tgmap::error& why) {
    failed.emplace_back(object, why.details().code);
    return goes_on;
  }
  std::string no_degrees(std::size_t object, const tgmap::grid_obstacle&) override {
    without_degrees.push_back(object);
    return "because";
  }
  void written(std::size_t object, std::uint64_t size) override { sizes.emplace_back(object, size); }

  bool goes_on = true;
  std::vector<std::pair<std::size_t, std::error_code>> failed{};
  std::vector<std::size_t> without_degrees{};
  std::vector<std::pair<std::size_t, std::uint64_t>> sizes{};
};

/// An archive of three objects; elements of the one in the middle cannot be decoded.
struct export_fixture {
  temporary_directory files;
  bytes data = message({.objects = {numbers_object<std::int16_t>("int16", {1, 2, 3}),
                                    {.shape = {3}, .payload = "abc", .compression = "unheard"},
                                    numbers_object<std::int16_t>("int16", {4, 5, 6})}});
  tgmap::archive in = tgmap::archive::from_memory(span_of(data));
  std::vector<exported_object> all{};
  std::vector<std::string> names{};
  notes heard{};

  export_fixture() {
    for (std::size_t j = 0; j < 3; ++j) {
      all.push_back({.in = in[0], .of = in[0][j], .archive = "f.tgm"});
      names.push_back((files / std::to_string(j)).string());
    }
  }

  void write(element_format format, tgmap::executor* threads = &tgmap::shared_executor()) {
    tgmap::edit::output_set outputs({.sync = false});
    tgmap::convert::export_writer writer(outputs, false);
    export_elements(all, names, writer,
                    {.format = format, .workers = threads, .decoders = threads, .max_bytes = 1 << 20}, heard);
    writer.finish();
  }
  std::string file(std::size_t j) const { return read_file(names[j]); }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(whole_objects_and_parts_are_written_in_order, export_fixture) {
  tgmap::failure none;
  all[2].part = tgmap::grids::parse_slice("[1:]", none);
  write(element_format::csv);
  BOOST_TEST(file(0) == "index_0,value\n0,1\n1,2\n2,3\n");
  BOOST_TEST(file(2) == "index_0,value\n1,5\n2,6\n");
  BOOST_TEST(!std::filesystem::exists(names[1]));
  BOOST_REQUIRE(heard.failed.size() == 1U);
  BOOST_TEST(heard.failed[0].first == 1U);
  BOOST_TEST((heard.failed[0].second == tgmap::errc::unknown_codec));
  BOOST_TEST(heard.without_degrees == (std::vector<std::size_t>{0, 2}), boost::test_tools::per_element());
  BOOST_TEST((heard.sizes == std::vector<std::pair<std::size_t, std::uint64_t>>{{0, 26}, {2, 22}}));
}

BOOST_FIXTURE_TEST_CASE(the_calling_thread_alone_writes_the_same, export_fixture) {
  tgmap::failure none;
  all[0].part = tgmap::grids::parse_slice("[:1]", none);
  all[1] = all[0];
  write(element_format::csv, nullptr);
  for (const std::size_t j : {std::size_t{0}, std::size_t{1}}) BOOST_TEST(file(j) == "index_0,value\n0,1\n");
  BOOST_TEST(file(2) == "index_0,value\n0,4\n1,5\n2,6\n");
}

BOOST_FIXTURE_TEST_CASE(a_part_that_does_not_fit_is_a_failure, export_fixture) {
  tgmap::failure none;
  all[0].part = tgmap::grids::parse_slice("[7]", none);
  heard.goes_on = false;
  write(element_format::raw);
  BOOST_REQUIRE(heard.failed.size() == 1U);
  BOOST_TEST((heard.failed[0].second == tgmap::errc::out_of_range));
  BOOST_TEST(heard.sizes.empty());
}

BOOST_FIXTURE_TEST_CASE(payloads_are_written_as_stored, export_fixture) {
  write(element_format::stored);
  BOOST_TEST(file(1) == "abc");
  BOOST_TEST(heard.failed.empty());
}

BOOST_FIXTURE_TEST_CASE(json_begins_with_the_address, export_fixture) {
  all.resize(1);
  names.resize(1);
  write(element_format::json);
  BOOST_TEST(file(0) ==
             R"({"file":"f.tgm","message":0,"object":0,"name":null,"no_coordinates":"because","dtype":"int16",)"
             R"("shape":[3],"coordinates":[{"name":"index_0","dimension":0,"first":0,"step":1}],"values":[1,2,3]})"
             "\n");
}

BOOST_FIXTURE_TEST_CASE(an_npz_has_a_member_for_each_object, export_fixture) {
  tgmap::edit::output_set outputs({.sync = false});
  tgmap::convert::export_writer writer(outputs, names[0]);
  BOOST_TEST(writer.write("a.npy", [](const auto& to) { to(span_of("12")); }) == 2U);
  writer.finish();
  BOOST_TEST(file(0).starts_with("PK"));
  BOOST_TEST(file(0).find("a.npy12") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
