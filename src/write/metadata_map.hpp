// SPDX-License-Identifier: Apache-2.0
// The metadata of a message, as it is written (§5.1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/write/cbor_value.hpp>
#include <vector>

#include "cbor/canonical_map.hpp"
#include "write/provenance_source.hpp"
#include "write/tensor_facts.hpp"

namespace tgmap::write {

/// Containers around the keys of an object and of a message in their frames.
inline constexpr std::uint32_t around_base = 2, around_extra = 1;

/// Whether it is a map whose keys are text, which readers take at its depth. Errors: wrong_kind, cbor_too_deep.
failure check_map(const cbor_value&, std::uint32_t around) noexcept;

/// Whether a program may give these keys: such a map, without `_reserved_`. Errors: those of check_map, reserved_key.
failure check_keys(const cbor_value&, std::uint32_t around) noexcept;
failure check_keys(const cbor_value&, std::uint32_t around,
                   cbor::key_place& reserved) noexcept;  ///< and where it would be

/// Appends what the entry of an object says of its tensor. Throws std::bad_alloc.
void put_tensor(const tensor_facts&, std::vector<std::byte>& to);

/// Appends the entry of one object: its keys and, at that place among them, its tensor. Throws std::bad_alloc.
void put_base_entry(const cbor_value& keys, const cbor::key_place& reserved, std::span<const std::byte> tensor,
                    std::vector<std::byte>& to);

/// Appends a whole frame body around `entries`, which hold `count` of them: `base`, `_extra_`, `version` (of version 2)
/// and `_reserved_`, without those that are empty. `who` may be null. Throws std::bad_alloc.
/// Returns where in `to` the entries belong when `apart` is set: they are left out there, to be put out from elsewhere.
std::size_t put_metadata(std::span<const std::byte> entries, std::uint64_t count, const cbor_value& extra, int version,
                         provenance_source* who, std::vector<std::byte>& to, bool apart = false);

/// Appends the body of a preceder frame: one entry (§5.4). Throws std::bad_alloc.
void put_preceder(const cbor_value& keys, int version, std::vector<std::byte>& to);

}  // namespace tgmap::write
