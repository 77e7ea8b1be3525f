// SPDX-License-Identifier: Apache-2.0
// Messages of the reference implementation, written again, have the same bytes or a known reason for others.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <map>
#include <string>
#include <support/failures.hpp>
#include <support/manifest_file.hpp>
#include <support/shared_data.hpp>

#include "write/rewritten_message.hpp"

using namespace tgmap_test;
using nlohmann::json;

BOOST_AUTO_TEST_SUITE(reference_bytes_test)

namespace {

using counts = std::map<std::string, std::size_t>;

void report(const char* what, std::size_t same, const counts& other) {
  BOOST_TEST_MESSAGE(what << ": " << same << " the same");
  for (const auto& [why, n] : other) BOOST_TEST_MESSAGE("  " << n << " " << why);
}

/// Returns why the bytes of a message may differ; empty if they must not.
std::string reason_for_message(const tgmap::message& m, const std::string& written_by) {
  if (written_by.find("rearranged") != std::string::npos || written_by.find(',') != std::string::npos ||
      written_by.empty())
    return "put together by a script, not by the reference";
  bool header_list = false, footer_list = false, flagged = true;
  for (const tgmap::frame& f : m.frames()) {
    header_list |= f.type() == tgmap::frame_type::header_hash;
    footer_list |= f.type() == tgmap::frame_type::footer_hash;
    flagged &= (f.flags() & 2) != 0;
  }
  if (header_list && footer_list) return "hashes listed twice, in header and footer";
  if (m.version() == 3 && (m.flags() & 0x80) != 0 && !flagged)
    return "release 0.20 or before: frames do not flag hashes";
  if (m.size() == 0 && (m.flags() & 0x20) != 0) return "a stream without objects that announces hashes";
  return {};
}

struct messages_tally {
  std::size_t same = 0;
  counts other, unexplained;
};

void compare_message(const tgmap::message& m, const json& file, messages_tally& count) {
  std::string reason = reason_for_message(m, file.value("written_by", std::string()));
  try {
    if (std::ranges::equal(write(with_stored_objects(m)), m.bytes())) {
      ++count.same;
      return;
    }
  } catch (const tgmap::error& e) {
    if (!reason.empty()) reason = e.what();
  }
  ++(reason.empty() ? count.unexplained : count.other)[reason.empty() ? file.at("file").get<std::string>() : reason];
}

/// Returns the stages of an object, for the report.
std::string kind_of(const tgmap::descriptor& d) {
  return std::string(d.encoding_name.view()) + "+" + std::string(d.filter_name.view()) + "+" +
         std::string(d.compression_name.view()) + (d.mask_count != 0 ? "+masks" : "");
}

struct objects_tally {
  std::size_t same = 0, other_windows = 0;
  counts other, unexplained, refused;
};

bool masked_by(const tgmap::descriptor& descriptor, std::string_view method) {
  return std::ranges::any_of(descriptor.masks(), [&](const tgmap::mask& m) { return m.method.view() == method; });
}

/// Returns why compressed bytes may differ: another release of the library, or another library.
std::string reason_for_payload(const tgmap::descriptor& descriptor) {
  using tgmap::compression;
  if (descriptor.compression == compression::lz4 || masked_by(descriptor, "lz4"))
    return "lz4_flex compresses differently";
  if (descriptor.compression == compression::blosc2 || masked_by(descriptor, "blosc2"))
    return "another release of a codec in blosc2";
  // Static builds use the zstd of blosc2.
  if (descriptor.compression == compression::zstd || masked_by(descriptor, "zstd")) return "another release of zstd";
  if (descriptor.compression == compression::sz3) return "another release of the zstd in SZ3";
  return descriptor.compression == compression::zfp ? "lossy compression of values that were compressed before" : "";
}

/// Returns why an object may differ; empty if it must not. `same_payload` means that only its descriptor differs.
std::string reason_for_object(const tgmap::descriptor& descriptor, const json& file, bool same_payload) {
  using tgmap::compression;
  const std::string by = file.value("written_by", std::string());
  if (by.find("rearranged") != std::string::npos || by.find(',') != std::string::npos || by.empty())
    return "put together by a script, not by the reference";
  if (!same_payload)
    if (std::string reason = reason_for_payload(descriptor); !reason.empty()) return reason;
  if (same_payload && descriptor.compression == compression::zfp) return "a parameter given as an integer";
  if (same_payload && descriptor.compression == compression::szip)
    return "offsets of intervals missing or wrong in the reference";
  if (same_payload)
    return by == "0.24.0" && descriptor.encoding == tgmap::encoding::none ? "keys of the caller"
                                                                          : "a parameter given as an integer";
  const auto bits = descriptor.entries.find("sp_bits_per_value"), old_bits = descriptor.entries.find("bits_per_value");
  const auto packed = bits ? bits : old_bits;
  if (packed && packed->as<std::int64_t>() >= 53) return "more bits than a double has";
  return {};
}

/// Checks if the window of zstd has the size of the field, unlike that of the reference (docs/format.md).
bool has_another_window(const tgmap::descriptor& descriptor) {
  const auto level = descriptor.entries.find("zstd_level");
  return descriptor.compression == tgmap::compression::zstd && level && level->as<std::int64_t>() >= 5;
}

/// Encodes an object again and compares payload, masks and descriptor.
void compare_object(const tgmap::message& m, std::size_t j, const json& file, objects_tally& count) {
  const tgmap::descriptor descriptor = m[j].descriptor();
  try {
    const auto bytes = write(with_decoded_objects(m, j));
    const auto again = tgmap::archive::from_memory(bytes);
    const tgmap::object encoded = again[0][0];
    const bool same_payload = std::ranges::equal(encoded.payload_and_masks(), m[j].payload_and_masks());
    const bool same_descriptor = std::ranges::equal(encoded.descriptor().entries.bytes(), descriptor.entries.bytes());
    if (same_payload && same_descriptor) {
      ++count.same;
    } else {
      if (has_another_window(descriptor)) ++count.other_windows;
      const std::string reason = reason_for_object(descriptor, file, same_payload);
      ++(reason.empty() ? count.unexplained : count.other)[kind_of(descriptor) + ": " + reason];
    }
  } catch (const tgmap::error& e) {
    ++count.refused[kind_of(descriptor) + ": " + e.details().code.message()];
  }
}

template <class Each>
void for_each_message(const std::filesystem::path& directory, Each&& each) {
  for (const json& one : manifest_of(directory)) {
    const tgmap::archive a(directory / one.at("file").get<std::string>(), {.damage = tgmap::on_damage::skip});
    for (const tgmap::message& m : a)
      if (!m.is_incomplete() && m.version() != 1) each(m, one);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(messages_of_stored_objects) {
  const auto shared = shared_data_or_skip("bytes of 581 reference files");
  if (!shared) return;
  messages_tally count;
  for_each_message(*shared / "data" / "tgm" / "reference",
                   [&](const tgmap::message& m, const json& file) { compare_message(m, file, count); });
  report("messages", count.same, count.other);
  for (const auto& [file, n] : count.unexplained) BOOST_ERROR(n << " messages of " << file << " differ");
  BOOST_TEST(count.same > 1700U);
}

BOOST_AUTO_TEST_CASE(objects_encoded_again) {
  const auto shared = shared_data_or_skip("bytes of the objects of 581 reference files");
  if (!shared) return;
  objects_tally count;
  for_each_message(*shared / "data" / "tgm" / "reference", [&](const tgmap::message& m, const json& file) {
    for (std::size_t j = 0; j < m.size(); ++j) compare_object(m, j, file, count);
  });
  report("objects", count.same, count.other);
  report("refused", 0, count.refused);
  std::size_t refused = 0;
  for (const auto& [kind, n] : count.refused) refused += n;
  BOOST_TEST(refused == 75U);  // lossy or invalid szip, NaN in SZ3, keys of the library
  for (const auto& [kind, n] : count.unexplained) BOOST_ERROR(n << " objects differ: " << kind);
  BOOST_TEST(count.same + count.other_windows > 5400U);
  BOOST_TEST(count.other_windows < 100U);
}

BOOST_AUTO_TEST_SUITE_END()
