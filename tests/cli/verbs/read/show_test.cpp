// SPDX-License-Identifier: Apache-2.0
// show as text: golden output in a pipe and at a terminal, JSON, and errors.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <regex>
#include <sstream>

#include "../../process.hpp"
#include "../../samples.hpp"
#include "../../show_samples.hpp"

using namespace tgmap_test;

namespace {

struct shown {
  temporary_directory files;
  /// Runs show on its own archive; `where` is appended to the name.
  outcome operator()(const bytes& archive, const std::string& where = "", const std::string& options = "") const {
    files.file("f.tgm", archive);
    return shell("cd '" + files.path().string() +
                 "' && env -u COLORTERM LC_ALL=C.UTF-8 COLUMNS=40 LINES=14 \"$TGMAP\" show f.tgm" + where + " " +
                 options);
  }
  nlohmann::json json(const object_spec& object, const std::string& options = "") const {
    const outcome seen = (*this)(message({.objects = {object}}), ":0:0", "-j " + options);
    BOOST_TEST_REQUIRE(seen.status == 0, seen.err);
    return json_lines(seen.out).at(0);
  }
};

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

}  // namespace

BOOST_FIXTURE_TEST_SUITE(show, shown)

BOOST_AUTO_TEST_CASE(a_map_in_a_pipe) {
  const outcome seen = (*this)(map_message(), ":0:0");
  BOOST_TEST(seen.status == 0);
  BOOST_TEST(seen.err == "");
  BOOST_TEST(seen.out ==
             "t\n"
             "float32 [3, 4]  f.tgm:0:0\n"
             "12 elements, 1 missing\n"
             "min 0   max 11   mean 5.54545\n"
             "std 3.60211   K\n"
             "     │....::::::::----\n"
             "60°N ┤....::::::::----\n"
             "     │====????++++****\n"
             "50°N ┤====????++++****\n"
             "     │####%%%%%%%%@@@@\n"
             "40°N ┤####%%%%%%%%@@@@\n"
             "     └──────┬─────┬───\n"
             "           0°   15°E\n"
             "      0 .:-=++*#%@ 11 K   ? missing\n");
}

BOOST_AUTO_TEST_CASE(a_slice_of_more_dimensions) {
  const outcome seen = (*this)(cube_message());
  BOOST_TEST(seen.out ==
             "object 0 of message 0\n"
             "int16 [2, 2, 3]  f.tgm:0:0\n"
             "slice [0, :, :]; --slice takes another\n"
             "6 elements, none missing\n"
             "min 0   max 5   mean 2.5   std 1.70783\n"
             "  │....----====\n"
             "0 ┤....----====\n"
             "  │****####@@@@\n"
             "1 ┤****####@@@@\n"
             "  └──┬───────┬─\n"
             "     0       2\n"
             "   0 :-=+*#%@ 5\n");
  const auto chosen = [&](const std::string& slice) { return (*this)(cube_message(), "", "--slice '" + slice + "'"); };
  BOOST_TEST(chosen("[-1,:,:]").out.find("\nslice [1, :, :]\n6 elements, none missing\nmin 6   max 11 ") !=
             std::string::npos);
  BOOST_TEST(chosen("1,0,1").out ==
             "object 0 of message 0\n"
             "int16 [2, 2, 3]  f.tgm:0:0\n"
             "slice [1, 0, 1]\n"
             "1 element, none missing\n"
             "value 7\n");
  BOOST_TEST(chosen("[:,:,:]").out ==
             "object 0 of message 0\n"
             "int16 [2, 2, 3]  f.tgm:0:0\n"
             "12 elements, none missing\n"
             "min 0   max 11   mean 5.5   std 3.45205\n"
             "3 dimensions cannot be shown; add\n"
             "--slice '[0, :, :]'\n");
  BOOST_TEST(
      chosen("[1,0,:]").out.ends_with("  └────┬────────┬────────┬────\n"
                                      "       0        1        2\n"));
  BOOST_TEST(chosen("[0,2:,:]").out ==
             "object 0 of message 0\n"
             "int16 [2, 2, 3]  f.tgm:0:0\n"
             "slice [0, 0:0, :]\n"
             "0 elements, none missing\n");
}

