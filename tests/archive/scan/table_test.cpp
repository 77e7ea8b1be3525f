// SPDX-License-Identifier: Apache-2.0
// The message table grows on demand and never guesses.
#include <boost/test/unit_test.hpp>
#include <support/every_mode.hpp>
#include <support/failures.hpp>
#include <support/numbered.hpp>
#include <vector>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(table_test)

BOOST_AUTO_TEST_CASE(opening_does_not_scan) {
  in_every_mode(numbered_archive(5), [](const tgmap::archive& archive) {
    BOOST_TEST(archive.scan_progress().messages == 0u);
    BOOST_TEST(archive.scan_progress().scanned_bytes == 0u);
    BOOST_TEST(archive.scan_progress().total_bytes == archive.size_bytes());
    BOOST_TEST(!archive.scan_progress().is_complete);
  });
}

BOOST_AUTO_TEST_CASE(access_scans_no_further_than_needed) {
  const bytes data = numbered_archive(40);
  in_every_mode(data, [&](const tgmap::archive& archive) {
    for (const std::size_t i : {std::size_t{0}, std::size_t{3}, std::size_t{1}, std::size_t{17}}) {
      const auto before = archive.scan_progress().messages;
      const auto m = archive[i];
      BOOST_TEST(archive.scan_progress().messages == std::max<std::uint64_t>(before, i + 1));
      BOOST_TEST(m.offset() == i * data.size() / 40);
      BOOST_TEST(m.length() == data.size() / 40);
    }
    BOOST_TEST(archive.scan_progress().scanned_bytes == 18 * data.size() / 40);
    BOOST_TEST(!archive.scan_progress().is_complete);
  });
}

BOOST_AUTO_TEST_CASE(every_message_of_a_mixed_archive_is_found_and_sound) {
  in_every_mode(mixed_archive(24), [](const tgmap::archive& archive) {
    BOOST_TEST_REQUIRE(archive.size() == 24u);
    for (std::size_t i = 0; i < 24; ++i) {
      BOOST_TEST(number_of(archive[i]) == i);
      BOOST_TEST(sound(archive[i]));
      BOOST_TEST((archive[i].index() == i));
    }
    BOOST_TEST(archive.gaps().empty());
    BOOST_TEST((!archive.incomplete_tail() || archive.incomplete_tail()->begin == archive.incomplete_tail()->end));
    BOOST_TEST(archive.scan_progress().is_complete);
    BOOST_TEST(archive.scan_progress().scanned_bytes == archive.size_bytes());
  });
}

BOOST_AUTO_TEST_CASE(an_index_past_the_end_is_out_of_range) {
  in_every_mode(numbered_archive(3), [](const tgmap::archive& archive) {
    TGMAP_THROWS(archive[3], tgmap::errc::out_of_range);
    tgmap::failure why;
    (void)archive.at(99, why);
    TGMAP_FAILED(why, tgmap::errc::out_of_range);
    BOOST_TEST(why.expected == 3u);
    BOOST_TEST(why.found == 99u);
    BOOST_TEST((why.code == tgmap::make_error_condition(tgmap::condition::usage)));
  });
}

BOOST_AUTO_TEST_CASE(success_clears_the_failure) {
  const bytes data = numbered_archive(2);
  const auto archive = open(data);
  tgmap::failure why{.code = tgmap::errc::bad_cbor, .message = 7};
  const auto m = archive.at(1, why);
  TGMAP_SUCCEEDED(why);
  BOOST_TEST(number_of(m) == 1u);
}

BOOST_AUTO_TEST_CASE(iteration_visits_every_message_while_scanning) {
  in_every_mode(mixed_archive(9), [](const tgmap::archive& archive) {
    std::vector<std::uint64_t> seen;
    for (const auto& m : archive) {
      seen.push_back(number_of(m));
      BOOST_TEST(archive.scan_progress().messages == seen.size());
    }
    const std::vector<std::uint64_t> all{0, 1, 2, 3, 4, 5, 6, 7, 8};
    BOOST_TEST(seen == all, boost::test_tools::per_element());
  });
}

BOOST_AUTO_TEST_CASE(an_archive_without_bytes_is_an_archive_without_messages) {
  in_every_mode("", [](const tgmap::archive& archive) {
    BOOST_TEST(archive.size() == 0u);
    BOOST_TEST((archive.begin() == archive.end()));
    BOOST_TEST(archive.gaps().empty());
    BOOST_TEST(archive.scan_progress().is_complete);
    TGMAP_THROWS(archive[0], tgmap::errc::out_of_range);
    TGMAP_THROWS(archive.back(), tgmap::errc::out_of_range);
  });
}

BOOST_AUTO_TEST_SUITE_END()
