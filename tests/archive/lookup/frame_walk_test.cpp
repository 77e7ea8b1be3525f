// SPDX-License-Identifier: Apache-2.0
// The walk over frames: padding, junk, limits, every truncation.
#include "archive/lookup/frame_walk.hpp"

#include "../archive_fixture.hpp"

using namespace tgmap_test;
using tgmap::errc;
using tgmap::failure;

BOOST_AUTO_TEST_SUITE(frame_walk_test)

namespace {

bytes frame_of(std::uint16_t type, const bytes& body, unsigned version = 3) {
  const std::size_t tail = tgmap::wire::tail_size(type, version) - 4;
  return "FR" + big_endian(type, 2) + big_endian(1, 2) + big_endian(0, 2) + big_endian(16 + body.size() + tail + 4, 8) +
         body + bytes(tail, '\0') + "ENDF";
}

bytes padded(bytes data) {
  data.resize((data.size() + 7) / 8 * 8, '\0');
  return data;
}

struct walked {
  std::vector<inner::frame_place> frames{};
  inner::walk_step last{};
  failure why{};
  std::uint64_t position = 0, frames_end = 0;
  bool any = false;
};

/// Walks `data` from an offset.
walked walk_from(const bytes& data, const inner::walk_start& from, bool end_known = true,
                 std::uint64_t max_padding = 100, unsigned version = 3) {
  looked_at in(data);
  const inner::walk_range range{.message = 0,
                                .end = data.size(),
                                .version = static_cast<std::uint8_t>(version),
                                .end_known = end_known,
                                .max_padding = max_padding};
  inner::frame_walk walker(*in.window, range, from);
  walked out;
  inner::frame_place place;
  while ((out.last = walker.next(place, out.why)) == inner::walk_step::frame) {
    out.frames.push_back(place);
    BOOST_REQUIRE(walker.frames_end() == place.offset + place.header.length);
  }
  out.position = walker.position();
  out.frames_end = walker.frames_end();
  out.any = walker.has_frames();
  return out;
}

/// Walks `data`, which begins with a frame.
walked walk(const bytes& data, bool end_known = true, std::uint64_t max_padding = 100, unsigned version = 3) {
  return walk_from(data, inner::walk_start::at(0), end_known, max_padding, version);
}

bool ended(const walked& w) { return w.last == inner::walk_step::end && !w.why; }

}  // namespace

BOOST_AUTO_TEST_CASE(padded_frames_are_found_one_by_one) {
  bytes data;
  std::vector<std::uint64_t> starts;
  for (unsigned size = 0; size < 20; ++size) {
    data = padded(data);
    starts.push_back(data.size());
    data += frame_of(size % 2 ? 9 : 1, bytes(size, 'b'));
  }
  for (const bytes& whole : {data, padded(data)}) {
    const auto w = walk(whole);
    BOOST_TEST(ended(w));
    BOOST_REQUIRE(w.frames.size() == starts.size());
    for (std::size_t i = 0; i < starts.size(); ++i) {
      BOOST_TEST(w.frames[i].offset == starts[i]);
      BOOST_TEST(w.frames[i].header.type == (i % 2 ? 9 : 1));
      if (i > 0) BOOST_TEST(w.frames[i].padding == starts[i] - w.frames[i - 1].offset - w.frames[i - 1].header.length);
    }
    BOOST_TEST(w.frames_end == data.size());
  }
}

BOOST_AUTO_TEST_CASE(an_empty_range_is_the_end) {
  const auto none = walk("");
  BOOST_TEST(ended(none));
  BOOST_TEST(!none.any);
  const auto behind = walk_from(padded(frame_of(1, "")), inner::walk_start::after(0, 28));
  BOOST_TEST(ended(behind));
  BOOST_TEST(behind.frames_end == 28u);
}

