// SPDX-License-Identifier: Apache-2.0
// Messages found by their end: only whole ones of version 3, and never one inside a payload.
#include <support/samples.hpp>

#include "../archive_fixture.hpp"

using namespace tgmap_test;
using inner::message_status;

BOOST_AUTO_TEST_SUITE(parse_message_ending_at_test)

namespace {

inner::parsed_message backwards(const bytes& data, std::uint64_t end) {
  looked_at in(data);
  return inner::parse_message_ending_at(*in.window, end);
}

bool whole(const bytes& data) { return backwards(data, data.size()).status == message_status::whole; }

bytes patched(bytes data, std::size_t at, std::uint64_t n, unsigned width = 8) {
  put(data, at, n, width);
  return data;
}

}  // namespace

BOOST_AUTO_TEST_CASE(messages_are_found_one_after_another_from_the_end) {
  bytes data;
  std::vector<std::uint64_t> starts;
  for (unsigned n = 0; n < 20; ++n) {
    starts.push_back(data.size());
    data += numbered(n, 3, 10 + 7 * n);
  }
  std::uint64_t end = data.size();
  for (std::size_t n = starts.size(); n-- > 0;) {
    const auto found = backwards(data, end);
    BOOST_REQUIRE((found.status == message_status::whole));
    BOOST_REQUIRE(!found.why);
    BOOST_REQUIRE(found.message.offset() == starts[n]);
    BOOST_REQUIRE(found.message.length() == end - starts[n]);
    BOOST_REQUIRE(found.message.version() == 3u);
    BOOST_REQUIRE(!found.message.is_streamed());
    end = starts[n];
  }
  BOOST_TEST((backwards(data, 0).status == message_status::none));
}

BOOST_AUTO_TEST_CASE(the_postamble_must_end_at_the_position) {
  const bytes data = numbered(1) + numbered(2);
  for (std::uint64_t end = 0; end <= data.size(); ++end)
    BOOST_REQUIRE((backwards(data, end).status == message_status::whole) ==
                  (end == data.size() || end == numbered(1).size()));
}

BOOST_AUTO_TEST_CASE(version_2_and_streams_are_not_found_backwards) {
  BOOST_TEST(!whole(numbered(1, 2)));
  BOOST_TEST(!whole(numbered_stream(1, 2)));
  BOOST_TEST(!whole(numbered_stream(1, 3)));
  BOOST_TEST(!whole(version_1_message({"p"})));
  BOOST_TEST(!whole(numbered(0) + numbered(1, 2)));
}

BOOST_AUTO_TEST_CASE(a_backfilled_stream_is_a_message_like_others) {
  message_spec spec = numbered_spec(1);
  spec.writing = writing::backfilled;
  BOOST_TEST(whole(message(spec)));
}

BOOST_AUTO_TEST_CASE(the_smallest_message_is_found) {
  message_spec empty;
  empty.metadata = where::none;
  BOOST_TEST(message(empty).size() == 48u);
  BOOST_TEST(whole(message(empty)));
  BOOST_TEST(whole(message(empty) + message(empty)));
}

BOOST_AUTO_TEST_CASE(every_part_of_the_framing_must_agree) {
  const bytes sound = numbered(1);
  const std::size_t size = sound.size();
  BOOST_REQUIRE(whole(sound));
  for (std::size_t i = 1; i <= 8; ++i) BOOST_TEST(!whole(patched(sound, size - i, 'x', 1)), "end magic");
  for (std::size_t i = 0; i < 8; ++i) BOOST_TEST(!whole(patched(sound, i, 'x', 1)), "magic");
  BOOST_TEST(!whole(patched(sound, 8, 2, 2)), "version");
  BOOST_TEST(!whole(patched(sound, 16, 0)), "preamble's length");
  BOOST_TEST(!whole(patched(sound, 16, size + 8)), "preamble's length");
  for (const std::uint64_t length :
       {std::uint64_t{0}, std::uint64_t{47}, std::uint64_t{size - 8}, std::uint64_t{size + 1}, UINT64_MAX})
    BOOST_TEST(!whole(patched(sound, size - 16, length)), "postamble's length " << length);
  for (const std::uint64_t footer : {std::uint64_t{0}, std::uint64_t{23}, std::uint64_t{size - 23}, UINT64_MAX})
    BOOST_TEST(!whole(patched(sound, size - 24, footer)), "footer offset " << footer);
  BOOST_TEST(whole(patched(sound, size - 24, 24)));
  BOOST_TEST(whole(patched(sound, size - 24, size - 24)));
  BOOST_TEST(!whole(patched(sound, 24, 'x', 1)), "first frame");
}

BOOST_AUTO_TEST_CASE(bytes_before_must_end_a_message) {
  const bytes sound = numbered(1);
  for (std::size_t junk = 1; junk < 20; ++junk) BOOST_TEST(!whole(bytes(junk, 'j') + sound), "behind " << junk);
  BOOST_TEST(whole(bytes(30, 'j') + "39277777" + sound));
  BOOST_TEST(!whole(bytes(30, 'j') + "39277777j" + sound));
}

BOOST_AUTO_TEST_CASE(a_message_inside_of_a_payload_is_not_taken_for_one) {
  // The payload holds a whole message; the bytes of the outer message after it are not its end.
  message_spec spec;
  spec.objects = {bytes_object("some data" + numbered(9))};
  const bytes outer = message(spec);
  const std::uint64_t inner_end = outer.find(numbered(9)) + numbered(9).size();
  BOOST_TEST((backwards(outer, inner_end).status == message_status::none));
  BOOST_TEST(whole(outer));
}

BOOST_AUTO_TEST_CASE(truncated_messages_are_not_found) {
  const bytes sound = numbered(1);
  for (std::size_t kept = 0; kept < sound.size(); ++kept) BOOST_REQUIRE(!whole(sound.substr(0, kept)));
  for (std::size_t cut = 1; cut < sound.size(); ++cut) BOOST_REQUIRE(!whole(sound.substr(cut)));
}

BOOST_AUTO_TEST_SUITE_END()
