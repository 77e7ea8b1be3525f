// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <regex>
#include <support/shared_data.hpp>

#include "../../process.hpp"
#include "../../samples.hpp"

using namespace tgmap_test;
using nlohmann::json;

namespace {

/// Returns an object with a key and elements.
bytes one(const bytes& key_value, std::initializer_list<float> values, std::optional<bytes> reserved = {}) {
  return message({.objects = {numbers_object<float>("float32", values)},
                  .base = {cbor::map({cbor::key("k", key_value)})},
                  .reserved = reserved});
}
bytes one(int k, std::initializer_list<float> values) { return one(cbor::integer(k), values); }

/// Removes the addresses at the ends of lines.
std::string without_addresses(const std::string& lines) {
  return std::regex_replace(lines, std::regex(R"( \[[^\[\n]*\]\n)"), "\n");
}

struct comparing {
  temporary_directory files;

  outcome diff(const bytes& left, const bytes& right, std::vector<std::string> options = {}) const {
    options.insert(options.begin(), {"diff", files.file("l", left).string(), files.file("r", right).string()});
    return run(options);
  }
  void same(const bytes& left, const bytes& right, const std::vector<std::string>& options = {}) const {
    const outcome seen = diff(left, right, options);
    BOOST_TEST(seen.status == 0, seen.err);
    BOOST_TEST(seen.out + seen.err == "");
  }
  void differ(const bytes& left, const bytes& right, const std::string& text,
              const std::vector<std::string>& options = {}) const {
    const outcome seen = diff(left, right, options);
    BOOST_TEST(seen.status == 1, seen.err);
    BOOST_TEST(without_addresses(seen.out) == text);
    BOOST_TEST(seen.err == "");
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(diff, comparing)

BOOST_AUTO_TEST_CASE(lines_end_with_addresses) {
  const std::string a = files.file("a", one(1, {1}) + one(2, {1})).string();
  const std::string b = files.file("b", one(2, {2})).string();
  const outcome seen = run({"diff", a + ":1..", b});
  BOOST_TEST(seen.out.ends_with(" [" + a + ":1:0 " + b + ":0:0]\n"), seen.out);
  BOOST_TEST(run({"diff", a + ":1:0", b + ":0:0"}).out.ends_with(" [" + a + ":1:0 " + b + ":0:0]\n"));
  BOOST_TEST(run({"diff", a, files.file("c", one(1, {1})).string()}).out ==
             "message 1: only in the first [" + a + ":1]\n");
  const auto json = nlohmann::json::parse(run({"diff", "-j", a + ":1..", b}).out);
  BOOST_TEST(json.at("left_address") == a + ":1:0");
  BOOST_TEST(json.at("right_address") == b + ":0:0");
}

BOOST_AUTO_TEST_CASE(an_archive_equals_itself_in_every_way_of_reading) {
  for (const auto& entry : std::filesystem::directory_iterator(test_data())) {
    if (entry.path().extension() != ".tgm") continue;
    const std::string path = entry.path().string();
    for (const char* mode : {"map", "read"}) {
      const outcome seen = run({"diff", "--io", mode, path, path});
      BOOST_TEST((seen.status == 0 || seen.status == 3), path << ": " << seen.status << seen.err);
      BOOST_TEST(seen.out == "", path);
    }
  }
}

BOOST_AUTO_TEST_CASE(elements) {
  differ(one(1, {1, 2, 3}), one(1, {1, 5, 4}),
         "message 0, object 0: 2 of 3 elements differ, the first at [1]: 2 and 5; the largest difference is 3\n");
  same(one(1, {1, 2, 3}), one(1, {1, 2.5, 3}), {"--abs", "0.5"});
  same(one(1, {1, 2, 3}), one(1, {1, 2.5, 3}), {"--rel", "0.2"});
  differ(one(1, {1, 2}), one(1, {1, 3}),
         "message 0, object 0: 1 of 2 elements differ, the first at [1]: 2 and 3; the largest difference is 1\n",
         {"--abs", "0.9"});
  same(one(1, {1, 2}), one(1, {1, 3}), {"--metadata-only"});
}

BOOST_AUTO_TEST_CASE(packing_is_no_difference) {
  const auto with = [](const object_spec& object, int version, writing how) {
    return message({.version = version, .objects = {object}, .writing = how});
  };
  const object_spec plain = numbers_object<std::int16_t>("int16", {1, 258});
  object_spec big{.dtype = "int16", .shape = {2}, .payload = bytes("\0\1\1\2", 4), .byte_order = "big"};
  object_spec shuffled = plain;
  shuffled.filter = "shuffle";
  shuffled.payload = bytes("\1\2\0\1", 4);
  shuffled.more = {cbor::key("shuffle_element_size", cbor::integer(2))};
  for (const object_spec& a : {plain, big, shuffled})
    for (const object_spec& b : {plain, big, shuffled})
      same(with(a, 3, writing::buffered), with(b, 2, writing::streamed));
}

BOOST_AUTO_TEST_CASE(keys_at_every_depth) {
  const auto nested = [](const bytes& value) {
    return one(cbor::map({cbor::key("a", cbor::map({cbor::key("b", value)}))}), {1});
  };
  differ(nested(cbor::integer(1)), nested(cbor::integer(2)), "message 0, object 0: k.a.b: 1 and 2\n");
  differ(nested(cbor::integer(1)), nested(cbor::text("1")), "message 0, object 0: k.a.b: 1 (integer) and 1 (text)\n");
  differ(nested(cbor::text("")), nested(cbor::text("x")), "message 0, object 0: k.a.b: \"\" and x\n");
  differ(nested(cbor::map({cbor::key("c", cbor::integer(1))})), nested(cbor::map({})),
         "message 0, object 0: k.a.b.c: 1 and nothing\n");
  differ(nested(cbor::array({cbor::integer(1)})), nested(cbor::array({cbor::integer(1), cbor::integer(2)})),
         "message 0, object 0: k.a.b: [1] and [1,2]\n");
  for (const char* ignored : {"k", "k.a", "k.a.b", "k.a,k"})
    same(nested(cbor::integer(1)), nested(cbor::integer(2)), {"--ignore", ignored});
  differ(nested(cbor::integer(1)), nested(cbor::integer(2)), "message 0, object 0: k.a.b: 1 and 2\n",
         {"--ignore", "dtype"});
}

BOOST_AUTO_TEST_CASE(the_same_value_in_other_bytes_is_no_difference) {
  const auto with = [](const bytes& value) { return one(value, {1}); };
  same(with(bytes("\xf9\x3e\x00", 3)), with(bytes("\xfb\x3f\xf8\0\0\0\0\0\0", 9)));  // 1.5 in two and in eight bytes
  same(with(bytes("\xf9\x7e\x00", 3)), with(bytes("\xfb\x7f\xf8\0\0\0\0\0\1", 9)));  // NaN
  same(with(bytes("\x07", 1)), with(bytes("\x1b\0\0\0\0\0\0\0\7", 9)));              // 7
  same(with(cbor::map({cbor::key("a", cbor::integer(1)), cbor::key("b", cbor::integer(2))})),
       with(cbor::map({cbor::key("b", cbor::integer(2)), cbor::key("a", cbor::integer(1))})));
}

BOOST_AUTO_TEST_CASE(provenance_is_compared_on_request_only) {
  const auto by = [](const char* uuid) {
    return one(cbor::integer(1), {1}, cbor::map({cbor::key("uuid", cbor::text(uuid))}));
  };
  same(by("a"), by("b"));
  differ(by("a"), by("b"), "message 0: _reserved_.uuid: a and b\n", {"--reserved"});
  same(by("a"), by("b"), {"--reserved", "--ignore", "_reserved_.uuid"});
}

BOOST_AUTO_TEST_CASE(dtypes_shapes_and_numbers) {
  object_spec flat = bytes_object("abcdef"), grid = flat, other = flat;
  grid.shape = {2, 3};
  other.dtype = "int8";
  differ(message({.objects = {flat}}), message({.objects = {grid}}), "message 0, object 0: shape: [6] and [2, 3]\n");
  differ(message({.objects = {flat}}), message({.objects = {other}}), "message 0, object 0: dtype: uint8 and int8\n");
  differ(message({.objects = {flat}}), message({.objects = {flat, flat}}), "message 0: objects: 1 and 2\n");
  differ(one(1, {1}), one(1, {1}) + one(2, {1}), "message 1: only in the second\n");
  differ(one(1, {1}) + one(2, {1}), one(1, {1}), "message 1: only in the first\n");
}

BOOST_AUTO_TEST_CASE(by_keys) {
  const bytes a = one(1, {1}), b = one(2, {2}), c = one(3, {3});
  same(a + b + c, c + a + b, {"--key", "k"});
  differ(a + b, c + a, "message 1 (k=2): only in the first\nmessage 0 (k=3): only in the second\n", {"-k", "k"});
  differ(a + b, b + one(1, {7}),
         "message 0 and 1, object 0: 1 of 1 elements differ, the first at [0]: 1 and 7; the largest difference is 6\n",
         {"-k", "k,@dtype"});
  same(a + b + a, a + a + b, {"-k", "k"});  // several of the same: the first with the first
  differ(a + a, a, "message 1 (k=1): only in the first\n", {"-k", "k"});
}

BOOST_AUTO_TEST_CASE(selected_ones) {
  const bytes a = one(1, {1}), b = one(2, {2}), c = one(3, {3});
  same(a + b, c + b, {"-w", "k=2"});
  BOOST_TEST(run({"diff", files.file("x", a + b).string() + ":1", files.file("y", b + c).string() + ":0"}).status == 0);
  BOOST_TEST(run({"diff", (files / "x").string() + ":0..0", (files / "y").string()}).status == 1);
}

BOOST_AUTO_TEST_CASE(as_json) {
  const outcome seen = diff(one(1, {1, 2}), one(4, {1, 5}) + one(1, {1}), {"--json"});
  BOOST_TEST(seen.status == 1);
  const auto lines = json_lines(seen.out);
  BOOST_TEST_REQUIRE(lines.size() == 3u);
  const json both{{"left_message", 0}, {"left_offset", 0}, {"right_message", 0}, {"right_offset", 0}, {"object", 0}};
  json key = both, values = both;
  key.update({{"what", "metadata"}, {"key", "k"}, {"left", "1"}, {"right", "4"}});
  values.update({{"what", "values"},
                 {"differing", 1},
                 {"elements", 2},
                 {"first", {1}},
                 {"left", "2"},
                 {"right", "5"},
                 {"largest", 3.0}});
  for (json* const each : {&key, &values})
    each->update(
        {{"left_address", (files / "l").string() + ":0:0"}, {"right_address", (files / "r").string() + ":0:0"}});
  BOOST_TEST((lines[0] == key), lines[0].dump());
  BOOST_TEST((lines[1] == values), lines[1].dump());
  BOOST_TEST(lines[2]["what"] == "only_right");
  BOOST_TEST(lines[2]["left_message"].is_null());
  BOOST_TEST(lines[2]["left_address"].is_null());
  BOOST_TEST(lines[2]["right_message"] == 1);
}

BOOST_AUTO_TEST_CASE(differences_are_bounded) {
  bytes left, right;
  for (int i = 0; i < 300; ++i) {
    left += one(i, {1});
    right += one(i, {2});
  }
  const outcome seen = diff(left, right);
  BOOST_TEST(std::count(seen.out.begin(), seen.out.end(), '\n') == 100);
  BOOST_TEST(seen.err == "tgmap: 200 more differences not shown; --limit shows more\n");
  const outcome none = diff(left, right, {"--limit", "0", "-q"});
  BOOST_TEST(none.status == 1);
  BOOST_TEST(none.out + none.err == "");
  for (const char* threads : {"1", "3", "0"})
    BOOST_TEST(diff(left, right, {"--threads", threads, "--limit", "1000"}).out ==
               diff(left, right, {"--threads", "2", "--limit", "1000"}).out);
}

// Every path begins with the long key; storing all paths would take 3 GB.
BOOST_AUTO_TEST_CASE(many_keys_below_a_long_one_take_little_memory) {
  const std::string above(138000, 'K');
  const auto with = [&](int last) {
    std::vector<cbor::pair> short_ones;
    for (int i = 0; i < 20000; ++i) short_ones.push_back(cbor::key(std::to_string(i), cbor::integer(i % 7 + last)));
    return message({.extra = {cbor::key(above, cbor::map(short_ones))}});
  };
  const std::string names = "'" + files.file("l", with(1)).string() + "' '" + files.file("r", with(2)).string() + "'";
  const bool sanitized = std::getenv("ASAN_OPTIONS") != nullptr || std::getenv("TSAN_OPTIONS") != nullptr;
  const std::string limited = std::string(sanitized ? "" : "ulimit -v 600000; ") + "exec \"$TGMAP\" diff --threads 1 ";
  const outcome seen = shell(limited + "--limit 1000000 " + names);
  BOOST_TEST(seen.status == 1, seen.err.substr(0, 500));
  BOOST_TEST(std::count(seen.out.begin(), seen.out.end(), '\n') == 20000);
  const std::string shown = std::string(58, 'K') + "..." + std::string(56, 'K');
  BOOST_TEST(seen.out.starts_with("message 0: " + shown + ".0: 1 and 2 ["), seen.out.substr(0, 200));

  const outcome as_json = shell(limited + "--json --limit 2 " + names);
  const json first = json_lines(as_json.out).at(1);
  BOOST_TEST(first["key_length"] == above.size() + 2);
  BOOST_TEST(first["key"].get<std::string>().size() <= 1024u);
  BOOST_TEST(first["key"].get<std::string>().ends_with("K.1"));
}

BOOST_AUTO_TEST_CASE(long_keys_are_shown_by_their_ends) {
  const auto text = [](const std::string& name) {
    return message({.extra = {cbor::key(name, cbor::map({cbor::key("a", cbor::integer(1))}))}});
  };
  const auto other = [](const std::string& name) {
    return message({.extra = {cbor::key(name, cbor::map({cbor::key("a", cbor::integer(2))}))}});
  };
  const std::string short_one(118, 'x');
  differ(text(short_one), other(short_one), "message 0: " + short_one + ".a: 1 and 2\n");
  std::string cut;
  for (int i = 0; i < 100; ++i) cut += "\u00e9";
  std::string begin, end;
  for (int i = 0; i < 29; ++i) begin += "\u00e9";
  for (int i = 0; i < 28; ++i) end += "\u00e9";
  differ(text(cut), other(cut), "message 0: " + begin + "..." + end + ".a: 1 and 2\n");
  const outcome whole = diff(text(cut), other(cut), {"--json"});
  BOOST_TEST(json_lines(whole.out).at(0)["key"] == cut + ".a");
  BOOST_TEST(!json_lines(whole.out).at(0).contains("key_length"));
}

BOOST_AUTO_TEST_CASE(long_values_are_shown_where_they_differ) {
  const std::string x(100, 'x'), accents = "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9";
  const auto text = [](const std::string& is) { return one(cbor::text(is), {1}); };
  const std::string twenty(20, 'x'), k = "message 0, object 0: k: ";
  differ(text(x + "a"), text(x + "b"), k + "..." + twenty + "a and ..." + twenty + "b\n");
  differ(text(x), text(x + "more"), k + "..." + twenty + " and ..." + twenty + "more\n");
  differ(text("a" + x), text("b" + x), k + "a" + std::string(59, 'x') + "... and b" + std::string(59, 'x') + "...\n");
  differ(text(std::string(59, 'x') + "a"), text(std::string(59, 'x') + "b"),
         k + std::string(59, 'x') + "a and " + std::string(59, 'x') + "b\n");
  differ(text(x + "a" + x), text(x + "b"),
         k + "..." + twenty + "a" + std::string(39, 'x') + "... and ..." + twenty + "b\n");
  // No character is cut in two: a two-byte character straddles the start of the excerpt.
  const std::string odd = x + accents + "-";
  differ(text(odd + "a"), text(odd + "b"), k + "..." + accents + "-a and ..." + accents + "-b\n");
  differ(text(x), one(cbor::integer(1), {1}), k + std::string(60, 'x') + "... and 1\n");
}

BOOST_AUTO_TEST_CASE(incomparable_objects_give_status_4) {
  object_spec packed = bytes_object("no zstd");
  packed.compression = "zstd";
  object_spec other = packed;
  other.payload = "no zstd either";
  const bytes a = message({.objects = {packed}}), b = message({.objects = {other}});
  same(a, a);  // equal bytes need no codec
  const outcome seen = diff(a + one(1, {1}), b + one(2, {1}));
  BOOST_TEST(seen.status == 4);
  BOOST_TEST(without_addresses(seen.out) == "message 1, object 0: k: 1 and 2\n");
  BOOST_TEST(seen.err.find("l:0:0: the elements cannot be decoded: compression zstd: ") != std::string::npos, seen.err);

  BOOST_TEST(run({"diff", (files / "l").string(), (files / "gone").string()}).status == 4);
  BOOST_TEST(diff(lying_message(), one(1, {1})).status == 4);
  BOOST_TEST(diff(one(1, {1}), lying_message()).status == 4);
  same(lying_message(), lying_message());
}

BOOST_AUTO_TEST_CASE(damage_without_a_difference_is_three) {
  const outcome seen = diff(one(1, {1}) + "noise", one(1, {1}));
  BOOST_TEST(seen.status == 3);
  BOOST_TEST(seen.out == "");
  BOOST_TEST(diff(one(1, {1}) + "noise", one(2, {1})).status == 1);
}

BOOST_AUTO_TEST_CASE(values_that_read_alike) {
  const auto two = [](const char* a, const char* b) {
    return message({.objects = {bytes_object("x")},
                    .base = {cbor::map({cbor::key("a", cbor::text(a)), cbor::key("b", cbor::text(b))})}});
  };
  const bytes left = two("1,b=2", "3"), right = two("1", "2,b=3");
  const outcome seen = diff(left, right, {"--key", "a,b"});
  BOOST_TEST(seen.status == 1);
  BOOST_TEST(without_addresses(seen.out) ==
             "message 0 (a=1,b=2,b=3): only in the first\nmessage 0 (a=1,b=2,b=3): only in the second\n");
}

BOOST_AUTO_TEST_CASE(strides_that_say_no_order) {
  object_spec still = numbers_object<float>("float32", {1, 2, 3});
  still.strides = {0};
  object_spec other = still;
  other.payload = native<float>({1, 2, 4});
  differ(message({.objects = {still}}), message({.objects = {other}}),
         "message 0, object 0: 1 of 3 elements differ, the first at [2]: 3 and 4; the largest difference is 1\n");
  object_spec plain = still;
  plain.strides.reset();
  const outcome seen = diff(message({.objects = {still}}), message({.objects = {plain}}));
  BOOST_TEST(seen.status == 4);
  BOOST_TEST(seen.err.find("; add --as-stored to `tgmap extract`") != std::string::npos, seen.err);
}

BOOST_AUTO_TEST_CASE(a_message_that_is_not_there_is_no_difference) {
  const std::string l = files.file("l", one(1, {1})).string();
  for (const auto& [left, right] : {std::pair(l + ":5", l), std::pair(l, l + ":5")}) {
    const outcome seen = run({"diff", left, right});
    BOOST_TEST(seen.status == 4);
    BOOST_TEST(seen.out == "");
    BOOST_TEST(seen.err.find("no message 5") != std::string::npos, seen.err);
  }
}

BOOST_AUTO_TEST_CASE(numbers_that_are_none) {
  for (const std::string option : {"--abs", "--rel", "--limit"})
    for (const std::string number : {"-1", "x", "nan", "inf", "1e999", ""}) {
      const outcome seen = diff(one(1, {1}), one(1, {1}), {option + "=" + number});
      BOOST_TEST(seen.status == 2, option << number);
      BOOST_TEST(seen.err.size() < 200u, seen.err);
    }
  const outcome seen = diff(one(1, {1}), one(1, {1}), {"--abs=-1"});
  BOOST_TEST(seen.err.find("'-1' is not a number of at least 0") != std::string::npos, seen.err);
}

BOOST_AUTO_TEST_CASE(contradictory_arguments_are_usage_errors) {
  for (const std::vector<std::string>& options : {std::vector<std::string>{"--abs", "-1"},
                                                  {"--key", "@nothing"},
                                                  {"--key", ""},
                                                  {"--ignore", "@nothing"},
                                                  {"-w", "k=1 and"}})
    BOOST_TEST(diff(one(1, {1}), one(1, {1}), options).status == 2);
  BOOST_TEST(run({"diff", "-", "-"}).status == 2);
  BOOST_TEST(run({"diff", (files / "l").string() + ":0:0", (files / "r").string()}).status == 2);
  BOOST_TEST(run({"diff", (files / "l").string()}).status == 2);
  BOOST_TEST(run({"diff", "-", (files / "r").string()}, one(1, {1})).status == 0);
}

/// Returns a message of objects with these keys and elements, and its own title.
bytes several(const std::string& title, std::initializer_list<std::pair<int, float>> objects) {
  message_spec out{.extra = {cbor::key("title", cbor::text(title))}};
  for (const auto& [k, element] : objects) {
    out.objects.push_back(numbers_object<float>("float32", {element}));
    out.base.push_back(cbor::map({cbor::key("k", cbor::integer(k))}));
  }
  return message(out);
}

struct objects_compared : comparing {
  std::string l = files.file("l", several("a", {{1, 1}, {2, 2}, {3, 3}}) + several("b", {{4, 4}})).string();
  std::string r = files.file("r", several("c", {{3, 3}, {1, 1}, {2, 5}}) + several("d", {{4, 4}})).string();

  void seen(std::vector<std::string> arguments, int status, const std::string& text) const {
    arguments.insert(arguments.begin(), "diff");
    const outcome is = run(arguments);
    BOOST_TEST(is.status == status, is.err);
    BOOST_TEST(without_addresses(is.out) == text);
  }
};

BOOST_FIXTURE_TEST_CASE(objects_with_objects, objects_compared) {
  seen({l + ":0:2", r + ":0:0"}, 0, "");  // message-wide keys are not theirs
  seen({l + ":0:..1", r + ":0:1.."}, 1,
       "message 0, object 1 and 2: 1 of 1 elements differ, the first at [0]: 2 and 5; the largest difference is 3\n");
  seen({l + ":0:..1", r + ":0:1..", "--abs", "3"}, 0, "");
  seen({l + ":-1:-1", r + ":1:0"}, 0, "");
  seen({l + ":1:0", r + "@" + std::to_string(several("c", {{3, 3}, {1, 1}, {2, 5}}).size()) + ":0"}, 0, "");
  seen({l + ":0:0", r + ":0:0", "--metadata-only"}, 1, "message 0, object 0: k: 1 and 3\n");
  seen({l + ":0:0", r + ":1:0", "--ignore", "k", "--metadata-only"}, 0, "");
  seen({l + ":0:0", r + ":1:0", "--metadata-only"}, 1, "message 0 and 1, object 0: k: 1 and 4\n");
  seen({l + ":..:0", r + ":..:0", "--ignore", "k", "--abs", "2"}, 0, "");
  seen({"--io", "read", "--threads", "4", l + ":..:0", r + ":..:0", "--ignore", "k", "--abs", "2"}, 0, "");
}

BOOST_FIXTURE_TEST_CASE(objects_that_only_one_has, objects_compared) {
  seen({l + ":0:1..", r + ":0:2", "--abs", "3"}, 1, "message 0, object 2: only in the first\n");
  seen({l + ":0:5..", r + ":1:.."}, 1, "message 1, object 0: only in the second\n");
  const outcome gone = run({"diff", l + ":0:5", r + ":0:0"});
  BOOST_TEST(gone.status == 4);
  BOOST_TEST(gone.err.find("no object 5; there are objects 0 to 2") != std::string::npos, gone.err);
}

BOOST_FIXTURE_TEST_CASE(objects_by_keys, objects_compared) {
  seen({"--objects", "-k", "k", "-w", "k!=2", l, r}, 0, "");
  seen({"-k", "k", l + ":0:..", r + ":0:.."}, 1,
       "message 0, object 1 and 2: 1 of 1 elements differ, the first at [0]: 2 and 5; the largest difference is 3\n");
  seen({"--objects", "-k", "k", "-w", "k<=3", l + ":0:1..", r}, 1,
       "message 0, object 1 and 2: 1 of 1 elements differ, the first at [0]: 2 and 5; the largest difference is 3\n"
       "message 0, object 1 (k=1): only in the second\n");
  const auto lines = json_lines(run({"diff", "-j", "-k", "k", l + ":0:..1", r + ":0:1.."}).out);
  BOOST_TEST_REQUIRE(lines.size() == 1u);
  BOOST_TEST(lines[0]["left_object"] == 1);
  BOOST_TEST(lines[0]["right_object"] == 2);
  BOOST_TEST(lines[0].count("object") == 0u);
  const auto alone = json_lines(run({"diff", "-j", l + ":0:0..0", r + ":0:5.."}).out);
  BOOST_TEST(alone[0]["what"] == "only_left");
  BOOST_TEST(alone[0]["left_object"] == 0);
  BOOST_TEST(alone[0]["right_object"].is_null());
}

BOOST_FIXTURE_TEST_CASE(objects_are_not_compared_with_messages, objects_compared) {
  seen({l + ":0:0", r + ":0"}, 2, "");
  seen({l, r + ":0:0"}, 2, "");
  seen({"--objects", l + ":1", r + ":1:0"}, 0, "");
}

BOOST_FIXTURE_TEST_CASE(objects_that_cannot_be_decoded, objects_compared) {
  const std::string packed = files.file("p", packed_message() + several("e", {{1, 1}})).string();
  const outcome seen = run({"diff", packed + ":0:0", l + ":0:0", "--ignore", "k"});
  BOOST_TEST(seen.status == 1);  // of another dtype: nothing needs to be decoded
  BOOST_TEST(without_addresses(seen.out) == "message 0, object 0: dtype: uint8 and float32\n");
  object_spec other = bytes_object("not really zstd");
  const std::string plain = files.file("q", message({.objects = {bytes_object("x"), other}})).string();
  const outcome unread = run({"diff", plain + ":0:1", packed + ":0:0"});
  BOOST_TEST(unread.status == 4);
  BOOST_TEST(unread.err.find("p:0:0: ") != std::string::npos, unread.err);
  const std::string same = files.file("s", packed_message()).string();
  BOOST_TEST(run({"diff", packed + ":0:0", same + ":0:0"}).status == 0);  // equal bytes
}

BOOST_AUTO_TEST_SUITE_END()
