// SPDX-License-Identifier: Apache-2.0
// Parsing a message at an offset: a status for each kind of damage.
#include "archive/scan/parse_message_at.hpp"

#include <support/samples.hpp>
#include <support/temporary.hpp>

#include "../archive_fixture.hpp"

using namespace tgmap_test;
using inner::message_status;
using tgmap::errc;

BOOST_AUTO_TEST_SUITE(parse_message_at_test)

namespace {

/// Parses the message at `offset`; the result must be the same in memory and by positioned reads of any window.
inner::parsed_message probed(const bytes& data, std::uint64_t offset = 0, const tgmap::open_options& options = {}) {
  looked_at in(data);
  return inner::parse_message_at(*in.window, offset, options);
}

void rejected(const bytes& data, message_status status, errc why, const char* what = "") {
  for (const std::size_t before : {0u, 13u}) {
    const auto found = probed(bytes(before, 'j') + data, before);
    BOOST_TEST((found.status == status), what << ": message_status " << static_cast<int>(found.status));
    TGMAP_FAILED(found.why, why);
    BOOST_TEST(!found.unreadable);
    BOOST_TEST(found.message.length() == 0u);
    if (status == message_status::none && why != errc::not_a_frame) BOOST_TEST(found.why.offset == before, what);
  }
}

bytes patched(bytes data, std::size_t at, std::uint64_t n, unsigned width = 8) {
  put(data, at, n, width);
  return data;
}

}  // namespace

BOOST_AUTO_TEST_CASE(whole_messages_of_all_versions_have_their_length) {
  for (const int version : {2, 3}) {
    for (const std::size_t before : {0u, 5u})
      for (const std::size_t behind : {0u, 100u}) {
        const bytes one = numbered(7, version, 33);
        const auto found = probed(bytes(before, 'j') + one + bytes(behind, 'k'), before);
        BOOST_REQUIRE((found.status == message_status::whole));
        BOOST_TEST(!found.why);
        BOOST_TEST(found.message.offset() == before);
        BOOST_TEST(found.message.length() == one.size());
        BOOST_TEST(found.message.version() == version);
        BOOST_TEST(!found.message.is_streamed());
        BOOST_TEST(!found.message.is_incomplete());
        BOOST_TEST(!found.message.index());
      }
  }
  const bytes old = version_1_message({"payload"});
  const auto found = probed(old);
  BOOST_TEST((found.status == message_status::whole));
  BOOST_TEST(found.message.version() == 1u);
  BOOST_TEST(found.message.length() == old.size());
}

BOOST_AUTO_TEST_CASE(whole_streams_have_the_length_of_their_frames) {
  for (const int version : {2, 3}) {
    const bytes one = numbered_stream(7, version, 33);
    const auto found = probed(one + numbered(8, version));
    BOOST_REQUIRE((found.status == message_status::whole));
    BOOST_TEST(found.message.length() == one.size());
    BOOST_TEST(found.message.is_streamed());
    BOOST_TEST(found.message.version() == version);
  }
  message_spec spec = numbered_spec(1);
  spec.writing = writing::backfilled;
  const auto found = probed(message(spec));
  BOOST_TEST((found.status == message_status::whole));
  BOOST_TEST(!found.message.is_streamed());
}

BOOST_AUTO_TEST_CASE(bytes_without_a_magic_are_not_a_message) {
  const bytes sound = numbered(1);
  rejected("", message_status::none, errc::not_a_message, "nothing at all");
  rejected(bytes(100, '\0'), message_status::none, errc::not_a_message);
  for (std::size_t i = 0; i < 8; ++i)
    rejected(patched(sound, i, static_cast<unsigned char>(sound[i]) ^ 1u, 1), message_status::none,
             errc::not_a_message);
  rejected(sound.substr(1), message_status::none, errc::not_a_message);
}

BOOST_AUTO_TEST_CASE(the_beginning_of_a_preamble_at_the_end_may_be_a_message) {
  const bytes sound = numbered(1);
  for (std::size_t kept = 1; kept < 8; ++kept)
    rejected(sound.substr(0, kept - 1) + "x", message_status::none, errc::not_a_message);
  for (std::size_t kept = 1; kept < 24; ++kept)
    rejected(sound.substr(0, kept), message_status::cut_off, errc::message_exceeds_file);
}

