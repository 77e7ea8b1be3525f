// SPDX-License-Identifier: Apache-2.0
#include "convert/npy_header.hpp"

#include <boost/test/unit_test.hpp>
#include <vector>

using namespace tgmap::convert;
using tgmap::dtype;
using shape = std::vector<std::uint64_t>;

BOOST_AUTO_TEST_SUITE(npy_headers)

namespace {

/// Returns the dictionary of a header. Checks that everything around it follows the format.
std::string dictionary(const std::string& header) {
  BOOST_TEST_REQUIRE(header.size() >= 64u);
  BOOST_TEST(header.size() % 64 == 0);
  BOOST_TEST(header.substr(0, 6) == "\x93NUMPY");
  const bool second = header[6] == 2;
  BOOST_TEST((header[6] == 1 || second));
  BOOST_TEST(header[7] == 0);
  const std::size_t start = second ? 12 : 10;
  std::size_t length = 0;
  for (std::size_t i = start; i-- > 8;) length = length << 8 | static_cast<unsigned char>(header[i]);
  BOOST_TEST(start + length == header.size());
  BOOST_TEST(header.back() == '\n');
  const std::string text = header.substr(start, length - 1);
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_dtype_has_its_name) {
  const std::vector<std::pair<dtype, const char*>> names{
      {dtype::float16, "<f2"},   {dtype::bfloat16, "<V2"},    {dtype::float32, "<f4"}, {dtype::float64, "<f8"},
      {dtype::complex64, "<c8"}, {dtype::complex128, "<c16"}, {dtype::int8, "|i1"},    {dtype::int16, "<i2"},
      {dtype::int32, "<i4"},     {dtype::int64, "<i8"},       {dtype::uint8, "|u1"},   {dtype::uint16, "<u2"},
      {dtype::uint32, "<u4"},    {dtype::uint64, "<u8"},      {dtype::bitmask, "|u1"}};
  BOOST_TEST(names.size() == tgmap::dtype_count);
  for (const auto& [type, name] : names) BOOST_TEST(npy_descr(type) == name);
}

BOOST_AUTO_TEST_CASE(shapes_are_tuples) {
  const auto of = [](const shape& extents) { return dictionary(make_npy_header(dtype::float32, extents, false)); };
  BOOST_TEST(of({}) == "{'descr': '<f4', 'fortran_order': False, 'shape': (), }");
  BOOST_TEST(of({5}) == "{'descr': '<f4', 'fortran_order': False, 'shape': (5,), }");
  BOOST_TEST(of({0}) == "{'descr': '<f4', 'fortran_order': False, 'shape': (0,), }");
  BOOST_TEST(of({2, 3}) == "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }");
  BOOST_TEST(of({UINT64_MAX, 0, 1}) ==
             "{'descr': '<f4', 'fortran_order': False, 'shape': (18446744073709551615, 0, 1), }");
}

BOOST_AUTO_TEST_CASE(fortran_order_is_stated) {
  BOOST_TEST(dictionary(make_npy_header(dtype::uint8, shape{2, 3}, true)) ==
             "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }");
}

BOOST_AUTO_TEST_CASE(padding_works_for_every_length_of_text) {
  shape extents;
  for (int rank = 0; rank < 100; ++rank) {
    dictionary(make_npy_header(dtype::complex128, extents, false));
    extents.push_back(rank % 7 == 0 ? 12345 : 1);
  }
}

BOOST_AUTO_TEST_CASE(long_headers_are_format_2) {
  const std::string fits = make_npy_header(dtype::float32, shape(21000, 1), false);
  BOOST_TEST(fits[6] == 1);
  dictionary(fits);
  const std::string exceeds = make_npy_header(dtype::float32, shape(22000, 1), false);
  BOOST_TEST(exceeds[6] == 2);
  dictionary(exceeds);
}

BOOST_AUTO_TEST_CASE(the_border_between_the_formats) {
  for (std::size_t rank = 21700; rank < 21860; ++rank) {
    const std::string header = make_npy_header(dtype::float32, shape(rank, 1), false);
    const std::string text = dictionary(header);
    const bool must_be_second = (10 + text.size() + 1 + 63) / 64 * 64 - 10 > 0xffff;
    BOOST_TEST((header[6] == 2) == must_be_second);
  }
}

BOOST_AUTO_TEST_SUITE_END()
