// SPDX-License-Identifier: Apache-2.0
// Bodies of the frames that describe a message: metadata (§5.1), preceder (§5.4), index (§3.1) and hash list (§3.2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <tgmap/write/cbor_value.hpp>
#include <vector>

#include "cbor/canonical/canonical_map.hpp"
#include "write/frame/provenance_source.hpp"
#include "write/frame/tensor_layout.hpp"

namespace tgmap::write {

/// A `tensor_entry` is the value of `_reserved_` in the metadata of an object: the layout of its tensor. It is kept for
/// the next object, since consecutive objects often have the same layout.
class tensor_entry {
 public:
  /// Encodes a layout, unless it is that of the last call. Throws std::bad_alloc.
  void update(const tensor_layout&);

  const tensor_layout& layout() const noexcept { return layout_; }
  std::span<const std::byte> encoded() const noexcept { return encoded_; }

 private:
  tensor_layout layout_{};
  std::vector<std::byte> encoded_{};
};

/// Appends the entry of one object to an array `base`: its keys, and its tensor entry at that place among them. Throws
/// std::bad_alloc.
void append_base_entry(const cbor_value& keys, const cbor::key_place& reserved, std::span<const std::byte> tensor,
                       std::vector<std::byte>& to);

/// Says if append_metadata includes the entries of objects, or only their number.
enum class base_entries : std::uint8_t { included, left_out };

/// Appends the body of a metadata frame: `base` with `count` entries, `_extra_`, `version` (version 2 only) and
/// `_reserved_`; empty ones are omitted. `provenance` may be null. Returns the offset in `to` of the entries, where
/// they must be inserted if they were left out. Throws std::bad_alloc; std::system_error.
std::size_t append_metadata(std::span<const std::byte> entries, std::uint64_t count, const cbor_value& extra,
                            int version, provenance_source* provenance, std::vector<std::byte>& to,
                            base_entries = base_entries::included);

/// Appends the body of a preceder frame: the keys of one object. Throws std::bad_alloc.
void append_preceder(const cbor_value& keys, int version, std::vector<std::byte>& to);

/// A `listed_object` is an object as index and hash list state it.
struct listed_object {
  std::uint64_t offset = 0;  ///< of its frame, from the start of the message
  std::uint64_t length = 0;  ///< of its frame, without padding
  std::optional<std::uint64_t> hash{};
};

/// Not a vector: a stream may have millions of objects, and a vector that grows takes three times their memory.
using object_list = std::deque<listed_object>;

/// Returns the size of the body of an index frame. It depends on the numbers in the list.
std::uint64_t index_size(const object_list&, int version) noexcept;

/// Appends the body of an index frame. Throws std::bad_alloc.
void append_index(const object_list&, int version, std::vector<std::byte>& to);

/// Returns true if there is anything to list: in version 3 the hashes of all objects, in version 2 that of any.
bool has_hashes(const object_list&, int version) noexcept;

/// Returns the size of the body of a hash frame.
std::uint64_t hash_list_size(const object_list&, int version) noexcept;

/// Appends the body of a hash frame. Throws std::bad_alloc.
void append_hash_list(const object_list&, int version, std::vector<std::byte>& to);

}  // namespace tgmap::write
