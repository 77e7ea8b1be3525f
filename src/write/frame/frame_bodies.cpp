// SPDX-License-Identifier: Apache-2.0
#include "write/frame/frame_bodies.hpp"

#include <algorithm>
#include <string_view>

#include "cbor/canonical/writer.hpp"
#include "write/frame/descriptor_encoder.hpp"

namespace tgmap::write {

namespace {

constexpr std::string_view reserved_key = "_reserved_";

void append_tensor(const tensor_layout& layout, std::vector<std::byte>& to) {
  cbor::writer out(to);
  out.map(1);
  out.text("tensor");
  out.map(4);
  out.pair("ndim", layout.rank);
  out.pair("dtype", to_string_view(layout.dtype));
  out.text("shape");
  write_numbers(out, layout.shape());
  out.text("strides");
  write_numbers(out, layout.strides());
}

}  // namespace

void tensor_entry::update(const tensor_layout& layout) {
  if (!encoded_.empty() && layout == layout_) return;
  constexpr std::size_t max_size = 64 + std::size_t{18} * max_rank;  // an extent and a stride take up to 9 bytes each
  encoded_.clear();
  encoded_.reserve(max_size);  // the only allocation: if it fails, the entry is empty and not half of one
  layout_ = layout;
  append_tensor(layout_, encoded_);
}

void append_base_entry(const cbor_value& keys, const cbor::key_place& reserved, std::span<const std::byte> tensor,
                       std::vector<std::byte>& to) {
  cbor::writer out(to);
  cbor::write_with(out, keys.encoded(), reserved, reserved_key, tensor);
}

std::size_t append_metadata(std::span<const std::byte> entries, std::uint64_t count, const cbor_value& extra,
                            int version, provenance_source* provenance, std::vector<std::byte>& to,
                            base_entries entries_are) {
  const bool has_base = count != 0, has_extra = !extra.empty();
  const bool has_provenance = provenance != nullptr && !provenance->empty();
  cbor::writer out(to);
  out.map((has_base ? 1U : 0U) + (has_extra ? 1U : 0U) + (version == 2 ? 1U : 0U) + (has_provenance ? 1U : 0U));
  if (has_base) {
    out.text("base");
    out.array(count);
  }
  const std::size_t entries_begin = to.size();
  if (has_base && entries_are == base_entries::included) out.encoded(entries);
  if (has_extra) {
    out.text("_extra_");
    out.encoded(extra.encoded());
  }
  if (version == 2) out.pair("version", 2);
  if (has_provenance) {
    out.text(reserved_key);
    provenance->write(out);
  }
  return entries_begin;
}

void append_preceder(const cbor_value& keys, int version, std::vector<std::byte>& to) {
  append_metadata(keys.encoded(), 1, cbor_value::map(), version, nullptr, to);
}

namespace {

constexpr std::string_view hashes_key = "hashes", object_count_key = "object_count";

// Reserved for the tail and the padding of the frame: a long list must not be copied because of them.
constexpr std::size_t tail_and_padding = 32;

/// Returns the size of an encoded text of fewer than 24 bytes.
constexpr std::uint64_t short_text_size(std::string_view text) noexcept { return 1 + text.size(); }

/// Returns the size of the number of objects, which version 2 adds to both lists.
constexpr std::uint64_t object_count_size(std::uint64_t count, int version) noexcept {
  return version == 2 ? short_text_size(object_count_key) + cbor::head_size(count) : 0;
}

constexpr std::string_view algorithm_key(int version) noexcept { return version == 2 ? "hash_type" : "algorithm"; }

}  // namespace

std::uint64_t index_size(const object_list& objects, int version) noexcept {
  std::uint64_t size =
      1 + short_text_size("lengths") + short_text_size("offsets") + 2 * cbor::head_size(objects.size());
  for (const listed_object& one : objects) size += cbor::head_size(one.offset) + cbor::head_size(one.length);
  return size + object_count_size(objects.size(), version);
}

void append_index(const object_list& objects, int version, std::vector<std::byte>& to) {
  to.reserve(to.size() + index_size(objects, version) + tail_and_padding);
  cbor::writer out(to);
  out.map(version == 2 ? 3 : 2);
  out.text("lengths");
  out.array(objects.size());
  for (const listed_object& one : objects) out.integer(one.length);
  out.text("offsets");
  out.array(objects.size());
  for (const listed_object& one : objects) out.integer(one.offset);
  if (version == 2) out.pair(object_count_key, objects.size());
}

bool has_hashes(const object_list& objects, int version) noexcept {
  const auto has_hash = [](const listed_object& object) { return object.hash.has_value(); };
  return version == 2 ? std::any_of(objects.begin(), objects.end(), has_hash)
                      : !objects.empty() && std::all_of(objects.begin(), objects.end(), has_hash);
}

std::uint64_t hash_list_size(const object_list& objects, int version) noexcept {
  std::uint64_t size = 1 + short_text_size(hashes_key) + cbor::head_size(objects.size());
  for (const listed_object& one : objects) size += 1 + (one.hash ? hash_text::size : 0);
  return size + short_text_size(algorithm_key(version)) + short_text_size("xxh3") +
         object_count_size(objects.size(), version);
}

void append_hash_list(const object_list& objects, int version, std::vector<std::byte>& to) {
  to.reserve(to.size() + hash_list_size(objects, version) + tail_and_padding);
  cbor::writer out(to);
  out.map(version == 2 ? 3 : 2);
  out.text(hashes_key);
  out.array(objects.size());
  for (const listed_object& one : objects) {
    if (one.hash)
      out.text(hash_text(*one.hash).view());
    else
      out.text({});
  }
  out.pair(algorithm_key(version), std::string_view("xxh3"));
  if (version == 2) out.pair(object_count_key, objects.size());
}

}  // namespace tgmap::write
