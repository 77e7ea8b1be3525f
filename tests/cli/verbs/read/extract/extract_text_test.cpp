// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <support/builder.hpp>
#include <support/cbor.hpp>

#include "../../../process.hpp"
#include "../../../samples.hpp"

using namespace tgmap_test;

namespace {

bytes named(const char* name) { return cbor::map({cbor::key("name", cbor::text(name))}); }

object_spec bytes_of_shape(std::vector<std::uint64_t> shape) {
  std::uint64_t n = 1;
  for (const auto extent : shape) n *= extent;
  object_spec out{.dtype = "uint8", .shape = std::move(shape)};
  for (std::uint64_t i = 0; i < n; ++i) out.payload += static_cast<char>(i);
  return out;
}

/// Message 0 has a field on a grid, message 1 one on points, message 2 one without coordinates.
struct fields {
  temporary_directory files;
  std::string path =
      files
          .file("f.tgm", message({.objects = {bytes_of_shape({2, 3}), numbers_object<double>("float64", {60, 50}),
                                              numbers_object<float>("float32", {0, 120, 240})},
                                  .base = {named("t"), named("lat"), named("Longitude")}}) +
                             message({.objects = {bytes_of_shape({3}), numbers_object<double>("float64", {1, 2.5, 3}),
                                                  numbers_object<double>("float64", {-10, 0, 10})},
                                      .base = {named("t"), named("latitude"), named("longitude")}}) +
                             message({.objects = {bytes_of_shape({2, 2})}, .base = {named("t")}}))
          .string();
  std::string out = (files / "o").string();
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(extract_text, fields)

BOOST_AUTO_TEST_CASE(values_on_a_grid_have_latitude_and_longitude) {
  const outcome seen = run({"extract", path + ":0:0", "--format", "csv"});
  BOOST_TEST(seen.status == 0);
  BOOST_TEST(seen.err == "");
  BOOST_TEST(seen.out == "latitude,longitude,value\n60,0,0\n60,120,1\n60,240,2\n50,0,3\n50,120,4\n50,240,5\n");
}

BOOST_AUTO_TEST_CASE(values_on_points_have_latitude_and_longitude_of_their_own) {
  const outcome seen = run({"extract", path + ":1:0", "--format", "text", "-o", "-"});
  BOOST_TEST(seen.err == "");
  BOOST_TEST(seen.out == "# latitude longitude value\n1 -10 0\n2.5 0 1\n3 10 2\n");
}

BOOST_AUTO_TEST_CASE(other_values_have_indices_which_is_said_once) {
  const outcome seen = run({"extract", path + ":2", "--format", "csv", "-o", "-"});
  BOOST_TEST(seen.out == "index_0,index_1,value\n0,0,0\n0,1,1\n1,0,2\n1,1,3\n");
  BOOST_TEST(seen.err == "tgmap: " + path +
                             ":2:0: the message has no latitudes and longitudes for these elements; the columns have "
                             "indices\n");
  BOOST_TEST(run({"extract", "-q", path + ":2", "--format", "csv"}).err == "");
}

BOOST_AUTO_TEST_CASE(a_slice_keeps_the_coordinates_of_its_elements) {
  BOOST_TEST(run({"extract", path + ":0:0[1:,::2]", "--format", "csv"}).out ==
             "latitude,longitude,value\n50,0,3\n50,240,5\n");
  BOOST_TEST(run({"extract", path + ":0:0[1]", "--format", "csv"}).out == "longitude,value\n0,3\n120,4\n240,5\n");
  BOOST_TEST(run({"extract", path + ":1:0[::2]", "--format", "csv"}).out ==
             "latitude,longitude,value\n1,-10,0\n3,10,2\n");
  BOOST_TEST(run({"extract", "-q", path + ":2:0[:,1:]", "--format", "csv"}).out ==
             "index_0,index_1,value\n0,1,1\n1,1,3\n");
}

BOOST_AUTO_TEST_CASE(json_is_one_line_with_address_and_name) {
  const outcome seen = run({"extract", path + ":0:0[1]", "--format", "json"});
  BOOST_TEST(seen.out == "{\"file\":\"" + path +
                             "\",\"message\":0,\"object\":0,\"name\":\"t\",\"slice\":\"[1]\",\"dtype\":\"uint8\","
                             "\"shape\":[3],\"coordinates\":[{\"name\":\"longitude\",\"dimension\":0,"
                             "\"values\":[0,120,240]}],\"values\":[3,4,5]}\n");
}

BOOST_AUTO_TEST_CASE(the_extension_gives_the_format_of_a_file) {
  for (const auto& [ending, format] : {std::pair(".csv", "csv"), {".txt", "text"}, {".json", "json"}}) {
    BOOST_TEST(run({"extract", path + ":1:0", "-o", out + ending}).status == 0);
    BOOST_TEST(read_file(out + ending) == run({"extract", path + ":1:0", "--format", format}).out);
  }
}

BOOST_AUTO_TEST_CASE(several_objects_get_files_of_their_own) {
  BOOST_TEST(run({"extract", path + ":0", "--format", "csv", "-q", "-o", out + "/"}).status == 0);
  BOOST_TEST(read_file(out + "/0_1.csv") == "index_0,value\n0,60\n1,50\n");
  BOOST_TEST(std::filesystem::exists(out + "/0_2.csv"));
  const outcome together = run({"extract", path, "--format", "csv"});
  BOOST_TEST(together.status == 2);
  BOOST_TEST(together.out == "");
}

BOOST_AUTO_TEST_CASE(only_text_goes_to_standard_output_unasked) {
  for (const std::vector<std::string>& format : {std::vector<std::string>{}, {"--format", "npy"}, {"--stored"}}) {
    std::vector<std::string> call{"extract", path + ":0:0"};
    call.insert(call.end(), format.begin(), format.end());
    const outcome seen = run(call);
    BOOST_TEST(seen.status == 2);
    BOOST_TEST(seen.err.find("-o is missing; name the output, or print values with --format csv") != seen.err.npos,
               seen.err);
  }
  BOOST_TEST(run({"extract", path + ":0:0", "--format", "csv", "-o", out + ".npz"}).status == 2);
  BOOST_TEST(run({"extract", path + ":0:0", "--format", "json", "--json"}).status == 2);
}

BOOST_AUTO_TEST_CASE(points_of_native_grids_have_degrees) {
  const bytes mars = cbor::map({cbor::key("grid", cbor::text("H1"))});
  const std::string of =
      files.file("h.tgm", message({.objects = {bytes_of_shape({12})}, .base = {cbor::map({cbor::key("mars", mars)})}}))
          .string();
  const outcome seen = run({"extract", of + ":0:0[3:6]", "--format", "csv"});
  if (seen.err.find("mars.grid is H1") != seen.err.npos) return;  // built without tgmap::bridge
  BOOST_TEST(seen.err == "");
  const std::string first = "latitude,longitude,value\n41.8103148957785";  // the last digits are the processor's
  BOOST_TEST(seen.out.starts_with(first), seen.out);
  BOOST_TEST(seen.out.ends_with(",315,3\n0,0,4\n0,90,5\n"), seen.out);
}

BOOST_AUTO_TEST_CASE(a_regular_grid_gives_degrees_and_other_grids_a_reason) {
  const auto on = [&](const char* grid, const std::vector<std::string>& more) {
    const bytes mars = cbor::map({cbor::key("grid", cbor::text(grid)), cbor::key("area", cbor::text("90/0/-90/360"))});
    const std::string of =
        files
            .file("g.tgm",
                  message({.objects = {bytes_of_shape({2, 8})}, .base = {cbor::map({cbor::key("mars", mars)})}}))
            .string();
    std::vector<std::string> call{"extract", of + ":0:0"};
    call.insert(call.end(), more.begin(), more.end());
    return run(call);
  };
  const outcome global = on("regular_ll", {"--format", "csv"});
  BOOST_TEST(global.err == "");
  BOOST_TEST(global.out.starts_with("latitude,longitude,value\n90,0,0\n90,45,1\n90,90,2\n90,135,3\n"), global.out);
  BOOST_TEST(global.out.ends_with("\n-90,270,14\n-90,315,15\n"), global.out);
  const std::string g = (files / "g.tgm").string() + ":0:0";
  for (const char* other : {"O1280", "N320", "lambert", "rotated_ll"}) {
    const outcome seen = on(other, {"--format", "csv"});
    BOOST_TEST(seen.status == 0);
    BOOST_TEST(seen.out.starts_with("index_0,index_1,value\n0,0,0\n0,1,1\n"), seen.out);
    BOOST_TEST(seen.err == "tgmap: " + g + ": no coordinates: mars.grid is " + other + "; the columns have indices\n");
  }
  const auto json = json_lines(on("O1280", {"--format", "json", "-q"}).out).at(0);
  BOOST_TEST(json.at("no_coordinates") == "mars.grid is O1280");
  BOOST_TEST(json.at("coordinates").at(0).at("name") == "index_0");
  BOOST_TEST(!json_lines(on("regular_ll", {"--format", "json"}).out).at(0).contains("no_coordinates"));
  BOOST_TEST(on("45/180", {"--format", "text"}).err == "");
  BOOST_TEST(on("40/180", {"--format", "text"}).err == "tgmap: " + g +
                                                           ": no coordinates: mars.area 90/0/-90/360, mars.grid "
                                                           "40/180 and the shape [2, 8] disagree; the columns have "
                                                           "indices\n");
}

BOOST_AUTO_TEST_CASE(lists_in_the_metadata_are_coordinates_of_points) {
  const auto list = [](std::vector<std::uint64_t> numbers) { return cbor::numbers(numbers); };
  const std::string of =
      files
          .file("l.tgm",
                message({.objects = {bytes_of_shape({3})},
                         .base = {cbor::map(
                             {cbor::key("latitudes", list({50, 40, 60})), cbor::key("longitudes", list({1, 2, 3})),
                              cbor::key("mars", cbor::map({cbor::key("grid", cbor::text("O1280"))}))})}}))
          .string();
  const outcome seen = run({"extract", of + ":0:0[::2]", "--format", "csv"});
  BOOST_TEST(seen.out == "latitude,longitude,value\n50,1,0\n60,3,2\n");
  BOOST_TEST(seen.err == "");
}

BOOST_AUTO_TEST_SUITE_END()
