// SPDX-License-Identifier: Apache-2.0
#include "write/lists.hpp"

#include <algorithm>
#include <string_view>

#include "cbor/writer.hpp"
#include "write/descriptor_map.hpp"

namespace tgmap::write {

namespace {

constexpr std::string_view digests = "hashes", object_count = "object_count";
constexpr std::size_t digest_digits = sizeof(digest_text::digits);

// Tail and padding follow in the same memory, which should not grow for them: it may be large.
constexpr std::size_t room_behind = 32;

/// Bytes of a text of that length, of fewer than 24.
constexpr std::uint64_t short_text(std::string_view text) noexcept { return 1 + text.size(); }

/// What version 2 says besides.
constexpr std::uint64_t count_size(std::uint64_t count, int version) noexcept {
  return version == 2 ? short_text(object_count) + cbor::head_size(count) : 0;
}

constexpr std::string_view algorithm_key(int version) noexcept { return version == 2 ? "hash_type" : "algorithm"; }

}  // namespace

std::uint64_t index_size(const object_list& all, int version) noexcept {
  std::uint64_t size = 1 + short_text("lengths") + short_text("offsets") + 2 * cbor::head_size(all.size());
  for (const listed_object& one : all) size += cbor::head_size(one.offset) + cbor::head_size(one.length);
  return size + count_size(all.size(), version);
}

void put_index(const object_list& all, int version, std::vector<std::byte>& to) {
  to.reserve(to.size() + index_size(all, version) + room_behind);
  cbor::writer out(to);
  out.map(version == 2 ? 3 : 2);
  out.text("lengths");
  out.array(all.size());
  for (const listed_object& one : all) out.integer(one.length);
  out.text("offsets");
  out.array(all.size());
  for (const listed_object& one : all) out.integer(one.offset);
  if (version == 2) out.pair(object_count, all.size());
}

bool has_digests(const object_list& all, int version) noexcept {
  const auto has = [](const listed_object& one) { return one.digest.has_value(); };
  return version == 2 ? std::any_of(all.begin(), all.end(), has)
                      : !all.empty() && std::all_of(all.begin(), all.end(), has);
}

std::uint64_t hash_list_size(const object_list& all, int version) noexcept {
  std::uint64_t size = 1 + short_text(digests) + cbor::head_size(all.size());
  for (const listed_object& one : all) size += 1 + (one.digest ? digest_digits : 0);
  return size + short_text(algorithm_key(version)) + short_text("xxh3") + count_size(all.size(), version);
}

void put_hash_list(const object_list& all, int version, std::vector<std::byte>& to) {
  to.reserve(to.size() + hash_list_size(all, version) + room_behind);
  cbor::writer out(to);
  out.map(version == 2 ? 3 : 2);
  out.text(digests);
  out.array(all.size());
  for (const listed_object& one : all) {
    if (one.digest)
      out.text(digest_text(*one.digest).view());
    else
      out.text({});
  }
  out.pair(algorithm_key(version), std::string_view("xxh3"));
  if (version == 2) out.pair(object_count, all.size());
}

}  // namespace tgmap::write