BOOST_AUTO_TEST_CASE(slices_are_those_of_extract) {
  const auto text = [&](const std::string& where, const std::string& options) {
    return (*this)(cube_message(), where, options).out;
  };
  const std::string last = "slice [:, :, 2]\n4 elements, none missing\nmin 2   max 11 ";
  BOOST_TEST(text("", "--slice '[...,2]'").find(last) != std::string::npos);
  BOOST_TEST(text("':0:0[...,2]'", "").find(last) != std::string::npos);
  BOOST_TEST(text("", "--slice '[1]'") == text("", "--slice '[1,:,:]'"));
  BOOST_TEST(text("", "--slice '[1,0,::2]'")
                 .starts_with("object 0 of message 0\n"
                              "int16 [2, 2, 3]  f.tgm:0:0\n"
                              "slice [1, 0, 0:3:2]\n"
                              "2 elements, none missing\n"
                              "min 6   max 8   mean 7   std 1\n"));
  const auto found = json_lines(text("':0:0[1,0,::2]'", "-j")).at(0);
  BOOST_TEST(found["slice"] == "[1, 0, 0:3:2]");
  BOOST_TEST(found["max"] == 8);
  BOOST_TEST(text("", "-j --slice '" + found["slice"].get<std::string>() + "'") == text("':0:0[1,0,::2]'", "-j"));
  BOOST_TEST((*this)(cube_message(), "':0:0[1]'", "--slice '[1]'").err ==
             "tgmap: the address has the slice '[1]'; leave out --slice; run `tgmap show --help`\n");
}

BOOST_AUTO_TEST_CASE(a_map_at_a_terminal) {
  const auto path = files.file("f.tgm", message({.objects = {grid<float>("float32", {2, 2}, {0, 1, 1, 0})},
                                                 .base = {named("\x1b[31mt\u202e")}}));
  const outcome seen = run_at_terminal({"show", path.string(), "--cmap", "gray"},
                                       {.columns = 20, .rows = 11, .environment = {{"COLORTERM", "truecolor"}}});
  const std::string black = "2;6;6;6m", white = "2;242;242;242m", on = "\x1b[38;", behind = "\x1b[48;";
  const std::string upper = on + black + behind + black + "▀▀▀" + on + white + behind + white + "▀▀▀\x1b[0m\n";
  const std::string lower = on + white + behind + white + "▀▀▀" + on + black + behind + black + "▀▀▀\x1b[0m\n";
  BOOST_TEST(seen.out.starts_with("\x1b[1m\\x1b[31mt\\u{202e}\x1b[0m\nfloat32 [2, 2]\n" + path.string() +
                                  ":0:0\n4 elements, none\nmissing\nmin 0   max 1\nmean 0.5   std 0.5\n"),
             seen.out);
  const std::string middle = on + black + behind + white + "▀▀▀" + on + white + behind + black + "▀▀▀\x1b[0m\n";
  BOOST_TEST(seen.out.find("\n0 ┤" + upper + "  │" + middle + "1 ┤" + lower + "  └") != std::string::npos, seen.out);
}

BOOST_AUTO_TEST_CASE(colours_as_the_terminal_and_the_user_want_them) {
  const auto path = files.file("f.tgm", map_message()).string() + ":0:0";
  using environment = std::map<std::string, std::string>;
  const auto seen = [&](const environment& around, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"show", path});
    return run_at_terminal(more, {.columns = 60, .rows = 30, .environment = around}).out;
  };
  const auto has = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
  BOOST_TEST(has(seen({{"COLORTERM", "truecolor"}}), "\x1b[38;2;"));
  BOOST_TEST(has(seen({}), "\x1b[38;5;"));
  BOOST_TEST(!has(seen({}), "\x1b[38;2;"));
  for (const environment& without : {environment{{"TERM", "dumb"}}, {{"NO_COLOR", "1"}}})
    BOOST_TEST(!has(seen(without), "\x1b"));
  BOOST_TEST(!has(seen({}, {"--color", "never"}), "\x1b"));
  BOOST_TEST(has(seen({{"NO_COLOR", "1"}}, {"--color", "always"}), "\x1b[38;5;"));
  BOOST_TEST(has((*this)(map_message(), ":0:0", "--color always").out, "\x1b[38;5;"));

  const std::string ascii = seen({{"LC_ALL", "C"}});
  BOOST_TEST(has(ascii, "\x1b[48;5;"));
  for (const char c : ascii) BOOST_TEST((c & 0x80) == 0);
}

