// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <cctype>
#include <iterator>
#include <sstream>

#include "../../process.hpp"
#include "../../samples.hpp"
#include "../../show_samples.hpp"

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(ls)

namespace {

/// Splits every line into words.
std::vector<std::vector<std::string>> words(const std::string& text) {
  std::vector<std::vector<std::string>> out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream cells(line);
    out.emplace_back(std::istream_iterator<std::string>(cells), std::istream_iterator<std::string>());
  }
  return out;
}

std::string size_of(const bytes& data) { return std::to_string(data.size()); }

using row = std::vector<std::string>;

void expect_rows(const std::vector<row>& found, const std::vector<row>& wanted) {
  BOOST_TEST_REQUIRE(found.size() == wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) BOOST_TEST(found[i] == wanted[i], boost::test_tools::per_element());
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_row_a_message) {
  const temporary_directory files;
  const outcome seen = run({"ls", files.file("f.tgm", forecast()).string()});
  BOOST_TEST(seen.status == 0);
  BOOST_TEST(seen.err == "");
  const bytes a = two_objects(), b = old_message(), c = streamed_message();
  expect_rows(words(seen.out), {{"message", "offset", "length", "version", "index_location", "objects", "notes"},
                                {"0", "0", size_of(a), "3", "header", "2"},
                                {"1", size_of(a), size_of(b), "2", "header", "1"},
                                {"2", size_of(a + b), size_of(c), "3", "footer", "1", "streamed"}});
}

BOOST_AUTO_TEST_CASE(rows_of_several_files_name_them) {
  const temporary_directory files;
  const std::string a = files.file("a.tgm", old_message()).string(), b = files.file("b.tgm", two_objects()).string();
  const std::string header = "file" + std::string(a.size() - 4, ' ') + "  dtype\n";
  BOOST_TEST(run_at_terminal({"ls", "--color", "never", "-p", "dtype", a, b}).out ==
             header + a + "  int16\n" + b + "  float32\n");
  BOOST_TEST(run_at_terminal({"ls", "--color", "never", "-p", "dtype", "--sort", "dtype", a, b}).out ==
             header + b + "  float32\n" + a + "  int16\n");
  BOOST_TEST(run_at_terminal({"ls", "--color", "never", "-p", "dtype", a}).out == "dtype\nint16\n");
  BOOST_TEST(run({"ls", "-p", "dtype", a, b}).out == "dtype\nint16\nfloat32\n");
  BOOST_TEST(run_at_terminal({"get", "-p", "dtype", a, b}).out == a + ": int16\n" + b + ": float32\n");
  BOOST_TEST(run_at_terminal({"get", "-p", "dtype", a}).out == "int16\n");
  BOOST_TEST(run({"get", "-p", "dtype", a, b}).out == "int16\nfloat32\n");
  for (const char* const verb : {"ls", "get"}) {
    const auto rows = json_lines(run({verb, "-j", "-p", "dtype", a, b}).out);
    BOOST_TEST_REQUIRE(rows.size() == 2u);
    BOOST_TEST(rows[0] == nlohmann::json({{"file", a}, {"dtype", "int16"}}));
    BOOST_TEST(rows[1] == nlohmann::json({{"file", b}, {"dtype", "float32"}}));
  }
}

BOOST_AUTO_TEST_CASE(a_key_named_file_is_printed_as_asked) {
  const temporary_directory files;
  const bytes keys = cbor::map({cbor::key("file", cbor::text("x"))});
  const std::string f = files.file("f.tgm", message({.objects = {bytes_object("a")}, .base = {keys}})).string();
  BOOST_TEST(run({"ls", "-j", "-p", "file", f}).out == "{\"file\":\"x\"}\n");
}

BOOST_AUTO_TEST_CASE(columns_stand_below_each_other) {
  const temporary_directory files;
  const outcome seen = run_at_terminal(
      {"ls", "-l", "--color", "never", files.file("f.tgm", old_message() + streamed_message()).string()});
  std::istringstream lines(seen.out);
  std::string header, line;
  std::getline(lines, header);
  const auto end_of_length = header.find("length") + 6;
  while (std::getline(lines, line)) {
    BOOST_TEST(line[end_of_length] == ' ');
    BOOST_TEST(std::isdigit(static_cast<unsigned char>(line[end_of_length - 1])));
  }
}

