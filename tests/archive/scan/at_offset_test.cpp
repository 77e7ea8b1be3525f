// SPDX-License-Identifier: Apache-2.0
// Messages by their offset, whatever precedes them.
#include <boost/test/unit_test.hpp>
#include <support/every_mode.hpp>
#include <support/failures.hpp>
#include <support/numbered.hpp>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(at_offset_test)

BOOST_AUTO_TEST_CASE(a_message_is_found_by_its_offset_without_a_scan) {
  const bytes lead = "junk" + numbered(0);
  in_every_mode(lead + numbered(1) + numbered_stream(2), [&](const tgmap::archive& archive) {
    const auto m = archive.at_offset(lead.size());
    BOOST_TEST(number_of(m) == 1u);
    BOOST_TEST(sound(m));
    BOOST_TEST(!m.index());
    BOOST_TEST(archive.scan_progress().messages == 0u);
    const auto streamed = archive.at_offset(m.offset() + m.length());
    BOOST_TEST(sound(streamed));
    BOOST_TEST(streamed.is_streamed());
    BOOST_TEST(streamed.offset() + streamed.length() == archive.size_bytes());
  });
}

BOOST_AUTO_TEST_CASE(the_message_has_a_number_once_the_scan_reached_it) {
  const bytes data = numbered_archive(5);
  const auto archive = open(data);
  const auto m = archive.at_offset(3 * data.size() / 5);
  BOOST_TEST(!m.index());
  (void)archive[2];
  BOOST_TEST(!m.index());
  archive.scan();
  BOOST_TEST((m.index() == 3u));
}

BOOST_AUTO_TEST_CASE(an_offset_without_a_message_is_an_error) {
  const bytes data = numbered(0) + numbered(1).substr(0, 100);
  const auto archive = open(data);
  tgmap::failure why;
  (void)archive.at_offset(1, why);
  TGMAP_FAILED(why, tgmap::errc::not_a_message);
  BOOST_TEST(why.offset == 1u);
  (void)archive.at_offset(numbered(0).size(), why);
  TGMAP_FAILED(why, tgmap::errc::message_exceeds_file);
  for (const std::uint64_t beyond : {archive.size_bytes(), archive.size_bytes() + 1, ~std::uint64_t{0}}) {
    (void)archive.at_offset(beyond, why);
    BOOST_TEST(static_cast<bool>(why), "no failure at " << beyond);
  }
}

BOOST_AUTO_TEST_CASE(a_message_inside_a_payload_is_found) {
  message_spec spec = numbered_spec(1);
  const bytes inner = numbered(90);
  spec.objects = {bytes_object(inner)};
  const bytes data = message(spec);
  const auto archive = open(data);
  const auto m = archive.at_offset(archive[0][0].payload_offset());
  BOOST_TEST(number_of(m) == 90u);
  archive.scan();
  BOOST_TEST(!m.index());
}

BOOST_AUTO_TEST_SUITE_END()
