// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <string>
#include <support/bytes.hpp>
#include <support/cbor.hpp>

#include "validate/cbor/cbor_check.hpp"

using namespace tgmap_test;
using tgmap::validation::cbor_state;

BOOST_AUTO_TEST_SUITE(cbor_check)

namespace {

tgmap::validation::cbor_report report(const bytes& data, unsigned depth = 256) {
  return tgmap::validation::check_cbor(span_of(data), depth, true);
}

bool is_sound(const bytes& data) { return report(data).state == cbor_state::sound; }
bool is_canonical(const bytes& data) { return is_sound(data) && report(data).not_canonical == nullptr; }

}  // namespace

BOOST_AUTO_TEST_CASE(sound_items) {
  for (const bytes& item :
       {cbor::integer(0), cbor::unsigned_integer(UINT64_MAX), cbor::negative(UINT64_MAX), cbor::text(""),
        cbor::text("ä€𝄞"), cbor::blob("\xff"), cbor::array({}), cbor::map({}), cbor::tag(1, cbor::null()),
        cbor::undefined(), cbor::boolean(true), cbor::half(0x3c00), cbor::single(1.5F), cbor::real(1e300),
        cbor::array_until_break({cbor::null()}), cbor::map_until_break({cbor::key("a", cbor::null())}),
        cbor::text_in_pieces({"a", "b"}), cbor::blob_in_pieces({})}) {
    BOOST_TEST(is_sound(item));
    BOOST_TEST(report(item + "more").size == item.size());
    for (std::size_t n = 0; n < item.size(); ++n)
      BOOST_TEST((report(item.substr(0, n)).state == cbor_state::truncated));
  }
}

BOOST_AUTO_TEST_CASE(malformed_items) {
  for (const bytes& item :
       {bytes("\x1c"), bytes("\xff"), bytes("\xf8\x20"), bytes("\xe0"), bytes("\x3f"), bytes("\x9c"),
        bytes("\x5f\x61\x61\xff"), bytes("\x7f\x7f\xff\xff"), cbor::text("\xc0\xaf"), cbor::text("\xed\xa0\x80"),
        cbor::text("\xf4\x90\x80\x80"), cbor::text("\x80"), cbor::text("abcdefgh\xff")})
    BOOST_TEST((report(item).state == cbor_state::malformed));
}

BOOST_AUTO_TEST_CASE(depth) {
  BOOST_TEST((report(cbor::nested(8, cbor::null()), 8).state == cbor_state::sound));
  BOOST_TEST((report(cbor::nested(9, cbor::null()), 8).state == cbor_state::too_deep));
  BOOST_TEST((report(bytes(100'000, '\xc1') + cbor::null(), 1).state == cbor_state::sound));  // tags do not count
  BOOST_TEST((report(bytes(100'000, '\x81'), 256).state == cbor_state::too_deep));
}

BOOST_AUTO_TEST_CASE(tags) {
  BOOST_TEST(report(cbor::array({cbor::tag(1, cbor::null())})).has_tags);
  BOOST_TEST(!report(cbor::array({cbor::null()})).has_tags);
  BOOST_TEST((report(cbor::array_until_break({}).substr(0, 1) + "\xc1\xff").state == cbor_state::malformed));
}

BOOST_AUTO_TEST_CASE(deterministic_form_is_checked_on_request) {
  const bytes unusual = cbor::map({cbor::key("b", cbor::real(1)), cbor::key("a", cbor::null())});
  BOOST_TEST(tgmap::validation::check_cbor(span_of(unusual), 256, true).not_canonical_at == 3u);
  BOOST_TEST(tgmap::validation::check_cbor(span_of(unusual), 256, false).not_canonical == nullptr);
}

BOOST_AUTO_TEST_CASE(deterministic_form) {
  const auto key = [](const char* name) { return cbor::key(name, cbor::integer(1)); };
  BOOST_TEST(is_canonical(cbor::map({key("a"), key("b"), key("aa")})));
  BOOST_TEST(!is_canonical(cbor::map({key("b"), key("a")})));
  BOOST_TEST(!is_canonical(cbor::map({key("a"), key("a")})));
  BOOST_TEST(!is_canonical(cbor::map({key("aa"), key("b")})));
  BOOST_TEST(!is_canonical(cbor::array({cbor::map({key("b"), key("a")})})));
  for (const unsigned width : {1u, 2u, 4u, 8u}) BOOST_TEST(!is_canonical(cbor::wide_head(0, 23, width)));
  BOOST_TEST(is_canonical(cbor::integer(24)));
  BOOST_TEST(!is_canonical(cbor::array_until_break({})));
  BOOST_TEST(!is_canonical(cbor::text_in_pieces({"a"})));
}

BOOST_AUTO_TEST_CASE(shortest_floats) {
  for (const double half :
       {0.0, -0.0, 1.0, 65504.0, 0.5, 6.103515625e-05, 5.9604644775390625e-08, 3 * 5.9604644775390625e-08})
    BOOST_TEST(!is_canonical(cbor::real(half)), half);
  for (const float single : {65536.0F, 65505.0F, 1.0e-8F, 0.1F, 8.940697e-08F}) {
    BOOST_TEST(is_canonical(cbor::single(single)), single);
    BOOST_TEST(!is_canonical(cbor::real(single)), single);
  }
  for (const double wide : {0.1, 1e300, 1e-300, 16777217.0}) BOOST_TEST(is_canonical(cbor::real(wide)), wide);
  BOOST_TEST(!is_canonical(cbor::single(1.5F)));
}

BOOST_AUTO_TEST_SUITE_END()
