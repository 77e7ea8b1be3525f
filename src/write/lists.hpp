// SPDX-License-Identifier: Apache-2.0
// The frames that list all objects: where they lie (§3.1), and their digests (§3.2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace tgmap::write {

/// One object, as the lists tell of it.
struct listed_object {
  std::uint64_t offset = 0;  ///< of its frame, from the start of the message
  std::uint64_t length = 0;  ///< of its frame, without padding
  std::optional<std::uint64_t> digest{};
};

/// Not a vector: a stream may have millions, and growing must not take three times their room.
using object_list = std::deque<listed_object>;

/// Bytes of an index frame's body, which depend on the numbers in it.
std::uint64_t index_size(const object_list&, int version) noexcept;

/// Appends it. Throws std::bad_alloc.
void put_index(const object_list&, int version, std::vector<std::byte>& to);

/// Whether there is a list of digests: version 3 lists those of all objects, version 2 also of some.
bool has_digests(const object_list&, int version) noexcept;

/// Bytes of a hash frame's body.
std::uint64_t hash_list_size(const object_list&, int version) noexcept;

/// Appends it. Throws std::bad_alloc.
void put_hash_list(const object_list&, int version, std::vector<std::byte>& to);

}  // namespace tgmap::write
