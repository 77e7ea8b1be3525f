// SPDX-License-Identifier: Apache-2.0
// The descriptor of a data object, as it is written (§6.1, §7).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <tgmap/write/new_message.hpp>
#include <vector>

#include "cbor/sorted_map.hpp"
#include "core/text/hex.hpp"
#include "encode/object_encoder.hpp"
#include "write/tensor_facts.hpp"

namespace tgmap::write {

/// Containers in containers that readers take in a descriptor.
inline constexpr std::uint32_t deepest_descriptor = 256;

/// Appends it. `payload_hash`: version 2 states it there. `scratch` is empty before and afterwards.
/// Errors: reserved_key (`more` holds a key that is written here), wrong_kind (`more` is no map with text keys, or
/// holds a tag, which no descriptor may), cbor_too_deep. Throws std::bad_alloc.
failure put_descriptor(const new_object&, const encode::encoded_object&, const tensor_facts&, int version,
                       std::optional<std::uint64_t> payload_hash, cbor::sorted_map& scratch,
                       std::vector<std::byte>& to);

/// Sixteen hexadecimal digits, as digests are written.
struct digest_text {
  std::array<char, 16> digits;
  explicit digest_text(std::uint64_t digest) noexcept : digits(core::hex_digits(digest)) {}
  std::string_view view() const noexcept { return {digits.data(), digits.size()}; }
};

}  // namespace tgmap::write
