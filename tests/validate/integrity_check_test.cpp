// SPDX-License-Identifier: Apache-2.0
// Hashes of both versions.
#include <boost/test/unit_test.hpp>
#include <support/samples.hpp>

#include "recorded_findings.hpp"

using namespace tgmap_test;
using tgmap::finding_code;

BOOST_AUTO_TEST_SUITE(integrity_check)

namespace {

message_spec one_of(int version, std::size_t size = 24) { return numbered_spec(1, version, size); }

constexpr auto checksum = tgmap::validation_mode::checksum;

}  // namespace

BOOST_AUTO_TEST_CASE(a_changed_payload) {
  for (const int version : {2, 3})
    for (const std::size_t size : {24u, 100'000u})
      for (const auto mode : {checksum, tgmap::validation_mode::standard}) {
        auto built = build(one_of(version, size));
        BOOST_TEST(check(built.data, mode).messages[0].hash_verified);
        built.data[built.objects[0] + 16] ^= 1;
        const auto found = check(built.data, mode);
        const tgmap::finding& mismatch = found.only(finding_code::hash_mismatch);
        BOOST_TEST(mismatch.object == 0);
        BOOST_TEST(mismatch.offset == built.objects[0]);
        BOOST_TEST(mismatch.text.find("hash mismatch (expected ") != std::string::npos);
        BOOST_TEST(!found.messages[0].hash_verified);
        BOOST_TEST(check(built.data, tgmap::validation_mode::quick).codes() == code_set{},
                   boost::test_tools::per_element());
      }
}

BOOST_AUTO_TEST_CASE(changed_frames_other_than_objects) {
  auto built = build(one_of(3));
  for (const auto& frame : built.frames) {
    bytes data = built.data;
    const std::uint64_t slot = frame.offset + frame.length - 12;
    data[slot] ^= 1;
    BOOST_TEST(check(data, checksum).codes().contains("error: hash_mismatch"), "frame type " << frame.type);
  }
}

BOOST_AUTO_TEST_CASE(without_hashes) {
  for (const int version : {2, 3}) {
    message_spec spec = one_of(version);
    spec.hashes = false;
    const auto found = check(message(spec), checksum);
    BOOST_TEST(found.codes() == code_set{"warning: no_hash_available"}, boost::test_tools::per_element());
    BOOST_TEST(found.result.is_sound());
    BOOST_TEST(!found.messages[0].hash_verified);
  }
}

BOOST_AUTO_TEST_CASE(hashes_of_releases_0_17_to_0_20) {
  auto built = build(one_of(3));
  for (const auto& frame : built.frames) put_u16(built.data, frame.offset + 6, frame.type == 9 ? 1 : 0);
  BOOST_TEST(check(built.data).messages[0].hash_verified);
  built.data[built.objects[0] + 16] ^= 1;
  BOOST_TEST(check(built.data).codes() == code_set{"error: hash_mismatch"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_frame_without_its_hash_flag) {
  auto built = build(one_of(3));
  put_u16(built.data, built.objects[0] + 6, 1);
  const auto found = check(built.data);
  BOOST_TEST(found.codes() == code_set{"error: hash_verification_error"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(hash_lists) {
  message_spec spec = one_of(3);
  spec.hash_frames = false;
  const auto list = [](const char* algorithm, const std::string& hash) {
    return cbor::map(
        {cbor::key("hashes", cbor::array({cbor::text(hash)})), cbor::key("algorithm", cbor::text(algorithm))});
  };
  spec.header_frames = {{.type = 3, .body = list("xxh3", "0123456789abcdef"), .flags = 0}};
  BOOST_TEST(check(message(spec), checksum).codes().contains("error: hash_mismatch"));
  spec.header_frames[0].body = list("md5", "0123456789abcdef");
  BOOST_TEST(check(message(spec), checksum).codes().contains("warning: unknown_hash_algorithm"));
}

BOOST_AUTO_TEST_CASE(messages_without_objects_are_not_verified) {
  const auto found = check(message({}), checksum);
  BOOST_TEST(found.result.is_sound());
  BOOST_TEST(!found.messages[0].hash_verified);
}

BOOST_AUTO_TEST_SUITE_END()
