// SPDX-License-Identifier: Apache-2.0
// Valid texts of every form, and their warnings.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <string>
#include <tgmap/constant/read.hpp>

namespace constant = tgmap::constant;
using constant::read_json;
using constant::read_options;
using constant::tensor_type;

namespace {

read_options as(const char* type, bool extended = false) {
  return {.type = tensor_type::parse(type), .extended = extended};
}

/// Returns all cells, block by block, after their labels.
std::string cells_of(const constant::tensor_constant& constant) {
  std::string out;
  const auto each = constant.type().block_cells();
  for (std::uint64_t cell = 0; cell < constant.size(); ++cell) {
    if (cell % each == 0)
      for (std::size_t d = 0; d < constant.type().mapped_count(); ++d)
        out += std::string(constant.label(cell / each, d)) + ':';
    const double value = constant.value(cell);
    std::string text = std::to_string(value);
    if (std::isnan(value))
      text = std::signbit(value) ? "-nan" : "nan";
    else if (text.find('.') != text.npos)
      text.erase(std::max(text.find_last_not_of('0'), text.find('.') - 1) + 1);
    if (!text.empty() && text.back() == '.') text.pop_back();
    out += text + ' ';
  }
  if (!out.empty()) out.pop_back();
  return out;
}

std::string read_cells(std::string_view text, const char* type, bool extended = false) {
  return cells_of(read_json(text, as(type, extended)));
}

/// Returns the value that a number or a word is read as.
double read_number(const std::string& text, const char* type = "tensor(x[1])") {
  return read_json('[' + text + ']', as(type)).value(0);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(json_reading)

BOOST_AUTO_TEST_CASE(dense_forms) {
  BOOST_TEST(read_cells("{\"values\":[[1,2],[3,4]]}", "tensor(x[2],y[2])") == "1 2 3 4");
  BOOST_TEST(read_cells("[[1,2],[3,4]]", "tensor<float>(x[2],y[2])") == "1 2 3 4");
  BOOST_TEST(read_cells(" [ [ 1 , 2 ]\n,\t[ 3\r\n, 4 ] ] ", "tensor<int8>(x[2],y[2])") == "1 2 3 4");
  BOOST_TEST(read_cells("[[[1]],[[2]]]", "tensor(a[2],b[1],c[1])") == "1 2");
  BOOST_TEST(read_cells("{}", "tensor(x[2])") == "0 0");
  BOOST_TEST(read_cells("{\"type\":\"tensor(x[2])\"}", "tensor(x[2])") == "0 0");
  BOOST_TEST(read_cells("{\"cells\":[]}", "tensor(x[2])") == "0 0");
  BOOST_TEST(read_cells("{\"cells\":[{\"address\":{\"y\":\"1\",\"x\":\"01\"},\"value\":7},"
                        "{\"value\":\"8\",\"address\":{\"x\":\"+0\",\"y\":\"0\"}}]}",
                        "tensor(x[2],y[2])") == "8 0 0 7");
  BOOST_TEST(read_cells("{\"cells\":[{\"address\":{\"x\":\"12\"},\"value\":7}]}", "tensor(x[13])") ==
             "0 0 0 0 0 0 0 0 0 0 0 0 7");
}

BOOST_AUTO_TEST_CASE(sparse_forms) {
  BOOST_TEST(read_cells("{\"cells\":{\"a\":1,\"b\":null}}", "tensor(x{})") == "a:1 b:nan");
  BOOST_TEST(read_cells("{\"a\":1,\"type\":3,\"cells\":4,\"values\":\"5\",\"blocks\":6}", "tensor(x{})") ==
             "a:1 type:3 cells:4 values:5 blocks:6");
  BOOST_TEST(read_cells("{\"cells\":[{\"address\":{\"x\":\"a\",\"y\":\"b\"},\"value\":1},"
                        "{\"value\":2,\"address\":{\"y\":\"d\",\"x\":\"c\"}}]}",
                        "tensor(x{},y{})") == "a:b:1 c:d:2");
  BOOST_TEST(read_cells("{\"\\u30a2\\ud83d\\ude00\\n\\\"\\/\":1,\"caf\xC3\xA9\":2}", "tensor(x{})") ==
             "\xE3\x82\xA2\xF0\x9F\x98\x80\n\"/:1 caf\xC3\xA9:2");
  BOOST_TEST(read_cells("{\"c\\u0065lls\":{\"a\":1}}", "tensor(x{})") == "a:1");
  BOOST_TEST(read_cells("{\"cells\":[{\"\\u0061ddress\":{\"\\u0078\":\"a\"},\"v\\u0061lue\":1}]}", "tensor(x{})") ==
             "a:1");
  BOOST_TEST(read_cells("{}", "tensor(x{},y{})") == "");
}

BOOST_AUTO_TEST_CASE(mixed_forms) {
  BOOST_TEST(read_cells("{\"blocks\":{\"a\":[1,2],\"b\":[3,4]}}", "tensor(x[2],y{})") == "a:1 2 b:3 4");
  BOOST_TEST(read_cells("{\"blocks\":[{\"address\":{\"b\":\"q\",\"a\":\"p\"},\"values\":[[1],[2]]},"
                        "{\"values\":[[3],[4]],\"address\":{\"a\":\"p\",\"b\":\"p\"}}]}",
                        "tensor(a{},b{},x[2],y[1])") == "p:q:1 2 p:p:3 4");
  BOOST_TEST(read_cells("{\"cells\":[{\"address\":{\"x\":\"a\",\"y\":\"1\"},\"value\":1},"
                        "{\"address\":{\"x\":\"b\",\"y\":\"0\"},\"value\":2},"
                        "{\"address\":{\"x\":\"a\",\"y\":\"0\"},\"value\":3}]}",
                        "tensor(x{},y[2])") == "a:3 1 b:2 0");
}

BOOST_AUTO_TEST_CASE(a_scalar) {
  BOOST_TEST(read_cells("{\"cells\":[{\"address\":{},\"value\":5}]}", "tensor()") == "5");
  BOOST_TEST(read_cells("{\"type\":\"double\",\"cells\":[]}", "tensor()") == "0");
  BOOST_TEST(read_cells("[5]", "tensor()", true) == "5");
  BOOST_TEST(read_cells("{\"values\":[5]}", "tensor()", true) == "5");
  BOOST_TEST(read_cells("\"4014000000000000\"", "tensor()", true) == "5");
}

BOOST_AUTO_TEST_CASE(extended_forms) {
  BOOST_TEST(read_cells("[1,2,3,4]", "tensor(x[2],y[2])", true) == "1 2 3 4");
  BOOST_TEST(read_cells("{\"blocks\":{\"a\":[1,2,3,4],\"b\":[[1,2],[3,4]]}}", "tensor(k{},x[2],y[2])", true) ==
             "a:1 2 3 4 b:1 2 3 4");
  BOOST_TEST(read_cells("{\"a\":[1,2],\"cells\":[3,4],\"type\":[5,6],\"values\":\"0708\"}", "tensor(x{},y[2])", true) ==
             "a:1 2 cells:3 4 type:5 6 values:7 8");
  BOOST_TEST(read_cells("{\"blocks\":[[1,2],[3,4]]}", "tensor(k{},x[2],y[2])", true) == "blocks:1 2 3 4");
  BOOST_TEST(read_cells("[{\"address\":{\"x\":3},\"value\":1},{\"address\":{\"x\":-4},\"value\":2}]", "tensor(x{})",
                        true) == "3:1 -4:2");
  BOOST_TEST(read_cells("[{\"values\":[1,2],\"address\":{\"x\":\"a\"}}]", "tensor(x{},y[2])", true) == "a:1 2");
  BOOST_TEST(read_cells("[{\"address\":{\"x\":\"a\",\"y\":1},\"value\":5}]", "tensor(x{},y[2])", true) == "a:0 5");
  BOOST_TEST(read_cells("[{\"address\":{\"x\":1},\"value\":5}]", "tensor(x[2])", true) == "0 5");
  BOOST_TEST(read_cells("[]", "tensor(x{},y[2])", true) == "");
  BOOST_TEST(read_cells("{\"values\":\"3F800000bf800000\"}", "tensor<bfloat16>(x[2])", true) == "1 -1");
}

BOOST_AUTO_TEST_CASE(numbers_are_rounded_once) {
  const double infinity = std::numeric_limits<double>::infinity();
  BOOST_TEST(read_number("9007199254740993") == 9007199254740992.0);
  BOOST_TEST(read_number("9007199254740993.0000000000000000000000000000001") == 9007199254740994.0);
  BOOST_TEST(read_number("18446744073709551616") == 18446744073709551616.0);
  BOOST_TEST(read_number("99999999999999999999999999") == 1e26);
  BOOST_TEST(read_number("-9223372036854775809") == -9223372036854775808.0);
  BOOST_TEST(read_number("0.1000000000000000055511151231257827021181583404541015625") == 0.1);
  BOOST_TEST(read_number("2.2250738585072011e-308") == 2.2250738585072011e-308);
  BOOST_TEST(read_number("4.9e-324") == 4.9e-324);
  BOOST_TEST(read_number("2.4e-324") == 0.0);
  BOOST_TEST(read_number("1e999") == infinity);
  BOOST_TEST(read_number("-1E+99999999999999999999") == -infinity);
  BOOST_TEST(read_number("1e-999") == 0.0);
  BOOST_TEST(read_number("0e999") == 0.0);
  BOOST_TEST(read_number("0.00000000000000000000000000000000000000000000000001e60") == 1e10);
  BOOST_TEST(read_number("12345678.12345678e-5") == 123.4567812345678);
  BOOST_TEST(read_number("1.7976931348623159e308") == infinity);
  BOOST_TEST(read_number("123456789012345678.5") == 123456789012345678.5);
  BOOST_TEST(read_number('1' + std::string(400, '0')) == infinity);
  BOOST_TEST(read_number("0." + std::string(400, '0') + '1') == 0.0);
  BOOST_TEST(read_number("0." + std::string(400, '0') + "1e401") == 1.0);
}

BOOST_AUTO_TEST_CASE(zero_keeps_its_sign_unless_it_is_an_integer) {
  const auto negative = [](const char* text) { return std::signbit(read_number(text)); };
  BOOST_TEST(!negative("-0"));
  BOOST_TEST(negative("-0.0"));
  BOOST_TEST(negative("-0e5"));
  BOOST_TEST(negative("-0.00000000000000000000000000"));
  BOOST_TEST(negative("-1e-400"));
  BOOST_TEST(!negative("\"-0\""));
}

BOOST_AUTO_TEST_CASE(words) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const char* word : {"inf", "+INF", "Infinity", "+infinity", "1e999"})
    BOOST_TEST(read_number('"' + std::string(word) + '"') == infinity);
  for (const char* word : {"-inf", "-InFiNiTy"}) BOOST_TEST(read_number('"' + std::string(word) + '"') == -infinity);
  for (const char* word : {"\"nan\"", "\"+NaN\"", "null", "\"n\\u0061n\""})
    BOOST_TEST((std::isnan(read_number(word)) && !std::signbit(read_number(word))));
  BOOST_TEST((std::isnan(read_number("\"-nan\"")) && std::signbit(read_number("\"-nan\""))));
  BOOST_TEST(read_number("\"-2e3\"") == -2000.0);
  BOOST_TEST(std::isnan(read_number("null", "tensor<float>(x[1])")));
  BOOST_TEST(std::isnan(read_number("null", "tensor<bfloat16>(x[1])")));
}

