// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstring>
#include <string>
#include <support/rounds.hpp>
#include <tgmap/constant/builder.hpp>
#include <tgmap/constant/read.hpp>
#include <tgmap/constant/write.hpp>
#include <vector>

#include "../cases.hpp"
#include "../random_constant.hpp"

namespace constant = tgmap::constant;
using constant::errc;
using constant::read_options;
using constant::report;
using constant::tensor_constant;
using constant::tensor_type;
using nlohmann::json;

namespace {

using octets = std::vector<std::byte>;

octets bytes_of(std::string_view hex) {
  octets out;
  for (std::size_t i = 0; i + 1 < hex.size(); i += hex[i] == ' ' ? 1 : 2)
    if (hex[i] != ' ') out.push_back(static_cast<std::byte>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16)));
  return out;
}

/// Copies bytes to memory of exactly their size, so that sanitizers detect reads past the end.
tensor_constant read(const octets& bytes, report& result, const read_options& options = {}) {
  const auto copy = std::make_unique<std::byte[]>(bytes.size());
  std::copy(bytes.begin(), bytes.end(), copy.get());
  return read_typed_binary({copy.get(), bytes.size()}, options, result);
}

octets written(const tensor_constant& constant) {
  tgmap::memory_sink sink;
  write_typed_binary(constant, {}, sink);
  return sink.release();
}

std::string code_of(const constant::problem& from) {
  return from.cause.code.category() == constant::category()
             ? std::string(to_string_view(static_cast<errc>(from.cause.code.value())))
             : from.cause.code.message();
}

/// Returns a line such as `repeated_address: blocks[1]: expected other labels, found "a" (byte 16)` for each problem.
std::string problems_of(std::string_view hex, const read_options& options = {}) {
  report result;
  const tensor_constant tensor = read(bytes_of(hex), result, options);
  if (!result) return "read: " + tensor.type().text();
  BOOST_TEST(tensor.blocks() == 0u);
  std::string out;
  for (const auto& each : result.problems) (out += out.empty() ? "" : "\n") += code_of(each) + ": " + each.text();
  return out;
}

const std::string one = "3FF0000000000000", two = "4000000000000000";

}  // namespace

BOOST_AUTO_TEST_SUITE(typed_binary)

BOOST_AUTO_TEST_CASE(shared_cases_are_read_as_expected) {
  const auto cases = tgmap_test::shared_cases("tbf_cases.json");
  if (!cases) return;
  const std::pair<std::string, std::string> errors[] = {
      {"bad_tag_8", "bad_tag: type: expected a tag from 0 to 7, found 8 (byte 0)"},
      {"bad_zero_size_dim", "bad_size: type: expected a size from 1 to 2147483647, found 0 (byte 4)"},
      {"bad_huge_block_count", "truncated: blocks: expected at least 111111102 more bytes, found 10 (byte 8)"},
      {"bad_huge_dense", "truncated: cells: expected 480000 more bytes, found 8 (byte 14)"},
      {"bad_float_scalar",
       "scalar_cell_type: type: expected double cells if there are no dimensions, found float (byte 1)"},
      {"bad_empty_file", "truncated: type: expected 1 more byte, found 0 (byte 0)"},
      {"bad_trailing_bytes", "trailing_bytes: expected the end, found 1 more byte (byte 13)"}};
  std::size_t seen = 0;
  for (const json& each : *cases) {
    const std::string hex = each.at("hex"), of = each.at("name");
    const json& expect = each.at("expect");
    const auto* const wrong =
        std::find_if(std::begin(errors), std::end(errors), [&](const auto& known) { return known.first == of; });
    BOOST_TEST(expect.contains("error") == (wrong != std::end(errors)), of);
    if (wrong != std::end(errors)) {
      BOOST_TEST(problems_of(hex) == wrong->second);
      ++seen;
      continue;
    }
    report result;
    const tensor_constant tensor = read(bytes_of(hex), result);
    BOOST_TEST(!result, of);
    BOOST_TEST(tgmap_test::difference(tensor, expect) == "", of);
    BOOST_TEST((tensor.validate().code == std::error_code()));
  }
  BOOST_TEST(seen == std::size(errors));
}

