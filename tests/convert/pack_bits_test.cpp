// SPDX-License-Identifier: Apache-2.0
#include "convert/pack_bits.hpp"

#include <boost/test/unit_test.hpp>
#include <support/bytes.hpp>

#include "convert/refusal.hpp"

using namespace tgmap_test;
using tgmap::dtype;

BOOST_AUTO_TEST_SUITE(packing_bits)

namespace {

tgmap::convert::npy_array array_of(std::string_view data, std::vector<std::uint64_t> shape, bool fortran = false,
                                   dtype type = dtype::uint8) {
  tgmap::convert::npy_array out{.elements = {.type = type}, .shape = std::move(shape)};
  tgmap::convert::lay_out(out, span_of(data), fortran);
  return out;
}

bytes packed(const tgmap::convert::npy_array& from) { return bytes(view_of(tgmap::convert::pack_bits(from))); }

}  // namespace

BOOST_AUTO_TEST_CASE(the_first_bit_is_the_highest) {
  const bytes some("\1\0\1\0\0\1\0\1\0\1", 10);
  BOOST_TEST(packed(array_of(some, {10})) == "\xa5\x40");
  BOOST_TEST(packed(array_of(some, {2, 5})) == "\xa5\x40");
  BOOST_TEST(packed(array_of("", {0})) == "");
  BOOST_TEST(packed(array_of("\1", {})) == "\x80");
  BOOST_TEST(packed(array_of(bytes(8, '\1'), {8}, false, dtype::int8)) == "\xff");
}

BOOST_AUTO_TEST_CASE(fortran_order_becomes_c_order) {
  BOOST_TEST(packed(array_of(bytes("\1\0\1\1\0\0", 6), {2, 3}, true)) == "\xc8");  // rows 110, 010
}

BOOST_AUTO_TEST_CASE(what_is_no_bit_is_refused) {
  BOOST_CHECK_THROW(packed(array_of("\1\2", {2})), tgmap::convert::refusal);
  BOOST_CHECK_THROW(packed(array_of("ab", {1}, false, dtype::uint16)), tgmap::convert::refusal);
}

BOOST_AUTO_TEST_CASE(data_and_shape_agree) {
  BOOST_CHECK_THROW(array_of("abc", {2}), tgmap::convert::refusal);
  BOOST_CHECK_THROW(array_of("abc", {4}), tgmap::convert::refusal);
  BOOST_CHECK_THROW(array_of("", {UINT64_MAX, UINT64_MAX}), tgmap::convert::refusal);
}

BOOST_AUTO_TEST_SUITE_END()