BOOST_AUTO_TEST_CASE(a_row_an_object) {
  const temporary_directory files;
  const outcome seen = run({"ls", "--objects", files.file("f.tgm", two_objects() + packed_message()).string()});
  BOOST_TEST(seen.status == 0);
  const auto rows = words(seen.out);
  BOOST_TEST_REQUIRE(rows.size() == 4u);
  expect_rows({rows[0]}, {{"message", "object", "name", "dtype", "shape", "encoding", "filter", "compression", "masks",
                           "offset", "stored", "notes"}});
  const auto without_offset = [](row r) {
    r.erase(r.end() - 2);
    return r;
  };
  expect_rows({without_offset(rows[1]), without_offset(rows[2]), without_offset(rows[3])},
              {{"0", "0", "-", "float32", "[2,", "3]", "none", "none", "none", "[]", "24"},
               {"0", "1", "-", "uint8", "[4]", "none", "none", "none", "[]", "4"},
               {"1", "0", "-", "uint8", "[15]", "none", "shuffle", "zstd", "[nan]", "15"}});
}

namespace {

/// Messages that differ in parameter and step, and have the same class.
bytes steps() {
  bytes out;
  for (const auto& [param, step] : {std::pair("2t", 0), {"msl", 0}, {"2t", 6}, {"msl", 6}}) {
    const bytes mars = cbor::map({cbor::key("class", cbor::text("od")), cbor::key("param", cbor::text(param)),
                                  cbor::key("step", cbor::integer(step))});
    const bytes keys = cbor::map({cbor::key("mars", mars), cbor::key("note", cbor::text(param + std::string("!")))});
    out += message({.objects = {grid<float>("float32", {1, 2}, {1, 2})}, .base = {keys}});
  }
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(objects_have_the_name_that_stats_has) {
  const temporary_directory files;
  const std::string path = files.file("f.tgm", map_message()).string();
  const auto rows = words(run({"ls", "--objects", path}).out);
  BOOST_TEST_REQUIRE(rows.size() == 4u);
  BOOST_TEST(rows[0][2] == "name");
  BOOST_TEST(rows[1][2] == "t");
  BOOST_TEST(rows[2][2] == "latitude");
  BOOST_TEST(json_lines(run({"ls", "--objects", "--json", path}).out)[0]["name"] == "t");
  BOOST_TEST(
      json_lines(run({"ls", "--objects", "--json", files.file("g.tgm", cube_message()).string()}).out)[0]["name"] ==
      nullptr);
}

BOOST_AUTO_TEST_CASE(a_terminal_shows_the_keys_that_tell_messages_apart) {
  const temporary_directory files;
  const std::string path = files.file("f.tgm", steps()).string();
  const auto seen = words(run_at_terminal({"ls", "--color", "never", path}, {.columns = 80, .rows = 24}).out);
  const std::string bytes_of_one = std::to_string(steps().size() / 4);
  BOOST_TEST_REQUIRE(seen.size() == 5u);
  // The note divides the messages like the parameter, so it comes last; the class is the same everywhere.
  expect_rows({seen[0]}, {{"message", "mars.param", "mars.step", "note", "dtype", "shape", "size", "notes"}});
  for (std::size_t i = 1; i < seen.size(); ++i) {
    BOOST_TEST(seen[i][1] == (i % 2 == 1 ? "2t" : "msl"));
    BOOST_TEST(seen[i][2] == (i < 3 ? "0" : "6"));
    BOOST_TEST(seen[i][4] == "float32");
    BOOST_TEST(seen[i][5] + seen[i][6] == "[1,2]");
  }
}

BOOST_AUTO_TEST_CASE(the_width_of_the_terminal_decides_how_many_keys_are_shown) {
  const temporary_directory files;
  const std::string path = files.file("f.tgm", steps()).string();
  const auto header = [&](unsigned short columns) {
    return words(run_at_terminal({"ls", "--color", "never", path}, {.columns = columns, .rows = 24}).out).at(0);
  };
  BOOST_TEST(header(80).size() == 8u);
  BOOST_TEST(header(60).size() == 6u);
  BOOST_TEST(header(60)[1] == "mars.param");
  BOOST_TEST(header(30).size() == 6u);  // the first key is always shown
  // The terminal knows its width only.
  const auto narrow = run_at_terminal({"ls", "--color", "never", path}, {.columns = 60, .rows = 0});
  BOOST_TEST(words(narrow.out).at(0).size() == 6u);
}

BOOST_AUTO_TEST_CASE(layout_adds_offsets_also_in_a_pipe) {
  const temporary_directory files;
  const std::string path = files.file("f.tgm", steps()).string();
  const auto seen = words(run({"ls", "-l", path}).out);
  expect_rows({seen.at(0)}, {{"message", "mars.param", "mars.step", "note", "dtype", "shape", "objects", "offset",
                              "length", "version", "index_location", "notes"}});
  BOOST_TEST(run({"ls", "-l", "-p", "name", path}).status == 2);
  // Without it a pipe gets the columns that scripts know.
  expect_rows({words(run({"ls", path}).out).at(0)},
              {{"message", "offset", "length", "version", "index_location", "objects", "notes"}});
}

BOOST_AUTO_TEST_CASE(a_terminal_shows_where_damage_is) {
  const temporary_directory files;
  const std::string path = files.file("f.tgm", two_objects() + "junk" + old_message()).string();
  const std::string begin = size_of(two_objects()), end = std::to_string(two_objects().size() + 4);
  const outcome seen = run_at_terminal({"ls", path}, {.columns = 80, .rows = 24});
  BOOST_TEST(seen.status == 3);
  BOOST_TEST(seen.out.find("[" + begin + ", " + end + ")") != std::string::npos, seen.out);
}

BOOST_AUTO_TEST_CASE(json_has_a_line_a_message) {
  const temporary_directory files;
  const auto path = files.file("f.tgm", forecast()).string();
  const auto lines = json_lines(run({"ls", "--json", path}).out);
  BOOST_TEST_REQUIRE(lines.size() == 3u);
  BOOST_TEST(lines[1] == nlohmann::json({{"file", path},
                                         {"message", 1},
                                         {"offset", two_objects().size()},
                                         {"length", old_message().size()},
                                         {"version", 2},
                                         {"index_location", "header"},
                                         {"objects", 1},
                                         {"streamed", false},
                                         {"incomplete", false}}));
  BOOST_TEST(lines[2]["streamed"] == true);
}

BOOST_AUTO_TEST_CASE(json_has_a_line_an_object) {
  const temporary_directory files;
  const auto path = files.file("f.tgm", two_objects() + old_message() + packed_message()).string();
  const auto lines = json_lines(run({"ls", "-j", "--objects", path}).out);
  BOOST_TEST_REQUIRE(lines.size() == 4u);
  const auto& grid = lines[0];
  BOOST_TEST(grid["dtype"] == "float32");
  BOOST_TEST(grid["shape"] == nlohmann::json({2, 3}));
  BOOST_TEST(grid["strides"] == nlohmann::json({3, 1}));
  BOOST_TEST(grid["byte_order"] == "little");
  BOOST_TEST(grid["in_place"] == true);
  BOOST_TEST(grid["stored"] == 24);
  BOOST_TEST(grid["payload_and_masks"] == 24);
  BOOST_TEST(lines[2]["byte_order"] == "big");
  BOOST_TEST(lines[2]["in_place"] == false);
  const auto& packed = lines[3];
  BOOST_TEST(packed["compression"] == "zstd");
  BOOST_TEST(packed["masks"] == nlohmann::json({"nan"}));
  BOOST_TEST(packed["payload_and_masks"].get<int>() == packed["stored"].get<int>() + 2);
  BOOST_TEST(packed["in_place"] == false);

  const bytes data = read_file(path);  // offsets are those of the file
  BOOST_TEST(data.substr(lines[1]["offset"].get<std::size_t>(), 4) == "abcd");
  BOOST_TEST(data.substr(lines[1]["frame_offset"].get<std::size_t>(), 2) == "FR");
}

BOOST_AUTO_TEST_CASE(one_message_or_one_object) {
  const temporary_directory files;
  const auto path = files.file("f.tgm", forecast()).string();
  const auto only = [&](const std::string& selector) {
    return json_lines(run({"ls", "-j", path + selector}).out).at(0);
  };
  BOOST_TEST(only(":1")["version"] == 2);
  BOOST_TEST(only(":-1")["streamed"] == true);
  BOOST_TEST(only(":-3")["objects"] == 2);
  BOOST_TEST(only(":0:1")["dtype"] == "uint8");
  BOOST_TEST(only(":0:-1")["dtype"] == "uint8");
  BOOST_TEST(only(":0:-2")["dtype"] == "float32");
  BOOST_TEST(only("@0")["objects"] == 2);
  const auto second = std::to_string(two_objects().size());
  BOOST_TEST(only("@" + second)["version"] == 2);
  BOOST_TEST(only("@" + second + ":0")["dtype"] == "int16");
  BOOST_TEST(json_lines(run({"ls", "-j", "--objects", path + ":0"}).out).size() == 2u);
}

BOOST_AUTO_TEST_CASE(missing_messages_name_the_next_step) {
  const temporary_directory files;
  const auto path = files.file("f.tgm", forecast()).string();
  for (const char* selector : {":3", ":-4", ":0:2", ":0:-3", ":9223372036854775807", ":-9223372036854775808",
                               ":0:9223372036854775807", ":0:-9223372036854775808"}) {
    const outcome seen = run({"ls", path + selector});
    BOOST_TEST(seen.status == 1, selector);
    BOOST_TEST(seen.err.find("; run `tgmap ls " + path + "` to see what there is\n") != std::string::npos, seen.err);
  }
  const outcome seen = run({"ls", path + "@1"});
  BOOST_TEST(seen.status == 1);
  BOOST_TEST(seen.err.find("to see where messages begin") != std::string::npos, seen.err);
}

BOOST_AUTO_TEST_CASE(a_message_that_cannot_be_read_says_so_in_its_row) {
  const temporary_directory files;
  const auto path = files.file("f.tgm", two_objects() + lying_message() + old_message()).string();
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"ls", "-j", path}, std::vector<std::string>{"ls", "-j", "--objects", path}}) {
    const outcome seen = run(arguments);
    BOOST_TEST(seen.status == 1);
    BOOST_TEST(seen.err.find("1 row could not be read completely; ") != std::string::npos);
    std::size_t broken = 0;
    for (const auto& line : json_lines(seen.out))
      if (line.contains("error")) {
        ++broken;
        BOOST_TEST(line["message"] == 1);
      }
    BOOST_TEST(broken == 1u);
  }
  BOOST_TEST(words(run({"ls", path}).out).size() == 4u);
}