BOOST_AUTO_TEST_CASE(cells_of_every_type) {
  BOOST_TEST(read_number("1.000000059604644775390626", "tensor<float>(x[1])") == 1.0);  // rounded twice, as Vespa does
  BOOST_TEST(read_number("1e39", "tensor<float>(x[1])") == std::numeric_limits<double>::infinity());
  BOOST_TEST(read_number("0.1", "tensor<bfloat16>(x[1])") == 0.099609375);
  BOOST_TEST(read_number("65535", "tensor<bfloat16>(x[1])") == 65280.0);
  BOOST_TEST(read_number("2.75", "tensor<int8>(x[1])") == 2.0);
  BOOST_TEST(read_number("-2.75", "tensor<int8>(x[1])") == -2.0);
  BOOST_TEST(read_number("127.5", "tensor<int8>(x[1])") == 127.0);
  BOOST_TEST(read_number("-128.9", "tensor<int8>(x[1])") == -128.0);
}

BOOST_AUTO_TEST_CASE(bfloat16_to_the_nearest) {
  read_options options = as("tensor<bfloat16>(x[7])");
  options.round_to_nearest = true;
  // ties to even, and a number that rounding to float first would make a tie
  const auto read =
      read_json("[1.00390625,1.01171875,0.1,3.4028234663852886e38,1e39,1.003906250000001,-65535]", options);
  BOOST_TEST(read.value(0) == 1.0);
  BOOST_TEST(read.value(1) == 1.015625);
  BOOST_TEST(read.value(2) == 0.10009765625);
  BOOST_TEST(read.value(3) == std::numeric_limits<double>::infinity());
  BOOST_TEST(read.value(4) == std::numeric_limits<double>::infinity());
  BOOST_TEST(read.value(5) == 1.0078125);
  BOOST_TEST(read.value(6) == -65536.0);
}

