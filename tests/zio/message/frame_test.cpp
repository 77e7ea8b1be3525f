// SPDX-License-Identifier: Apache-2.0
#include <tgmap/zio/frame.hpp>

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "fixtures/frames.hpp"

using namespace tgmap;
using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(frame_test)

namespace {

const std::string coordinates(24, '\0');

/// Returns a part with its length in the shortest form.
std::string spelled(const std::string& part) {
  std::string out;
  if (part.size() < 255) {
    out += static_cast<char>(part.size());
  } else {
    out += '\xFF';
    for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(part.size() >> shift);
  }
  return out + part;
}

failure fault_of(const std::string& frame) {
  failure why;
  zio::decode(bytes_of(frame), {}, nullptr, why);
  return why;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_default_message_is_34_bytes) {
  const auto frame = zio::encode(zio::message{});
  BOOST_TEST((frame == bytes_of(spelled("ZIO0    ") + spelled(coordinates))));
  BOOST_TEST(zio::encoded_size(zio::message{}) == 34u);
}

BOOST_AUTO_TEST_CASE(headers_are_in_place) {
  zio::message m;
  m.level = zio::level::summary;
  m.form = "AB";
  m.label = "label";
  m.origin = 0x0102030405060708;
  m.granule = 1;
  m.seqno = UINT64_MAX;
  const auto payload = bytes_of("xyz");
  m.payload.push_back({payload, {}});
  m.payload.emplace_back();
  const std::string written =
      spelled("ZIO5AB  label") +
      spelled(std::string("\x08\x07\x06\x05\x04\x03\x02\x01\x01\0\0\0\0\0\0\0", 16) + std::string(8, '\xFF')) +
      spelled("xyz") + std::string(1, '\0');
  const auto frame = zio::encode(m);
  BOOST_TEST((frame == bytes_of(written)));

  const zio::message read = zio::decode(frame);
  BOOST_TEST((read.level == m.level));
  BOOST_TEST(read.form.text() == "AB  ");
  BOOST_TEST(read.label == "label");
  BOOST_TEST(read.origin == m.origin);
  BOOST_TEST(read.granule == 1u);
  BOOST_TEST(read.seqno == UINT64_MAX);
  BOOST_TEST_REQUIRE(read.payload.size() == 2u);
  // Nothing is copied: the part is a view of the frame.
  BOOST_TEST(static_cast<const void*>(read.payload[0].bytes.data()) ==
             static_cast<const void*>(&frame[frame.size() - 4]));
  BOOST_TEST(read.payload[1].bytes.empty());
}

BOOST_AUTO_TEST_CASE(a_form_is_four_bytes) {
  BOOST_TEST(zio::form("FOO").text() == "FOO ");
  BOOST_TEST(zio::form("TOOLONG").text() == "TOOL");
  BOOST_TEST(zio::form("").text() == "    ");
}

BOOST_AUTO_TEST_CASE(lengths_from_255_take_five_bytes) {
  for (const std::size_t size : {0u, 1u, 253u, 254u, 255u, 256u, 65535u, 65536u}) {
    const std::string data(size, 'x');
    const auto frame = bytes_of(spelled("ZIO0TENS") + spelled(coordinates) + spelled(data));
    zio::frame_format how;
    const zio::message read = zio::decode(frame, {}, &how);
    BOOST_TEST(read.payload.at(0).bytes.size() == size);
    BOOST_TEST(how.long_lengths.empty());
    BOOST_TEST((zio::encode(read) == frame));
    BOOST_TEST(zio::encoded_size(read) == frame.size());
  }
}

BOOST_AUTO_TEST_CASE(lengths_longer_than_needed_are_restored) {
  const std::string long_empty("\xFF\0\0\0\0", 5), long_prefix = std::string("\xFF\0\0\0\x08", 5) + "ZIO0TENS";
  const auto frame = bytes_of(long_prefix + spelled(coordinates) + spelled("a") + long_empty);
  zio::frame_format how;
  const zio::message read = zio::decode(frame, {}, &how);
  BOOST_TEST((how.long_lengths == std::vector<std::uint64_t>{0, 3}));
  BOOST_TEST((zio::encode(read, how) == frame));
  BOOST_TEST(zio::encoded_size(read, how) == frame.size());
  BOOST_TEST(zio::encode(read).size() == frame.size() - 8);
}

BOOST_AUTO_TEST_CASE(errors_have_offsets) {
  const std::string good = spelled("ZIO0TENS");
  const auto check = [](const std::string& frame, std::error_code code, std::uint64_t at, std::uint64_t expected,
                        std::uint64_t found) {
    const failure why = fault_of(frame);
    BOOST_TEST(why.code == code, why.text());
    BOOST_TEST(why.offset == at);
    BOOST_TEST(why.expected == expected);
    BOOST_TEST(why.found == found);
  };
  check("", zio::errc::too_few_parts, 0, 2, 0);
  check(good, zio::errc::too_few_parts, 9, 2, 1);
  check(good + spelled(std::string(23, '\0')), zio::errc::bad_coordinates, 10, 24, 23);
  check(good + spelled(std::string(25, '\0')), zio::errc::bad_coordinates, 10, 24, 25);
  check(good + spelled(""), zio::errc::bad_coordinates, 10, 24, 0);
  check(spelled("zio0TENS") + spelled(coordinates), zio::errc::bad_prefix, 1, 8, 8);
  check(spelled("ZIO0TEN") + spelled(coordinates), zio::errc::bad_prefix, 1, 8, 7);
  check(spelled("ZIO9TENS") + spelled(coordinates), zio::errc::bad_level, 4, 0, '9');
  check(spelled("ZIO/TENS") + spelled(coordinates), zio::errc::bad_level, 4, 0, '/');
  check(spelled(coordinates) + good, zio::errc::bad_prefix, 1, 8, 24);
  check(good + spelled(coordinates) +
            "\x05"
            "abcd",
        zio::errc::part_exceeds_frame, 34, 5, 4);
  check(good + spelled(coordinates) + "\xFF", zio::errc::part_exceeds_frame, 34, 4, 0);
  check(good + spelled(coordinates) +
            "\xFF\xFF\xFF\xFF\xFF"
            "abcd",
        zio::errc::part_exceeds_frame, 34, 0xFFFFFFFF, 4);
}

BOOST_AUTO_TEST_CASE(a_truncated_frame_is_an_error_or_a_shorter_message) {
  const std::string whole =
      spelled("ZIO0TENS{}") + spelled(coordinates) + spelled("abc") + spelled(std::string(300, 'y'));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    failure why;
    const auto frame = bytes_of(whole.substr(0, size));
    const zio::message read = zio::decode(frame, {}, nullptr, why);
    if (!why) BOOST_TEST((zio::encode(read) == frame));
    const bool between_parts = size == 36 || size == 40;
    BOOST_TEST(!why == between_parts, "at " << size << ": " << why.text());
  }
}