BOOST_AUTO_TEST_CASE(version_1_has_a_row_and_no_objects) {
  const temporary_directory files;
  const auto path = files.file("f.tgm", version_1_message({"abc"}) + two_objects()).string();
  const outcome seen = run({"ls", path});
  BOOST_TEST(seen.status == 0);
  expect_rows({words(seen.out).at(1)}, {{"0", "0", size_of(version_1_message({"abc"})), "1", "-", "-", "version_1"}});
  BOOST_TEST(words(run({"ls", "--objects", path}).out).size() == 4u);
  const auto line = json_lines(run({"ls", "-j", path + ":0"}).out).at(0);
  BOOST_TEST(line["objects"].is_null());
  BOOST_TEST(line["version"] == 1);
}

BOOST_AUTO_TEST_CASE(several_files_have_their_names_above) {
  const temporary_directory files;
  const auto a = files.file("a.tgm", two_objects()).string(), b = files.file("b.tgm", old_message()).string();
  const outcome seen = run({"ls", a, b});
  BOOST_TEST(seen.out.starts_with(a + ":\n"));
  BOOST_TEST(seen.out.find("\n\n" + b + ":\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_empty_file_is_a_header) {
  const temporary_directory files;
  const outcome seen = run({"ls", files.file("f.tgm", "").string()});
  BOOST_TEST(seen.status == 0);
  BOOST_TEST(words(seen.out).size() == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
