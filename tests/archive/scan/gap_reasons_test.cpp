// SPDX-License-Identifier: Apache-2.0
// Each kind of damage has its error, offset and numbers.
#include <boost/test/unit_test.hpp>
#include <support/every_mode.hpp>
#include <support/failures.hpp>
#include <support/numbered.hpp>
#include <support/survey.hpp>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(gap_reasons_test)

namespace {

const bytes before = numbered(0), after = numbered(1);

/// Returns the cause of the one gap that these bytes make between two messages.
tgmap::failure reason_of(const bytes& damaged) {
  const bytes data = before + damaged + after;
  tgmap::failure reason;
  in_every_mode(data,
                [&](const tgmap::archive& archive) {
                  BOOST_TEST_REQUIRE(archive.size() == 2u);
                  BOOST_TEST(number_of(archive[1]) == 1u);
                  BOOST_TEST_REQUIRE(archive.gaps().size() == 1u);
                  const auto gap = archive.gaps()[0];
                  BOOST_TEST(gap.begin == before.size());
                  BOOST_TEST(gap.end == before.size() + damaged.size());
                  BOOST_TEST(gap.cause.offset >= gap.begin);
                  BOOST_TEST(gap.cause.offset <= gap.end);
                  BOOST_TEST(!gap.cause.text().empty());
                  BOOST_TEST(broken_invariant(archive) == "");
                  tgmap::failure direct;
                  (void)archive.at_offset(gap.begin, direct);
                  BOOST_TEST(direct.code == gap.cause.code);
                  reason = gap.cause;
                },
                {.damage = tgmap::on_damage::skip});
  return reason;
}

/// Returns a message with one number of its framing changed.
bytes changed(bytes message, std::size_t at, std::uint64_t n, unsigned width = 8) {
  put(message, at, n, width);
  return message;
}

}  // namespace

BOOST_AUTO_TEST_CASE(junk_is_not_a_message) { TGMAP_FAILED(reason_of("junk between"), tgmap::errc::not_a_message); }

BOOST_AUTO_TEST_CASE(an_unknown_version_is_reported) {
  for (const std::uint64_t version : {1u, 4u, 0x5445u}) {
    const auto reason = reason_of(changed(numbered(5), 8, version, 2));
    TGMAP_FAILED(reason, tgmap::errc::unknown_version);
    BOOST_TEST(reason.found == version);
    BOOST_TEST((reason.code == tgmap::make_error_condition(tgmap::condition::unsupported)));
  }
}

BOOST_AUTO_TEST_CASE(a_length_that_cannot_hold_a_message_is_too_short) {
  for (const int version : {2, 3}) {
    const std::uint64_t min_length = version == 2 ? 40 : 48;
    const auto reason = reason_of(changed(numbered(5, version), 16, min_length - 1));
    TGMAP_FAILED(reason, tgmap::errc::message_too_short);
    BOOST_TEST(reason.expected == min_length);
    BOOST_TEST(reason.found == min_length - 1);
  }
}

BOOST_AUTO_TEST_CASE(a_length_that_ends_elsewhere_misses_the_end) {
  for (const int version : {2, 3}) {
    const bytes whole = numbered(5, version);
    TGMAP_FAILED(reason_of(changed(whole, 16, whole.size() - 8)), tgmap::errc::missing_end_magic);
    TGMAP_FAILED(reason_of(changed(whole, 16, whole.size() + 1)), tgmap::errc::missing_end_magic);
  }
}

BOOST_AUTO_TEST_CASE(a_changed_end_magic) {
  for (const int version : {2, 3}) {
    bytes whole = numbered(5, version);
    whole.back() = 'x';
    TGMAP_FAILED(reason_of(whole), tgmap::errc::missing_end_magic);
  }
}

BOOST_AUTO_TEST_CASE(preamble_and_postamble_must_agree_in_version_3) {
  const bytes whole = numbered(5);
  const auto reason = reason_of(changed(whole, whole.size() - 16, whole.size() + 8));
  TGMAP_FAILED(reason, tgmap::errc::length_mismatch);
  BOOST_TEST(reason.expected == whole.size());
  BOOST_TEST(reason.found == whole.size() + 8);
}

BOOST_AUTO_TEST_CASE(a_zero_length_in_the_postamble_is_no_disagreement) {
  const bytes whole = numbered(1);
  const bytes data = before + changed(whole, whole.size() - 16, 0) + numbered(2);
  const auto archive = open(data);
  BOOST_TEST(archive.size() == 3u);
  BOOST_TEST(sound(archive[1]));
}

BOOST_AUTO_TEST_CASE(a_length_beyond_the_archive_followed_by_messages_is_a_gap) {
  for (const std::uint64_t length : {std::uint64_t{1} << 20, std::uint64_t{1} << 47, ~std::uint64_t{0}}) {
    const auto reason = reason_of(changed(numbered(5), 16, length));
    TGMAP_FAILED(reason, tgmap::errc::message_exceeds_file);
    BOOST_TEST(reason.expected == length);
  }
}

BOOST_AUTO_TEST_CASE(version_1_with_a_wrong_end_is_damage) {
  bytes whole = version_1_message({"payload"});
  whole.back() = 'x';
  TGMAP_FAILED(reason_of(whole), tgmap::errc::missing_end_magic);
}

BOOST_AUTO_TEST_CASE(gaps_beyond_the_limit_are_merged) {
  bytes data;
  for (unsigned n = 0; n < 6; ++n) data += "junk" + numbered(n);
  in_every_mode(data,
                [&](const tgmap::archive& archive) {
                  archive.scan();
                  const auto gaps = archive.gaps();
                  BOOST_TEST_REQUIRE(gaps.size() == 3u);
                  TGMAP_FAILED(gaps[0].cause, tgmap::errc::not_a_message);
                  TGMAP_FAILED(gaps[1].cause, tgmap::errc::not_a_message);
                  TGMAP_FAILED(gaps[2].cause, tgmap::errc::too_many_gaps);
                  BOOST_TEST(gaps[2].cause.expected == 2u);
                  BOOST_TEST(gaps[2].begin == 2 * data.size() / 6);
                  BOOST_TEST(gaps[2].end == data.size());
                  BOOST_TEST(archive.size() == 2u);
                  BOOST_TEST(archive.scan_progress().is_complete);
                },
                {.damage = tgmap::on_damage::skip, .max_gaps = 2});
}

BOOST_AUTO_TEST_SUITE_END()
