// SPDX-License-Identifier: Apache-2.0
// Encodes the descriptor of a data object (§6.1, §7).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tgmap/write/new_message.hpp>
#include <vector>

#include "cbor/canonical/sorted_map.hpp"
#include "core/text/hex.hpp"
#include "encode/object_encoder.hpp"
#include "write/frame/tensor_layout.hpp"

namespace tgmap::write {

/// Appends a descriptor. `payload_hash` is for version 2, whose descriptors state it. `scratch` must be empty and is
/// empty afterwards.
/// Errors: bad_descriptor (`type`); reserved_key (`descriptor_extra` has a key of the library); wrong_kind
/// (`descriptor_extra` is not a map with text keys, or has a tag); cbor_too_deep. Throws std::bad_alloc.
failure append_descriptor(const new_object&, const encode::encoded_object&, const tensor_layout&, int version,
                          std::optional<std::uint64_t> payload_hash, cbor::sorted_map& scratch,
                          std::vector<std::byte>& to);

/// A `descriptor_cache` keeps the last descriptor of an object that is stored without a pipeline. Consecutive small
/// objects often have equal descriptors, and copying one costs less than encoding it.
class descriptor_cache {
 public:
  /// Returns the descriptor of an object if it is the cached one; an empty span otherwise. Does not allocate.
  std::span<const std::byte> find(const new_object&, const encode::encoded_object&) const noexcept;

  /// Caches a descriptor if its object has no pipeline. Throws std::bad_alloc.
  void store(const new_object&, const encode::encoded_object&, std::span<const std::byte> descriptor);

 private:
  std::vector<std::byte> descriptor_{}, extra_{};
  std::vector<std::uint64_t> shape_{};
  std::string type_{};
  tgmap::dtype dtype_ = dtype::uint8;
  byte_order order_ = native_byte_order;
};

/// A `hash_text` is a hash as metadata states it: sixteen hexadecimal digits.
class hash_text {
 public:
  static constexpr std::size_t size = 16;
  explicit hash_text(std::uint64_t hash) noexcept : digits_(core::hex_digits(hash)) {}
  std::string_view view() const noexcept { return {digits_.data(), digits_.size()}; }

 private:
  std::array<char, size> digits_;
};

}  // namespace tgmap::write
