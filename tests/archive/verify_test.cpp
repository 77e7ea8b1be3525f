// SPDX-License-Identifier: Apache-2.0
// Comparing hashes. An absent hash is not a match.
#include <boost/test/unit_test.hpp>
#include <support/every_mode.hpp>
#include <support/failures.hpp>
#include <support/numbered.hpp>

using namespace tgmap_test;
using tgmap::hash_result;

BOOST_AUTO_TEST_SUITE(verify_test)

namespace {

hash_result verdict_of(const bytes& data) {
  hash_result out{};
  in_every_mode(data, [&](const tgmap::archive& archive) { out = archive[0][0].verify(); });
  return out;
}

/// Makes a version 2 object with this `hash` in its descriptor.
bytes with_hash(const bytes& hash) {
  message_spec spec = numbered_spec(1, 2);
  spec.hashes = false;
  spec.objects[0].more = {cbor::key("hash", hash)};
  return message(spec);
}

bytes hash_map(std::string_view type, const bytes& value) {
  return cbor::map({cbor::key("type", cbor::text(type)), cbor::key("value", value)});
}

}  // namespace

BOOST_AUTO_TEST_CASE(sound_objects_match) {
  for (const int version : {2, 3})
    for (const std::size_t size : {1u, 3u, 8u, 16u, 128u, 129u, 240u, 241u, 1024u, 1025u, 100000u, 3000000u})
      BOOST_TEST(verdict_of(numbered(1, version, size)) == hash_result::match);
}

BOOST_AUTO_TEST_CASE(an_empty_payload_has_a_hash) {
  for (const int version : {2, 3}) {
    message_spec spec = numbered_spec(1, version);
    spec.objects = {bytes_object("")};
    BOOST_TEST(verdict_of(message(spec)) == hash_result::match);
  }
}

BOOST_AUTO_TEST_CASE(every_changed_payload_byte_is_a_mismatch) {
  for (const int version : {2, 3}) {
    bytes data = numbered(1, version, 40);
    const auto archive = open(data);
    const auto at = archive[0][0].payload_offset();
    for (std::size_t i = 0; i < 40; ++i) {
      data[at + i] ^= 1;
      BOOST_TEST(archive[0][0].verify() == hash_result::mismatch);
      data[at + i] ^= 1;
    }
    BOOST_TEST(archive[0][0].verify() == hash_result::match);
  }
}

BOOST_AUTO_TEST_CASE(version_3_covers_the_descriptor_and_version_2_does_not) {
  for (const int version : {2, 3}) {
    message_spec spec = numbered_spec(1, version);
    bytes data = message(spec);
    const auto at = data.find("ntensor");
    BOOST_TEST_REQUIRE(at != bytes::npos);
    data[at] = 'm';
    BOOST_TEST(verdict_of(data) == (version == 3 ? hash_result::mismatch : hash_result::match));
  }
}

BOOST_AUTO_TEST_CASE(an_object_without_a_hash) {
  for (const int version : {2, 3}) {
    message_spec spec = numbered_spec(1, version);
    spec.hashes = false;
    const bytes data = message(spec);
    BOOST_TEST(verdict_of(data) == hash_result::absent);
    const auto archive = open(data);
    for (auto range = archive[0].frames(); const auto& frame : range) {
      BOOST_TEST(!frame.stored_hash());
      BOOST_TEST(frame.verify() == hash_result::absent);
    }
  }
}

BOOST_AUTO_TEST_CASE(before_0_21_a_message_flag_announces_the_hash) {
  bytes data = numbered(1);
  const auto archive = open(data);
  const auto object = archive[0][0];
  const auto at = object.frame().offset(), slot = at + object.frame().length() - 12;
  put_u16(data, at + 6, 1);  // HASH_PRESENT clear, CBOR after the payload
  BOOST_TEST(verdict_of(data) == hash_result::match);
  data[object.payload_offset()] ^= 1;
  BOOST_TEST(verdict_of(data) == hash_result::mismatch);
  put_u64(data, slot, 0);
  BOOST_TEST(verdict_of(data) == hash_result::absent);
}