BOOST_AUTO_TEST_CASE(other_versions_are_unknown) {
  const bytes sound = numbered(1);
  for (const unsigned version : {1u, 4u, 5u, 255u, 256u, 0x0200u, 0x0300u, 65535u}) {
    rejected(patched(sound, 8, version, 2), message_status::none, errc::unknown_version);
    BOOST_TEST(probed(patched(sound, 8, version, 2)).why.found == version);
  }
}

BOOST_AUTO_TEST_CASE(a_length_too_small_for_a_message) {
  for (const int version : {2, 3}) {
    const std::uint64_t min_length = version == 2 ? 40 : 48;
    for (const std::uint64_t length : {std::uint64_t{1}, std::uint64_t{24}, min_length - 1}) {
      const bytes data = patched(numbered(1, version), 16, length);
      rejected(data, message_status::none, errc::message_too_short);
      BOOST_TEST(probed(data).why.expected == min_length);
      BOOST_TEST(probed(data).why.found == length);
    }
    message_spec empty;
    empty.version = version;
    empty.metadata = where::none;
    const bytes smallest = message(empty);
    BOOST_TEST(smallest.size() == min_length);
    BOOST_TEST((probed(smallest).status == message_status::whole));
  }
  const bytes old = version_1_message({});
  rejected(patched(old, 8, 47), message_status::none, errc::message_too_short, "version 1");
  rejected(patched(old, 8, 0), message_status::none, errc::message_too_short, "version 1, no streams there");
}

BOOST_AUTO_TEST_CASE(a_message_truncated_after_its_preamble_is_cut_off) {
  for (const int version : {2, 3}) {
    const bytes sound = numbered(1, version);
    for (std::size_t kept = 24; kept < sound.size(); ++kept) {
      const auto found = probed(sound.substr(0, kept));
      BOOST_REQUIRE((found.status == message_status::cut_off));
      BOOST_REQUIRE((found.why.code == errc::message_exceeds_file));
      BOOST_REQUIRE(found.why.expected == sound.size());
      BOOST_REQUIRE(found.why.found == kept);
    }
  }
  rejected(patched(numbered(1), 16, UINT64_MAX), message_status::cut_off, errc::message_exceeds_file);
  rejected(patched(version_1_message({}), 8, (std::uint64_t{1} << 48) - 1), message_status::cut_off,
           errc::message_exceeds_file);
}

BOOST_AUTO_TEST_CASE(the_postamble_must_be_present_and_agree) {
  for (const int version : {2, 3}) {
    const bytes sound = numbered(1, version);
    for (std::size_t i = 1; i <= 8; ++i)
      rejected(patched(sound, sound.size() - i, 'x', 1), message_status::none, errc::missing_end_magic);
    rejected(patched(sound, 16, sound.size() - 8), message_status::none, errc::missing_end_magic);
  }
  const bytes sound = numbered(1, 3);
  const std::size_t mirror = sound.size() - 16;
  for (const std::uint64_t length :
       {std::uint64_t{1}, std::uint64_t{sound.size() - 1}, std::uint64_t{sound.size() + 8}, UINT64_MAX}) {
    const bytes data = patched(sound, mirror, length);
    rejected(data, message_status::none, errc::length_mismatch);
    BOOST_TEST(probed(data).why.expected == sound.size());
    BOOST_TEST(probed(data).why.found == length);
  }
  BOOST_TEST((probed(patched(sound, mirror, 0)).status == message_status::whole), "an unstated length agrees with any");
  const bytes old = version_1_message({"p"});
  rejected(patched(old, old.size() - 1, 'x', 1), message_status::none, errc::missing_end_magic, "version 1");
}

BOOST_AUTO_TEST_CASE(flags_and_reserved_bytes_do_not_matter) {
  for (const std::uint64_t flags : {0u, 0xffffu})
    BOOST_TEST((probed(patched(numbered(1), 10, flags, 2)).status == message_status::whole));
  BOOST_TEST((probed(patched(numbered(1), 12, 0xffffffff, 4)).status == message_status::whole));
  BOOST_TEST((probed(patched(numbered_stream(1), 10, 0xffff, 2)).status == message_status::whole));
}

