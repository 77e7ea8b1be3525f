// SPDX-License-Identifier: Apache-2.0
#include "convert/npy.hpp"

#include <boost/test/unit_test.hpp>
#include <support/bytes.hpp>
#include <support/failures.hpp>
#include <support/rounds.hpp>

using namespace tgmap_test;
using tgmap::dtype;

BOOST_AUTO_TEST_SUITE(npy)

namespace {

using tgmap::convert::npy_array;
using tgmap::convert::read_npy;

/// Returns a file with this header text, of format `major`.0.
bytes file_of(std::string_view header, std::string_view data = {}, int major = 1) {
  bytes out = "\x93NUMPY";
  out += static_cast<char>(major);
  out += '\0';
  for (int i = 0; i < (major == 1 ? 2 : 4); ++i) out += static_cast<char>(header.size() >> (8 * i) & 0xff);
  return out + bytes(header) + bytes(data);
}

bytes with_descr(std::string_view descr, std::string_view data) {
  return file_of("{'descr': " + bytes(descr) + ", 'fortran_order': False, 'shape': (), }", data);
}

bytes with_shape(std::string_view shape, std::string_view data) {
  return file_of("{'descr': '|u1', 'fortran_order': False, 'shape': " + bytes(shape) + "}", data);
}

void check_error(const bytes& file, const std::string& why) {
  try {
    read_npy(span_of(file));
    BOOST_ERROR("no error: " << why);
  } catch (const tgmap::convert::conversion_error& thrown) {
    BOOST_TEST(std::string(thrown.what()).find(why) != std::string::npos, thrown.what() << ", not: " << why);
    BOOST_TEST(!thrown.next_step().empty());
  }
}

using extents = std::vector<std::uint64_t>;
using steps = std::vector<std::int64_t>;

npy_array array_of(std::string_view data, std::vector<std::uint64_t> shape, bool fortran = false,
                   dtype type = dtype::uint8) {
  npy_array out{.elements = {.type = type}, .shape = std::move(shape)};
  tgmap::convert::set_data(out, span_of(data), fortran);
  return out;
}

bytes packed(const npy_array& from) { return bytes(view_of(tgmap::convert::pack_bits(from))); }

}  // namespace

BOOST_AUTO_TEST_CASE(reading_reverses_writing) {
  for (std::size_t i = 0; i < tgmap::dtype_count; ++i) {
    const auto type = static_cast<dtype>(i);
    const bool bits = type == dtype::bitmask;
    const bytes data(24 * (bits ? 1 : element_size(type)), 'x');
    for (const bool fortran : {false, true}) {
      const bytes file = tgmap::convert::make_npy_header(type, extents{2, 3, 4}, fortran) + data;
      const npy_array seen = read_npy(span_of(file));
      BOOST_TEST(seen.elements.type == (bits ? dtype::uint8 : type));
      BOOST_TEST(seen.elements.order == tgmap::byte_order::little);
      BOOST_TEST(seen.elements.is_exact);
      BOOST_TEST(seen.shape == extents({2, 3, 4}));
      BOOST_TEST(seen.strides == (fortran ? steps({1, 2, 6}) : steps({12, 4, 1})));
      BOOST_TEST(view_of(seen.data) == data);
      BOOST_TEST(seen.offset == file.size() - data.size());
    }
  }
}

BOOST_AUTO_TEST_CASE(big_endian_and_names_of_one_byte) {
  const auto elements = [](std::string_view descr, std::size_t width) {
    const bytes file = with_descr("'" + bytes(descr) + "'", bytes(width, '\0'));
    return read_npy(span_of(file)).elements;
  };
  BOOST_TEST(elements(">f8", 8).type == dtype::float64);
  BOOST_TEST(elements(">f8", 8).order == tgmap::byte_order::big);
  BOOST_TEST(elements(">c16", 16).type == dtype::complex128);
  BOOST_TEST(elements(">V2", 2).type == dtype::bfloat16);
  BOOST_TEST(elements(">V2", 2).order == tgmap::byte_order::big);
  for (const char* descr : {"|i1", "<i1", "i1"}) BOOST_TEST(elements(descr, 1).type == dtype::int8);
}

BOOST_AUTO_TEST_CASE(bool_and_opaque_pairs_are_not_exact) {
  const bytes truth = with_descr("'|b1'", "\1"), opaque = with_descr("'|V2'", "ab");
  BOOST_TEST(!read_npy(span_of(truth)).elements.is_exact);
  BOOST_TEST(read_npy(span_of(truth)).elements.type == dtype::uint8);
  BOOST_TEST(!read_npy(span_of(opaque)).elements.is_exact);
  BOOST_TEST(read_npy(span_of(opaque)).elements.type == dtype::bfloat16);
}

