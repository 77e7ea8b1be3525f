// SPDX-License-Identifier: Apache-2.0
// nth_from_end(n) is always message [size() - 1 - n], however it was found.
#include <boost/test/unit_test.hpp>
#include <support/every_mode.hpp>
#include <support/failures.hpp>
#include <support/numbered.hpp>
#include <support/shared_data.hpp>
#include <support/temporary.hpp>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(from_end_test)

namespace {

/// Compares nth_from_end on a handle that has scanned nothing with the forward scan on another.
void check_from_end(const bytes& data, const tgmap::open_options& options = {.damage = tgmap::on_damage::skip}) {
  const auto forward = open(data, options);
  tgmap::failure why;
  const std::size_t count = forward.size(why);
  if (why) return;
  for (std::size_t n = 0; n < count; ++n) {
    const auto fresh = open(data, options);
    const auto found = fresh.nth_from_end(n);
    const auto expected = forward[count - 1 - n];
    BOOST_TEST_CONTEXT("from_end(" << n << ") of " << count) {
      BOOST_TEST(found.offset() == expected.offset());
      BOOST_TEST(found.length() == expected.length());
      BOOST_TEST(found.version() == expected.version());
      BOOST_TEST(found.is_streamed() == expected.is_streamed());
      BOOST_TEST(found.is_incomplete() == expected.is_incomplete());
      fresh.scan();
      BOOST_TEST((fresh.nth_from_end(n).index() == count - 1 - n));
    }
  }
  const auto fresh = open(data, options);
  (void)fresh.nth_from_end(count, why);
  TGMAP_FAILED(why, tgmap::errc::out_of_range);
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_end_of_sound_version_3_is_found_without_a_scan) {
  in_every_mode(numbered_archive(50), [](const tgmap::archive& archive) {
    BOOST_TEST(number_of(archive.back()) == 49u);
    BOOST_TEST(number_of(archive.nth_from_end(3)) == 46u);
    BOOST_TEST(archive.scan_progress().messages == 0u);
    BOOST_TEST(!archive.back().index());
    const auto last = archive.back();
    archive.scan();
    BOOST_TEST((last.index() == 49u));
  });
}

BOOST_AUTO_TEST_CASE(the_end_of_version_2_is_found_by_a_scan) {
  in_every_mode(numbered_archive(5, 2), [](const tgmap::archive& archive) {
    BOOST_TEST(number_of(archive.back()) == 4u);
    BOOST_TEST(number_of(archive.nth_from_end(4)) == 0u);
    TGMAP_THROWS(archive.nth_from_end(5), tgmap::errc::out_of_range);
  });
}

BOOST_AUTO_TEST_CASE(both_directions_agree_on_every_mixture) {
  for (unsigned count = 0; count < 13; ++count) check_from_end(mixed_archive(count));
  check_from_end(mixed_archive(4) + "junk" + numbered(4) + numbered(5));
  check_from_end(mixed_archive(4) + numbered(4) + "junk");
  check_from_end(mixed_archive(4) + numbered(4) + numbered(5).substr(0, 90));
  check_from_end("junk" + numbered(4) + numbered(5));
  check_from_end(numbered(1) + numbered_stream(2).substr(0, 200) + numbered(3));
  check_from_end(version_1_message({"a"}) + numbered(1) + version_1_message({"b", "c"}));
}

BOOST_AUTO_TEST_CASE(both_directions_agree_on_every_file_in_the_tree) {
  for (const auto& entry : std::filesystem::directory_iterator(test_data()))
    if (entry.path().extension() == ".tgm") BOOST_TEST_CONTEXT(entry.path().filename()) {
        check_from_end(read_file(entry.path()));
      }
}

BOOST_AUTO_TEST_CASE(an_archive_inside_a_payload_is_not_the_end) {
  const bytes inner = numbered(90) + numbered(91);
  for (const auto how : {writing::buffered, writing::streamed, writing::backfilled}) {
    for (const int version : {2, 3}) {
      if (version == 2 && how == writing::backfilled) continue;
      message_spec spec = numbered_spec(1, version);
      spec.writing = how;
      spec.objects.push_back(bytes_object(inner));
      check_from_end(numbered(0) + message(spec));
      check_from_end(numbered(0) + message(spec) + numbered(2));
      // Cut right after the inner archive: the file ends with a whole message.
      const bytes outer = message(spec);
      check_from_end(numbered(0) + outer.substr(0, outer.find(inner) + inner.size()));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_version_2_footer_offset_is_not_taken_for_a_length) {
  // The last 16 bytes of version 2 equal those of a version 3 postamble; here they end a message in the payload, which
  // is whole: its preamble is just where the footer offset points.
  const bytes inner = numbered(90);
  message_spec spec = numbered_spec(1, 2);
  spec.index = where::none;
  spec.hashes = false;
  spec.objects.back().cbor_first = true;
  spec.objects.back().payload = inner.substr(0, inner.size() - 36);
  bytes outer = message(spec);
  for (std::size_t shift = 0; shift < 64; ++shift) {
    bytes data = numbered(0) + outer;
    put_u64(data, data.size() - 16, inner.size() - shift);
    check_from_end(data);
  }
}

BOOST_AUTO_TEST_CASE(a_whole_message_that_is_the_suffix_of_another_is_not_the_end) {
  // Version 2 around version 3: both end with the same bytes. Only a scan can decide which of them is in the archive.
  const bytes inner = numbered(90);
  bytes outer = bytes(magic) + big_endian(2, 2) + bytes(14, '\0') + inner;
  put_u64(outer, 16, outer.size());
  check_from_end(numbered(0) + outer);
  check_from_end(outer);
  // Around it version 3, whose postamble states no length.
  bytes streamed = numbered_stream(1);
  check_from_end(streamed + outer);
}

BOOST_AUTO_TEST_CASE(a_wrong_length_in_a_postamble_is_detected) {
  for (const std::uint64_t length :
       {std::uint64_t{48}, std::uint64_t{47}, std::uint64_t{1}, ~std::uint64_t{0}, std::uint64_t{1} << 63}) {
    bytes data = numbered(0) + numbered_stream(1);
    put_u64(data, data.size() - 16, length);
    check_from_end(data);
    data = numbered(0) + numbered(1);
    put_u64(data, data.size() - 16, length);
    check_from_end(data);
  }
  // A streamed message whose postamble points at the message before it: together they would be one.
  bytes data = numbered(0) + numbered_stream(1);
  put_u64(data, data.size() - 16, data.size());
  check_from_end(data);
}

BOOST_AUTO_TEST_CASE(by_default_messages_after_damage_have_no_number) {
  const bytes sound_end = numbered(0) + "junk" + numbered(1) + numbered(2);
  const auto archive = open(sound_end);
  const auto last = archive.back();  // found without a scan, which would have found the damage
  BOOST_TEST(number_of(last) == 2u);
  TGMAP_THROWS(archive.size(), tgmap::errc::damaged);
  BOOST_TEST(!last.index());

  const bytes scanned_end = numbered(0) + "junk" + numbered(1) + numbered(2, 2);
  const auto scanned = open(scanned_end);
  TGMAP_THROWS(scanned.back(), tgmap::errc::damaged);
}

BOOST_AUTO_TEST_CASE(the_end_of_a_shorter_file_is_unreadable) {
  const temporary_directory temporary;
  const auto path = temporary.file("a.tgm", several(0, 20, 5000));
  const tgmap::archive archive(path, {.io = tgmap::io_mode::read});
  std::filesystem::resize_file(path, 50'000);
  tgmap::failure why;
  BOOST_TEST(archive.nth_from_end(0, why).length() == 0u);
  TGMAP_FAILED(why, tgmap::errc::file_shrank);
}

BOOST_AUTO_TEST_SUITE_END()
