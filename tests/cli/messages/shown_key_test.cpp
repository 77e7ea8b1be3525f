// SPDX-License-Identifier: Apache-2.0
// Types of keys in -p, and values of keys as JSON.
#include <boost/test/unit_test.hpp>
#include <support/selection_samples.hpp>

#include "../process.hpp"

using namespace tgmap_test;

namespace {

struct typed_keys {
  temporary_directory files{};
  std::string f =
      files
          .file("f.tgm",
                with_keys({cbor::key("step", cbor::integer(6)), cbor::key("time", cbor::text("0600")),
                           cbor::key("whole", cbor::real(12)), cbor::key("half", cbor::real(1.5)),
                           cbor::key("huge", cbor::real(1e22)), cbor::key("most", cbor::unsigned_integer(UINT64_MAX)),
                           cbor::key("least", cbor::negative(UINT64_MAX)), cbor::key("name", cbor::text("2t")),
                           cbor::key("ok", cbor::boolean(true)), cbor::key("none", cbor::null()),
                           cbor::key("nan", cbor::real(NAN)), cbor::key("list", cbor::numbers({500, 850})),
                           cbor::key("since", cbor::tag(1, cbor::integer(9))),
                           cbor::key("a:i", cbor::text("of that name"))}))
          .string();

  std::string value(const std::string& key) const {
    const std::string rows = run({"ls", "-p", key, f}).out;
    return rows.substr(rows.find('\n') + 1);
  }
  /// Returns the JSON of the keys, without the file before them.
  std::string json(const std::string& key) const {
    const std::string file = "{\"file\":\"" + f + "\",", line = run({"get", "-j", "-p", key, f}).out;
    BOOST_TEST_REQUIRE(line.starts_with(file), line);
    return "{" + line.substr(file.size());
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(shown_keys, typed_keys)

BOOST_AUTO_TEST_CASE(values_are_printed_in_the_type_of_the_key) {
  BOOST_TEST(run({"get", "-p", "step:i,time:i,whole:i,most:i,least:i,since:i,shape[0]:i", f}).out ==
             "6 600 12 18446744073709551615 -18446744073709551616 9 4\n");
  BOOST_TEST(run({"get", "-p", "step:d,time:d,half:d,huge:d,nan:d,least:d,@objects:d", f}).out ==
             "6 600 1.5 10000000000000000000000 NaN -18446744073709552000 1\n");
  BOOST_TEST(run({"get", "-p", "step:s,half:s,name:s,ok:s,none:s,list:s,shape:s", f}).out ==
             "6 1.5 2t true null [500,850] [4]\n");
}

BOOST_AUTO_TEST_CASE(json_has_the_type_of_the_key) {
  BOOST_TEST(json("step:i,time:i,whole:i,most:i") == R"({"step":6,"time":600,"whole":12,"most":18446744073709551615})"
                                                     "\n");
  BOOST_TEST(json("step:d,time:d,half:d") == R"({"step":6.0,"time":600.0,"half":1.5})"
                                             "\n");
  BOOST_TEST(json("step:s,half:s,ok:s,list:s") == R"({"step":"6","half":"1.5","ok":"true","list":"[500,850]"})"
                                                  "\n");
}

BOOST_AUTO_TEST_CASE(json_has_the_types_of_the_metadata) {
  BOOST_TEST(json("step,time,whole,ok,none,nan,list,most") ==
             R"({"step":6,"time":"0600","whole":12.0,"ok":true,"none":null,"nan":null,"list":[500,850],)"
             R"("most":18446744073709551615})"
             "\n");
  BOOST_TEST(json("least") == "{\"least\":\"-18446744073709551616\"}\n");
}

BOOST_AUTO_TEST_CASE(lists_and_maps_are_printed_as_json) {
  const std::string g =
      files
          .file("g.tgm", with_keys({cbor::key("list", cbor::array({cbor::text("a\u202e\u0085\x7f\xc3\xa9\n")})),
                                    cbor::key("map", cbor::map({cbor::key("b\u200b", cbor::text("\U000e0041"))})),
                                    cbor::key("text", cbor::text("\u202e["))}))
          .string();
  const std::string list = "[\"a\\u202e\\u0085\\u007f\xc3\xa9\\n\"]", map = R"({"b\u200b":"\udb40\udc41"})";
  for (const std::string type : {"", ":s"}) {
    BOOST_TEST(run({"get", "-p", "list" + type, g}).out == list + "\n");
    BOOST_TEST(run({"ls", "-p", "map" + type, g}).out == "map\n" + map + "\n");
  }
  BOOST_TEST(run({"get", "-p", "text", g}).out == "\\u{202e}[\n");
}

BOOST_AUTO_TEST_CASE(headers_are_names_without_types) {
  BOOST_TEST(run({"ls", "-p", "step:i, half:d,name:s", f}).out == "step\thalf\tname\n6\t1.5\t2t\n");
}

BOOST_AUTO_TEST_CASE(a_value_of_another_type_is_not_printed) {
  for (const char* key : {"name:i", "name:d", "half:i", "huge:i", "nan:i", "ok:i", "none:d", "list:i", "shape:i",
                          "dtype:d", "@streamed:i"}) {
    BOOST_TEST(value(key) == "N/A\n", key);
    const outcome seen = run({"get", "-p", key, f});
    BOOST_TEST(seen.status == 1, key);
    BOOST_TEST(seen.out == "", key);
  }
  BOOST_TEST(run({"get", "-p", "name:i", f}).err ==
             "tgmap: " + f + ": name is not an integer: '2t'; leave out the type, or write name:s\n");
  BOOST_TEST(run({"ls", "-j", "-p", "name:i,step", f}).out == "{\"file\":\"" + f + "\",\"step\":6}\n");
}

BOOST_AUTO_TEST_CASE(a_key_with_that_name_comes_first) {
  BOOST_TEST(value("a:i") == "of that name\n");
  BOOST_TEST(value("a:i:s") == "of that name\n");
  BOOST_TEST(value("step:f") == "N/A\n");
  BOOST_TEST(run({"get", "-p", "stop:i", f}).err.find("key not found: stop; did you mean 'step'?") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(documents_have_types_where_they_are_asked_for) {
  BOOST_TEST(nlohmann::json::parse(run({"dump", "-j", "-p", "step,time:i,half:d,name:s", f}).out) ==
             nlohmann::json::parse(R"({"step":"6","time":600,"half":1.5,"name":"2t"})"));
}

BOOST_AUTO_TEST_SUITE_END()