BOOST_AUTO_TEST_CASE(the_window_is_filled_and_not_overfilled) {
  object_spec large{.dtype = "uint8", .shape = {300, 300}, .payload = bytes(90'000, 'x')};
  const auto path = files.file("f.tgm", message({.objects = {large}})).string();
  const auto lines = [&](unsigned short columns, unsigned short rows, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"show", path});
    const std::string out = run_at_terminal(more, {.columns = columns, .rows = rows, .environment = {}}).out;
    return std::count(out.begin(), out.end(), '\n');
  };
  BOOST_TEST(lines(200, 40) == 39);  // one is left for the prompt
  BOOST_TEST(lines(200, 24) == 23);
  BOOST_TEST(lines(40, 60) < 30);  // as wide as high
  BOOST_TEST(lines(0, 0) == 23);   // 80 x 24 unless it says
  BOOST_TEST(lines(200, 60, {"--height", "12"}) == 4 + 12);
  BOOST_TEST(lines(200, 60, {"--width", "30"}) < 25);
}

BOOST_AUTO_TEST_CASE(json_of_every_dtype) {
  const auto statistics = [&](const object_spec& object) {
    const auto found = json(object);
    BOOST_TEST(found["dtype"] == object.dtype);
    return nlohmann::json{found["elements"], found["missing"], found["infinite"],
                          found["min"],      found["max"],     found["mean"]};
  };
  const auto expect = [&](const object_spec& object, const nlohmann::json& wanted) {
    BOOST_TEST(statistics(object) == wanted, object.dtype << ": " << statistics(object).dump());
  };
  const nlohmann::json four{4, 0, 0, 1.0, 6.0, 3.0};
  expect(numbers_object<std::int8_t>("int8", {1, 2, 3, 6}), four);
  expect(numbers_object<std::uint8_t>("uint8", {1, 2, 3, 6}), four);
  expect(numbers_object<std::int16_t>("int16", {1, 2, 3, 6}), four);
  expect(numbers_object<std::uint16_t>("uint16", {1, 2, 3, 6}), four);
  expect(numbers_object<std::int32_t>("int32", {1, 2, 3, 6}), four);
  expect(numbers_object<std::uint32_t>("uint32", {1, 2, 3, 6}), four);
  expect(numbers_object<std::int64_t>("int64", {1, 2, 3, 6}), four);
  expect(numbers_object<std::uint64_t>("uint64", {1, 2, 3, 6}), four);
  expect(numbers_object<float>("float32", {1, 2, 3, 6}), four);
  expect(numbers_object<double>("float64", {1, 2, 3, 6}), four);
  expect(numbers_object<std::uint16_t>("float16", {0x3c00, 0x4000, 0x4200, 0x4600}), four);
  expect(numbers_object<std::uint16_t>("bfloat16", {0x3f80, 0x4000, 0x4040, 0x40c0}), four);
  expect({.dtype = "complex64", .shape = {2}, .payload = native<float>({3, 4, 0, 1})}, {2, 0, 0, 1.0, 5.0, 3.0});
  expect({.dtype = "complex128", .shape = {2}, .payload = native<double>({3, 4, 0, 1})}, {2, 0, 0, 1.0, 5.0, 3.0});
  expect({.dtype = "bitmask", .shape = {4}, .payload = "\x50"}, {4, 0, 0, 0.0, 1.0, 0.5});
  expect(numbers_object<double>("float64", {missing, 1, INFINITY, -INFINITY}), {4, 1, 2, 1.0, 1.0, 1.0});
  expect(numbers_object<double>("float64", {missing, missing}), {2, 2, 0, nullptr, nullptr, nullptr});
  expect({.dtype = "float64", .shape = {3, 0}}, {0, 0, 0, nullptr, nullptr, nullptr});
  expect({.dtype = "float64", .shape = {}, .payload = native<double>({7})}, {1, 0, 0, 7.0, 7.0, 7.0});
}

