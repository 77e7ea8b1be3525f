// SPDX-License-Identifier: Apache-2.0
// Text and byte strings, in one piece and in several.
#include <boost/test/unit_test.hpp>
#include <support/cbor.hpp>
#include <support/failures.hpp>
#include <tgmap/cbor_view.hpp>

using namespace tgmap_test;
using tgmap::errc;

BOOST_AUTO_TEST_SUITE(cbor_view_text_test)

namespace {

tgmap::cbor_view of(const bytes& data) { return tgmap::cbor_view(span_of(data)); }
const std::string mark = "\xef\xbf\xbd";  // U+FFFD

}  // namespace

BOOST_AUTO_TEST_CASE(text_in_one_piece_is_borrowed) {
  for (const std::size_t size : {0u, 1u, 23u, 24u, 255u, 256u, 70000u}) {
    const bytes data = cbor::text(bytes(size, 'x')) + "behind";
    const auto text = of(data).as<std::string_view>();
    BOOST_TEST(text.size() == size);
    if (size)
      BOOST_TEST(static_cast<const void*>(text.data()) ==
                 static_cast<const void*>(data.data() + data.size() - 6 - size));
    BOOST_TEST(of(data).text() == bytes(size, 'x'));
    BOOST_TEST(of(data).bytes().size() == data.size() - 6);
  }
}

BOOST_AUTO_TEST_CASE(byte_strings_are_bytes) {
  const bytes data = cbor::blob(bytes("\x00\xff\x80", 3));
  BOOST_TEST(view_of(of(data).as<std::span<const std::byte>>()) == bytes("\x00\xff\x80", 3));
  BOOST_TEST(of(data).text() == bytes("\x00\xff\x80", 3));
}

BOOST_AUTO_TEST_CASE(pieces_are_joined_by_a_copy) {
  const bytes text = cbor::text_in_pieces({"a", "", "bc", "d"}), blob = cbor::blob_in_pieces({"\x01", "\x02\x03"}),
              none = cbor::text_in_pieces({});
  BOOST_TEST(of(text).text() == "abcd");
  BOOST_TEST(of(blob).text() == "\x01\x02\x03");
  BOOST_TEST(of(none).text() == "");
  BOOST_TEST(!of(text).get<std::string_view>());
  BOOST_TEST(!of(blob).get<std::span<const std::byte>>());
  TGMAP_THROWS(of(text).as<std::string_view>(), errc::not_contiguous);
  TGMAP_THROWS(of(blob).as<std::span<const std::byte>>(), errc::not_contiguous);
  BOOST_TEST((of(text).kind() == tgmap::cbor_kind::text));
  BOOST_TEST(of(text).bytes().size() == text.size());
}

BOOST_AUTO_TEST_CASE(ill_formed_utf8_is_marked_byte_by_byte) {
  const std::pair<bytes, std::string> all[] = {
      {"plain", "plain"},
      {"\xc3\xa9\xe2\x82\xac\xf0\x9f\x8c\xa6", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x8c\xa6"},  // é€🌦
      {"a\xff"
       "b",
       "a" + mark + "b"},
      {"\x80\x80", mark + mark},
      {"\xc0\x80", mark + mark},                        // overlong
      {"\xe0\x80\x80", mark + mark + mark},             // overlong
      {"\xed\xa0\x80", mark + mark + mark},             // a surrogate
      {"\xf5\x80\x80\x80", mark + mark + mark + mark},  // beyond U+10FFFF
      {"\xf4\x90\x80\x80", mark + mark + mark + mark},
      {"cut\xe2\x82", "cut" + mark + mark},
      {"\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf"},  // U+10FFFF
  };
  for (const auto& [written, read] : all) {
    const bytes data = cbor::text(written);
    BOOST_TEST(of(data).text() == read);
    BOOST_TEST((of(data).get<std::string_view>() == written));
  }
}

BOOST_AUTO_TEST_CASE(pieces_have_the_kind_of_the_string) {
  const bytes mixed = "\x7f" + cbor::text("a") + cbor::blob("b") + "\xff", nested = "\x7f\x7f\xff\xff";
  for (const auto& data : {mixed, nested}) {
    BOOST_TEST(of(data).bytes().empty());
    BOOST_TEST(!of(data).get<std::string_view>());
  }
}

BOOST_AUTO_TEST_CASE(text_as_std_string) {
  tgmap::failure why;
  const bytes whole = cbor::text("abc\xff"), pieces = cbor::text_in_pieces({"a", "", "bc"}), empty = cbor::text(""),
              none = cbor::text_in_pieces({}), blob = cbor::blob("abc"), number = cbor::integer(1);
  BOOST_TEST(*of(whole).get<std::string>() == "abc\xff");
  BOOST_TEST(*of(pieces).get<std::string>() == "abc");
  BOOST_TEST(*of(empty).get<std::string>() == "");
  BOOST_TEST(*of(none).get<std::string>() == "");
  BOOST_TEST(*of(pieces).get<std::string>(why) == "abc");
  BOOST_TEST(!why);
  BOOST_TEST(of(whole).as<std::string>() == "abc\xff");
  BOOST_TEST(*of(whole).get<std::string_view>(why) == "abc\xff");
  BOOST_TEST(!of(pieces).get<std::string_view>(why));
  BOOST_TEST((why.code == errc::not_contiguous));
  for (const bytes& other : {blob, number}) {
    BOOST_TEST(!of(other).get<std::string>());
    BOOST_TEST(!of(other).get<std::string>(why));
    BOOST_TEST((why.code == errc::wrong_kind));
    TGMAP_THROWS(of(other).as<std::string>(), errc::wrong_kind);
  }
  const bytes cut = whole.substr(0, 3), cut_pieces = pieces.substr(0, pieces.size() - 1);
  for (const bytes& malformed : {cut, cut_pieces}) {
    BOOST_TEST(!of(malformed).get<std::string>(why));
    BOOST_TEST((why.code == errc::bad_cbor));
  }
  const bytes yes = cbor::boolean(true);
  BOOST_TEST(*of(yes).get<bool>(why));
  BOOST_TEST(!of(yes).get<int>(why));
  BOOST_TEST((why.code == errc::wrong_kind));
}

BOOST_AUTO_TEST_SUITE_END()
