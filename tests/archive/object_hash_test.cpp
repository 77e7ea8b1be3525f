// SPDX-License-Identifier: Apache-2.0
// Hashes of objects are compared while the payload is read.
#include "archive/object_hash.hpp"

#include <boost/test/unit_test.hpp>
#include <support/builder.hpp>
#include <support/failures.hpp>
#include <support/numbered.hpp>
#include <support/temporary.hpp>

#include "archive/hash.hpp"

using namespace tgmap_test;
namespace inner = tgmap::detail;
using tgmap::errc;
using tgmap::failure;
using tgmap::hash_result;

BOOST_AUTO_TEST_SUITE(object_hash_test)

namespace {

constexpr std::string_view masks = "mask";

/// Returns an object with masks, whose descriptor has this hash in version 2.
object_spec masked_object(std::size_t size, std::optional<bytes> hash = {}) {
  object_spec object = bytes_object(payload_of(7, size));
  object.masks = {{.kind = "nan", .blob = bytes(masks)}};
  if (!hash) return object;
  object_spec plain = object;
  plain.more = {cbor::key("hash", *hash)};
  object.descriptor = descriptor_of(plain, 3);
  return object;
}

bytes hash_map(std::string_view digits, std::string_view type = "xxh3") {
  return cbor::map({cbor::key("type", cbor::text(type)), cbor::key("value", cbor::text(digits))});
}

bytes archive_of(int version, const object_spec& object, bool hashes = true) {
  return message({.version = version, .objects = {object}, .hashes = hashes});
}

/// Returns `data` with another byte at this offset of the region of its object.
bytes with_change(bytes data, std::uint64_t in_region) {
  const auto archive = open(data);
  const auto at = static_cast<std::size_t>(archive[0][0].payload_offset() + in_region);
  data[at] = static_cast<char>(data[at] ^ 1);
  return data;
}

failure checked(const bytes& data) {
  const auto archive = open(data);
  return inner::check_hash(archive[0][0]);
}

/// Checks that the hash does not match, and returns the hash that was found.
std::uint64_t mismatch(const bytes& data, std::uint64_t stored) {
  const failure why = checked(data);
  TGMAP_FAILED(why, errc::hash_mismatch);
  BOOST_TEST(why.expected == stored);
  return why.found;
}

}  // namespace

BOOST_AUTO_TEST_CASE(objects_without_an_archive_have_no_hash) {
  const tgmap::object none;
  TGMAP_FAILED(inner::check_hash(none), errc::no_archive);
  inner::payload_check by;
  TGMAP_FAILED(by.open(none, UINT64_MAX), errc::no_archive);
  BOOST_TEST(!by.has_hash());
  BOOST_TEST(!none.stored_hash().has_value());
}

