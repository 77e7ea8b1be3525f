// SPDX-License-Identifier: Apache-2.0
// The descriptor of an object that nothing is done to, kept for the next one: of many small objects most are described
// alike.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <tgmap/write/new_message.hpp>
#include <vector>

#include "encode/object_encoder.hpp"

namespace tgmap::write {

class plain_descriptor {
 public:
  /// The descriptor of such an object, when it is the one kept; else nothing. No allocation.
  std::span<const std::byte> find(const new_object&, const encode::encoded_object&) const noexcept;

  /// Keeps the descriptor, if it is of an object that nothing is done to. Throws std::bad_alloc.
  void keep(const new_object&, const encode::encoded_object&, std::span<const std::byte> descriptor);

 private:
  std::vector<std::byte> descriptor_{}, more_{};
  std::vector<std::uint64_t> shape_{};
  std::string type_{};
  tgmap::dtype dtype_ = dtype::uint8;
  byte_order order_ = native_byte_order;
};

}  // namespace tgmap::write
