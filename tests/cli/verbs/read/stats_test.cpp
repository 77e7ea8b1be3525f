// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <support/builder.hpp>
#include <support/shared_data.hpp>
#include <support/temporary.hpp>

#include "../../process.hpp"
#include "../../samples.hpp"

using namespace tgmap_test;
using nlohmann::json;

BOOST_AUTO_TEST_SUITE(stats)

namespace {

struct fixture {
  temporary_directory directory;

  std::string make(const std::string& name, const bytes& data) const { return directory.file(name, data).string(); }
  std::vector<json> lines(std::vector<std::string> arguments, int status = 0) const {
    arguments.insert(arguments.begin(), {"stats", "--json"});
    const outcome seen = run(arguments);
    BOOST_TEST(seen.status == status, seen.err);
    std::vector<json> out;
    for (std::size_t at = 0, end = 0; (end = seen.out.find('\n', at)) != std::string::npos; at = end + 1)
      out.push_back(json::parse(seen.out.substr(at, end - at)));
    return out;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_row_for_each_object, fixture) {
  const std::string path = make("f.tgm", two_objects() + old_message());
  const outcome seen = run({"stats", path});
  BOOST_TEST(seen.status == 0);
  BOOST_TEST(seen.err == "");
  BOOST_TEST(seen.out ==
             "message\tobject\tname\tdtype\tshape\telements\tmasked\tnan\tinf+\tinf-\tmin\tmax\tmean\tstd\tnotes\n"
             "0\t0\t-\tfloat32\t[2, 3]\t6\t0\t0\t0\t0\t1\t6\t3.5\t1.70782513\t\n"
             "0\t1\t-\tuint8\t[4]\t4\t0\t0\t0\t0\t97\t100\t98.5\t1.11803399\t\n"
             "1\t0\t-\tint16\t[3]\t3\t0\t0\t0\t0\t1\t3\t2\t0.816496581\t\n");
}

BOOST_FIXTURE_TEST_CASE(numbers_for_programs_are_exact, fixture) {
  const std::string path =
      make("f.tgm", message({.objects = {numbers_object<std::uint64_t>("uint64", {UINT64_MAX, 1}),
                                         numbers_object<std::int64_t>("int64", {INT64_MIN, INT64_MAX}),
                                         numbers_object<double>("float64", {0.1, 1e300}), bytes_object("")}}));
  const auto found = lines({path});
  BOOST_TEST_REQUIRE(found.size() == 4u);
  BOOST_TEST(found[0]["max"].get<std::uint64_t>() == UINT64_MAX);
  BOOST_TEST(found[1]["min"].get<std::int64_t>() == INT64_MIN);
  BOOST_TEST(found[1]["max"].get<std::int64_t>() == INT64_MAX);
  BOOST_TEST(found[2]["min"].get<double>() == 0.1);
  BOOST_TEST(found[3]["elements"] == 0);
  BOOST_TEST(found[3]["min"].is_null());
  BOOST_TEST(found[3]["mean"].is_null());
  BOOST_TEST(run({"stats", path}).out.find("\t1\t18446744073709551615\t") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(missing_elements_of_masks_and_of_values, fixture) {
  object_spec object = numbers_object<float>("float32", {NAN, 0, 3, 0, -INFINITY});
  object.masks = {{.kind = "nan", .method = "none", .blob = "\x40"},
                  {.kind = "inf+", .method = "none", .blob = "\x10"}};
  const auto found = lines({make("f.tgm", message({.objects = {object}}))});
  BOOST_TEST(found.at(0)["nan"] == 2);
  BOOST_TEST(found.at(0)["inf+"] == 1);
  BOOST_TEST(found.at(0)["inf-"] == 1);
  BOOST_TEST(found.at(0)["masked"] == 2);
  BOOST_TEST(found.at(0)["finite"] == 1);
  BOOST_TEST(found.at(0)["mean"] == 3);
}

BOOST_FIXTURE_TEST_CASE(selections_are_of_objects, fixture) {
  const std::string path = make("f.tgm", forecast());
  const auto found = lines({"-w", "dtype=float32/float64", path});
  BOOST_TEST_REQUIRE(found.size() == 2u);
  BOOST_TEST(found[0]["dtype"] == "float32");
  BOOST_TEST(found[1]["message"] == 2);
  BOOST_TEST(lines({path + ":0:1"}).at(0)["dtype"] == "uint8");
  BOOST_TEST(lines({path + ":0"}).size() == 2u);
  BOOST_TEST(lines({path, path}).size() == 8u);
  BOOST_TEST(run({"stats", "-w", "dtype=int8 and", path}).status == 2);
  BOOST_TEST(run({"stats"}).status == 2);
}

BOOST_FIXTURE_TEST_CASE(rows_say_why_decoding_failed, fixture) {
  object_spec odd = bytes_object("abcd");
  odd.encoding = "\x1b[31mred";
  const std::string path = make("f.tgm", message({.objects = {odd, bytes_object("a")}}) + packed_message());
  const outcome seen = run({"stats", path});
  BOOST_TEST(seen.status == 1);
  BOOST_TEST(seen.out.find("\tencoding \\x1b[31mred: a codec that the format does not name\n") != std::string::npos,
             seen.out);
  BOOST_TEST(seen.out.find("\n0\t1\t-\tuint8\t[1]\t1\t") != std::string::npos, seen.out);
  BOOST_TEST(
      seen.err.find(path + ": 2 objects could not be decoded; see the notes of these rows; ") != std::string::npos,
      seen.err);
  const auto found = lines({path}, 1);
  BOOST_TEST_REQUIRE(found.size() == 3u);
  BOOST_TEST(found[0]["error"] == "encoding \x1b[31mred: a codec that the format does not name");
  BOOST_TEST(!found[0].contains("mean"));
  BOOST_TEST(found[1]["mean"] == 97);
  BOOST_TEST(found[2]["error"].get<std::string>().starts_with("filter shuffle, compression zstd, mask nan by rle: "));
}

BOOST_FIXTURE_TEST_CASE(damage_is_reported, fixture) {
  const std::string path = make("f.tgm", two_objects() + "junk" + two_objects());
  const outcome seen = run({"stats", "-j", path});
  BOOST_TEST(seen.status == 3);
  BOOST_TEST(std::count(seen.out.begin(), seen.out.end(), '\n') == 4);
}

BOOST_FIXTURE_TEST_CASE(any_number_of_threads_says_the_same, fixture) {
  bytes all;
  for (int i = 0; i < 300; ++i) {
    object_spec large{.dtype = "float32", .shape = {40'000}};
    for (int k = 0; k < 40'000; ++k) large.payload += native<float>({static_cast<float>((k * 31 + i) % 1009) * 0.37f});
    all += message({.objects = {large, bytes_object(bytes(1 + i % 7, 'x'))}});
    if (i % 100 == 99) all += packed_message();
  }
  const std::string path = make("many.tgm", all);
  const outcome one = run({"stats", "--threads", "1", path});
  BOOST_TEST(one.status == 1);
  BOOST_TEST(std::count(one.out.begin(), one.out.end(), '\n') == 604);
  for (const char* threads : {"0", "2", "5"}) {
    const outcome several = run({"stats", "--threads", threads, path});
    BOOST_TEST(several.status == 1);
    BOOST_TEST((several.out == one.out), threads);
    BOOST_TEST(several.err == one.err);
  }
  BOOST_TEST((run({"stats", "--io", "read", path}).out == one.out));
}

BOOST_AUTO_TEST_CASE(reference_files_hold_what_the_reference_reads) {
  const auto shared = shared_data_or_skip("stats of the reference's own files");
  if (!shared) return;
  const auto file = (*shared / "data" / "tgm" / "reference" / "w0.14.0_large_packed_szip.tgm").string();
  const outcome stats = run({"stats", "-j", file + ":0:0"}),
                show = run({"show", "-j", file + ":0:0", "--slice", ":,:"});
  BOOST_TEST(stats.status == 0);
  BOOST_TEST_REQUIRE(show.status == 0, show.err);
  const json a = json::parse(stats.out), b = json::parse(show.out);
  for (const char* member : {"elements", "min", "max"}) BOOST_TEST(a[member] == b[member]);
  BOOST_TEST(a["mean"].get<double>() == b["mean"].get<double>(), boost::test_tools::tolerance(1e-14));
  BOOST_TEST(a["std"].get<double>() == b["std"].get<double>(), boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_SUITE_END()