BOOST_AUTO_TEST_CASE(files_of_vespa_are_read_and_written_again) {
  const auto cases = tgmap_test::shared_cases("write_cases.json");
  if (!cases) return;
  for (const json& each : *cases) {
    const octets bytes = bytes_of(each.at("upstream_tbf_hex").get<std::string>());
    const tensor_constant tensor = constant::read_typed_binary(bytes);
    BOOST_TEST(tgmap_test::difference(tensor, {{"canonical_type", each.at("type")}, {"cells", each.at("cells")}}) == "",
               each.at("name"));
    BOOST_TEST((written(tensor) == bytes));
  }
}

BOOST_AUTO_TEST_CASE(every_encoding_of_a_tensor_is_read) {
  const std::pair<std::string, std::string> all[] = {
      // tag, cell type, mapped, indexed, blocks
      {"02 01 0178 02" + one + two, R"~({"type":"tensor(x[2])","values":[1,2]})~"},
      {"03 00 01 0178 02" + one + two, R"~({"type":"tensor(x[2])","values":[1,2]})~"},
      {"07 01 00 01 0178 02 3F800000 40000000", R"~({"type":"tensor<float>(x[2])","values":[1,2]})~"},
      {"06 00 01 0178 01" + one, R"~({"type":"tensor(x[1])","values":[1]})~"},
      {"80000002 80000001 80000001 78 80000001" + one, R"~({"type":"tensor(x[1])","values":[1]})~"},
      {"02 00" + one, R"~({"type":"tensor()","values":[1]})~"},
      {"06 00 00" + one, R"~({"type":"tensor()","values":[1]})~"},
      {"03 00 00" + one, R"~({"type":"tensor()","values":[1]})~"},
      {"01 00 01" + one, R"~({"type":"tensor()","values":[1]})~"},
      {"01 00 00", R"~({"type":"tensor()","values":[0]})~"},
      {"05 00 00 01" + one, R"~({"type":"tensor()","values":[1]})~"},
      {"00 01" + one, R"~({"type":"tensor()","values":[1]})~"},
      {"00 00", R"~({"type":"tensor()","values":[0]})~"},
      {"04 00 00", R"~({"type":"tensor()","values":[0]})~"},
      {"01 01 0178 00", R"~({"type":"tensor(x{})","cells":{}})~"},
      {"05 03 01 0178 01 0161 FF", R"~({"type":"tensor<int8>(x{})","cells":{"a":-1}})~"},
      {"07 02 01 0179 01 0178 02 01 0161 3F80 C000",
       R"~({"type":"tensor<bfloat16>(x[2],y{})","blocks":{"a":[1,-2]}})~"},
  };
  for (const auto& [hex, text] : all) {
    report result;
    const tensor_constant tensor = read(bytes_of(hex), result);
    BOOST_TEST(!result, hex);
    if (!result) BOOST_TEST(to_json(tensor) == text);
  }
}

