// SPDX-License-Identifier: Apache-2.0
// What the checks need of a descriptor (§6.1), read from a copy of its bytes that nobody changes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <tgmap/descriptor.hpp>

#include "validate/item.hpp"

namespace tgmap::checks {

struct mask_facts {
  std::string method;
  std::uint64_t offset = 0, length = 0;  ///< in the payload region
};

struct descriptor_facts {
  tgmap::dtype dtype = dtype::uint8;
  byte_order order = byte_order::little;
  std::string encoding, filter, compression;
  bool type_empty = false;
  std::uint64_t ndim = 0, rank = 0, strides = 0;
  std::optional<std::uint64_t> elements = 1;  ///< product of the shape; nothing on overflow
  item shape{};                               ///< valid as long as the bytes are
  std::array<std::optional<mask_facts>, 3> masks;
  item hash{};  ///< of version 2; may be absent. Valid as above

  bool raw() const noexcept { return encoding == "none" && filter == "none" && compression == "none"; }
  bool masked() const noexcept { return masks[0] || masks[1] || masks[2]; }
};

/// For people: "[2, 3]".
std::string shape_text(item shape);

/// Reads the map of a descriptor whose bytes are sound CBOR. Returns what is wrong with it; empty: nothing.
std::string read_descriptor(item map, int version, descriptor_facts& out);

}  // namespace tgmap::checks
