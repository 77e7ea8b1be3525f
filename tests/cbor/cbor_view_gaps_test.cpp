// SPDX-License-Identifier: Apache-2.0
// Corner cases of values.
#include <bit>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>
#include <support/cbor.hpp>
#include <support/failures.hpp>
#include <tgmap/cbor_view.hpp>

using namespace tgmap_test;
using tgmap::cbor_kind;
using tgmap::errc;

BOOST_AUTO_TEST_SUITE(cbor_view_gaps_test)

namespace {

__extension__ using wide = __int128;

tgmap::cbor_view of(const bytes& data) { return tgmap::cbor_view(span_of(data)); }

/// Returns the double nearest to -1 - n; long double holds 64 bits, and n + 1 needs 65 only if it is a power of two.
double nearest_negative(std::uint64_t n) {
  if (n == UINT64_MAX) return -0x1p64;
  return -static_cast<double>(n + 1);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_value_without_bytes_is_null) {
  const tgmap::cbor_view none;
  BOOST_TEST(none.kind() == cbor_kind::null);
  BOOST_TEST(none.text() == "null");
  BOOST_TEST(none.size() == 0u);
  BOOST_TEST(none.bytes().empty());
  BOOST_TEST(!none.tag());
  BOOST_TEST(!none.find("a"));
  BOOST_TEST(!none.at(0));
  BOOST_TEST(!none.at_path("a"));
  BOOST_TEST(!none.at_path("[0]"));
  BOOST_TEST(!none.get<bool>());
  BOOST_TEST(none.untagged().kind() == cbor_kind::null);
  TGMAP_THROWS(none.as<std::int64_t>(), errc::wrong_kind);
}

BOOST_AUTO_TEST_CASE(doubles_from_unsigned_integers_are_the_nearest) {
  std::mt19937_64 random(1);
  for (unsigned round = 0; round < 20000; ++round) {
    const std::uint64_t n = random() >> (random() % 64);
    const bytes data = cbor::unsigned_integer(n);
    BOOST_REQUIRE((of(data).get<double>() == static_cast<double>(n)));
  }
}

BOOST_AUTO_TEST_CASE(doubles_from_negative_integers_are_the_nearest) {
  for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1} << 53, (std::uint64_t{1} << 53) + 1,
                                (std::uint64_t{1} << 54) + 3, std::uint64_t{INT64_MAX}, std::uint64_t{UINT64_MAX}}) {
    const bytes data = cbor::negative(n);
    BOOST_TEST(of(data).as<double>() == nearest_negative(n), "-1 - " << n);
  }
  std::mt19937_64 random(2);
  unsigned wrong = 0;
  for (unsigned round = 0; round < 20000; ++round) {
    const std::uint64_t n = random() >> (random() % 64);
    const bytes data = cbor::negative(n);
    wrong += of(data).as<double>() != nearest_negative(n);
  }
  BOOST_TEST(wrong == 0u);
}

BOOST_AUTO_TEST_CASE(integers_are_checked_for_range) {
  std::mt19937_64 random(3);
  for (unsigned round = 0; round < 20000; ++round) {
    const std::uint64_t n = random() >> (random() % 64);
    for (const bool negative : {false, true}) {
      const bytes data = cbor::head(negative, n);
      const wide exact = negative ? -1 - wide{n} : wide{n};
      const bool fits_signed = exact >= INT64_MIN && exact <= INT64_MAX;
      const auto as_signed = of(data).get<std::int64_t>();
      const auto as_unsigned = of(data).get<std::uint64_t>();
      BOOST_REQUIRE(as_signed.has_value() == fits_signed);
      if (as_signed) BOOST_REQUIRE((wide{*as_signed} == exact));
      BOOST_REQUIRE(as_unsigned.has_value() == !negative);
      if (as_unsigned) BOOST_REQUIRE((wide{*as_unsigned} == exact));
      if (fits_signed) BOOST_REQUIRE(of(data).text() == std::to_string(static_cast<std::int64_t>(exact)));
    }
  }
}

BOOST_AUTO_TEST_CASE(text_of_floats_reads_back_and_holds_no_exponent) {
  std::mt19937_64 random(4);
  for (unsigned round = 0; round < 3000; ++round) {
    const double number = std::bit_cast<double>(static_cast<std::uint64_t>(random()));
    const std::string text = of(cbor::real(number)).text();
    if (!std::isfinite(number)) continue;
    BOOST_REQUIRE(text.find_first_of("eE") == text.npos);
    BOOST_REQUIRE(std::bit_cast<std::uint64_t>(std::fabs(std::strtod(text.c_str(), nullptr))) ==
                  std::bit_cast<std::uint64_t>(std::fabs(number)));
    BOOST_REQUIRE((text[0] == '-') == std::signbit(number));
  }
}

BOOST_AUTO_TEST_CASE(text_of_extreme_floats) {
  BOOST_TEST(of(cbor::real(1e22)).text() == "10000000000000000000000");
  BOOST_TEST(of(cbor::real(std::numeric_limits<double>::max())).text().size() == 309u);
  BOOST_TEST(of(cbor::real(5e-324)).text().starts_with("0.000"));
  BOOST_TEST(of(cbor::half(0x7e00)).text() == "NaN");
  BOOST_TEST(of(cbor::half(0x7c00)).text() == "inf");
  BOOST_TEST(of(cbor::half(0xfc00)).text() == "-inf");
  BOOST_TEST(of(cbor::single(0.5f)).text() == "0.5");
  BOOST_TEST(of(cbor::half(0x4900)).text() == "10");
}