BOOST_AUTO_TEST_CASE(errors_have_a_place) {
  const std::pair<std::string, const char*> all[] = {
      {"08", "bad_tag: type: expected a tag from 0 to 7, found 8 (byte 0)"},
      {"FFFFFFFF", "bad_tag: type: expected a tag from 0 to 7, found 2147483647 (byte 0)"},
      {"80", "truncated: type: expected 4 more bytes, found 1 (byte 0)"},
      {"800000", "truncated: type: expected 4 more bytes, found 3 (byte 0)"},
      {"06", "truncated: type: expected 1 more byte, found 0 (byte 1)"},
      {"06 04", "unknown_cell_type: type: expected a cell type from 0 to 3, found 4 (byte 1)"},
      {"06 80000004", "unknown_cell_type: type: expected a cell type from 0 to 3, found 4 (byte 1)"},
      {"05 01 00 00", "scalar_cell_type: type: expected double cells if there are no dimensions, found float (byte 1)"},
      {"06 03 00 01", "scalar_cell_type: type: expected double cells if there are no dimensions, found int8 (byte 1)"},
      {"02 01 0178", "truncated: type: expected 1 more byte, found 0 (byte 4)"},
      {"02 01 0578", "truncated: type: expected 5 more bytes, found 1 (byte 3)"},
      {"02 01 FFFFFFFF 78", "truncated: type: expected 2147483647 more bytes, found 1 (byte 6)"},
      {"02 01 0178 00", "bad_size: type: expected a size from 1 to 2147483647, found 0 (byte 4)"},
      {"02 01 0178 80000000", "bad_size: type: expected a size from 1 to 2147483647, found 0 (byte 4)"},
      {"02 01 00 01", "bad_dimension: type: expected the name of a dimension, found \"\" (byte 2)"},
      {"02 01 0131 01", "bad_dimension: type: expected the name of a dimension, found \"1\" (byte 2)"},
      {"02 01 03785C22 01", "bad_dimension: type: expected the name of a dimension, found \"x\\\\\\\"\" (byte 2)"},
      {"02 01 02C3A9 01", "bad_dimension: type: expected the name of a dimension, found \"\xc3\xa9\" (byte 2)"},
      {"02 02 0178 01 0178 01", "repeated_dimension: type: expected another dimension, found a second \"x\" (byte 5)"},
      {"03 01 0178 01 0178 01", "repeated_dimension: type: expected another dimension, found a second \"x\" (byte 5)"},
      {"02 02 0179 01 0178 01",
       "bad_dimension: type: expected dimensions sorted by name, found \"x\" after \"y\" (byte 5)"},
      {"01 02 0179 0178", "bad_dimension: type: expected dimensions sorted by name, found \"x\" after \"y\" (byte 4)"},
      {"01 20", "too many dimensions: type: expected at most 31 dimensions, found 32 (byte 1)"},
      {"01 FFFFFFFF", "too many dimensions: type: expected at most 31 dimensions, found 2147483647 (byte 1)"},
      {"02 03 0161 FFFFFFFF 0162 FFFFFFFF 0163 04", "too_large: type: too large (byte 17)"},
      {"02 02 0161 FFFFFFFF 0162 80010000",
       "truncated: cells: expected 1125899906318336 more bytes, found 0 (byte 14)"},
      {"02 01 0178 01 3FF00000000000", "truncated: cells: expected 8 more bytes, found 7 (byte 5)"},
      {"02 01 0178 01 3FF0000000000000 00", "trailing_bytes: expected the end, found 1 more byte (byte 13)"},
      {"02 01 0178 01 3FF0000000000000 0000", "trailing_bytes: expected the end, found 2 more bytes (byte 13)"},
      {"01 01 0178", "truncated: blocks: expected 1 more byte, found 0 (byte 4)"},
      {"01 01 0178 02 0161 " + one, "truncated: blocks: expected at least 18 more bytes, found 10 (byte 5)"},
      {"01 01 0178 01 05 6162636465 0000000000", "truncated: blocks[0]: expected 8 more bytes, found 5 (byte 11)"},
      {"01 01 0178 01 7F61 " + one, "truncated: blocks[0].x: expected 127 more bytes, found 9 (byte 6)"},
      {"01 01 0178 01 80 " + one, "truncated: blocks[0].x: expected 4190208 more bytes, found 5 (byte 9)"},
      {"01 01 0178 02 0161 " + one + "0161" + two,
       "repeated_address: blocks[1]: expected other labels, found \"a\" (byte 15)"},
      {"01 02 0178 0179 02 0161 0162 " + one + "0161 0162" + two,
       "repeated_address: blocks[1]: expected other labels, found \"a\", \"b\" (byte 19)"},
      {"01 00 02 " + one + two, "repeated_address: cells: expected one block, found 2 blocks (byte 2)"},
      {"01 01 0178 01 00 " + one, "empty_label: blocks[0].x: expected a label, found an empty label (byte 5)"},
      {"01 01 0178 01 01FF " + one, "bad_label: blocks[0].x: expected UTF-8, found \"\\xff\" (byte 5)"},
      {"01 01 0178 01 03EDA080 " + one, "bad_label: blocks[0].x: expected UTF-8, found \"\\xed\\xa0\\x80\" (byte 5)"},
      {"00 02 " + one + two, "repeated_address: cells: expected one block, found 2 blocks (byte 1)"},
  };
  for (const auto& [hex, text] : all) BOOST_TEST(problems_of(hex) == text, hex << ": " << problems_of(hex));
}