BOOST_AUTO_TEST_CASE(version_3_covers_everything_in_the_body) {
  for (const bool cbor_first : {false, true})
    for (const std::size_t size : {std::size_t{0}, std::size_t{40}, std::size_t{600'000}}) {
      object_spec object = masked_object(size);
      object.cbor_first = cbor_first;
      const bytes data = archive_of(3, object);
      const bytes region = object.payload + bytes(masks), descriptor = descriptor_of(object, 3);
      const bytes body = cbor_first ? descriptor + region : region + descriptor;
      TGMAP_SUCCEEDED(checked(data));
      for (const std::uint64_t at : {std::uint64_t{size / 2}, std::uint64_t{size + 3}}) {
        bytes changed = body;
        char& other = changed[(cbor_first ? descriptor.size() : 0) + static_cast<std::size_t>(at)];
        other = static_cast<char>(other ^ 1);
        BOOST_TEST(mismatch(with_change(data, at), xxh3(body)) == xxh3(changed));
      }
    }
}

BOOST_AUTO_TEST_CASE(without_a_hash_nothing_is_compared) {
  for (const int version : {2, 3}) {
    const bytes data = with_change(archive_of(version, masked_object(40), false), 3);
    TGMAP_SUCCEEDED(checked(data));
    const auto archive = open(data);
    const auto object = archive[0][0];
    inner::payload_check by;
    TGMAP_SUCCEEDED(by.open(object, 0));
    BOOST_TEST(!by.has_hash());
  }
}

BOOST_AUTO_TEST_CASE(version_2_covers_the_payload_with_or_without_masks) {
  const bytes payload = payload_of(7, 600'000), region = payload + bytes(masks);
  for (const bool with_masks : {false, true})
    for (const bool cbor_first : {false, true}) {
      const bytes& covered = with_masks ? region : payload;
      object_spec object = masked_object(payload.size(), hash_map(xxh3_hex(covered)));
      object.cbor_first = cbor_first;
      const bytes data = archive_of(2, object);
      TGMAP_SUCCEEDED(checked(data));
      bytes changed = region;
      changed[5] = static_cast<char>(changed[5] ^ 1);
      BOOST_TEST(mismatch(with_change(data, 5), xxh3(covered)) == xxh3(changed));
      const bytes other_mask = with_change(data, payload.size());
      if (with_masks)
        TGMAP_FAILED(checked(other_mask), errc::hash_mismatch);
      else
        TGMAP_SUCCEEDED(checked(other_mask));
    }
  // Without masks there is one hash to compare.
  const object_spec plain = bytes_object(payload);
  bytes changed = payload;
  changed[5] = static_cast<char>(changed[5] ^ 1);
  BOOST_TEST(mismatch(with_change(archive_of(2, plain), 5), xxh3(payload)) == xxh3(changed));
}

BOOST_AUTO_TEST_CASE(hashes_of_unknown_forms_are_not_compared) {
  const std::string digits = xxh3_hex(payload_of(7, 40));
  for (const bytes& hash :
       {cbor::null(), hash_map(digits, "sha256"), hash_map(digits.substr(1)), hash_map(digits + "0"),
        hash_map("0123456789abcdeg"), hash_map("+123456789abcdef"), cbor::text(digits),
        cbor::map({cbor::key("type", cbor::text("xxh3"))}), cbor::map({cbor::key("value", cbor::text(digits))})}) {
    const bytes data = archive_of(2, masked_object(40, hash));
    TGMAP_SUCCEEDED(checked(data));
    const auto archive = open(data);
    BOOST_TEST(!archive[0][0].stored_hash().has_value());
    const auto expected = hash == cbor::null() ? hash_result::absent : hash_result::unsupported;
    BOOST_TEST(archive[0][0].verify() == expected);
  }
}

BOOST_AUTO_TEST_CASE(stated_hashes_are_numbers) {
  const bytes stated = cbor::map({cbor::key("hash", hash_map("00000000000000ff"))});
  BOOST_TEST((inner::stated_hash(tgmap::cbor_view(span_of(stated))) == std::optional<std::uint64_t>(255)));
  const bytes other = cbor::map({cbor::key("hash", hash_map("ff"))}), none = cbor::map({});
  BOOST_TEST(!inner::stated_hash(tgmap::cbor_view(span_of(other))).has_value());
  BOOST_TEST(!inner::stated_hash(tgmap::cbor_view(span_of(none))).has_value());
}

BOOST_AUTO_TEST_CASE(repeated_hashes_are_refused) {
  const std::string digits = xxh3_hex(payload_of(7, 40));
  object_spec plain = masked_object(40);
  plain.more = {cbor::key("hash", hash_map(digits)), cbor::key("hash", hash_map(digits))};
  object_spec object = plain;
  object.descriptor = descriptor_of(plain, 3);
  TGMAP_FAILED(checked(archive_of(2, object)), errc::duplicate_key);
  const bytes twice = cbor::map({cbor::key("type", cbor::text("xxh3")), cbor::key("value", cbor::text(digits)),
                                 cbor::key("value", cbor::text(digits))});
  TGMAP_FAILED(checked(archive_of(2, masked_object(40, twice))), errc::duplicate_key);
}

BOOST_AUTO_TEST_CASE(masks_are_read_up_to_a_limit) {
  const bytes data = archive_of(3, masked_object(40));
  const auto archive = open(data);
  const auto object = archive[0][0];
  inner::payload_check by;
  const failure why = by.open(object, 3);
  TGMAP_FAILED(why, errc::decoded_limit);
  BOOST_TEST(why.expected == 3u);
  BOOST_TEST(why.found == 4u);
  TGMAP_SUCCEEDED(by.open(object, 4));
  BOOST_TEST(by.has_hash());
  BOOST_TEST(view_of(by.masks()) == masks);
}

BOOST_AUTO_TEST_CASE(loading_hashes_the_payload) {
  for (const int version : {2, 3}) {
    const bytes data = archive_of(version, masked_object(600'000));
    const auto archive = open(data);
    const auto object = archive[0][0];
    inner::payload_check by;
    TGMAP_SUCCEEDED(by.open(object, UINT64_MAX));
    bytes out(600'000, '?');
    TGMAP_SUCCEEDED(by.load(std::as_writable_bytes(std::span(out))));
    BOOST_TEST((out == payload_of(7, 600'000)));
    TGMAP_SUCCEEDED(by.finish());
  }
}

BOOST_AUTO_TEST_CASE(shorter_files_are_no_mismatch) {
  const temporary_directory temporary;
  object_spec object = masked_object(600'000);
  object.cbor_first = true;
  for (const int version : {2, 3}) {
    const auto path = temporary.file("a.tgm", archive_of(version, object));
    const auto size = std::filesystem::file_size(path);
    const tgmap::archive archive(path, {.io = tgmap::io_mode::read});
    const auto first = archive[0][0];
    inner::payload_check by, late;
    TGMAP_SUCCEEDED(by.open(first, UINT64_MAX));
    TGMAP_SUCCEEDED(late.open(first, UINT64_MAX));
    // The hash of version 3 is stored at the end of the frame, that of version 2 in the descriptor.
    std::filesystem::resize_file(path, first.payload_offset() + 300'000);
    bytes out(600'000, '?');
    TGMAP_FAILED(by.load(std::as_writable_bytes(std::span(out))), errc::file_shrank);
    TGMAP_FAILED(late.finish(), errc::file_shrank);
    TGMAP_FAILED(inner::check_hash(first), errc::file_shrank);
    failure why;
    BOOST_TEST(first.verify(why) == hash_result::absent);
    TGMAP_FAILED(why, errc::file_shrank);
    BOOST_TEST(why.message == 0u);
    BOOST_TEST(why.object == 0u);
    // With the masks only the bytes behind the payload are missing.
    std::filesystem::resize_file(path, size);
    std::filesystem::resize_file(path, first.payload_offset() + 600'000);
    TGMAP_FAILED(inner::check_hash(first), errc::file_shrank);
    std::filesystem::resize_file(path, first.payload_offset() - 1);
    TGMAP_FAILED(inner::check_hash(first), errc::file_shrank);
  }
}

BOOST_AUTO_TEST_SUITE_END()
