// SPDX-License-Identifier: Apache-2.0
// Ranges, order and limits, also combined and in several threads.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <sstream>
#include <support/samples.hpp>

#include <support/selection_samples.hpp>
#include <tgmap/tools/collection.hpp>

#include "../process.hpp"

using namespace tgmap_test;

namespace {

bytes three_objects() { return message({.objects = {bytes_object("a"), bytes_object("b"), bytes_object("c")}}); }

struct six {
  temporary_directory files{};
  std::string f = files.file("f.tgm", six_messages()).string();

  std::string numbers(const std::string& range) { return run({"get", "-p", "@message", f + ":" + range}).out; }
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) out.push_back(line);
  return out;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(selectors, six)

BOOST_AUTO_TEST_CASE(ranges_have_both_ends_and_count_from_either_end) {
  BOOST_TEST(numbers("2..4") == "2\n3\n4\n");
  BOOST_TEST(numbers("..2") == "0\n1\n2\n");
  BOOST_TEST(numbers("4..") == "4\n5\n");
  BOOST_TEST(numbers("..") == "0\n1\n2\n3\n4\n5\n");
  BOOST_TEST(numbers("..-4") == "0\n1\n2\n");
  BOOST_TEST(numbers("1..-3") == "1\n2\n3\n");
  BOOST_TEST(numbers("-3..5") == "3\n4\n5\n");
  BOOST_TEST(numbers("5..2") == "");
  BOOST_TEST(numbers("9..") == "");
  BOOST_TEST(numbers("3..99999999999999999") == "3\n4\n5\n");
  const auto counted = [&](const std::string& range) { return run({"count", f + ":" + range}).out; };
  BOOST_TEST(counted("-2..") == "2\n");
  BOOST_TEST(counted("-4..-1") == "4\n");
  BOOST_TEST(counted("-1..-4") == "0\n");
  BOOST_TEST(counted("-99..") == "6\n");
  BOOST_TEST(counted("-9223372036854775808..") == "6\n");
  BOOST_TEST(counted("..-9223372036854775808") == "0\n");
}

BOOST_AUTO_TEST_CASE(objects_have_ranges_too) {
  const auto two = files.file("two.tgm", three_objects()).string();
  BOOST_TEST(run({"get", "-p", "@object", two + ":0:1.."}).out == "1\n2\n");
  BOOST_TEST(run({"get", "-p", "@object", two + ":..:-1"}).out == "2\n");
  BOOST_TEST(run({"get", "-p", "@object", two + "@0:..1"}).out == "0\n1\n");
  BOOST_TEST(run({"ls", two + ":0:5.."}).out.find("0\t") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(one_message_is_asked_for_where_one_is_needed) {
  const outcome seen = run({"extract", f + ":0..1:0", "-o", "-"});
  BOOST_TEST(seen.status == 2);
  BOOST_TEST(seen.out == "");
}

BOOST_AUTO_TEST_CASE(order_is_by_value_and_stable) {
  BOOST_TEST(run({"get", "-p", "mars.step,mars.param", "--sort", "mars.param,mars.step:desc", f}).out ==
             "12 10u\n6 10u\n0 10u\n12 2t\n6 2t\n0 2t\n");
  BOOST_TEST(run({"get", "-p", "@message", "--sort", "mars.step", f}).out == "0\n1\n2\n3\n4\n5\n");
  BOOST_TEST(run({"ls", "--sort", "@offset:desc", f}).out.find("\n5\t") < run({"ls", f}).out.find("\n5\t"));
  BOOST_TEST(run({"get", "-p", "@message", "--sort", "", f}).status == 0);
  BOOST_TEST(run({"get", "-p", "@message", "--sort", "mars.step,", f}).status == 2);
  BOOST_TEST(run({"get", "-p", "@message", "--sort", "@nothing", f}).status == 2);
}

BOOST_AUTO_TEST_CASE(order_is_over_all_files) {
  const auto g = files.file("g.tgm", six_messages()).string();
  BOOST_TEST(run({"get", "-p", "mars.step", "--sort", "mars.step", "--limit", "5", f, g}).out == "0\n0\n0\n0\n6\n");
}

BOOST_AUTO_TEST_CASE(order_is_that_of_a_collection) {
  const auto g = files.file("g.tgm", six_messages() + three_objects()).string();
  const tgmap::collection all({{g}, {f}});
  const tgmap::metadata_key offset("@offset");
  for (const std::string key : {"mars.step", "mars.param", "@message"})
    for (const bool descending : {false, true}) {
      std::string expected = "@offset\n";
      static_cast<void>(all.visit({.sort = {{tgmap::metadata_key(key), descending}}},
                                  [&](const tgmap::collected_message&, tgmap::key_lookup& keys) {
                                    expected += keys.find(offset).text() + "\n";
                                    return true;
                                  }));
      BOOST_TEST(run({"ls", "-p", "@offset", "--sort", key + (descending ? ":desc" : ""), g, f}).out == expected, key);
    }
}

BOOST_AUTO_TEST_CASE(limits_count_what_is_printed) {
  BOOST_TEST(run({"get", "-p", "@message", "--limit", "2", f}).out == "0\n1\n");
  BOOST_TEST(run({"get", "-p", "@message", "--limit", "2", "-w", "mars.step>0", f}).out == "2\n3\n");
  BOOST_TEST(run({"get", "-p", "@message", "--limit", "0", f}).out == "");
  BOOST_TEST(run({"get", "-p", "@message", "--limit", "-1", f}).status == 2);
  BOOST_TEST(run({"get", "-p", "@message", "--limit", "7", f, f}).out == "0\n1\n2\n3\n4\n5\n0\n");
  BOOST_TEST(lines_of(run({"ls", "--limit", "3", f}).out).size() == 4u);
  BOOST_TEST(run({"count", "--limit", "4", f}).out == "4\n");
  BOOST_TEST(run({"count", "--limit", "4", "-w", "mars.param=2t", f, f}).out == "4\n");
}

BOOST_AUTO_TEST_CASE(typed_json_is_what_the_metadata_has) {
  const auto rows = json_lines(run({"ls", "-j", "-p", "mars.step,mars.levelist,ok,name,shape", f}).out);
  BOOST_TEST_REQUIRE(rows.size() == 6u);
  BOOST_TEST(rows[2].at("file") == f);
  nlohmann::json keys = rows[2];
  keys.erase("file");
  BOOST_TEST(keys ==
             nlohmann::json::parse(R"({"mars.step":6,"mars.levelist":[500,850],"ok":true,"name":"2t","shape":[2,3]})"));
  BOOST_TEST(run({"get", "-j", "-p", "mars.step,shape", f + ":2"}).out ==
             "{\"file\":\"" + f + "\",\"mars.step\":6,\"shape\":[2,3]}\n");
  const auto before = json_lines(run({"ls", "-j", "--typed", "-p", "mars.step,mars.levelist,ok,name,shape", f}).out);
  BOOST_TEST(rows == before, "--typed is what every call prints");
}

BOOST_AUTO_TEST_CASE(messages_kept_for_sorting_outlive_an_error) {
  bytes data;
  for (unsigned n = 0; n < 20'000; ++n) data += numbered(n);
  const auto many = files.file("many.tgm", data).string();
  // The file is truncated at a random moment while it is read: the command must not die by a signal.
  for (const char* after : {"0.01", "0.03", "0.06"}) {
    files.file("many.tgm", data);
    const outcome seen = shell("(sleep " + std::string(after) + "; truncate -s 4096 " + many +
                               ") & \"$TGMAP\" get -p n --sort n:desc " + many + "; s=$?; wait; exit $s");
    BOOST_TEST(seen.status <= 3);
  }
}

BOOST_AUTO_TEST_CASE(rows_with_the_same_text_share_it) {
  message_spec spec;
  spec.extra = {cbor::key("big", cbor::text(std::string(1 << 20, 'b')))};
  for (unsigned n = 0; n < 500; ++n) spec.objects.push_back(bytes_object("x"));
  const auto shared = files.file("shared.tgm", message(spec)).string();
  const outcome seen =
      shell("ulimit -v 400000; \"$TGMAP\" get -p @object --objects --sort big,@object:desc --limit 2 " + shared);
  if (std::getenv("ASAN_OPTIONS") == nullptr && std::getenv("TSAN_OPTIONS") == nullptr) {  // they reserve terabytes
    BOOST_TEST(seen.status == 0, seen.err);
    BOOST_TEST(seen.out == "499\n498\n");
  }
}

BOOST_AUTO_TEST_CASE(hints_are_silent_when_quiet) {
  BOOST_TEST(run({"count", "-w", "mars.parm=2t", f}).err.find("did you mean 'mars.param'") != std::string::npos);
  BOOST_TEST(run({"count", "-q", "-w", "mars.parm=2t", f}).err == "");
  BOOST_TEST(run({"count", "-q", f + "gone"}).err != "");
}

BOOST_AUTO_TEST_CASE(threads_change_nothing_about_the_output) {
  bytes data;
  for (unsigned n = 0; n < 10'000; ++n) data += n % 997 == 3 ? bytes("junk!") + numbered(n) : numbered(n);
  const auto many = files.file("many.tgm", data).string();
  for (const std::vector<std::string>& call :
       std::vector<std::vector<std::string>>{{"ls", "-p", "n,@offset,nokey"},
                                             {"ls", "-j", "-p", "n", "-w", "n>=100"},
                                             {"get", "-p", "n"},
                                             {"get", "-p", "@object,n", "--objects"},
                                             {"count", "-w", "n<9000"}}) {
    auto one = call, several = call;
    one.insert(one.end(), {"--threads", "1", many});
    several.insert(several.end(), {"--threads", "5", many});
    const outcome wanted = run(one), found = run(several);
    BOOST_TEST(wanted.status == 3);
    BOOST_TEST(wanted.out.size() > 4u);
    BOOST_TEST((found.out == wanted.out), call[0]);
    BOOST_TEST(found.status == wanted.status);
    BOOST_TEST(found.err == wanted.err);
  }
}

BOOST_AUTO_TEST_CASE(get_ends_in_the_same_place_whatever_the_threads) {
  bytes data;
  for (unsigned n = 0; n < 9'000; ++n)
    data += n == 8'500 ? message({.objects = {bytes_object("x")}, .base = {cbor::map({})}}) : numbered(n);
  const auto many = files.file("many.tgm", data).string();
  for (const char* threads : {"1", "4"}) {
    const outcome seen = run({"get", "-p", "n", "--threads", threads, many, many});
    BOOST_TEST(seen.status == 1);
    BOOST_TEST(lines_of(seen.out).size() == 8'500u);
    BOOST_TEST(seen.err.find("key not found: n") != std::string::npos, seen.err);
    BOOST_TEST(std::count(seen.err.begin(), seen.err.end(), '\n') == 1);
  }
}

BOOST_AUTO_TEST_CASE(sorting_opens_no_more_files_than_the_system_allows) {
  constexpr int count = 300;
  std::string expected;
  for (int i = 0; i < count; ++i) {
    const std::string name = std::to_string(1000 + i);
    static_cast<void>(files.file(name + ".tgm", with_keys({cbor::key("n", cbor::integer(count - i))})));
    expected += std::to_string(i + 1) + "\n";
  }
  const std::string command = "cd '" + files.path().string() + "' && ulimit -n 280 && \"$TGMAP\" ";
  for (const std::string verb : {"get -p n", "--io read get -p n"}) {
    const outcome seen = shell(command + verb + " --sort n 1*.tgm");
    BOOST_TEST(seen.status == 0, verb);
    BOOST_TEST(seen.out == expected, verb);
    BOOST_TEST(seen.err == "", verb);
  }
  const outcome few = shell(command + "get -p n --sort n:desc --limit 2 1*.tgm");
  BOOST_TEST(few.out == "300\n299\n");
}

BOOST_AUTO_TEST_SUITE_END()