BOOST_AUTO_TEST_CASE(all_problems_are_reported_on_request) {
  const std::string hex = "01 02 0178 0179 05" + ("0161 0162" + one) + ("00 01FF" + one) + ("0161 0162" + one) +
                          ("0163 00" + one) + ("0164 0165" + one) + "77";
  BOOST_TEST(problems_of(hex, {.max_problems = 100}) ==
             "empty_label: blocks[1].x: expected a label, found an empty label (byte 19)\n"
             "bad_label: blocks[1].y: expected UTF-8, found \"\\xff\" (byte 20)\n"
             "repeated_address: blocks[2]: expected other labels, found \"a\", \"b\" (byte 30)\n"
             "empty_label: blocks[3].y: expected a label, found an empty label (byte 44)\n"
             "trailing_bytes: expected the end, found 1 more byte (byte 65)");
  for (const std::size_t most : {0, 1, 2, 3, 4}) {
    report result;
    read(bytes_of(hex), result, {.max_problems = most});
    BOOST_TEST(result.problems.size() == std::max<std::size_t>(most, 1));
    BOOST_TEST(result.has_more);
  }
  report result;
  read(bytes_of(hex), result, {.max_problems = 5});
  BOOST_TEST(result.problems.size() == 5u);
  BOOST_TEST(result.has_more);  // the bytes after the end are not read
  read(bytes_of("02 00" + one), result);
  BOOST_TEST((!result && result.problems.empty() && !result.has_more && result.warnings.empty()));
  read(bytes_of("01 01 0178 02 0161 " + one + "00"), result, {.max_problems = 9});
  BOOST_TEST((result.problems.size() == 1 && result.has_more));
}

BOOST_AUTO_TEST_CASE(empty_labels_are_an_option) {
  report result;
  const tensor_constant tensor =
      read(bytes_of("01 01 0178 02 00 " + one + "0161" + two), result, {.allow_empty_labels = true});
  BOOST_REQUIRE(!result);
  BOOST_TEST(to_json(tensor) == R"~({"type":"tensor(x{})","cells":{"":1,"a":2}})~");
  BOOST_TEST(problems_of("01 01 0178 02 00 " + one + "00" + two, {.allow_empty_labels = true}) ==
             "repeated_address: blocks[1]: expected other labels, found \"\" (byte 14)");
}

BOOST_AUTO_TEST_CASE(a_declared_type_must_match_the_bytes) {
  const std::string hex = "06 01 01 0178 02 3F800000 40000000";
  const auto declared = [&](const char* type) { return problems_of(hex, {.type = tensor_type::parse(type)}); };
  BOOST_TEST(declared("tensor<float>(x[2])") == "read: tensor<float>(x[2])");
  BOOST_TEST(declared("tensor(x[2])") ==
             "type_mismatch: type: expected tensor(x[2]), found tensor<float>(x[2]) (byte 0)");
  BOOST_TEST(declared("tensor<float>(x[3])").starts_with("type_mismatch: "));
  BOOST_TEST(declared("tensor<float>(x{})").starts_with("type_mismatch: "));
  BOOST_TEST(declared("tensor<float>(y[2])").starts_with("type_mismatch: "));
  BOOST_TEST(declared("tensor()").starts_with("type_mismatch: "));
}

BOOST_AUTO_TEST_CASE(the_size_of_cells_is_limited) {
  BOOST_TEST(problems_of("02 01 0178 02" + one + two, {.max_bytes = 16}) == "read: tensor(x[2])");
  BOOST_TEST(problems_of("02 01 0178 02" + one + two, {.max_bytes = 15}) ==
             "too_large: cells: expected at most 15 bytes of cells, found 16 (byte 5)");
  BOOST_TEST(problems_of("01 01 0178 02 0161 " + one + "0162" + two, {.max_bytes = 15}) ==
             "too_large: blocks: expected at most 15 bytes of cells, found 16 (byte 5)");
}

BOOST_AUTO_TEST_CASE(exceptions_have_the_place) {
  try {
    (void)constant::read_typed_binary(bytes_of("08"));
    BOOST_ERROR("nothing was thrown");
  } catch (const constant::error& e) {
    BOOST_TEST((e.code() == errc::bad_tag));
    BOOST_TEST(e.first_problem().path == "type");
    BOOST_TEST(std::string(e.what()) == "type: expected a tag from 0 to 7, found 8 (byte 0)");
  }
  const octets whole = bytes_of("02 00" + one);
  BOOST_TEST(constant::read_typed_binary(whole).cell(constant::address()) == 1.0);
}