BOOST_AUTO_TEST_CASE(padding_need_not_be_zero_and_junk_is_skipped_up_to_the_limit) {
  for (std::size_t junk = 0; junk < 40; ++junk) {
    const bytes first = padded(frame_of(1, "abc")), second = frame_of(2, "d");
    for (const char with : {'\0', '\xff', 'F', 'R', 'T'}) {
      const bytes data = first + bytes(junk, with) + second;
      const auto w = walk(data, true, 20);
      if (junk <= 20) {
        BOOST_REQUIRE_MESSAGE(ended(w), junk << ": " << w.why.text());
        BOOST_REQUIRE(w.frames.size() == 2u);
        BOOST_REQUIRE(w.frames[1].offset == first.size() + junk);
      } else {
        BOOST_REQUIRE((w.last == inner::walk_step::damage));
        BOOST_REQUIRE((w.why.code == errc::padding_too_long));
        BOOST_REQUIRE(w.why.expected == 20u);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(frames_after_junk_are_aligned_to_the_previous_frame) {
  for (std::size_t junk = 1; junk < 8; ++junk)
    for (std::size_t body = 0; body < 10; ++body) {
      const bytes first = padded(frame_of(1, "")) + bytes(junk, 'j'), second = frame_of(2, bytes(body, 'b'));
      const auto w = walk(first + padded(second) + frame_of(3, ""));
      BOOST_REQUIRE_MESSAGE(ended(w), junk << ", " << body << ": " << w.why.text());
      BOOST_REQUIRE(w.frames.size() == 3u);
      BOOST_REQUIRE(w.frames[2].offset == first.size() + padded(second).size());
      BOOST_REQUIRE(w.frames[2].padding < 8u);
    }
}

BOOST_AUTO_TEST_CASE(a_walk_resumes_where_another_ended) {
  const bytes first = padded(frame_of(1, "abc")), data = first + "junk" + frame_of(2, "");
  looked_at in(data);
  const inner::walk_range range{.message = 0, .end = data.size(), .version = 3, .end_known = true, .max_padding = 100};
  inner::frame_walk one(*in.window, range, inner::walk_start::at(0));
  inner::frame_place place;
  failure why;
  BOOST_TEST((one.next(place, why) == inner::walk_step::frame));
  inner::frame_walk other(*in.window, range, one.resume_point());
  BOOST_TEST((other.next(place, why) == inner::walk_step::frame));
  BOOST_TEST(place.offset == first.size() + 4);
  BOOST_TEST(place.padding == place.offset - frame_of(1, "abc").size());
  BOOST_TEST((other.next(place, why) == inner::walk_step::end));
}

BOOST_AUTO_TEST_CASE(without_padding_frames_begin_at_the_next_multiple_of_eight) {
  const bytes first = frame_of(1, "abc");
  BOOST_TEST(ended(walk(padded(first) + frame_of(2, ""), true, 0)));
  TGMAP_FAILED(walk(padded(first) + "x" + frame_of(2, ""), true, 0).why, errc::not_a_frame);
}

BOOST_AUTO_TEST_CASE(the_first_frame_follows_the_preamble_directly) {
  for (const bytes& before : {bytes("x"), bytes(8, '\0'), bytes("ENDF")}) {
    const auto w = walk(before + frame_of(1, ""));
    BOOST_TEST((w.last == inner::walk_step::damage));
    TGMAP_FAILED(w.why, errc::not_a_frame);
    BOOST_TEST(w.why.offset == 0u);
    BOOST_TEST(!w.any);
  }
  const auto behind = walk_from("12345678" + frame_of(1, ""), {.end = 3, .next = 8, .allows_padding = true});
  BOOST_TEST(ended(behind));
  BOOST_TEST(behind.frames.size() == 1u);
  BOOST_TEST(behind.frames[0].padding == 5u);
}

BOOST_AUTO_TEST_CASE(a_message_magic_ends_the_search_in_streams_only) {
  for (std::size_t junk = 0; junk < 20; ++junk) {
    const bytes first = frame_of(1, bytes(junk % 5, 'b'));
    const bytes data = padded(first) + bytes(junk, 'x') + "TENSOGRM" + frame_of(2, "");
    const auto w = walk(data, false);
    BOOST_TEST(w.frames.size() == 1u);
    BOOST_TEST((w.last == inner::walk_step::damage));
    TGMAP_FAILED(w.why, errc::not_a_frame);
    BOOST_TEST(w.frames_end == first.size());

    const auto known = walk(data);
    BOOST_TEST(ended(known));
    BOOST_REQUIRE(known.frames.size() == 2u);
    BOOST_TEST(known.frames[1].padding == padded(first).size() - first.size() + junk + 8);
  }
}

BOOST_AUTO_TEST_CASE(a_frame_cut_at_each_byte_is_damage) {
  for (const unsigned version : {2u, 3u})
    for (const std::uint16_t type : {std::uint16_t{1}, std::uint16_t{9}}) {
      const bytes first = padded(frame_of(1, "abc", version)), second = frame_of(type, "0123456789", version);
      for (std::size_t kept = 1; kept < second.size(); ++kept) {
        const auto w = walk(first + second.substr(0, kept), true, 0, version);
        BOOST_REQUIRE((w.last == inner::walk_step::damage));
        BOOST_REQUIRE(w.frames.size() == 1u);
        BOOST_REQUIRE(w.why.offset == first.size());
        if (kept < 2) {
          BOOST_REQUIRE((w.why.code == errc::not_a_frame));
        } else {
          BOOST_REQUIRE((w.why.code == errc::frame_exceeds_message));
          BOOST_REQUIRE(w.why.expected == (kept < 16 ? 16u : second.size()));
          BOOST_REQUIRE(w.why.found == kept);
        }
      }
      BOOST_TEST(ended(walk(first + second, true, 0, version)));
    }
}

BOOST_AUTO_TEST_CASE(wrong_lengths_are_damage) {
  const bytes sound = frame_of(9, "0123456789");
  for (const std::uint64_t length : {std::uint64_t{0}, std::uint64_t{15}, std::uint64_t{35}}) {
    bytes data = sound;
    put_u64(data, 8, length);
    const auto w = walk(data);
    TGMAP_FAILED(w.why, errc::frame_too_short);
    BOOST_TEST(w.why.expected == 36u);
    BOOST_TEST(w.why.found == length);
  }
  for (const std::uint64_t length :
       {std::uint64_t{sound.size() + 1}, std::uint64_t{1} << 63, UINT64_MAX, UINT64_MAX - 7}) {
    bytes data = sound;
    put_u64(data, 8, length);
    TGMAP_FAILED(walk(data).why, errc::frame_exceeds_message);
  }
  for (std::uint64_t length = 36; length < sound.size(); ++length) {
    bytes data = sound;
    put_u64(data, 8, length);
    const auto w = walk(data);
    TGMAP_FAILED(w.why, errc::missing_frame_end);
    BOOST_TEST(w.why.expected == length);
  }
}

BOOST_AUTO_TEST_CASE(min_lengths_depend_on_type_and_version) {
  for (const unsigned version : {2u, 3u})
    for (std::uint16_t type = 0; type < 12; ++type) {
      const bytes least = frame_of(type, "", version);
      BOOST_TEST(ended(walk(least, true, 0, version)));
      bytes shorter = least.substr(0, least.size() - 5) + "ENDF";
      put_u64(shorter, 8, shorter.size());
      TGMAP_FAILED(walk(shorter, true, 0, version).why, errc::frame_too_short);
    }
}

BOOST_AUTO_TEST_CASE(a_stream_ends_at_its_postamble) {
  for (const unsigned version : {2u, 3u}) {
    const bytes frames = padded(frame_of(1, "abc", version));
    const bytes end = big_endian(24, 8) + (version == 3 ? bytes(8, '\0') : bytes()) + "39277777";
    const auto w = walk(frames + end + "anything", false, 100, version);
    BOOST_TEST(ended(w));
    BOOST_TEST(w.frames.size() == 1u);
    BOOST_TEST(w.position == frames.size());
    // Without the postamble the walk reaches the end of the bytes.
    const auto cut = walk(frames + end.substr(0, end.size() - 1), false, 100, version);
    BOOST_TEST((cut.last == inner::walk_step::damage));
    BOOST_TEST(cut.any);
    BOOST_TEST(cut.frames_end == frame_of(1, "abc", version).size());
  }
}

BOOST_AUTO_TEST_CASE(a_postamble_with_another_length_is_ignored) {
  const bytes frames = padded(frame_of(1, "abc"));
  for (const std::uint64_t length :
       {std::uint64_t{0}, std::uint64_t{frames.size() + 24}, std::uint64_t{frames.size() + 23}, UINT64_MAX}) {
    const auto w = walk(frames + big_endian(24, 8) + big_endian(length, 8) + "39277777", false);
    BOOST_TEST(ended(w) == (length == 0 || length == frames.size() + 24));
  }
}

BOOST_AUTO_TEST_CASE(end_magics_inside_bodies_are_ignored) {
  const bytes body = "39277777TENSOGRMFR" + bytes(30, 'x') + "39277777ENDFTENSOGRM";
  const bytes frames = padded(frame_of(9, body)) + padded(frame_of(9, body));
  const auto w = walk(frames + big_endian(24, 8) + bytes(8, '\0') + "39277777", false);
  BOOST_TEST(ended(w));
  BOOST_TEST(w.frames.size() == 2u);
}

BOOST_AUTO_TEST_CASE(offsets_in_failures_count_from_the_archive) {
  looked_at in(bytes(100, 'x') + frame_of(1, "") + "xxxx");
  const inner::walk_range range{.message = 100, .end = 32, .version = 3, .end_known = true, .max_padding = 0};
  inner::frame_walk walker(*in.window, range, inner::walk_start::at(0));
  inner::frame_place place;
  failure why;
  BOOST_TEST((walker.next(place, why) == inner::walk_step::frame));
  BOOST_TEST(place.offset == 0u);
  BOOST_TEST((walker.next(place, why) == inner::walk_step::end));
  inner::frame_walk shifted(*in.window, range, inner::walk_start::at(1));
  BOOST_TEST((shifted.next(place, why) == inner::walk_step::damage));
  BOOST_TEST(why.offset == 101u);
}

BOOST_AUTO_TEST_SUITE_END()
