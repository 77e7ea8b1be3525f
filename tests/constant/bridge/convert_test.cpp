// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>
#include <tgmap/constant/convert.hpp>

#include "../cases.hpp"

namespace constant = tgmap::constant;
using constant::errc;

BOOST_AUTO_TEST_SUITE(convert)

BOOST_AUTO_TEST_CASE(cells_are_converted_by_the_rules_for_text) {
  const char* text =
      R"({"cells":[{"address":{"k":"b","x":"0"},"value":0.1},{"address":{"k":"a","x":"1"},"value":-2.75}]})";
  const auto type = constant::tensor_type::parse("tensor(k{},x[2])");
  const auto from = constant::read_json(text, {.type = type});
  for (const tgmap::dtype cells :
       {tgmap::dtype::float64, tgmap::dtype::float32, tgmap::dtype::bfloat16, tgmap::dtype::int8})
    for (const bool nearest : {false, true}) {
      const auto converted = constant::convert(from, cells, {.round_to_nearest = nearest});
      const auto read = constant::read_json(text, {.type = type, .cell_type = cells, .round_to_nearest = nearest});
      BOOST_TEST(tgmap_test::to_case(converted).dump() == tgmap_test::to_case(read).dump());
      BOOST_TEST((converted.validate().code == std::error_code()));
      BOOST_TEST((converted.find_block("a") == 1u));
    }
  BOOST_TEST(constant::convert(from, tgmap::dtype::float64).bytes().data() == from.bytes().data());
}

BOOST_AUTO_TEST_CASE(labels_outlive_the_original_constant) {
  constant::tensor_constant kept;
  {
    const auto from = constant::read_json(R"({"abc":1})", {.type = constant::tensor_type::parse("tensor(k{})")});
    kept = constant::convert(from, tgmap::dtype::float32);
  }
  BOOST_TEST(kept.label(0) == "abc");
  BOOST_TEST(kept.cell({{"k", "abc"}}) == 1.0);
}

BOOST_AUTO_TEST_CASE(values_that_do_not_fit_are_errors) {
  const auto from = constant::read_json("[1,-129]", {.type = constant::tensor_type::parse("tensor(x[2])")});
  tgmap::failure why;
  constant::convert(from, tgmap::dtype::int8, {}, why);
  BOOST_TEST((why.code == errc::out_of_cell_range));
  BOOST_TEST(why.found == 1u);
  constant::convert(from, tgmap::dtype::int16, {}, why);
  BOOST_TEST((why.code == errc::unknown_cell_type));
  const auto half = constant::read_json("[0.5]", {.type = constant::tensor_type::parse("tensor(x[1])")});
  constant::convert(half, tgmap::dtype::int8, {.reject_fractions = true}, why);
  BOOST_TEST((why.code == errc::out_of_cell_range));
  BOOST_TEST(constant::convert(half, tgmap::dtype::int8).cell({{"x", 0}}) == 0.0);
  const std::byte scalar[] = {std::byte{2}, std::byte{0}, {}, {}, {}, {}, {}, {}, {}, {}};
  constant::convert(constant::read_typed_binary(scalar), tgmap::dtype::float32, {}, why);
  BOOST_TEST((why.code == errc::scalar_cell_type));
}

BOOST_AUTO_TEST_CASE(typed_binary_and_text_accept_a_cell_type) {
  const std::byte bytes[] = {std::byte{6}, std::byte{1},    std::byte{1},    std::byte{1}, std::byte{'x'},
                             std::byte{1}, std::byte{0x3F}, std::byte{0xA0}, std::byte{0}, std::byte{0}};
  const auto read = constant::read_typed_binary(bytes, {.cell_type = tgmap::dtype::int8});
  BOOST_TEST(read.type().text() == "tensor<int8>(x[1])");
  BOOST_TEST(read.cell({{"x", 0}}) == 1.0);
  constant::report report;
  constant::read_typed_binary(bytes, {.cell_type = tgmap::dtype::int8, .reject_fractions = true}, report);
  BOOST_TEST_REQUIRE(report.problems.size() == 1u);
  BOOST_TEST(report.problems[0].path == "cells[0]");
  constant::read_json(R"j({"type":"tensor<float>(x[1])","values":[1]})j", {.cell_type = tgmap::dtype::int8}, report);
  BOOST_TEST((report.problems.empty() && report.warnings.empty()));
}

BOOST_AUTO_TEST_SUITE_END()
