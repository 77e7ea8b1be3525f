// SPDX-License-Identifier: Apache-2.0
#include "convert/npy_read.hpp"

#include <boost/test/unit_test.hpp>
#include <support/bytes.hpp>
#include <support/failures.hpp>
#include <support/rounds.hpp>

#include "convert/npy.hpp"
#include "convert/refusal.hpp"

using namespace tgmap_test;
using tgmap::dtype;

BOOST_AUTO_TEST_SUITE(npy_reading)

namespace {

using tgmap::convert::npy_array;
using tgmap::convert::npy_read;

/// A file of that format with that text as its header.
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

void refused(const bytes& file, const std::string& why) {
  try {
    npy_read(span_of(file));
    BOOST_ERROR("taken, though: " << why);
  } catch (const tgmap::convert::refusal& thrown) {
    BOOST_TEST(std::string(thrown.what()).find(why) != std::string::npos, thrown.what() << ", not: " << why);
    BOOST_TEST(!thrown.next_step().empty());
  }
}

using extents = std::vector<std::uint64_t>;
using steps = std::vector<std::int64_t>;

}  // namespace

BOOST_AUTO_TEST_CASE(what_was_written_is_read) {
  for (std::size_t i = 0; i < tgmap::dtype_count; ++i) {
    const auto type = static_cast<dtype>(i);
    const bool bits = type == dtype::bitmask;
    const bytes data(24 * (bits ? 1 : element_size(type)), 'x');
    for (const bool fortran : {false, true}) {
      const bytes file = tgmap::convert::npy_header(type, extents{2, 3, 4}, fortran) + data;
      const npy_array seen = npy_read(span_of(file));
      BOOST_TEST(seen.elements.type == (bits ? dtype::uint8 : type));
      BOOST_TEST(seen.elements.order == tgmap::byte_order::little);
      BOOST_TEST(!seen.elements.stand_in);
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
    return npy_read(span_of(file)).elements;
  };
  BOOST_TEST(elements(">f8", 8).type == dtype::float64);
  BOOST_TEST(elements(">f8", 8).order == tgmap::byte_order::big);
  BOOST_TEST(elements(">c16", 16).type == dtype::complex128);
  BOOST_TEST(elements(">V2", 2).type == dtype::bfloat16);
  BOOST_TEST(elements(">V2", 2).order == tgmap::byte_order::big);
  for (const char* descr : {"|i1", "<i1", "i1"}) BOOST_TEST(elements(descr, 1).type == dtype::int8);
}

BOOST_AUTO_TEST_CASE(what_only_nearly_is_a_dtype_is_marked) {
  const bytes truth = with_descr("'|b1'", "\1"), opaque = with_descr("'|V2'", "ab");
  BOOST_TEST(npy_read(span_of(truth)).elements.stand_in);
  BOOST_TEST(npy_read(span_of(truth)).elements.type == dtype::uint8);
  BOOST_TEST(npy_read(span_of(opaque)).elements.stand_in);
  BOOST_TEST(npy_read(span_of(opaque)).elements.type == dtype::bfloat16);
}

BOOST_AUTO_TEST_CASE(other_elements_are_refused_with_what_there_is) {
  refused(with_descr("'|O'", ""), "'|O', Python's objects");
  refused(with_descr("'|S5'", "abcde"), "'|S5', text");
  refused(with_descr("'<U1'", "abcd"), "'<U1', text");
  refused(with_descr("'<M8[ns]'", "abcdefgh"), "'<M8[ns]', dates or times");
  refused(with_descr("'<f16'", bytes(16, 'x')), "'<f16', which no dtype of Tensogram is");
  refused(with_descr("'|V3'", "abc"), "no dtype of Tensogram");
  refused(with_descr("''", ""), "no dtype of Tensogram");
  refused(with_descr("'" + bytes(60000, 'x') + "'", ""), "'" + bytes(40, 'x') + "...'");
  refused(with_descr("[('a', '<f4')]", "abcd"), "structured");
  refused(with_descr("('<f4', (2,))", "abcdabcd"), "structured");
  for (const char* descr : {"'f4'", "'=f4'", "'|f4'", "'|u2'"}) refused(with_descr(descr, "abcd"), "");
  refused(with_descr("'f4'", "abcd"), "without a byte order");
  refused(with_descr("'|f4'", "abcd"), "without a byte order");
}

BOOST_AUTO_TEST_CASE(python_literals) {
  const auto reads = [](std::string_view text) {
    const bytes file = file_of(text, "123456");
    const npy_array seen = npy_read(span_of(file));
    BOOST_TEST(seen.shape == extents({2, 3}), text);
    BOOST_TEST(view_of(seen.data) == "123456");
  };
  reads("{'descr':'|u1','fortran_order':False,'shape':(2,3)}");
  reads("{\"shape\": (2, 3,), \"descr\": \"|u1\", \"fortran_order\": True,}   \n");
  reads(" \t{ 'descr' : '|u1' , 'fortran_order' : False , 'shape' : ( 2L , 3L ) , } \n\n");
  BOOST_TEST(npy_read(span_of(with_shape("()", "x"))).shape == extents());
  BOOST_TEST(npy_read(span_of(with_shape("(1,)", "x"))).shape == extents({1}));
  BOOST_TEST(npy_read(span_of(with_shape("(0,)", ""))).shape == extents({0}));
}

BOOST_AUTO_TEST_CASE(headers_that_numpy_would_not_write_are_refused) {
  const bytes descr = "'descr': '|u1'", order = "'fortran_order': False", shape = "'shape': (1,)";
  const auto dict = [](std::initializer_list<bytes> parts) {
    bytes out = "{";
    for (const bytes& part : parts) out += part + ", ";
    return file_of(out + "}", "x");
  };
  BOOST_TEST(npy_read(span_of(dict({descr, order, shape}))).data.size() == 1u);
  refused(dict({descr, order}), "lacks one of");
  refused(dict({}), "lacks one of");
  refused(dict({descr, order, shape, shape}), "has 'shape' twice");
  refused(dict({descr, order, shape, "'more': 1"}), "has a key besides");
  refused(dict({descr, "'fortran_order': 0", shape}), "should have True or False");
  refused(dict({descr, "fortran_order: False", shape}), "should have a key in quotes");
  refused(dict({"'descr' '|u1'", order, shape}), "should have ':'");
  refused(dict({"'descr': '|u\\x31'", order, shape}), "a backslash");
  refused(dict({"'descr': '|u1", order, shape}), "");
  refused(dict({"'descr': 1", order, shape}), "should have a dtype in quotes");
  refused(file_of("", "x"), "should have '{'");
  refused(file_of("{'descr': '|u1', 'fortran_order': False, 'shape': (1,)} x", "x"), "behind its dictionary");
  refused(file_of("{'descr': '|u1', 'fortran_order': False, 'shape': (1,)", "x"), "should have ',' or '}'");
  for (const char* tuple : {"(1)", "(1 2)", "(-1,)", "(1.0,)", "(01,)", "(,)", "[1]", "1", "(1,,)", "(None,)", "(1"})
    refused(with_shape(tuple, "x"), "the header should have");
  refused(with_shape("(18446744073709551616,)", "x"), "beyond 64 bits");
}

BOOST_AUTO_TEST_CASE(ranks_and_sizes_have_ends) {
  const auto ones = [](std::size_t rank) {
    bytes out = "(";
    for (std::size_t i = 0; i < rank; ++i) out += "1,";
    return with_shape(out + ")", "x");
  };
  BOOST_TEST(npy_read(span_of(ones(tgmap::max_rank))).shape.size() == tgmap::max_rank);
  refused(ones(tgmap::max_rank + 1), "more than 32 dimensions");
  refused(with_shape("(4294967296, 4294967296)", "x"), "no memory holds");
  refused(with_shape("(18446744073709551615,)", "x"), "no memory holds");
  refused(with_shape("(9223372036854775807,)", "x"), "are needed where 1 are left");
  BOOST_TEST(npy_read(span_of(with_shape("(4294967296, 4294967296, 0)", ""))).data.empty());
  refused(with_shape("(2,)", "x"), "is cut: 2 bytes are needed where 1 are left");
  refused(with_shape("(2,)", "xyz"), "has 1 bytes behind its elements");
  refused(with_shape("(1,)", "x") + with_shape("(1,)", "x"), "behind its elements");
}

BOOST_AUTO_TEST_CASE(formats) {
  const bytes header = "{'descr': '|u1', 'fortran_order': False, 'shape': (1,), }";
  for (int major = 1; major <= 3; ++major) BOOST_TEST(npy_read(span_of(file_of(header, "x", major))).data.size() == 1u);
  BOOST_TEST(npy_read(span_of(file_of(header + bytes(70000, ' '), "x", 2))).data.size() == 1u);
  refused(file_of(header, "x", 0), "format 0.0");
  refused(file_of(header, "x", 4), "format 4.0");
  bytes minor = file_of(header, "x");
  minor[7] = 1;
  refused(minor, "format 1.1");
  refused("PK\3\4", "is no .npy file");
  refused("", "is no .npy file");
}

BOOST_AUTO_TEST_CASE(every_cut_is_refused) {
  const bytes file = tgmap::convert::npy_header(dtype::float64, extents{3, 2}, true) + bytes(48, 'x');
  BOOST_TEST(npy_read(span_of(file)).data.size() == 48u);
  for (std::size_t length = 0; length < file.size(); ++length) {
    const bytes cut = file.substr(0, length);
    refused(cut, "");
  }
}

BOOST_AUTO_TEST_CASE(any_changed_byte_is_refused_or_describes_what_is_there) {
  const bytes file = tgmap::convert::npy_header(dtype::int16, extents{2, 3}, false) + bytes(12, 'x');
  unsigned taken = 0;
  for (std::size_t at = 0; at < file.size() - 12; at += stride(7))
    for (int byte = 0; byte < 256; ++byte) {
      bytes changed = file;
      changed[at] = static_cast<char>(byte);
      try {
        const npy_array seen = npy_read(span_of(changed));
        std::uint64_t elements = 1;
        for (const std::uint64_t extent : seen.shape) elements *= extent;
        BOOST_TEST(elements * element_size(seen.elements.type) == seen.data.size());
        BOOST_TEST(seen.offset + seen.data.size() == changed.size());
        ++taken;
      } catch (const tgmap::convert::refusal&) {
      }
    }
  BOOST_TEST(taken > (file.size() - 12) / stride(7));  // at least the file itself, once for each byte
}

BOOST_AUTO_TEST_SUITE_END()
