// SPDX-License-Identifier: Apache-2.0
#include "convert/value_table.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <support/builder.hpp>
#include <tgmap/tgmap.hpp>

using namespace tgmap_test;
using tgmap::convert::coordinate;
using tgmap::convert::value_table;

BOOST_AUTO_TEST_SUITE(value_table_test)

namespace {

using write_function = void (*)(const value_table&, const tgmap::convert::write_function&);

/// Returns an archive with one object.
bytes archive_of(const object_spec& object) { return message({.objects = {object}}); }

/// Returns the text of the object of an archive.
std::string text_of(const bytes& data, std::span<const coordinate> coordinates, write_function write) {
  const auto archive = tgmap::archive::from_memory(span_of(data));
  const tgmap::tensor elements = archive[0][0].decode();
  std::string out;
  write(
      {.elements = elements, .shape = elements.shape(), .coordinates = coordinates},
      [&](std::span<const std::byte> piece) { out.append(reinterpret_cast<const char*>(piece.data()), piece.size()); });
  return out;
}

std::string json_of(const bytes& data, std::span<const coordinate> coordinates = {},
                    const tgmap::convert::put_members& put_first = {}) {
  const auto archive = tgmap::archive::from_memory(span_of(data));
  const tgmap::tensor elements = archive[0][0].decode();
  std::string out;
  tgmap::convert::write_json(
      {.elements = elements, .shape = elements.shape(), .coordinates = coordinates}, put_first,
      [&](std::span<const std::byte> piece) { out.append(reinterpret_cast<const char*>(piece.data()), piece.size()); });
  return out;
}

std::string values_of(const bytes& data) { return nlohmann::json::parse(json_of(data))["values"].dump(); }

const std::vector<coordinate> grid{{.name = "latitude", .dimension = 0, .values = {10, -0.5}},
                                   {.name = "index_1", .dimension = 1, .first = 4, .step = 2}};

}  // namespace

BOOST_AUTO_TEST_CASE(rows_have_coordinates_and_values_in_c_order) {
  const bytes data =
      archive_of({.dtype = "float32", .shape = {2, 3}, .payload = native<float>({1, 2.5F, 0.1F, -0.F, 1e20F, 6})});
  BOOST_TEST(text_of(data, grid, tgmap::convert::write_csv) ==
             "latitude,index_1,value\n10,4,1\n10,6,2.5\n10,8,0.1\n-0.5,4,-0\n-0.5,6,1e+20\n-0.5,8,6\n");
  BOOST_TEST(text_of(data, grid, tgmap::convert::write_columns) ==
             "# latitude index_1 value\n10 4 1\n10 6 2.5\n10 8 0.1\n-0.5 4 -0\n-0.5 6 1e+20\n-0.5 8 6\n");
}

BOOST_AUTO_TEST_CASE(strides_do_not_change_the_order_of_rows) {
  const bytes data =
      archive_of({.dtype = "uint8", .shape = {2, 3}, .payload = bytes("\1\4\2\5\3\6"), .strides = {{1, 2}}});
  BOOST_TEST(values_of(data) == "[[1,2,3],[4,5,6]]");
}

BOOST_AUTO_TEST_CASE(each_element_may_have_coordinates_of_its_own) {
  const bytes data = archive_of({.dtype = "uint8", .shape = {2, 2}, .payload = bytes("\7\10\11\12")});
  const std::vector<coordinate> points{{.name = "longitude", .dimension = std::nullopt, .values = {0, 90, 180, NAN}}};
  BOOST_TEST(text_of(data, points, tgmap::convert::write_csv) == "longitude,value\n0,7\n90,8\n180,9\nNaN,10\n");
  const auto found = nlohmann::json::parse(json_of(data, points));
  BOOST_TEST(found["coordinates"].dump() == R"([{"name":"longitude","values":[[0,90],[180,"NaN"]]}])");
}

BOOST_AUTO_TEST_CASE(json_has_dtype_shape_coordinates_and_nested_values) {
  const bytes data = archive_of({.dtype = "int16", .shape = {2, 1, 2}, .payload = native<std::int16_t>({1, -2, 3, 4})});
  BOOST_TEST(json_of(data, grid, [](auto& to) { to.key("object").integer(0); }) ==
             "{\"object\":0,\"dtype\":\"int16\",\"shape\":[2,1,2],\"coordinates\":["
             "{\"name\":\"latitude\",\"dimension\":0,\"values\":[10,-0.5]},"
             "{\"name\":\"index_1\",\"dimension\":1,\"first\":4,\"step\":2}],"
             "\"values\":[[[1,-2]],[[3,4]]]}\n");
}

