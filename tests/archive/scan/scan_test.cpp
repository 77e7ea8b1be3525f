// SPDX-License-Identifier: Apache-2.0
// Scanning in portions, and stopping.
#include <boost/test/unit_test.hpp>
#include <support/every_mode.hpp>
#include <support/failures.hpp>
#include <support/numbered.hpp>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(scan_test)

BOOST_AUTO_TEST_CASE(scanning_in_portions_equals_scanning_at_once) {
  const bytes data = mixed_archive(30) + "junk" + numbered(30) + numbered(31).substr(0, 100);
  in_every_mode(data,
                [&](const tgmap::archive& archive) {
                  tgmap::progress at = archive.scan_progress();
                  std::size_t portions = 0;
                  while (!at.is_complete && ++portions < 1000) {
                    const auto next = archive.scan(64);
                    BOOST_TEST(next.scanned_bytes >= at.scanned_bytes);
                    BOOST_TEST(next.messages >= at.messages);
                    at = next;
                  }
                  BOOST_TEST(at.is_complete);
                  BOOST_TEST(portions > 10u);
                  BOOST_TEST(at.messages == 31u);
                  BOOST_TEST(at.scanned_bytes == data.size());
                  BOOST_TEST(archive.gaps().size() == 1u);
                  BOOST_TEST_REQUIRE(archive.incomplete_tail().has_value());
                  BOOST_TEST(archive.incomplete_tail()->end - archive.incomplete_tail()->begin == 100u);
                },
                {.damage = tgmap::on_damage::skip});
}

BOOST_AUTO_TEST_CASE(a_portion_leaves_the_rest_for_later) {
  const bytes data = numbered_archive(100);
  in_every_mode(data, [&](const tgmap::archive& archive) {
    const auto some = archive.scan(data.size() / 10);
    BOOST_TEST(some.messages >= 5u);
    BOOST_TEST(some.messages <= 20u);
    BOOST_TEST(!some.is_complete);
    BOOST_TEST(some.total_bytes == data.size());
    BOOST_TEST(archive.scan_progress().messages == some.messages);
  });
}

// Portions are kept in damage, too: a portion of a kilobyte must not search a megabyte.
BOOST_AUTO_TEST_CASE(a_search_after_damage_is_done_in_portions) {
  const bytes data = numbered(0) + bytes(1'000'000, 'j') + numbered(1);
  in_every_mode(data,
                [&](const tgmap::archive& archive) {
                  std::size_t portions = 0;
                  while (!archive.scan(10'000).is_complete) ++portions;
                  BOOST_TEST(portions >= 99u);
                  BOOST_TEST(portions <= 110u);
                  BOOST_TEST(archive.scan_progress().messages == 2u);
                  BOOST_TEST(archive.gaps().size() == 1u);
                },
                {.damage = tgmap::on_damage::skip});
}

BOOST_AUTO_TEST_CASE(a_scan_stops_on_request) {
  const bytes data = numbered_archive(500);
  std::stop_source source;
  source.request_stop();
  in_every_mode(data, [&](const tgmap::archive& archive) {
    const auto stopped = archive.scan(UINT64_MAX, source.get_token());
    BOOST_TEST(stopped.messages < 500u);
    BOOST_TEST(!stopped.is_complete);
    BOOST_TEST(archive.scan().is_complete);
    BOOST_TEST(archive.scan_progress().messages == 500u);
  });
}

BOOST_AUTO_TEST_CASE(damage_is_not_an_error_of_a_scan) {
  const bytes data = "damage" + numbered(0);
  for (const auto damage : {tgmap::on_damage::stop, tgmap::on_damage::skip}) {
    const auto archive = open(data, {.damage = damage});
    tgmap::failure why;
    const auto done = archive.scan(UINT64_MAX, {}, why);
    TGMAP_SUCCEEDED(why);
    BOOST_TEST(done.is_complete);
    BOOST_TEST(archive.gaps().size() == 1u);
  }
}

BOOST_AUTO_TEST_SUITE_END()
