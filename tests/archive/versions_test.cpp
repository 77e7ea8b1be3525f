// SPDX-License-Identifier: Apache-2.0
// All wire versions side by side, and empty messages.
#include <boost/test/unit_test.hpp>
#include <support/every_mode.hpp>
#include <support/failures.hpp>
#include <support/numbered.hpp>

using namespace tgmap_test;
using tgmap::errc;

BOOST_AUTO_TEST_SUITE(versions_test)

BOOST_AUTO_TEST_CASE(version_1_is_counted_and_not_read) {
  const bytes old = version_1_message({"first payload", "second", ""});
  in_every_mode(numbered(0) + old + numbered(2, 2), [&](const tgmap::archive& archive) {
    BOOST_TEST_REQUIRE(archive.size() == 3u);
    const auto m = archive[1];
    BOOST_TEST(m.version() == 1);
    BOOST_TEST(m.length() == old.size());
    BOOST_TEST(view_of(m.bytes()) == old);
    BOOST_TEST(!m.is_streamed());
    BOOST_TEST(!m.is_incomplete());
    BOOST_TEST((m.index() == 1u));
    TGMAP_THROWS(m.size(), errc::version_1);
    TGMAP_THROWS(m[0], errc::version_1);
    TGMAP_THROWS(m.metadata(), errc::version_1);
    TGMAP_THROWS(m.provenance(), errc::version_1);
    TGMAP_THROWS(m.base(0), errc::version_1);
    TGMAP_THROWS(m.index_location(), errc::version_1);
    TGMAP_THROWS(m.frames(), errc::version_1);
    tgmap::failure why;
    (void)m.size(why);
    BOOST_TEST(why.message == 1);
    BOOST_TEST((why.code == tgmap::make_error_condition(tgmap::condition::unsupported)));
    BOOST_TEST(sound(archive[2]));
  });
}

BOOST_AUTO_TEST_CASE(version_1_is_found_by_its_offset) {
  const bytes old = version_1_message({"payload"});
  const auto archive = open(old);
  BOOST_TEST(archive.at_offset(0).version() == 1);
  BOOST_TEST(archive.back().version() == 1);
}

BOOST_AUTO_TEST_CASE(a_message_of_no_objects_is_sound) {
  for (const int version : {2, 3}) {
    message_spec spec;
    spec.version = version;
    spec.extra = {cbor::key("only", cbor::text("metadata"))};
    in_every_mode(message(spec) + numbered(1), [](const tgmap::archive& archive) {
      BOOST_TEST(archive.size() == 2u);
      const auto m = archive[0];
      BOOST_TEST(m.size() == 0u);
      BOOST_TEST(m.index_location() == tgmap::index_location::none);
      BOOST_TEST((m.metadata().get<std::string_view>("only") == "metadata"));
      TGMAP_THROWS(m[0], errc::out_of_range);
      TGMAP_THROWS(m.base(0), errc::out_of_range);
    });
  }
}

BOOST_AUTO_TEST_CASE(a_message_of_no_frames_is_a_message) {
  for (const int version : {2, 3}) {
    bytes data = bytes(magic) + big_endian(static_cast<unsigned>(version), 2) + bytes(14, '\0') + big_endian(24, 8) +
                 (version == 3 ? bytes(8, '\0') : bytes()) + bytes(end_magic);
    fix_length(data);
    in_every_mode(data, [](const tgmap::archive& archive) {
      BOOST_TEST(archive.size() == 1u);
      BOOST_TEST(archive[0].size() == 0u);
      TGMAP_THROWS(archive[0].metadata(), errc::no_metadata);
      auto frames = archive[0].frames();
      BOOST_TEST((frames.begin() == frames.end()));
    });
  }
}

BOOST_AUTO_TEST_CASE(reserved_bytes_of_the_preamble_are_ignored) {
  for (const int version : {2, 3}) {
    bytes data = numbered(1, version);
    put(data, 12, 0xdeadbeef, 4);
    const auto archive = open(data);
    BOOST_TEST(archive.size() == 1u);
    BOOST_TEST(sound(archive[0]));
  }
}

BOOST_AUTO_TEST_SUITE_END()