BOOST_AUTO_TEST_CASE(other_elements_are_errors) {
  check_error(with_descr("'|O'", ""), "'|O', Python objects");
  check_error(with_descr("'|S5'", "abcde"), "'|S5', text");
  check_error(with_descr("'<U1'", "abcd"), "'<U1', text");
  check_error(with_descr("'<M8[ns]'", "abcdefgh"), "'<M8[ns]', dates or times");
  check_error(with_descr("'<f16'", bytes(16, 'x')), "'<f16', which Tensogram has no dtype for");
  check_error(with_descr("'|V3'", "abc"), "Tensogram has no dtype");
  check_error(with_descr("''", ""), "Tensogram has no dtype");
  check_error(with_descr("'" + bytes(60000, 'x') + "'", ""), "'" + bytes(40, 'x') + "...'");
  check_error(with_descr("[('a', '<f4')]", "abcd"), "structured");
  check_error(with_descr("('<f4', (2,))", "abcdabcd"), "structured");
  for (const char* descr : {"'f4'", "'=f4'", "'|f4'", "'|u2'"}) check_error(with_descr(descr, "abcd"), "");
  check_error(with_descr("'f4'", "abcd"), "without a byte order");
  check_error(with_descr("'|f4'", "abcd"), "without a byte order");
}

BOOST_AUTO_TEST_CASE(python_literals) {
  const auto reads = [](std::string_view text) {
    const bytes file = file_of(text, "123456");
    const npy_array seen = read_npy(span_of(file));
    BOOST_TEST(seen.shape == extents({2, 3}), text);
    BOOST_TEST(view_of(seen.data) == "123456");
  };
  reads("{'descr':'|u1','fortran_order':False,'shape':(2,3)}");
  reads("{\"shape\": (2, 3,), \"descr\": \"|u1\", \"fortran_order\": True,}   \n");
  reads(" \t{ 'descr' : '|u1' , 'fortran_order' : False , 'shape' : ( 2L , 3L ) , } \n\n");
  BOOST_TEST(read_npy(span_of(with_shape("()", "x"))).shape == extents());
  BOOST_TEST(read_npy(span_of(with_shape("(1,)", "x"))).shape == extents({1}));
  BOOST_TEST(read_npy(span_of(with_shape("(0,)", ""))).shape == extents({0}));
}

BOOST_AUTO_TEST_CASE(unusual_headers_are_errors) {
  const bytes descr = "'descr': '|u1'", order = "'fortran_order': False", shape = "'shape': (1,)";
  const auto dict = [](std::initializer_list<bytes> parts) {
    bytes out = "{";
    for (const bytes& part : parts) out += part + ", ";
    return file_of(out + "}", "x");
  };
  BOOST_TEST(read_npy(span_of(dict({descr, order, shape}))).data.size() == 1u);
  check_error(dict({descr, order}), "lacks one of");
  check_error(dict({}), "lacks one of");
  check_error(dict({descr, order, shape, shape}), "has 'shape' twice");
  check_error(dict({descr, order, shape, "'more': 1"}), "has a key besides");
  check_error(dict({descr, "'fortran_order': 0", shape}), "should have True or False");
  check_error(dict({descr, "fortran_order: False", shape}), "should have a key in quotes");
  check_error(dict({"'descr' '|u1'", order, shape}), "should have ':'");
  check_error(dict({"'descr': '|u\\x31'", order, shape}), "a backslash");
  check_error(dict({"'descr': '|u1", order, shape}), "");
  check_error(dict({"'descr': 1", order, shape}), "should have a dtype in quotes");
  check_error(file_of("", "x"), "should have '{'");
  check_error(file_of("{'descr': '|u1', 'fortran_order': False, 'shape': (1,)} x", "x"), "after its dictionary");
  check_error(file_of("{'descr': '|u1', 'fortran_order': False, 'shape': (1,)", "x"), "should have ',' or '}'");
  for (const char* tuple : {"(1)", "(1 2)", "(-1,)", "(1.0,)", "(01,)", "(,)", "[1]", "1", "(1,,)", "(None,)", "(1"})
    check_error(with_shape(tuple, "x"), "the header should have");
  check_error(with_shape("(18446744073709551616,)", "x"), "needs more than 64 bits");
}

