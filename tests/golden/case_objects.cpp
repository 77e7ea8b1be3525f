// SPDX-License-Identifier: Apache-2.0
#include "manifest.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cinttypes>
#include <set>
#include <support/failures.hpp>
#include <support/hash.hpp>
#include <support/json.hpp>

namespace tgmap_test {

namespace {

using nlohmann::json;

template <class Numbers>
json list_of(const Numbers& numbers) {
  json out = json::array();
  for (const auto n : numbers) out.push_back(n);
  return out;
}

std::string hex_text(std::uint64_t n) {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016" PRIx64, n);
  return digits;
}

/// Returns the parameters of codecs: all keys of the descriptor except those that every descriptor may have.
json parameters_of(const tgmap::descriptor& descriptor, int version) {
  std::set<std::string> known = {"type",       "ndim",     "shape",  "strides",     "dtype",
                                 "byte_order", "encoding", "filter", "compression", "masks"};
  if (version == 2) known.insert("hash");
  json out = json::object();
  const json all = to_json(descriptor.entries);
  for (const auto& [key, item] : all.items())
    if (!known.count(key)) out[key] = item;
  return out;
}

json stored_hash_of(const tgmap::object& object, const tgmap::descriptor& descriptor, int version) {
  if (version == 3) {
    const auto digest = object.frame().stored_hash();
    return digest ? json(hex_text(*digest)) : json(nullptr);
  }
  const auto hash = descriptor.entries.at_path("hash.value");
  return hash ? json(hash->as<std::string_view>()) : json(nullptr);
}

void check_descriptor(const tgmap::object& object, const json& expected, int version, golden_count* count) {
  const tgmap::descriptor found = object.descriptor();
  BOOST_TEST(found.type.as<std::string_view>() == expected.at("type").get<std::string>());
  BOOST_TEST(to_string_view(found.dtype) == expected.at("dtype").get<std::string>());
  BOOST_TEST(list_of(found.shape()).dump() == expected.at("shape").dump());
  BOOST_TEST(list_of(found.strides()).dump() == expected.at("strides").dump());
  BOOST_TEST(to_string_view(found.byte_order) == expected.at("byte_order").get<std::string>());
  BOOST_TEST(found.encoding_name.view() == expected.at("encoding").get<std::string>());
  BOOST_TEST(found.filter_name.view() == expected.at("filter").get<std::string>());
  BOOST_TEST(found.compression_name.view() == expected.at("compression").get<std::string>());
  BOOST_TEST((found.encoding == tgmap::encoding::none) == (expected.at("encoding") == "none"));
  BOOST_TEST((found.filter == tgmap::filter::none) == (expected.at("filter") == "none"));
  BOOST_TEST((found.compression == tgmap::compression::none) == (expected.at("compression") == "none"));
  BOOST_TEST(found.element_count == expected.at("decoded").at("count").get<std::uint64_t>());
  if (!expected.at("params").contains("$error"))
    BOOST_TEST(canonical(parameters_of(found, version)) == canonical(expected.at("params")));
  else if (count)
    ++count->unsupported_values;
  BOOST_TEST(stored_hash_of(object, found, version).dump() == expected.at("hash").dump());
  BOOST_TEST(object.verify() ==
             (expected.at("hash").is_null() ? tgmap::hash_result::absent : tgmap::hash_result::match));

  const json masks = expected.value("masks", json::object());
  BOOST_TEST(found.masks().size() == masks.size());
  for (const auto& mask : found.masks()) {
    const json& one = masks.at(std::string(to_string_view(mask.kind)));
    BOOST_TEST(mask.method.view() == one.at("method").get<std::string>());
    BOOST_TEST(mask.offset == one.at("offset").get<std::uint64_t>());
    BOOST_TEST(mask.length == one.at("length").get<std::uint64_t>());
  }
}

bytes little_endian(std::string_view payload, const tgmap::descriptor& descriptor) {
  bytes out(payload);
  const std::size_t unit = swap_unit(descriptor.dtype);
  if (descriptor.byte_order == tgmap::byte_order::big && unit > 1)
    for (auto at = out.begin(); at != out.end(); at += static_cast<std::ptrdiff_t>(unit))
      std::reverse(at, at + static_cast<std::ptrdiff_t>(unit));
  return out;
}

void check_digests(const tgmap::object& object, const json& expected, golden_count& count) {
  const auto found = object.descriptor();
  const auto region = view_of(object.payload_and_masks());
  for (const auto& mask : found.masks()) {
    if (mask.method.view() != "none") continue;
    ++count.mask_blobs;
    const auto& one = expected.at("masks").at(std::string(to_string_view(mask.kind)));
    BOOST_TEST(sha256(region.substr(mask.offset, mask.length)) == one.at("packed_sha256").get<std::string>());
  }
  if (found.encoding_name.view() != "none" || found.filter_name.view() != "none" ||
      found.compression_name.view() != "none") {
    ++count.encoded_objects;
    return;
  }
  const auto digest = sha256(little_endian(view_of(object.payload()), found));
  if (found.masks().empty()) {
    ++count.digests;
    BOOST_TEST(digest == expected.at("decoded").at("sha256").get<std::string>());
    BOOST_TEST(object.payload_size() == expected.at("decoded").at("bytes").get<std::uint64_t>());
  } else {
    ++count.masked_digests;
    BOOST_TEST(digest == expected.at("substituted_sha256").get<std::string>());
  }
}

void check_object(const tgmap::object& object, std::size_t j, std::uint64_t message_offset, int version,
                  const bytes& data, const json& expected, golden_count* count) {
  BOOST_TEST(object.index() == j);
  BOOST_TEST(object.frame().offset_in_message() == expected.at("frame_offset").get<std::uint64_t>());
  BOOST_TEST(object.frame().length() == expected.at("frame_length").get<std::uint64_t>());
  BOOST_TEST(object.payload_offset() - message_offset == expected.at("payload_offset").get<std::uint64_t>());
  BOOST_TEST(object.payload_and_masks_size() == expected.at("payload_region_length").get<std::uint64_t>());
  std::uint64_t payload = object.payload_and_masks_size();
  for (const auto& mask : expected.value("masks", json::object()))
    payload = std::min(payload, mask.at("offset").get<std::uint64_t>());
  BOOST_TEST(object.payload_size() == payload);
  const auto stored = std::string_view(data).substr(object.payload_offset(), object.payload_and_masks_size());
  BOOST_TEST((view_of(object.payload_and_masks()) == stored));
  BOOST_TEST((view_of(object.payload()) == stored.substr(0, object.payload_size())));
  bytes copy(object.payload_size(), '?');
  object.read(0, std::as_writable_bytes(std::span(copy)));
  BOOST_TEST((copy == stored.substr(0, object.payload_size())));
  check_descriptor(object, expected, version, count);
  if (count) check_digests(object, expected, *count);
}

}  // namespace

void check_objects(const tgmap::message& message, const bytes& data, const json& expected, golden_count* count) {
  const json& objects = expected.at("objects");
  BOOST_TEST_REQUIRE(message.size() == objects.size());
  for (std::size_t j = 0; j < objects.size(); ++j) {
    BOOST_TEST_CONTEXT("object " << j) {
      if (count) ++count->objects;
      check_object(message[j], j, message.offset(), message.version(), data, objects[j], count);
    }
  }
}

}  // namespace tgmap_test
