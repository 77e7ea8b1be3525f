// SPDX-License-Identifier: Apache-2.0
// An incomplete message at the end of the archive is a state, not an error.
#include <boost/test/unit_test.hpp>
#include <support/every_mode.hpp>
#include <support/failures.hpp>
#include <support/numbered.hpp>
#include <support/survey.hpp>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(tail_test)

namespace {

const bytes whole = numbered(0) + numbered(1, 2);

void check_tail(const tgmap::archive& archive, std::uint64_t begin) {
  BOOST_TEST(archive.size() == 2u);
  BOOST_TEST(archive.gaps().empty());
  BOOST_TEST_REQUIRE(archive.incomplete_tail().has_value());
  BOOST_TEST(archive.incomplete_tail()->begin == begin);
  BOOST_TEST(archive.incomplete_tail()->end == archive.size_bytes());
  BOOST_TEST(static_cast<bool>(archive.incomplete_tail()->cause));
  BOOST_TEST((archive.incomplete_tail()->cause.code == tgmap::make_error_condition(tgmap::condition::truncated)));
  TGMAP_THROWS(archive[2], tgmap::errc::out_of_range);
  BOOST_TEST(number_of(archive.back()) == 1u);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_message_cut_anywhere_at_the_end_is_the_tail) {
  for (const int version : {2, 3}) {
    const bytes last = numbered(2, version);
    for (std::size_t kept = 1; kept < last.size(); ++kept) {
      BOOST_TEST_CONTEXT("version " << version << ", " << kept << " bytes of " << last.size()) {
        const bytes data = whole + last.substr(0, kept);
        for (const auto damage : {tgmap::on_damage::stop, tgmap::on_damage::skip})
          check_tail(open(data, {.damage = damage}), whole.size());
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_tail_has_the_stated_length) {
  const bytes last = numbered(2);
  in_every_mode(whole + last.substr(0, 100), [&](const tgmap::archive& archive) {
    check_tail(archive, whole.size());
    BOOST_TEST(archive.incomplete_tail()->cause.expected == last.size());
  });
}

BOOST_AUTO_TEST_CASE(a_tail_is_not_known_before_the_scan_is_complete) {
  const bytes data = whole + numbered(2).substr(0, 100);
  const auto archive = open(data);
  BOOST_TEST(!archive.incomplete_tail());
  (void)archive[0];
  BOOST_TEST(!archive.incomplete_tail());
  archive.scan();
  BOOST_TEST(archive.incomplete_tail().has_value());
}

BOOST_AUTO_TEST_CASE(an_archive_that_is_only_a_tail_has_no_messages) {
  const bytes last = numbered(2);
  for (std::size_t kept = 1; kept < last.size(); ++kept) {
    const bytes data = last.substr(0, kept);
    const auto archive = open(data);
    BOOST_TEST_CONTEXT(kept << " bytes") {
      BOOST_TEST(archive.size() == 0u);
      BOOST_TEST_REQUIRE(archive.incomplete_tail().has_value());
      BOOST_TEST(archive.incomplete_tail()->begin == 0u);
      TGMAP_THROWS(archive.back(), tgmap::errc::out_of_range);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_tail_after_a_gap_is_still_a_tail) {
  const bytes data = whole + "junk" + numbered(2).substr(0, 80);
  const auto archive = open_skipping(data);
  BOOST_TEST(archive.size() == 2u);
  BOOST_TEST(archive.gaps().size() == 1u);
  BOOST_TEST_REQUIRE(archive.incomplete_tail().has_value());
  BOOST_TEST(archive.incomplete_tail()->begin == whole.size() + 4);
  BOOST_TEST(broken_invariant(archive) == "");
}

BOOST_AUTO_TEST_CASE(version_1_cut_at_the_end_is_the_tail) {
  const bytes last = version_1_message({"payload"});
  const bytes data = whole + last.substr(0, last.size() - 5);
  check_tail(open(data), whole.size());
}

BOOST_AUTO_TEST_SUITE_END()