BOOST_AUTO_TEST_CASE(keys_with_brackets_are_found_at_the_beginning_of_a_path_too) {
  const bytes map = cbor::map({cbor::key("[0]", cbor::integer(1)), cbor::key("[x]", cbor::integer(2)),
                               cbor::key("a", cbor::map({cbor::key("[0]", cbor::integer(3))}))});
  BOOST_TEST(of(map).at_path("[x]").has_value());
  BOOST_TEST(of(map).at_path("a.[0]").has_value());
  BOOST_TEST(of(map).at_path("[0]").has_value(), "every reading of a path is tried, the header says");
}

BOOST_AUTO_TEST_CASE(paths_may_begin_at_an_element) {
  const bytes data = cbor::array({cbor::integer(1), cbor::map({cbor::key("a", cbor::array({cbor::integer(2)}))})});
  BOOST_TEST((of(data).at_path("[0]")->get<std::int64_t>() == 1));
  BOOST_TEST((of(data).at_path("[1].a[0]")->get<std::int64_t>() == 2));
  BOOST_TEST(!of(data).at_path("[2]"));
  BOOST_TEST(!of(data).at_path("a"));
  BOOST_TEST(!of(data).at_path(""));
  BOOST_TEST(!of(data).at_path("[0]a"));
  BOOST_TEST(!of(data).at_path("[1]a[0]"));
}

BOOST_AUTO_TEST_CASE(an_empty_path_is_the_empty_key) {
  const bytes with = cbor::map({cbor::key("", cbor::integer(1))}),
              without = cbor::map({cbor::key("a", cbor::integer(1))});
  BOOST_TEST((of(with).at_path("")->get<std::int64_t>() == 1));
  BOOST_TEST(!of(without).at_path(""));
}

BOOST_AUTO_TEST_CASE(a_dead_end_does_not_hide_a_longer_key) {
  const bytes data =
      cbor::map({cbor::key("a", cbor::map({cbor::key("b", cbor::map({cbor::key("x", cbor::integer(1))}))})),
                 cbor::key("a.b", cbor::map({cbor::key("c", cbor::integer(2))})),
                 cbor::key("a.b.c.d", cbor::integer(3)), cbor::key("a[1]", cbor::integer(4))});
  BOOST_TEST((of(data).at_path("a.b.x")->get<std::int64_t>() == 1));
  BOOST_TEST((of(data).at_path("a.b.c")->get<std::int64_t>() == 2));
  BOOST_TEST((of(data).at_path("a.b.c.d")->get<std::int64_t>() == 3));
  BOOST_TEST((of(data).at_path("a[1]")->get<std::int64_t>() == 4));
  BOOST_TEST(!of(data).at_path("a.b.y"));
}

BOOST_AUTO_TEST_CASE(visit_skips_containers_without_a_function) {
  const bytes map = cbor::map({cbor::key("a", cbor::integer(1))}), list = cbor::array({cbor::integer(1)});
  unsigned calls = 0;
  BOOST_TEST(of(list).visit([&](const tgmap::cbor_view&, const tgmap::cbor_view&) { return ++calls, true; }));
  BOOST_TEST(calls == 0u);
  BOOST_TEST(of(map).visit([&](const tgmap::cbor_view&, const tgmap::cbor_view&) { return ++calls, true; }));
  BOOST_TEST(calls == 1u);
}

BOOST_AUTO_TEST_CASE(a_walk_reports_malformed_bytes) {
  const bytes cut = cbor::array({cbor::integer(1), cbor::text("ab")}).substr(0, 4);
  unsigned seen = 0;
  BOOST_TEST(!of(cut).visit([&](std::uint64_t, const tgmap::cbor_view&) { return ++seen, true; }));
  BOOST_TEST(seen == 1u);
  tgmap::cbor_view::cursor step;
  BOOST_REQUIRE(of(cut).first(step));
  BOOST_TEST(tgmap::cbor_view::next(step));
  BOOST_TEST(!tgmap::cbor_view::next(step));
  BOOST_TEST(step.is_malformed);
  BOOST_TEST(!tgmap::cbor_view::next(step));
  BOOST_TEST(step.index == 0u);
  BOOST_TEST(of(bytes("\x9f\x01\x02")).size() == 2u);
}

BOOST_AUTO_TEST_CASE(an_item_ends_at_its_own_bytes) {
  const bytes data = cbor::array({cbor::text("abc"), cbor::integer(1)});
  const auto item = *of(data).at(0);
  BOOST_TEST(item.bytes_to_end().size() == 4u);
  BOOST_TEST(of(data).bytes_to_end().size() == data.size());
}

BOOST_AUTO_TEST_CASE(indefinite_and_definite_containers_read_alike) {
  const std::vector<bytes> items{cbor::integer(1), cbor::text_in_pieces({"a", "b"}), cbor::array_until_break({}),
                                 cbor::real(2)};
  for (const bytes& data : {cbor::array(items), cbor::array_until_break(items)}) {
    BOOST_TEST(of(data).size() == 4u);
    BOOST_TEST(of(data).at(1)->text() == "ab");
    BOOST_TEST(of(data).at(2)->size() == 0u);
    BOOST_TEST((of(data).at(3)->get<double>() == 2.0));
    BOOST_TEST(!of(data).at(4));
  }
}

BOOST_AUTO_TEST_CASE(a_count_of_all_ones_is_not_an_indefinite_length) {
  for (const unsigned type : {4u, 5u}) {
    const bytes data = cbor::wide_head(type, UINT64_MAX, 8) + cbor::integer(1) + cbor::integer(2) + "\xff";
    unsigned seen = 0;
    BOOST_TEST(!of(data).visit([&](auto, const tgmap::cbor_view&) { return ++seen, true; }));
    BOOST_TEST(seen <= 2u);
    BOOST_TEST(of(data).bytes().empty());
  }
}

BOOST_AUTO_TEST_SUITE_END()