BOOST_AUTO_TEST_CASE(the_type_may_come_from_the_file) {
  for (const char* text :
       {"{\"type\":\"tensor<float>(x[2])\",\"values\":[1,2]}", "{\"values\":[1,2],\"type\":\"tensor<float>(x[2])\"}",
        "{\"values\":[1,2],\"t\\u0079pe\":\"tensor<float>(\\u0078[2])\"}"}) {
    const auto read = read_json(text);
    BOOST_TEST(read.type().text() == "tensor<float>(x[2])");
    BOOST_TEST(cells_of(read) == "1 2");
  }
}

BOOST_AUTO_TEST_CASE(decisions_give_warnings) {
  const auto warned = [](const char* text) {
    constant::report report;
    read_json(text, as("tensor<float>(a[1],b[1])"), report);
    BOOST_TEST(!report);
    std::string out;
    for (const auto& one : report.warnings) out += one.text() + ';';
    return out;
  };
  BOOST_TEST(warned("{\"type\":\"tensor<float>(a[1],b[1])\"}") == "");
  BOOST_TEST(warned("{\n \"type\":\"tensor(a[1],b[1])\"}") == "2:9: type: expected cells of float, found double;");
  BOOST_TEST(warned("{\"type\":\"tensor<float>(b[1], a[1])\"}") ==
             "1:9: type: expected tensor<float>(a[1],b[1]), found \"tensor<float>(b[1], a[1])\";");
}

