// SPDX-License-Identifier: Apache-2.0
// Reads and checks descriptors, from a copy of their bytes.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <tgmap/descriptor.hpp>
#include <tgmap/options.hpp>

#include "validate/cbor/cbor_item.hpp"
#include "validate/findings.hpp"
#include "validate/message_bytes.hpp"
#include "validate/message_parts.hpp"

namespace tgmap::validation {

struct mask_fields {
  std::string method;
  std::uint64_t offset = 0, length = 0;  ///< in the payload region
};

/// The fields of a descriptor that checks need. Spec: §6.1. Lifetime: items, that of the bytes.
struct descriptor_fields {
  tgmap::dtype dtype = dtype::uint8;
  byte_order order = byte_order::little;
  std::string encoding, filter, compression;
  bool has_empty_type = false;
  std::uint64_t ndim = 0, rank = 0, stride_count = 0;
  std::optional<std::uint64_t> elements = 1;  ///< product of the shape; nothing if it overflows
  cbor_item shape{}, strides{};
  std::array<std::optional<mask_fields>, 3> masks;
  cbor_item hash{};  ///< version 2; may be absent

  /// Elements are stored as they are.
  bool is_plain() const noexcept { return encoding == "none" && filter == "none" && compression == "none"; }
  bool has_masks() const noexcept { return masks[0] || masks[1] || masks[2]; }

  /// Returns the size of the payload, which ends where the first mask begins.
  std::uint64_t payload_size(const object_part& object) const noexcept {
    std::uint64_t out = object.region_size;
    for (const auto& mask : masks)
      if (mask) out = std::min(out, mask->offset);
    return out;
  }
};

/// Returns text such as "[2, 3]".
std::string shape_text(cbor_item shape);

/// Reads the descriptor of a usable object. Returns the problem; empty if there is none. Lifetime: items, until the
/// next load from the message. Errors: file_shrank, of the operating system.
std::string load_descriptor(message_bytes&, const object_part&, int version, const open_options& limits,
                            descriptor_fields& out, failure&);

/// Checks a descriptor: its fields, and that they agree with each other and with the frame. Errors: file_shrank, of the
/// operating system.
void check_descriptor(message_bytes&, const object_part&, optional_index number, int version,
                      const open_options& limits, bool canonical, message_findings&, failure&);

}  // namespace tgmap::validation
