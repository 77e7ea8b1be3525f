// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <support/builder.hpp>
#include <support/cbor.hpp>

#include "../../process.hpp"
#include "../../samples.hpp"

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

BOOST_AUTO_TEST_SUITE_END()