BOOST_AUTO_TEST_CASE(empty_labels_are_an_option) {
  read_options options = as("tensor(x{},y{})");
  options.allow_empty_labels = true;
  BOOST_TEST(cells_of(read_json("{\"cells\":[{\"address\":{\"x\":\"\",\"y\":\"\"},\"value\":1}]}", options)) == "::1");
}

BOOST_AUTO_TEST_CASE(exceptions_have_the_place) {
  try {
    read_json("{\"values\":\n[1,\"two\"]}", as("tensor(x[2])"));
    BOOST_TEST(false);
  } catch (const constant::error& e) {
    BOOST_TEST(e.first_problem().line == 2u);
    BOOST_TEST(e.first_problem().column == 4u);
    BOOST_TEST(std::string(e.what()) == "2:4: values[1]: expected a number, found \"two\"");
    BOOST_TEST((e.code() == constant::errc::not_a_number));
  }
}

BOOST_AUTO_TEST_CASE(several_problems_are_reported_in_order) {
  const char* text =
      "{\"oops\":[{}],\n\"cells\":[{\"address\":{\"x\":\"9\"},\"value\":1},\n"
      "{\"address\":{\"x\":\"0\"},\"value\":true,\"z\":null},\n5,{\"address\":{\"x\":\"1\"},\"value\":2}]}";
  read_options options = as("tensor(x[2])");
  const auto lines = [&](std::size_t max_problems, bool more) {
    options.max_problems = max_problems;
    constant::report report;
    read_json(text, options, report);
    BOOST_TEST(report.has_more == more);
    std::string out;
    for (const auto& one : report.problems) out += one.text() + '\n';
    return out;
  };
  const std::string first = "1:2: expected type, values, cells or blocks, found \"oops\"\n";
  const std::string all = first +
                          "2:26: cells[0].address.x: expected an index below 2, found \"9\"\n"
                          "3:30: cells[1].value: expected a number, found true\n"
                          "3:35: cells[1]: expected address or value, found \"z\"\n"
                          "4:1: cells[2]: expected an object, found 5\n";
  BOOST_TEST(lines(100, false) == all);
  BOOST_TEST(lines(5, false) == all);
  BOOST_TEST(lines(1, true) == first);
  BOOST_TEST(lines(0, true) == first);
}

BOOST_AUTO_TEST_CASE(wrong_values_and_lengths_leave_the_rest_readable) {
  read_options options = as("tensor(x[3],y[2])");
  options.max_problems = 100;
  constant::report report;
  read_json("[[1,\"a\"],7,[1,2,3],[4,{\"b\":[]}]]", options, report);
  std::string out;
  for (const auto& one : report.problems) out += one.text() + '\n';
  BOOST_TEST(out ==
             "1:5: [0][1]: expected a number, found \"a\"\n"
             "1:10: [1]: expected an array of 2 elements, found 7\n"
             "1:17: [2]: expected 2 elements, found 3\n"
             "1:20: expected 3 elements, found 4\n");
  BOOST_TEST(!report.has_more);
}

BOOST_AUTO_TEST_CASE(a_report_is_emptied_first) {
  constant::report report;
  read_json("[", as("tensor(x[1])"), report);
  BOOST_TEST((report && report.has_more));
  read_json("[1]", as("tensor(x[1])"), report);
  BOOST_TEST((!report && !report.has_more && report.problems.empty()));
}

BOOST_AUTO_TEST_CASE(found_text_is_printed_safely) {
  constant::report report;
  read_json("[\"\xC2\x9B\x7F" + std::string(100, 'a') + "\"]", as("tensor(x[1])"), report);
  BOOST_TEST(report.problems.at(0).found == "\"\\x9b\\x7f" + std::string(57, 'a') + "...\"");
}

BOOST_AUTO_TEST_SUITE_END()