BOOST_AUTO_TEST_CASE(a_stream_cut_anywhere_is_cut_off_or_incomplete) {
  for (const int version : {2, 3}) {
    message_spec spec = numbered_spec(5, version);
    spec.writing = writing::streamed;
    const auto whole = build(spec);
    std::uint64_t complete = 0;  // end of the last whole frame
    for (std::size_t kept = 24; kept < whole.data.size(); ++kept) {
      for (const auto& frame : whole.frames)
        if (frame.offset + frame.length == kept) complete = kept;
      const auto found = probed(whole.data.substr(0, kept));
      if (complete == 0) {
        if (kept != 25) BOOST_REQUIRE_MESSAGE((found.status == message_status::cut_off), kept);  // 25: see below
      } else {
        BOOST_REQUIRE((found.status == message_status::incomplete));
        BOOST_REQUIRE(found.message.is_incomplete());
        BOOST_REQUIRE(found.message.is_streamed());
        BOOST_REQUIRE(found.message.length() == complete);
        BOOST_REQUIRE((found.why.code == errc::unterminated_stream));
        BOOST_REQUIRE(found.why.found == complete);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_stream_cut_within_the_magic_of_its_first_frame_is_cut_off) {
  BOOST_TEST((probed(numbered_stream(1).substr(0, 25)).status == message_status::cut_off));
}

BOOST_AUTO_TEST_CASE(a_stream_ended_by_another_message_keeps_its_frames) {
  message_spec spec = numbered_spec(5);
  spec.writing = writing::streamed;
  const auto whole = build(spec);
  const std::uint64_t cut = whole.frames[1].offset + whole.frames[1].length;
  for (const std::size_t junk : {0u, 1u, 7u, 30u}) {
    const auto found = probed(whole.data.substr(0, cut) + bytes(junk, 'j') + numbered(6));
    BOOST_TEST((found.status == message_status::incomplete), junk);
    BOOST_TEST(found.message.length() == cut);
  }
}

BOOST_AUTO_TEST_CASE(a_stream_without_a_frame_is_not_a_message) {
  const bytes start = numbered_stream(1).substr(0, 24);
  rejected(start + bytes(100, 'x'), message_status::none, errc::not_a_frame);
  rejected(start + numbered(2), message_status::none, errc::not_a_frame);
  BOOST_TEST((probed(start).status == message_status::cut_off));
  const auto empty = probed(start + big_endian(24, 8) + big_endian(0, 8) + "39277777");
  BOOST_TEST((empty.status == message_status::whole));
  BOOST_TEST(empty.message.length() == 48u);
}

BOOST_AUTO_TEST_CASE(unreadable_bytes_decide_nothing) {
  const temporary_directory temporary;
  const bytes data = numbered(1) + numbered(2);
  const auto path = temporary.file("f", data);
  tgmap::failure why;
  const auto in = tgmap::io::source::from_file(tgmap::io::file::open(path, why), {.io = tgmap::io_mode::read}, why);
  BOOST_REQUIRE(in != nullptr);
  std::filesystem::resize_file(path, numbered(1).size() + 30);
  tgmap::io::window window(*in);
  BOOST_TEST((inner::parse_message_at(window, 0, {}).status == message_status::whole));
  const auto found = inner::parse_message_at(window, numbered(1).size(), {});
  BOOST_TEST(found.unreadable);
  TGMAP_FAILED(found.why, errc::file_shrank);
}

BOOST_AUTO_TEST_CASE(streams_of_a_shorter_file_are_unreadable) {
  const temporary_directory temporary;
  message_spec spec;
  spec.writing = writing::streamed;
  for (unsigned n = 0; n < 3; ++n) spec.objects.push_back(bytes_object(payload_of(n, 100'000)));
  const built_message built = build(spec);
  const auto path = temporary.file("a.tgm", built.data);
  tgmap::failure why;
  const tgmap::open_options options{.io = tgmap::io_mode::read};
  const auto in = tgmap::io::source::from_file(tgmap::io::file::open(path, why), options, why);
  TGMAP_SUCCEEDED(why);
  const auto parsed = [&] {
    tgmap::io::window window(*in);
    return inner::parse_message_at(window, 0, options);
  };
  BOOST_TEST((parsed().status == message_status::whole));
  for (const std::uint64_t size :
       {built.objects[2] + 8, built.objects[1] - 50'000, std::uint64_t{30}, std::uint64_t{0}}) {
    std::filesystem::resize_file(path, size);
    const auto found = parsed();
    BOOST_TEST(found.unreadable, "with " << size << " bytes");
    TGMAP_FAILED(found.why, errc::file_shrank);
    BOOST_TEST(found.message.length() == 0u);
  }
}

BOOST_AUTO_TEST_SUITE_END()