BOOST_AUTO_TEST_CASE(the_payload_keeps_its_owner) {
  auto frame =
      std::make_shared<std::vector<std::byte>>(bytes_of(spelled("ZIO0TENS") + spelled(coordinates) + spelled("abc")));
  const std::weak_ptr<const void> watched = frame;
  zio::message read = zio::decode(*frame, pin(frame));
  frame.reset();
  BOOST_TEST(!watched.expired());
  const zio::message copy = read;
  read.payload.clear();
  BOOST_TEST(!watched.expired());
  BOOST_TEST((copy.payload.at(0).bytes[0] == std::byte{'a'}));
}

BOOST_AUTO_TEST_CASE(recorded_frames_are_encoded_byte_for_byte) {
  std::size_t frames = 0;
  for (const char* folder : {"tens", "py", "flow"})
    for (const auto& file : shared_frames(folder)) {
      const auto frame = bytes_of_file(file);
      zio::frame_format how;
      failure why;
      const zio::message read = zio::decode(frame, {}, &how, why);
      BOOST_TEST(!why, file << ": " << why.text());
      BOOST_TEST(how.long_lengths.empty());
      BOOST_TEST((zio::encode(read) == frame), file);
      ++frames;
    }
  if (frames != 0) BOOST_TEST(frames >= 80u);
}

BOOST_AUTO_TEST_CASE(malformed_frames_are_errors_or_encoded_byte_for_byte) {
  for (const auto& file : shared_frames("neg")) {
    const auto frame = bytes_of_file(file);
    zio::frame_format how;
    failure why;
    const zio::message read = zio::decode(frame, {}, &how, why);
    if (!why) BOOST_TEST((zio::encode(read, how) == frame), file);
    const std::string name = file.stem();
    const bool refused = name == "trunc_last_byte" || name == "trunc_mid_label" || name == "trunc_after_prefix" ||
                         name == "trunc_in_coord" || name == "extra_ff" || name == "length_huge" ||
                         name.starts_with("level_") || name == "one_part" || name == "zero_parts" ||
                         name == "swapped_headers" || name.starts_with("coord_") || name.ends_with("_magic") ||
                         name == "prefix_7_bytes";
    BOOST_TEST(static_cast<bool>(why) == refused, file << ": " << why.text());
  }
}

BOOST_AUTO_TEST_SUITE_END()
