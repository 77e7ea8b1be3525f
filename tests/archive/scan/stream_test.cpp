// SPDX-License-Identifier: Apache-2.0
// Streamed messages end where their frames end, whatever their bytes look like.
#include <boost/test/unit_test.hpp>
#include <support/every_mode.hpp>
#include <support/failures.hpp>
#include <support/numbered.hpp>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(stream_test)

namespace {

/// Payloads that look like framing, at every alignment.
bytes looks_like_framing(int version, std::size_t shift) {
  const bytes frame_header = "FR" + big_endian(9, 2) + big_endian(1, 2) + big_endian(3, 2) + big_endian(64, 8);
  const bytes postamble = big_endian(24, 8) + (version == 3 ? big_endian(0, 8) : bytes()) + bytes(end_magic);
  return bytes(shift, 'x') + bytes(end_magic) + bytes(magic) + "ENDF" + frame_header + "ENDF" + postamble +
         numbered_stream(50, version) + numbered(51, version) + bytes(magic) +
         big_endian(static_cast<unsigned>(version), 2);
}

}  // namespace

BOOST_AUTO_TEST_CASE(payloads_may_hold_anything) {
  for (const int version : {2, 3})
    for (std::size_t shift = 0; shift < 8; ++shift) {
      message_spec spec = numbered_spec(0, version);
      spec.objects = {bytes_object(looks_like_framing(version, shift)), bytes_object(bytes(end_magic))};
      spec.extra = {cbor::key("TENSOGRM", cbor::text("FR 39277777 ENDF"))};
      spec.writing = writing::streamed;
      const bytes streamed = message(spec);
      const bytes data = streamed + numbered(1, 2) + streamed + streamed;
      BOOST_TEST_CONTEXT("version " << version << ", shift " << shift) {
        in_every_mode(data, [&](const tgmap::archive& archive) {
          BOOST_TEST_REQUIRE(archive.size() == 4u);
          for (const std::size_t i : {0u, 2u, 3u}) {
            const auto m = archive[i];
            BOOST_TEST(m.is_streamed());
            BOOST_TEST(!m.is_incomplete());
            BOOST_TEST(m.length() == streamed.size());
            BOOST_TEST(m.size() == 2u);
            BOOST_TEST((view_of(m[0].payload()) == spec.objects[0].payload));
            BOOST_TEST(m[0].verify() == tgmap::hash_result::match);
          }
        });
      }
    }
}

BOOST_AUTO_TEST_CASE(a_backfilled_message_has_a_length_and_the_layout_of_a_stream) {
  message_spec spec = numbered_spec(1);
  spec.writing = writing::backfilled;
  in_every_mode(message(spec), [](const tgmap::archive& archive) {
    BOOST_TEST(!archive[0].is_streamed());
    BOOST_TEST(archive[0].index_location() == tgmap::index_location::footer);
    BOOST_TEST(sound(archive[0]));
  });
}

BOOST_AUTO_TEST_CASE(a_stream_with_a_length_in_its_postamble_only_is_streamed) {
  bytes data = numbered_stream(1);
  put_u64(data, data.size() - 16, data.size());
  in_every_mode(data + numbered(2), [&](const tgmap::archive& archive) {
    BOOST_TEST_REQUIRE(archive.size() == 2u);
    BOOST_TEST(archive[0].is_streamed());
    BOOST_TEST(archive[0].length() == data.size());
    BOOST_TEST(sound(archive[0]));
  });
}

BOOST_AUTO_TEST_CASE(a_stream_of_no_objects_is_a_message) {
  for (const int version : {2, 3}) {
    message_spec spec;
    spec.version = version;
    spec.writing = writing::streamed;
    in_every_mode(message(spec) + numbered(1), [](const tgmap::archive& archive) {
      BOOST_TEST_REQUIRE(archive.size() == 2u);
      BOOST_TEST(archive[0].size() == 0u);
      BOOST_TEST(!archive[0].is_incomplete());
    });
  }
}

BOOST_AUTO_TEST_CASE(a_stream_without_any_frame_is_an_empty_message) {
  for (const int version : {2, 3}) {
    const bytes data = bytes(magic) + big_endian(static_cast<unsigned>(version), 2) + bytes(14, '\0') +
                       big_endian(24, 8) + (version == 3 ? bytes(8, '\0') : bytes()) + bytes(end_magic);
    in_every_mode(data + numbered(1), [&](const tgmap::archive& archive) {
      BOOST_TEST_REQUIRE(archive.size() == 2u);
      BOOST_TEST(archive[0].length() == data.size());
      BOOST_TEST(archive[0].size() == 0u);
      TGMAP_THROWS(archive[0].metadata(), tgmap::errc::no_metadata);
    });
  }
}

BOOST_AUTO_TEST_SUITE_END()