BOOST_AUTO_TEST_CASE(every_dtype_is_written_exactly) {
  const auto values = [](const char* dtype, std::uint64_t n, bytes payload) {
    return values_of(archive_of({.dtype = dtype, .shape = {n}, .payload = std::move(payload)}));
  };
  BOOST_TEST(values("int8", 2, native<std::int8_t>({-128, 127})) == "[-128,127]");
  BOOST_TEST(values("uint8", 2, native<std::uint8_t>({0, 255})) == "[0,255]");
  BOOST_TEST(values("uint16", 1, native<std::uint16_t>({65535})) == "[65535]");
  BOOST_TEST(values("int32", 1, native<std::int32_t>({std::numeric_limits<int>::min()})) == "[-2147483648]");
  BOOST_TEST(values("uint32", 1, native<std::uint32_t>({4294967295U})) == "[4294967295]");
  BOOST_TEST(values("int64", 1, native<std::int64_t>({std::numeric_limits<std::int64_t>::min()})) ==
             "[-9223372036854775808]");
  BOOST_TEST(values("uint64", 1, native<std::uint64_t>({~std::uint64_t{0}})) == "[18446744073709551615]");
  BOOST_TEST(values("float16", 2, native<std::uint16_t>({0x3c00, 0xc100})) == "[1,-2.5]");
  BOOST_TEST(values("bfloat16", 1, native<std::uint16_t>({0x3fc0})) == "[1.5]");
  BOOST_TEST(values("float64", 1, native<double>({0.1})) == "[0.1]");
  BOOST_TEST(values("complex64", 2, native<float>({1, 2, NAN, -1})) == R"([[1,2],["NaN",-1]])");
  BOOST_TEST(values("complex128", 1, native<double>({0.5, -INFINITY})) == R"([[0.5,"-Infinity"]])");
  BOOST_TEST(values("bitmask", 3, bytes("\xa0")) == "[1,0,1]");
}

BOOST_AUTO_TEST_CASE(complex_values_take_two_columns) {
  const bytes data = archive_of({.dtype = "complex64", .shape = {1}, .payload = native<float>({1, INFINITY})});
  BOOST_TEST(text_of(data, {}, tgmap::convert::write_csv) == "real,imaginary\n1,Infinity\n");
  BOOST_TEST(text_of(data, {}, tgmap::convert::write_columns) == "# real imaginary\n1 Infinity\n");
}

BOOST_AUTO_TEST_CASE(big_endian_elements_are_read_as_such) {
  const bytes data =
      archive_of({.dtype = "uint16", .shape = {2}, .payload = bytes("\x01\x02\x03\x04"), .byte_order = "big"});
  BOOST_TEST(values_of(data) == "[258,772]");
}

BOOST_AUTO_TEST_CASE(a_scalar_is_one_row_and_no_array) {
  const bytes data = archive_of({.dtype = "float32", .shape = {}, .payload = native<float>({3})});
  BOOST_TEST(text_of(data, {}, tgmap::convert::write_csv) == "value\n3\n");
  BOOST_TEST(values_of(data) == "3");
}

BOOST_AUTO_TEST_CASE(without_elements_there_is_the_header_or_an_empty_array) {
  const bytes data = archive_of({.dtype = "float32", .shape = {std::uint64_t{1} << 40, 0}, .payload = {}});
  BOOST_TEST(text_of(data, {}, tgmap::convert::write_csv) == "value\n");
  BOOST_TEST(values_of(data) == "[]");
}

BOOST_AUTO_TEST_CASE(long_texts_are_written_in_pieces) {
  std::vector<float> numbers(100'000);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i) / 8;
  const bytes data = archive_of({.dtype = "float32",
                                 .shape = {numbers.size()},
                                 .payload = bytes(reinterpret_cast<const char*>(numbers.data()), numbers.size() * 4)});
  const auto archive = tgmap::archive::from_memory(span_of(data));
  const tgmap::tensor elements = archive[0][0].decode();
  std::size_t largest = 0;
  std::string text;
  tgmap::convert::write_json({.elements = elements, .shape = elements.shape(), .coordinates = {}}, {},
                             [&](std::span<const std::byte> piece) {
                               largest = std::max(largest, piece.size());
                               text.append(reinterpret_cast<const char*>(piece.data()), piece.size());
                             });
  BOOST_TEST(largest < 128 << 10);
  BOOST_TEST((nlohmann::json::parse(text)["values"].get<std::vector<float>>() == numbers));
}

BOOST_AUTO_TEST_SUITE_END()
