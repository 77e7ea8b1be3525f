// SPDX-License-Identifier: Apache-2.0
#include "manifest.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <support/failures.hpp>
#include <support/json.hpp>

namespace tgmap_test {

namespace {

using nlohmann::json;

/// Returns gaps and tail, which are both gaps in the manifest.
json gaps_and_tail(const tgmap::archive& archive) {
  json out = json::array();
  for (const auto& gap : archive.gaps()) {
    BOOST_TEST(static_cast<bool>(gap.cause));
    out.push_back({gap.begin, gap.end});
  }
  if (const auto tail = archive.incomplete_tail(); tail && tail->begin != tail->end)
    out.push_back({tail->begin, tail->end});
  std::sort(out.begin(), out.end());
  return out;
}

void check_metadata(const tgmap::message& message, const json& expected, golden_count* count) {
  const json& base = expected.at("base");
  BOOST_TEST(canonical(to_json(message.metadata())) == canonical(expected.at("extra")));
  BOOST_TEST(canonical(to_json(message.provenance())) == canonical(expected.at("reserved")));
  json entries = json::array();
  for (std::size_t j = 0; j < message.size(); ++j) entries.push_back(to_json(message.base(j)));
  if (base.is_array()) {
    BOOST_TEST(canonical(entries) == canonical(base));
  } else {  // the Python interface cannot represent these values; the manifest has those of the frame
    if (count) ++count->unsupported_values;
    BOOST_TEST(canonical(entries) == canonical(expected.at("metadata_cbor_as_the_generator_reads_it").at("base")));
  }
}

/// Compares the keys of each object: its own without `_reserved_`, and the message-wide ones that they do not hide.
void check_object_metadata(const tgmap::message& message, const json& expected) {
  if (!expected.at("base").is_array()) return;
  for (std::size_t j = 0; j < message.size(); ++j) {
    json visible = expected.at("extra");
    for (const auto& [key, item] : expected.at("base").at(j).items())
      if (key != "_reserved_") visible[key] = item;
    BOOST_TEST(canonical(to_json(message[j].metadata())) == canonical(visible));
  }
}

void check_frames(const tgmap::message& message, const json& expected) {
  json types = json::array();
  const bool hashed = message.version() == 3 && (message.flags() & 0x80);
  std::uint64_t at = message.offset() + 24;
  for (auto range = message.frames(); const auto& frame : range) {
    types.push_back(static_cast<unsigned>(frame.type()));
    BOOST_TEST(frame.is_known());
    BOOST_TEST(frame.frame_version() == 1);
    BOOST_TEST(frame.offset() == at + frame.padding());
    BOOST_TEST(frame.padding() < 8);
    BOOST_TEST(frame.offset_in_message() % 8 == 0);
    at = frame.offset() + frame.length();
    BOOST_TEST(frame.verify() == (hashed ? tgmap::hash_result::match : tgmap::hash_result::absent));
  }
  BOOST_TEST(types.dump() == expected.at("frames").dump());
  const std::uint64_t postamble = message.offset() + message.length() - (message.version() == 2 ? 16 : 24);
  BOOST_TEST(postamble - at < 8);
}

void check_message(const tgmap::message& message, const bytes& data, const json& expected, golden_count* count) {
  BOOST_TEST(message.offset() == expected.at("offset").get<std::uint64_t>());
  BOOST_TEST(message.length() == expected.at("length").get<std::uint64_t>());
  BOOST_TEST(message.version() == expected.at("wire").get<int>());
  BOOST_TEST(message.flags() == expected.at("flags").get<unsigned>());
  BOOST_TEST(message.is_streamed() == (expected.at("preamble_length") == 0));
  BOOST_TEST(!message.is_incomplete());
  BOOST_TEST(view_of(message.bytes()) == std::string_view(data).substr(message.offset(), message.length()));
  check_frames(message, expected);
  check_metadata(message, expected, count);
  check_object_metadata(message, expected);
  check_objects(message, data, expected, count);
}

}  // namespace

void check_structure(const tgmap::archive& archive, const bytes& data, const json& expected, golden_count* count) {
  const json& messages = expected.at("messages");
  BOOST_TEST_REQUIRE(archive.size() == messages.size());
  BOOST_TEST(archive.size_bytes() == data.size());
  BOOST_TEST(gaps_and_tail(archive).dump() == expected.at("gaps").dump());
  for (std::size_t i = 0; i < messages.size(); ++i) {
    BOOST_TEST_CONTEXT("message " << i) {
      if (count) ++count->messages;
      BOOST_TEST((archive[i].index() == i));
      check_message(archive[i], data, messages[i], count);
    }
  }
}

}  // namespace tgmap_test
