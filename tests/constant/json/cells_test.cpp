// SPDX-License-Identifier: Apache-2.0
#include <tgmap/constant/cells.hpp>

#include <boost/test/unit_test.hpp>
#include <limits>
#include <support/failures.hpp>
#include <tgmap/constant/read.hpp>

namespace constant = tgmap::constant;
using constant::errc;
using tgmap::dtype;

BOOST_AUTO_TEST_SUITE(cells)

namespace {

constant::tensor_constant read(const char* type, const char* text) {
  return constant::read_json(text, {.type = constant::tensor_type::parse(type)});
}

constant::tensor_constant mixed() {
  return read("tensor<float>(key{},x[2])", R"({"blocks":{"a b":[0.1,-2],"\u001b":["NaN",1e10]}})");
}

template <class Write>
std::string written(const Write& write) {
  tgmap::memory_sink to;
  write(to);
  return {reinterpret_cast<const char*>(to.bytes().data()), to.bytes().size()};
}

std::string text_of(const constant::tensor_constant& of) {
  return written([&](tgmap::sink& to) { constant::write_cells(of, to); });
}
std::string json_of(const constant::tensor_constant& of) {
  return written([&](tgmap::sink& to) { constant::write_cells_json(of, to); });
}

/// A sink that is full.
struct full_sink final : tgmap::sink {
  using sink::write;
  tgmap::failure write(std::span<const std::span<const std::byte>>) noexcept override {
    return {.code = std::make_error_code(std::errc::no_space_on_device)};
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(values_have_the_fewest_digits_of_their_cell_type) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  BOOST_TEST(constant::cell_text(0.1F, dtype::float32) == "0.1");
  BOOST_TEST(constant::cell_text(0.1F, dtype::float64) == "0.10000000149011612");
  BOOST_TEST(constant::cell_text(-3, dtype::int8) == "-3");
  BOOST_TEST(constant::cell_text(-0.0, dtype::float64) == "-0");
  BOOST_TEST(constant::cell_text(1e15, dtype::float64) == "1000000000000000");
  BOOST_TEST(constant::cell_text(1e16, dtype::float64) == "1e+16");
  BOOST_TEST(constant::cell_text(0.0001, dtype::float64) == "0.0001");
  BOOST_TEST(constant::cell_text(1.5e-5, dtype::float64) == "1.5e-05");
  BOOST_TEST(constant::cell_text(3.4028234663852886e38, dtype::float32) == "3.4028235e+38");
  BOOST_TEST(constant::cell_text(infinity, dtype::float32) == "Infinity");
  BOOST_TEST(constant::cell_text(-infinity, dtype::float32) == "-Infinity");
  BOOST_TEST(constant::cell_text(-std::numeric_limits<double>::quiet_NaN(), dtype::float32) == "-NaN");
}

BOOST_AUTO_TEST_CASE(each_cell_has_a_line_with_its_address) {
  BOOST_TEST(text_of(mixed()) == "key=a b x=0\t0.1\nkey=a b x=1\t-2\nkey=\\x1b x=0\tNaN\nkey=\\x1b x=1\t10000000000\n");
  BOOST_TEST(text_of(read("tensor()", R"({"cells":[{"address":{},"value":5}]})")) == "5\n");
  BOOST_TEST(text_of(read("tensor(k{})", "{}")).empty());
}

BOOST_AUTO_TEST_CASE(json_has_exact_values) {
  BOOST_TEST(json_of(mixed()) == R"j({"type":"tensor<float>(key{},x[2])","cells":[)j"
                                 R"j({"address":{"key":"a b","x":0},"value":0.10000000149011612},)j"
                                 R"j({"address":{"key":"a b","x":1},"value":-2.0},)j"
                                 R"j({"address":{"key":"\u001b","x":0},"value":"NaN"},)j"
                                 R"j({"address":{"key":"\u001b","x":1},"value":10000000000.0}]})j"
                                 "\n");
}

BOOST_AUTO_TEST_CASE(an_address_of_mapped_dimensions_names_a_block) {
  const auto from = mixed();
  const std::vector<constant::address_part> block{{"key", "a b"}}, cell{{"key", "a b"}, {"x", 1}}, index{{"x", 1}},
      absent{{"key", "c"}};
  BOOST_TEST(constant::names_block(from.type(), block));
  BOOST_TEST(!constant::names_block(from.type(), cell));
  BOOST_TEST(!constant::names_block(from.type(), index));
  BOOST_TEST(!constant::names_block(constant::tensor_type::parse("tensor(key{})"), block));
  BOOST_TEST(constant::value_json(from, block) == "[0.10000000149011612,-2.0]");
  BOOST_TEST(constant::value_json(from, cell) == "-2.0");
  TGMAP_THROWS(constant::value_json(from, absent), errc::no_such_cell);
  TGMAP_THROWS(constant::value_json(from, index), errc::missing_dimension);
  BOOST_TEST(constant::value_json(read("tensor(k{},x[2],y[2])", R"({"blocks":{"a":[[1,2],[3,4]]}})"),
                                  std::vector<constant::address_part>{{"k", "a"}}) == "[[1.0,2.0],[3.0,4.0]]");
}

BOOST_AUTO_TEST_CASE(errors_of_the_sink_are_returned) {
  full_sink to;
  tgmap::failure why;
  constant::write_cells(mixed(), to, why);
  BOOST_TEST((why.code == std::errc::no_space_on_device));
  constant::write_cells_json(mixed(), to, why);
  BOOST_TEST((why.code == std::errc::no_space_on_device));
}

BOOST_AUTO_TEST_SUITE_END()