BOOST_AUTO_TEST_CASE(json_has_all_of_its_keys) {
  auto found = json_lines((*this)(map_message(), ":0:0", "--json").out).at(0);
  BOOST_TEST(found["std"].get<double>() == 3.60211141, boost::test_tools::tolerance(1e-8));
  found.erase("std");
  BOOST_TEST(
      found.dump() ==
      R"({"dtype":"float32","elements":12,"infinite":0,"max":11.0,"mean":5.545454545454546,"message":0,"min":0.0,)"
      R"("missing":1,"name":"t","object":0,"shape":[3,4],"slice":"[:, :]","slice_shape":[3,4],)"
      R"("target":"f.tgm:0:0","units":"K"})");
  const auto part = json_lines((*this)(cube_message(), "", "-j --slice 1,:,1").out).at(0);
  BOOST_TEST(part["slice"] == "[1, :, 1]");
  BOOST_TEST(part["slice_shape"] == nlohmann::json{2});
  BOOST_TEST(part["name"].is_null());
  const bytes hostile = message({.objects = {bytes_object("ab")}, .base = {named("\xff\x1b[31m\u202e", "\"\\\n")}});
  BOOST_TEST(json_lines((*this)(hostile, "", "-j").out).size() == 1u);
}

BOOST_AUTO_TEST_CASE(titles_come_from_metadata) {
  const auto title = [&](const std::vector<cbor::pair>& keys) {
    const std::string out = (*this)(message({.objects = {bytes_object("ab")}, .base = {cbor::map(keys)}})).out;
    return out.substr(0, out.find('\n'));
  };
  const auto text = [](const char* key, const char* value) { return cbor::key(key, cbor::text(value)); };
  BOOST_TEST(title({text("name", "t")}) == "t");
  BOOST_TEST(title({text("name", "t"), text("long_name", "temperature")}) == "temperature (t)");
  BOOST_TEST(title({cbor::key("mars", cbor::map({text("param", "2t"), cbor::key("step", cbor::integer(6)),
                                                 text("levelist", "850")}))}) == "2t, step 6, level 850");
  BOOST_TEST(title({cbor::key("step", cbor::integer(6))}) == "object 0 of message 0, step 6");
  BOOST_TEST(title({cbor::key("name", cbor::map({}))}) == "object 0 of message 0");
  BOOST_TEST(title({text("name", "\x1b[2Jt\n")}) == "\\x1b[2Jt\\n");
  BOOST_TEST(title({text("name", std::string(500, 'x').c_str())}) == std::string(120, 'x') + "…");
}

BOOST_AUTO_TEST_CASE(missing_constant_and_infinite_fields) {
  const auto out = [&](std::initializer_list<float> values) {
    return (*this)(message({.objects = {grid<float>("float32", {2, 2}, values)}}), "", "--height 6").out;
  };
  constexpr float none = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  BOOST_TEST(out({none, none, none, none}).find("4 elements, 4 missing\n0 ┤????\n1 ┤????\n") != std::string::npos);
  BOOST_TEST(out({5, 5, 5, 5}).find("min 5   max 5   mean 5   std 0\n") != std::string::npos);
  BOOST_TEST(out({1, inf, -inf, none}).find("4 elements, 1 missing, 2 infinite\nmin 1   max 1 ") != std::string::npos);
  const object_spec line = numbers_object<double>("float64", {missing, missing});
  const outcome seen = (*this)(message({.objects = {line}}));
  BOOST_TEST(seen.status == 0);
  BOOST_TEST(seen.out.ends_with("float64 [2]  f.tgm:0:0\n2 elements, 2 missing\n"));
}

