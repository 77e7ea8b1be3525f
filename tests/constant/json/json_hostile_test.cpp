// SPDX-License-Identifier: Apache-2.0
// Truncated, changed, deep and long texts give an error with a place or the right value, in linear time.
#include <boost/test/unit_test.hpp>
#include <random>
#include <string>
#include <support/rounds.hpp>
#include <tgmap/constant/read.hpp>
#include <vector>

#include "../cases.hpp"
#include "constant/json/json_reader.hpp"
#include "json_errors.hpp"

namespace constant = tgmap::constant;
using constant::read_json;
using constant::read_options;
using constant::tensor_type;

namespace {

struct sample_text {
  std::string type, text;
};

/// Returns texts of every form, and those of the shared cases if they are available.
std::vector<sample_text> sample_texts() {
  std::vector<sample_text> out = {
      {"tensor(x[2],y[2])", "{\"type\":\"tensor(x[2],y[2])\",\"values\":[[1.5,-2e3],[\"inf\",null]]}"},
      {"tensor<float>(x[3])", "[1,\"nan\",0.1]"},
      {"tensor(x{})", "{\"cells\":{\"a\":1,\"b\\u00e9\":2,\"\xC3\xA9\":3}}"},
      {"tensor(x{})", "{\"a\":1,\"type\":2}"},
      {"tensor<int8>(x{},y[2])", "{\"blocks\":{\"a\":[1,2],\"b\":[3,4]}}"},
      {"tensor(x{},y{},z[2])",
       "{\"blocks\":[{\"address\":{\"x\":\"a\",\"y\":\"b\"},\"values\":[1,2]},"
       "{\"values\":[3,4],\"address\":{\"y\":\"a\",\"x\":\"b\"}}]}"},
      {"tensor<bfloat16>(x{},y[2])",
       "{\"cells\":[{\"address\":{\"x\":\"a\",\"y\":\"1\"},\"value\":1},"
       "{\"value\":\"2\",\"address\":{\"y\":\"0\",\"x\":\"a\"}}]}"},
      {"tensor<float>(x[2])", "{\"values\":\"3F8000003f800000\"}"},
  };
  for (const auto& one : tgmap_test::invalid_texts) out.push_back({std::string(one.type), std::string(one.text)});
  if (const auto all = tgmap_test::shared_cases("cases.json")) {
    for (const auto& one : all->is_array() ? *all : all->at("cases"))
      out.push_back({one.at("type").is_null() ? "" : one.at("type").get<std::string>(), one.at("input")});
  }
  return out;
}

read_options options_for(const std::string& type, bool extended) {
  read_options out{.extended = extended};
  tgmap::failure why;
  if (!type.empty()) out.type = tensor_type::parse(type, why);
  if (why) out.type = {};
  return out;
}

/// Returns the result as one text. Checks each problem.
std::string result_of(std::string_view text, const read_options& options,
                      std::size_t window = constant::json::default_window) {
  constant::report report;
  const auto read = constant::json::read_text({text.data(), text.size()}, options, report, window);
  std::string out;
  for (const auto& one : report.problems) {
    BOOST_TEST(one.cause.offset <= text.size());
    BOOST_TEST((one.line >= 1 && one.column >= 1 && one.column <= text.size() + 1));
    out += one.text() + '\n';
  }
  for (const auto& one : report.warnings) out += "warning " + one.text() + '\n';
  if (!report) out += tgmap_test::to_case(read).dump();
  return out;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(json_hostile)

/// A truncated text is an error unless only spaces are missing.
BOOST_AUTO_TEST_CASE(truncated_at_every_byte) {
  for (const auto& [type, text] : sample_texts())
    for (const bool extended : {false, true}) {
      const read_options options = options_for(type, extended);
      const std::string whole = result_of(text, options);
      for (std::size_t size = 0; size < text.size(); size += tgmap_test::stride(3)) {
        // a copy, so that sanitizers detect reads past the end
        const std::vector<char> cut(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(size));
        const std::string result = result_of({cut.data(), cut.size()}, options);
        const bool failed = result.find("{\"canonical_type\"") == result.npos;
        const bool spaces = text.find_first_not_of(" \t\r\n", size) == text.npos;
        BOOST_TEST_CONTEXT(type << ' ' << text.substr(0, size) << ' ' << result)
        BOOST_TEST((failed || (spaces && result == whole) || whole.find("trailing_content") != whole.npos ||
                    whole.find("end of the text") != whole.npos));
      }
    }
}

/// The size of windows makes no difference.
BOOST_AUTO_TEST_CASE(changed_texts_in_windows_of_every_size) {
  std::mt19937_64 random(7);
  const std::string interesting = "\"\\{}[]:,01-.e tn\n\x80\xC3\xFF";
  for (const auto& [type, text] : sample_texts()) {
    if (text.empty() || text.size() > 400) continue;
    for (int i = 0; i < tgmap_test::rounds(40); ++i) {
      std::string changed = text;
      for (std::uint64_t flips = random() % 3 + 1; flips > 0; --flips) {
        char& byte = changed[random() % changed.size()];
        byte = random() % 2 == 0 ? interesting[random() % interesting.size()]
                                 : static_cast<char>(byte ^ static_cast<char>(1 << random() % 8));
      }
      read_options options = options_for(type, random() % 2 == 0);
      options.max_problems = random() % 4;
      const std::string at_once = result_of(changed, options);
      BOOST_TEST_CONTEXT(type << ' ' << changed)
      BOOST_TEST(result_of(changed, options, random() % 40 + 1) == at_once);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_million_brackets) {
  tgmap_test::case_sampler cases(7);
  for (const char* type : {"tensor(x[1],y[1])", "tensor(x{})", "tensor(x{},y[2])", ""})
    for (const char* pattern : {"[", "{\"a\":", "[[{\"cells\":"})
      for (const char* before : {"", "{\"values\":", "{\"cells\":", "{\"a\":", "{\"cells\":[{\"address\":"}) {
        std::string text = before;
        while (text.size() < 1'000'000) text += pattern;
        for (const bool extended : {false, true}) {
          if (!cases.takes_next()) continue;
          constant::report report;
          read_json(text, options_for(type, extended), report);
          BOOST_TEST(static_cast<bool>(report));
        }
      }
}

BOOST_AUTO_TEST_CASE(a_label_of_many_megabytes) {
  const std::string label(40'000'000, 'x');
  const auto read = read_json("{\"a\":1,\"" + label + "\":2}", {.type = tensor_type::parse("tensor(x{})")});
  BOOST_TEST(read.blocks() == 2u);
  BOOST_TEST((read.label(1) == label));
  constant::report report;
  read_json("{\"a\":1,\"" + label, {.type = tensor_type::parse("tensor(x{})")}, report);
  BOOST_TEST(report.problems.at(0).text() == "1:8: expected a string with an end, found the end of the text");
  read_json("{\"a\":1,\"" + label + "\":\"b\"}", {.type = tensor_type::parse("tensor(x{})")}, report);
  BOOST_TEST(report.problems.at(0).path.size() < 100u);
}

BOOST_AUTO_TEST_CASE(a_label_after_a_million_blocks) {
  std::string text = "{\"blocks\":{";
  for (int i = 0; i < 1'000'000; ++i) text += "\"k" + std::to_string(i) + "\":[" + std::to_string(i) + "],";
  read_options options{.type = tensor_type::parse("tensor<float>(x{},y[1])")};
  const auto read = read_json(text + "\"k\":[1]}}", options);
  BOOST_TEST(read.blocks() == 1'000'001u);
  BOOST_TEST(read.cell({{"x", "k777777"}, {"y", 0}}) == 777777.0);
  constant::report report;
  read_json(text + "\"k0\":[1]}}", options, report);
  BOOST_TEST(report.problems.at(0).cause.offset == text.size());
  BOOST_TEST((report.problems.at(0).cause.code == constant::errc::repeated_address));
}

/// Enough labels for prefetching.
BOOST_AUTO_TEST_CASE(many_labels_in_any_windows) {
  std::string object = "{\"cells\":{", array = "{\"cells\":[";
  for (int i = 0; i < 6000; ++i) {
    const std::string label = (i % 7 == 0 ? "\\u006b" : "k") + std::to_string(i), end = i == 5999 ? "" : ",";
    object += '"' + label + "\": " + std::to_string(i) + end;
    array += "{\"address\":{\"x\":\"" + label + "\"},\"value\":" + std::to_string(i) + '}' + end;
  }
  const read_options options{.type = tensor_type::parse("tensor(x{})")};
  for (const std::string& text : {object + "}}", array + "]}"})
    for (const std::size_t window : {std::size_t{50}, std::size_t{1000}, constant::json::default_window}) {
      constant::report report;
      const auto read = constant::json::read_text({text.data(), text.size()}, options, report, window);
      BOOST_TEST(!report);
      BOOST_TEST(!read.validate());
      for (int i = 0; i < 6000; i += 37) {
        const std::string label = "k" + std::to_string(i);
        BOOST_TEST(read.cell({{"x", std::string_view(label)}}) == i);
      }
    }
}

BOOST_AUTO_TEST_CASE(a_small_text_needs_little_memory) {
  const auto code_of = [](const char* type, std::string_view text, std::uint64_t max_bytes = 0) {
    constant::report report;
    read_json(text, {.type = tensor_type::parse(type), .max_bytes = max_bytes}, report);
    return report ? std::string(to_string_view(static_cast<constant::errc>(report.first().code.value()))) : "";
  };
  BOOST_TEST(code_of("tensor(x[1000000000])", "{}") == "too_large");
  BOOST_TEST(code_of("tensor<int8>(x[2147483647],y[2147483647])", "{}") == "too_large");
  BOOST_TEST(code_of("tensor(x[100000000])", "{\"values\":[1]}") == "array_length");
  BOOST_TEST(code_of("tensor(k{},x[100000000])", "{\"blocks\":{\"a\":[1],\"b\":[2],\"c\":[3]}}") == "array_length");
  BOOST_TEST(
      code_of("tensor(k{},x[100000000])",
              "{\"blocks\":[{\"values\":[1],\"address\":{\"k\":\"a\"}},{\"address\":{\"k\":\"b\"},\"values\":[1]}]}") ==
      "array_length");
  BOOST_TEST(code_of("tensor(x[2])", "[1,2]", 15) == "too_large");
  BOOST_TEST(code_of("tensor(x[2])", "[1,2]", 16) == "");
  BOOST_TEST(code_of("tensor(x{})", "{\"a\":1,\"b\":2,\"c\":3}", 16) == "too_large");
  constant::report report;
  read_json("{\"a\":1,\n\"b\":2,\"c\":3}", {.type = tensor_type::parse("tensor(x{})"), .max_bytes = 16}, report);
  BOOST_TEST(report.problems.at(0).text() == "2:7: expected at most 16 bytes of cells, found more");
}

/// Single cells of many large blocks: each allocates its block.
BOOST_AUTO_TEST_CASE(blocks_of_zeros_are_bounded) {
  std::string text = "{\"cells\":[";
  for (int i = 0; i < 200; ++i)
    text += (i == 0 ? "" : ",") + ("{\"address\":{\"k\":\"" + std::to_string(i)) + "\",\"x\":\"0\"},\"value\":1}";
  constant::report report;
  read_json(text + "]}", {.type = tensor_type::parse("tensor(k{},x[1000000])")}, report);
  BOOST_TEST((report.first().code == constant::errc::too_large));
}

BOOST_AUTO_TEST_SUITE_END()
