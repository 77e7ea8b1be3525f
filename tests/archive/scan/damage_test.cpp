// SPDX-License-Identifier: Apache-2.0
// Message numbers after damage: an error by default, gaps on request.
#include <boost/test/unit_test.hpp>
#include <support/every_mode.hpp>
#include <support/failures.hpp>
#include <support/numbered.hpp>
#include <support/survey.hpp>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(damage_test)

namespace {

const bytes first = numbered(0), second = numbered(1, 2, 19), third = numbered(2);

}  // namespace

BOOST_AUTO_TEST_CASE(by_default_access_ends_at_the_first_gap) {
  const bytes data = first + second + "junk" + third;
  const std::uint64_t begin = first.size() + second.size();
  in_every_mode(data, [&](const tgmap::archive& archive) {
    BOOST_TEST(sound(archive[0]));
    BOOST_TEST(sound(archive[1]));
    tgmap::failure why;
    (void)archive.at(2, why);
    TGMAP_FAILED(why, tgmap::errc::damaged);
    BOOST_TEST(why.found == begin);
    BOOST_TEST(why.expected == begin + 4);
    BOOST_TEST((why.code == tgmap::make_error_condition(tgmap::condition::corrupt)));
    TGMAP_THROWS(archive.size(), tgmap::errc::damaged);
    why = {};
    BOOST_TEST(archive.size(why) == 2u);
    TGMAP_FAILED(why, tgmap::errc::damaged);
    BOOST_TEST_REQUIRE(archive.gaps().size() == 1u);
    BOOST_TEST(archive.gaps()[0].begin == begin);
    BOOST_TEST(archive.gaps()[0].end == begin + 4);
    BOOST_TEST(archive.scan_progress().is_complete);
  });
}

BOOST_AUTO_TEST_CASE(by_default_iteration_ends_at_the_first_gap_with_an_error) {
  const bytes data = first + second + "junk" + third;
  const auto archive = open(data);
  std::size_t seen = 0;
  const auto visit = [&] {
    for (const auto& m : archive) seen += sound(m);
  };
  TGMAP_THROWS(visit(), tgmap::errc::damaged);
  BOOST_TEST(seen == 2u);
}

BOOST_AUTO_TEST_CASE(skipping_continues_after_the_gap) {
  const bytes data = "x" + first + "junk" + second + bytes(1000, '\0') + third + "end";
  in_every_mode(data,
                [&](const tgmap::archive& archive) {
                  BOOST_TEST_REQUIRE(archive.size() == 3u);
                  for (std::size_t i = 0; i < 3; ++i) BOOST_TEST(sound(archive[i]));
                  const auto gaps = archive.gaps();
                  BOOST_TEST_REQUIRE(gaps.size() == 4u);
                  BOOST_TEST(gaps[0].begin == 0u);
                  BOOST_TEST(gaps[0].end == 1u);
                  BOOST_TEST(gaps[3].end == data.size());
                  BOOST_TEST(gaps[3].begin == data.size() - 3);
                  BOOST_TEST(broken_invariant(archive) == "");
                },
                {.damage = tgmap::on_damage::skip});
}

BOOST_AUTO_TEST_CASE(a_gap_at_the_start_leaves_no_number_by_default) {
  const bytes data = "x" + first;
  const auto archive = open(data);
  TGMAP_THROWS(archive[0], tgmap::errc::damaged);
  TGMAP_THROWS(archive.back(), tgmap::errc::damaged);
  BOOST_TEST(sound(archive.at_offset(1)));
}

BOOST_AUTO_TEST_CASE(bytes_after_the_last_message_are_a_gap) {
  const bytes data = first + "trailing";
  const auto archive = open(data);
  BOOST_TEST(sound(archive[0]));
  TGMAP_THROWS(archive.size(), tgmap::errc::damaged);
  BOOST_TEST(archive.gaps().size() == 1u);
  BOOST_TEST((!archive.incomplete_tail() || archive.incomplete_tail()->begin == archive.incomplete_tail()->end));
}

BOOST_AUTO_TEST_CASE(a_message_without_its_end_between_whole_ones_is_a_gap) {
  for (const int version : {2, 3}) {
    const bytes cut = numbered(7, version, 200);
    for (const std::size_t kept : {8u, 23u, 24u, 40u, 100u, 250u}) {
      const bytes data = first + cut.substr(0, kept) + second + third;
      BOOST_TEST_CONTEXT("version " << version << ", " << kept << " bytes kept") {
        const auto archive = open_skipping(data);
        BOOST_TEST(broken_invariant(archive) == "");
        BOOST_TEST_REQUIRE(archive.size() == 3u);
        BOOST_TEST(sound(archive[1]));
        BOOST_TEST(number_of(archive[1]) == 1u);
        BOOST_TEST_REQUIRE(archive.gaps().size() == 1u);
        BOOST_TEST(archive.gaps()[0].begin == first.size());
        BOOST_TEST(archive.gaps()[0].end == first.size() + kept);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(magic_words_in_junk_are_skipped) {
  const bytes junk = bytes(magic) + bytes(magic) + "TENSOGR" + bytes(end_magic) + bytes(magic).substr(1);
  const bytes data = first + junk + second + bytes(magic) + third;
  const auto archive = open_skipping(data);
  BOOST_TEST(archive.size() == 3u);
  BOOST_TEST(archive.gaps().size() == 2u);
  BOOST_TEST(broken_invariant(archive) == "");
}

BOOST_AUTO_TEST_SUITE_END()