BOOST_AUTO_TEST_CASE(ranks_and_sizes_have_limits) {
  const auto ones = [](std::size_t rank) {
    bytes out = "(";
    for (std::size_t i = 0; i < rank; ++i) out += "1,";
    return with_shape(out + ")", "x");
  };
  BOOST_TEST(read_npy(span_of(ones(tgmap::max_rank))).shape.size() == tgmap::max_rank);
  check_error(ones(tgmap::max_rank + 1), "more than 32 dimensions");
  check_error(with_shape("(4294967296, 4294967296)", "x"), "no memory can hold");
  check_error(with_shape("(18446744073709551615,)", "x"), "no memory can hold");
  check_error(with_shape("(9223372036854775807,)", "x"), "are needed, 1 is left");
  BOOST_TEST(read_npy(span_of(with_shape("(4294967296, 4294967296, 0)", ""))).data.empty());
  check_error(with_shape("(2,)", "x"), "is truncated: 2 bytes are needed, 1 is left");
  check_error(with_shape("(2,)", "xyz"), "has 1 byte after its elements");
  check_error(with_shape("(1,)", "x") + with_shape("(1,)", "x"), "after its elements");
}

BOOST_AUTO_TEST_CASE(formats) {
  const bytes header = "{'descr': '|u1', 'fortran_order': False, 'shape': (1,), }";
  for (int major = 1; major <= 3; ++major) BOOST_TEST(read_npy(span_of(file_of(header, "x", major))).data.size() == 1u);
  BOOST_TEST(read_npy(span_of(file_of(header + bytes(70000, ' '), "x", 2))).data.size() == 1u);
  check_error(file_of(header, "x", 0), "format 0.0");
  check_error(file_of(header, "x", 4), "format 4.0");
  bytes minor = file_of(header, "x");
  minor[7] = 1;
  check_error(minor, "format 1.1");
  check_error("PK\3\4", "is not a .npy file");
  check_error("", "is not a .npy file");
}

BOOST_AUTO_TEST_CASE(truncated_files_are_errors) {
  const bytes file = tgmap::convert::make_npy_header(dtype::float64, extents{3, 2}, true) + bytes(48, 'x');
  BOOST_TEST(read_npy(span_of(file)).data.size() == 48u);
  for (std::size_t length = 0; length < file.size(); ++length) {
    const bytes cut = file.substr(0, length);
    check_error(cut, "");
  }
}

BOOST_AUTO_TEST_CASE(a_changed_byte_is_an_error_or_still_consistent) {
  const bytes file = tgmap::convert::make_npy_header(dtype::int16, extents{2, 3}, false) + bytes(12, 'x');
  unsigned taken = 0;
  for (std::size_t at = 0; at < file.size() - 12; at += stride(7))
    for (int byte = 0; byte < 256; ++byte) {
      bytes changed = file;
      changed[at] = static_cast<char>(byte);
      try {
        const npy_array seen = read_npy(span_of(changed));
        std::uint64_t elements = 1;
        for (const std::uint64_t extent : seen.shape) elements *= extent;
        BOOST_TEST(elements * element_size(seen.elements.type) == seen.data.size());
        BOOST_TEST(seen.offset + seen.data.size() == changed.size());
        ++taken;
      } catch (const tgmap::convert::conversion_error&) {
      }
    }
  BOOST_TEST(taken > (file.size() - 12) / stride(7));  // at least the file itself, once for each byte
}

BOOST_AUTO_TEST_CASE(the_first_bit_is_packed_highest) {
  const bytes some("\1\0\1\0\0\1\0\1\0\1", 10);
  BOOST_TEST(packed(array_of(some, {10})) == "\xa5\x40");
  BOOST_TEST(packed(array_of(some, {2, 5})) == "\xa5\x40");
  BOOST_TEST(packed(array_of("", {0})) == "");
  BOOST_TEST(packed(array_of("\1", {})) == "\x80");
  BOOST_TEST(packed(array_of(bytes(8, '\1'), {8}, false, dtype::int8)) == "\xff");
}

BOOST_AUTO_TEST_CASE(bits_are_packed_in_c_order) {
  BOOST_TEST(packed(array_of(bytes("\1\0\1\1\0\0", 6), {2, 3}, true)) == "\xc8");  // rows 110, 010
}

BOOST_AUTO_TEST_CASE(values_other_than_0_and_1_are_errors) {
  BOOST_CHECK_THROW(packed(array_of("\1\2", {2})), tgmap::convert::conversion_error);
  BOOST_CHECK_THROW(packed(array_of("ab", {1}, false, dtype::uint16)), tgmap::convert::conversion_error);
}

BOOST_AUTO_TEST_CASE(data_and_shape_must_agree) {
  BOOST_CHECK_THROW(array_of("abc", {2}), tgmap::convert::conversion_error);
  BOOST_CHECK_THROW(array_of("abc", {4}), tgmap::convert::conversion_error);
  BOOST_CHECK_THROW(array_of("", {UINT64_MAX, UINT64_MAX}), tgmap::convert::conversion_error);
}

BOOST_AUTO_TEST_SUITE_END()