BOOST_AUTO_TEST_CASE(ranges_and_logarithms) {
  const auto out = [&](const std::string& options) { return (*this)(cube_message(), "", options).out; };
  BOOST_TEST(out("--range 2,4").ends_with("   2 :-=+*#%@ 4\n"));
  BOOST_TEST(out("--range -2..4e0").ends_with("   -2 :-=+*#%@ 4\n"));
  BOOST_TEST(out("--log").find("\n1 not above zero, not shown on a\nlogarithmic scale\n  │????") != std::string::npos);
  BOOST_TEST(out("--log").ends_with("   1 :-=+*#%@ 5, logarithmic\n   ? missing or not above 0\n"));
  BOOST_TEST(out("--log --range 0.1,10").find("   0.1 :-=+*#%@ 10, logarithmic") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(less_than_three_parts_where_that_is_enough) {
  BOOST_TEST((*this)(cube_message(), ":0").status == 0);
  BOOST_TEST((*this)(cube_message(), ":-1:-1").out.find(" f.tgm:-1:0\n") != std::string::npos);
  BOOST_TEST((*this)(cube_message(), "@0").out.find(" f.tgm@0:0\n") != std::string::npos);
  const outcome objects = (*this)(map_message());
  BOOST_TEST(objects.status == 2);
  BOOST_TEST(objects.err.starts_with("tgmap: 'f.tgm:0' has 3 objects; name one, for example f.tgm:0:0 (0: t "
                                     "float32 [3, 4]; 1: latitude float64 [3]; 2: longitude float64 [4]); run "),
             objects.err);
  const outcome messages = (*this)(cube_message() + cube_message());
  BOOST_TEST(messages.status == 2);
  BOOST_TEST(messages.err.find("has several messages; name one object, for example f.tgm:0:0; `tgmap ls "
                               "f.tgm` lists them") != std::string::npos);
  BOOST_TEST((*this)(cube_message(), ":0:0..1").status == 2);
  for (const bytes& none : {bytes(), message({})}) {
    const outcome seen = (*this)(none);
    BOOST_TEST(seen.status == 1);
    BOOST_TEST(seen.out == "");
  }
}

BOOST_AUTO_TEST_CASE(several_and_standard_input) {
  const auto path = files.file("f.tgm", cube_message()).string();
  const outcome two = run({"show", "-j", path, path + "gone", path});
  BOOST_TEST(two.status == 1);
  BOOST_TEST(json_lines(two.out).size() == 2u);
  BOOST_TEST(json_lines(run({"show", "-j", "-"}, cube_message()).out).size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_missing_codec_is_named_with_the_next_step) {
  const outcome seen = (*this)(packed_message());
  BOOST_TEST(seen.status == 1);
  BOOST_TEST(seen.out == "");
  BOOST_TEST(seen.err ==
             "tgmap: f.tgm:0:0: the elements cannot be decoded: filter shuffle, compression zstd, mask nan by rle: a "
             "codec parameter is missing or impossible (0) (offset 0xc8); run "
             "`tgmap extract --stored -o OUT f.tgm:0:0` to get the payload as stored\n");
}

BOOST_AUTO_TEST_CASE(objects_that_cannot_be_shown_are_errors) {
  const auto fails = [&](const object_spec& object, const char* why, const std::string& options = "") {
    const outcome seen = (*this)(message({.objects = {object}}), "", options);
    BOOST_TEST(seen.status == 1);
    BOOST_TEST(seen.out == "");
    BOOST_TEST(seen.err.find(why) != std::string::npos, seen.err);
  };
  object_spec object{.dtype = "float32", .shape = {std::uint64_t{1} << 40, std::uint64_t{1} << 40}, .payload = "abcd"};
  fails(object, "; run `tgmap validate f.tgm`");
  object.shape = {std::uint64_t{1} << 20, 1 << 20};
  fails(object, "decoding gives 4 bytes, but shape and dtype need 4398046511104");
  object.shape = {2};
  fails(object, "decoding gives 4 bytes, but shape and dtype need 8 (offset 0xc8); run `tgmap extract --stored ");
  object = grid<float>("float32", {2, 2}, {1, 2, 3, 4});
  object.strides = {{2, 2}};
  fails(object, "; add --as-stored");
  BOOST_TEST((*this)(message({.objects = {object}}), "", "--as-stored").status == 0);
  fails(bytes_object("abcd"),
        "index 9 is out of range for axis 0 with extent 4, in the slice '[9]' of the shape [4]; use 0 to 3",
        "--slice 9");
  fails(bytes_object("abcd"), "the slice '[1,2]' has 2 dimensions, but the shape [4] has 1", "--slice 1,2");
}

BOOST_AUTO_TEST_CASE(usage) {
  const auto path = files.file("f.tgm", cube_message()).string();
  const std::vector<std::vector<std::string>> senseless{
      {},
      {path, "--slice", "[1"},
      {path, "--slice", "a,:,:"},
      {path, "--cmap", "viridis"},
      {path, "--range", "5"},
      {path, "--range", "5,2"},
      {path, "--range", "nan,2"},
      {path, "--range", "1,2,3"},
      {path, "--log", "--range", "0,5"},
      {path, "--width", "3"},
      {path, "--height", "100000"},
      {path, "--size", "100x100"},
      {path, "-o", "x.jpg"},
      {path, "-o", "x.png", "--size", "100"},
      {path, "-o", "x.png", "--size", "1x1"},
      {path, "-o", "x.png", "--size", "100000x100"},
      {path, path, "-o", "x.png"},
      {path, "-o", "-", "-j"},
  };
  for (std::vector<std::string> arguments : senseless) {
    arguments.insert(arguments.begin(), "show");
    const outcome seen = run(arguments);
    BOOST_TEST(seen.status == 2, seen.err);
    BOOST_TEST(seen.out == "");
  }
  BOOST_TEST(run({"show", path, "--cmap", "viridis"}).err.find("use lagoon, ") != std::string::npos);
  const std::string help = run({"show", "--help"}).out;
  for (const char* name : {"lagoon", "ember", "frost", "balance", "gray"})
    BOOST_TEST(help.find(name) != std::string::npos);
}

BOOST_AUTO_TEST_CASE(damage_is_reported) {
  const outcome seen = (*this)(map_message() + "noise", ":-1:0");
  BOOST_TEST(seen.status == 3);
  BOOST_TEST(seen.err.find("the file is damaged") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(elements_at_scattered_points_are_a_map) {
  // Points on two meridians, in the order of no grid: the north has 1, the south 2.
  const bytes lines = message({.objects = {numbers_object<float>("float32", {1, 2, 1, 2, 1, 2}),
                                           numbers_object<double>("float64", {20, 0, 20, 0, 20, 0}),
                                           numbers_object<double>("float64", {10, 10, 20, 20, 30, 30})},
                               .base = {named("t"), named("latitude"), named("longitude")}});
  const outcome seen = (*this)(lines, ":0:0");
  BOOST_TEST(seen.status == 0, seen.err);
  BOOST_TEST(seen.out.find("°N") != std::string::npos, seen.out);
  BOOST_TEST(seen.out.find("°E") != std::string::npos, seen.out);
  BOOST_TEST(seen.out.find('@') > seen.out.find('.', seen.out.find("°N")), seen.out);
  BOOST_TEST(seen.out.find('?') == std::string::npos, seen.out);
}

BOOST_AUTO_TEST_CASE(a_grid_without_coordinates_is_said) {
  const auto on = [](const char* name) {
    const bytes mars = cbor::map({cbor::key("grid", cbor::text(name)), cbor::key("area", cbor::text("90/0/-90/360"))});
    return message({.objects = {grid<float>("float32", {3, 4}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})},
                    .base = {cbor::map({cbor::key("mars", mars)})}});
  };
  const outcome other = (*this)(on("O1280"), ":0:0");
  BOOST_TEST(other.out.find("\nno coordinates: mars.grid is O1280\n") != std::string::npos, other.out);
  BOOST_TEST(other.out.find("°") == std::string::npos, other.out);
  const outcome regular = (*this)(on("regular_ll"), ":0:0");
  BOOST_TEST(regular.out.find("no coordinates") == std::string::npos, regular.out);
  BOOST_TEST(regular.out.find("90°N ┤") != std::string::npos, regular.out);
  // Nothing is said of a part without rows and columns, and of objects without a grid.
  BOOST_TEST((*this)(on("O1280"), ":0:0", "--slice '[0, 1]'").out.find("no coordinates") == std::string::npos);
  BOOST_TEST((*this)(cube_message(), ":0:0").out.find("no coordinates") == std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

// Narrow windows: no line is longer than the window.

namespace {

struct narrow_window {
  temporary_directory files;

  /// Returns what show prints in a window of so many columns, without colours.
  std::string shown(const bytes& archive, const std::string& options, int columns, const char* locale) const {
    files.file("f.tgm", archive);
    const outcome seen =
        shell("cd '" + files.path().string() + "' && env COLORTERM=truecolor LC_ALL=" + locale +
              " COLUMNS=" + std::to_string(columns) + " LINES=20 \"$TGMAP\" show f.tgm:0:0 " + options);
    BOOST_TEST(seen.status == 0, seen.err);
    return std::regex_replace(seen.out, std::regex("\x1b\\[[0-9;]*m"), "");
  }
};

std::size_t characters(const std::string& line) {
  return static_cast<std::size_t>(std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

/// Returns an object with a long name and a long unit, and with missing and infinite elements.
bytes long_words(std::vector<std::uint64_t> shape) {
  constexpr double nan = __builtin_nan(""), infinity = __builtin_inf();
  object_spec one = grid<double>("float64", std::move(shape),
                                 {-123456.789e-7, 1.23456e200, nan, infinity, 5, 6, 7, 8, 9, 10.123456789, 11, 12});
  return message({.objects = {one},
                  .base = {cbor::map({cbor::key("long_name", cbor::text("surface upwelling longwave flux in air")),
                                      cbor::key("name", cbor::text("rlus")), cbor::key("step", cbor::integer(84)),
                                      cbor::key("level", cbor::integer(850)),
                                      cbor::key("units", cbor::text("kilograms per square metre per second"))})}});
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(show_width, narrow_window)

BOOST_AUTO_TEST_CASE(no_line_is_longer_than_the_window) {
  const std::vector<std::pair<const char*, bytes>> kinds{
      {"a map", map_message()},
      {"a map with long words", long_words({3, 4})},
      {"a line", message({.objects = {numbers_object<double>("float64", {1, 2.5, 1e-9, -4})}})},
      {"a line with long words", long_words({12})},
      {"a flat map", long_words({1, 12})},
      {"a cube", cube_message()},
      {"a scalar", message({.objects = {grid<double>("float64", {}, {-1.23456789e-123})}})},
      {"only missing", message({.objects = {grid<double>(
                                    "float64", {2, 2},
                                    {__builtin_nan(""), __builtin_nan(""), __builtin_nan(""), __builtin_nan("")})}})},
  };
  for (const auto& [kind, archive] : kinds)
    for (const int columns : {40, 50})
      for (const char* const locale : {"C", "C.UTF-8"})
        for (const char* const options : {"", "--color always", "--log", "--log --color always"}) {
          const std::string out = shown(archive, options, columns, locale);
          std::istringstream lines(out);
          for (std::string line; std::getline(lines, line);)
            BOOST_TEST(characters(line) <= static_cast<std::size_t>(columns),
                       kind << " " << options << " in " << columns << " " << locale << ": " << line);
        }
  const std::string cut = shown(cube_message(), "--slice :,:,:", 40, "C");
  BOOST_TEST(cut.find("3 dimensions cannot be shown;") != std::string::npos, cut);
}

BOOST_AUTO_TEST_CASE(nothing_is_lost_in_a_narrow_window) {
  for (const int columns : {40, 50, 200}) {
    std::string out = shown(long_words({3, 4}), "", columns, "C.UTF-8");
    std::replace(out.begin(), out.end(), '\n', ' ');
    out = std::regex_replace(out, std::regex(" +"), " ");
    for (const char* const part :
         {"surface upwelling longwave flux in air (rlus), step 84", "float64 [3, 4] f.tgm:0:0",
          "12 elements, 1 missing, 1 infinite", "min -0.0123457", "max 1.23456e+200", "? missing"})
      BOOST_TEST(out.find(part) != std::string::npos, columns << ": " << part << " is not in " << out);
  }
}

BOOST_AUTO_TEST_SUITE_END()