BOOST_AUTO_TEST_CASE(truncated_data_is_an_error) {
  std::mt19937_64 random(21);
  std::vector<octets> all;
  for (int i = 0; i < tgmap_test::rounds(60); ++i) all.push_back(written(tgmap_test::random_constant(random)));
  if (const auto cases = tgmap_test::shared_cases("tbf_cases.json"))
    for (const json& each : *cases)
      if (!each.at("expect").contains("error")) all.push_back(bytes_of(each.at("hex").get<std::string>()));
  for (const octets& whole : all)
    for (std::size_t n = 0; n < whole.size(); ++n) {
      report result;
      read(octets(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(n)), result, {.allow_empty_labels = true});
      BOOST_REQUIRE(result);
      BOOST_REQUIRE((result.first().code == errc::truncated));
      BOOST_REQUIRE(result.first().offset <= n);
      BOOST_REQUIRE(result.first().found == n - result.first().offset);
      BOOST_REQUIRE(result.first().expected > result.first().found);
    }
}

BOOST_AUTO_TEST_CASE(a_changed_byte_gives_a_constant_or_an_error_with_a_place) {
  std::mt19937_64 random(22);
  tgmap_test::case_sampler cases(13);
  for (int i = 0; i < 40; ++i) {
    const octets whole = written(tgmap_test::random_constant(random));
    if (whole.size() > 150) continue;
    for (std::size_t at = 0; at < whole.size(); ++at)
      for (const unsigned with : {0x00u, 0x01u, 0x02u, 0x07u, 0x20u, 0x7fu, 0x80u, 0xffu, 0x100u}) {
        if (!cases.takes_next()) continue;
        octets changed = whole;
        changed[at] = with == 0x100u ? changed[at] ^ std::byte{1} : static_cast<std::byte>(with);
        report result;
        const tensor_constant tensor = read(changed, result, {.allow_empty_labels = true});
        if (result) {
          BOOST_REQUIRE(result.first().offset <= changed.size());
          BOOST_REQUIRE(!result.problems.front().text().empty());
        } else {
          const octets again = written(tensor);
          BOOST_REQUIRE(tgmap_test::bit_difference(constant::read_typed_binary(again, {.allow_empty_labels = true}),
                                                   tensor) == "");
        }
      }
  }
}

BOOST_AUTO_TEST_CASE(reading_reverses_writing) {
  std::mt19937_64 random(23);
  for (int i = 0; i < tgmap_test::rounds(2000); ++i) {
    const tensor_constant tensor = tgmap_test::random_constant(random);
    const octets bytes = written(tensor);
    report result;
    const tensor_constant again = read(bytes, result, {.type = tensor.type(), .allow_empty_labels = true});
    BOOST_REQUIRE_MESSAGE(!result, tensor.type().text());
    BOOST_REQUIRE(tgmap_test::bit_difference(tensor, again) == "");
    BOOST_REQUIRE((written(again) == bytes));
    BOOST_REQUIRE((again.validate().code == std::error_code()));
  }
}

BOOST_AUTO_TEST_CASE(every_cell_of_one_and_two_bytes_is_kept) {
  for (const auto& [type, width] : {std::pair("tensor<bfloat16>(x[65536])", 2), std::pair("tensor<int8>(x[256])", 1)}) {
    constant::builder make(tensor_type::parse(type));
    const auto cells = make.cells(0);
    for (std::size_t i = 0; i < cells.size() / static_cast<std::size_t>(width); ++i)
      std::memcpy(cells.data() + i * static_cast<std::size_t>(width), &i, static_cast<std::size_t>(width));
    const tensor_constant tensor = make.finish();
    BOOST_TEST(tgmap_test::bit_difference(tensor, constant::read_typed_binary(written(tensor))) == "");
  }
}

BOOST_AUTO_TEST_CASE(large_numbers_are_written_as_four_bytes) {
  const auto begin_of = [](const char* type, std::string_view label) {
    constant::builder make(tensor_type::parse(type));
    if (make.type().mapped_count() != 0) make.find_or_add({&label, 1});
    octets out = written(make.finish());
    out.resize(std::min<std::size_t>(out.size(), 12));
    return out;
  };
  BOOST_TEST((begin_of("tensor<int8>(x[127])", "") == bytes_of("06 03 01 0178 7F 00 00 00 00 00 00")));
  BOOST_TEST((begin_of("tensor<int8>(x[128])", "") == bytes_of("06 03 01 0178 80000080 00 00 00")));
  BOOST_TEST((begin_of("tensor<int8>(x[70000])", "") == bytes_of("06 03 01 0178 80011170 00 00 00")));
  BOOST_TEST((begin_of("tensor<int8>(x{})", std::string(128, 'a')) == bytes_of("05 03 01 0178 01 80000080 61 61")));
}

BOOST_AUTO_TEST_SUITE_END()
