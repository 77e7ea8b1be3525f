// SPDX-License-Identifier: Apache-2.0
// A truncated streamed message keeps its complete objects.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <support/every_mode.hpp>
#include <support/failures.hpp>
#include <support/numbered.hpp>
#include <support/survey.hpp>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(incomplete_test)

namespace {

built_message stream(int version, bool with_preceders) {
  message_spec spec = numbered_spec(1, version);
  spec.objects.push_back(bytes_object(payload_of(2, 33)));
  spec.objects.push_back(bytes_object(payload_of(3, 8)));
  if (with_preceders) spec.objects[1].preceder = cbor::map({cbor::key("p", cbor::integer(5))});
  spec.writing = writing::streamed;
  return build(spec);
}

/// Complete frames within `kept` bytes: their number, the number of objects among them, and the end of the last one.
struct kept_frames {
  std::size_t frames = 0, objects = 0;
  std::uint64_t end = 0;
};

kept_frames within(const built_message& m, std::size_t kept) {
  kept_frames out;
  for (const auto& frame : m.frames) {
    if (frame.offset + frame.length > kept) break;
    ++out.frames;
    out.objects += frame.type == 4 || frame.type == 9;
    out.end = frame.offset + frame.length;
  }
  return out;
}

void check_incomplete(const tgmap::message& m, const kept_frames& expected) {
  BOOST_TEST(m.is_incomplete());
  BOOST_TEST(m.is_streamed());
  BOOST_TEST(m.length() == expected.end);
  tgmap::failure why;
  auto range = m.frames(why);
  tgmap::frame frame;
  std::size_t frames = 0;
  while (range.next(frame, why)) ++frames;
  TGMAP_SUCCEEDED(why);
  BOOST_TEST(frames == expected.frames);
  const std::size_t objects = m.size(why);
  TGMAP_SUCCEEDED(why);
  BOOST_TEST(objects == expected.objects);
  for (std::size_t j = 0; j < objects; ++j) {
    const auto object = m.at(j, why);
    TGMAP_SUCCEEDED(why);
    BOOST_TEST(object.verify() == tgmap::hash_result::match);
  }
  (void)m.metadata(why);
  TGMAP_SUCCEEDED(why);
  if (objects > 0) BOOST_TEST(number_of(m) == 1u);
}

}  // namespace

BOOST_AUTO_TEST_CASE(cut_anywhere_at_the_end_of_the_archive) {
  const bytes first = numbered(0);
  for (const int version : {2, 3})
    for (const bool with_preceders : {false, true}) {
      const auto built = stream(version, with_preceders);
      for (std::size_t kept = 24; kept < built.data.size(); ++kept) {
        const bytes data = first + built.data.substr(0, kept);
        const auto expected = within(built, kept);
        for (const auto damage : {tgmap::on_damage::stop, tgmap::on_damage::skip})
          for (const auto lookup : {tgmap::object_lookup::index, tgmap::object_lookup::walk})
            BOOST_TEST_CONTEXT("version " << version << ", " << kept << " of " << built.data.size() << " bytes") {
              const auto archive = open(data, {.damage = damage, .lookup = lookup});
              BOOST_TEST_REQUIRE(archive.size() == (expected.frames ? 2u : 1u));
              BOOST_TEST(archive.gaps().empty());
              BOOST_TEST_REQUIRE(archive.incomplete_tail().has_value());
              BOOST_TEST(archive.incomplete_tail()->begin == first.size() + expected.end);
              BOOST_TEST(archive.incomplete_tail()->end == data.size());
              if (expected.frames) check_incomplete(archive[1], expected);
            }
      }
    }
}

BOOST_AUTO_TEST_CASE(cut_anywhere_before_another_message) {
  // Its first ENDF is farther from its start than any frame is long, so that no cut frame seems to end there.
  message_spec long_spec = numbered_spec(9);
  long_spec.base[0] = cbor::map({cbor::key("n", cbor::integer(9)), cbor::key("long", cbor::text(bytes(300, 'x')))});
  const bytes first = numbered(0), next = message(long_spec);
  for (const int version : {2, 3}) {
    const auto built = stream(version, true);
    for (std::size_t kept = 24; kept + 1 < built.data.size(); ++kept) {
      const bytes data = first + built.data.substr(0, kept) + next;
      const auto expected = within(built, kept);
      BOOST_TEST_CONTEXT("version " << version << ", " << kept << " of " << built.data.size() << " bytes") {
        const auto archive = open_skipping(data);
        BOOST_TEST(broken_invariant(archive) == "");
        BOOST_TEST_REQUIRE(archive.size() == (expected.frames ? 3u : 2u));
        BOOST_TEST(number_of(archive[archive.size() - 1]) == 9u);
        if (expected.frames) check_incomplete(archive[1], expected);
        BOOST_TEST_REQUIRE(archive.gaps().size() == 1u);
        BOOST_TEST(archive.gaps()[0].begin == first.size() + expected.end);
        BOOST_TEST(archive.gaps()[0].end == first.size() + kept);
        BOOST_TEST(static_cast<bool>(archive.gaps()[0].cause));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(by_default_messages_after_an_incomplete_one_have_no_number) {
  const auto built = stream(3, false);
  const auto end = built.frames[2].offset + built.frames[2].length;
  in_every_mode(built.data.substr(0, end) + numbered(9), [&](const tgmap::archive& archive) {
    check_incomplete(archive[0], within(built, end));
    TGMAP_THROWS(archive[1], tgmap::errc::damaged);
    BOOST_TEST_REQUIRE(archive.gaps().size() == 1u);
    BOOST_TEST(archive.gaps()[0].begin == end);
    BOOST_TEST(archive.gaps()[0].end == end);
  });
}

BOOST_AUTO_TEST_CASE(a_stream_broken_inside_keeps_the_frames_before_the_damage) {
  for (const int version : {2, 3}) {
    auto built = stream(version, false);
    const auto at = built.objects[1];
    const auto whole = within(built, at);
    built.data[at + get_u64(built.data, at + 8) - 1] = 'x';
    const bytes data = built.data + numbered(9);
    const auto archive = open_skipping(data);
    BOOST_TEST(broken_invariant(archive) == "");
    BOOST_TEST_REQUIRE(archive.size() == 2u);
    check_incomplete(archive[0], whole);
  }
}

BOOST_AUTO_TEST_SUITE_END()