BOOST_AUTO_TEST_CASE(the_hash_counts_only_with_its_flag) {
  bytes data = numbered(1);
  const auto archive = open(data);
  const auto at = archive[0][0].frame().offset();
  put_u16(data, at + 6, 1);
  put_u16(data, 10, 0x15);  // HASHES_PRESENT clear
  BOOST_TEST(verdict_of(data) == hash_result::absent);
}

BOOST_AUTO_TEST_CASE(a_hash_of_zero_counts_with_its_flag) {
  bytes data = numbered(1);
  const auto archive = open(data);
  const auto frame = archive[0][0].frame();
  put_u64(data, frame.offset() + frame.length() - 12, 0);
  BOOST_TEST((archive[0][0].frame().stored_hash() == 0u));
  BOOST_TEST(verdict_of(data) == hash_result::mismatch);
}

BOOST_AUTO_TEST_CASE(other_algorithms_are_unsupported) {
  BOOST_TEST(verdict_of(with_hash(hash_map("sha1", cbor::text(std::string(40, 'a'))))) == hash_result::unsupported);
  BOOST_TEST(verdict_of(with_hash(hash_map("md5", cbor::text(std::string(32, 'a'))))) == hash_result::unsupported);
  const auto right = xxh3_hex(payload_of(1));
  BOOST_TEST(verdict_of(with_hash(hash_map("xxh3", cbor::text(right)))) == hash_result::match);
  BOOST_TEST(verdict_of(with_hash(hash_map("xxh3", cbor::text("0000000000000000")))) == hash_result::mismatch);
}

BOOST_AUTO_TEST_CASE(a_malformed_hash_never_matches) {
  const auto right = xxh3_hex(payload_of(1));
  for (const auto& hash : {cbor::null(), cbor::map({}), cbor::text(right), hash_map("xxh3", cbor::text("")),
                           hash_map("xxh3", cbor::text(right.substr(1))), hash_map("xxh3", cbor::text(right + "0")),
                           hash_map("xxh3", cbor::text("x" + right.substr(1))), hash_map("xxh3", cbor::integer(5))}) {
    const bytes data = with_hash(hash);
    const auto archive = open(data);
    tgmap::failure why;
    const auto verdict = archive[0][0].verify(why);
    BOOST_TEST((why || verdict != hash_result::match));
  }
}

BOOST_AUTO_TEST_CASE(a_masked_object_of_version_2_may_be_hashed_with_or_without_its_masks) {
  object_spec object = numbers_object("float32", {1.0f, 2.0f, 3.0f});
  object.masks = {{.blob = "\x40"}};
  object.type = 9;
  for (const auto& covered : {object.payload, object.payload + "\x40"}) {
    message_spec spec;
    spec.version = 2;
    spec.hashes = false;
    spec.objects = {object};
    spec.objects[0].more = {cbor::key("hash", hash_map("xxh3", cbor::text(xxh3_hex(covered))))};
    BOOST_TEST(verdict_of(message(spec)) == hash_result::match);
  }
}

BOOST_AUTO_TEST_CASE(metadata_and_index_frames_are_verified_too) {
  bytes data = numbered(1);
  const auto archive = open(data);
  std::vector<tgmap::frame> frames;
  for (auto range = archive[0].frames(); const auto& frame : range) frames.push_back(frame);
  for (const auto& frame : frames) {
    data[frame.offset() + 16] ^= 1;
    BOOST_TEST(frame.verify() == hash_result::mismatch);
    data[frame.offset() + 16] ^= 1;
    BOOST_TEST(frame.verify() == hash_result::match);
  }
}

/// The expected values are the output of xxhsum -H3, the program of the algorithm's authors.
BOOST_AUTO_TEST_CASE(hashes_are_those_of_the_algorithm) {
  BOOST_TEST(tgmap::xxh3({}) == 0x2d06800538d394c2u);
  const char text[] = {'a', 'b', 'c', 'd'};
  BOOST_TEST(tgmap::xxh3(std::as_bytes(std::span(text))) == 0x6497a96f53a89890u);
}

BOOST_AUTO_TEST_SUITE_END()
