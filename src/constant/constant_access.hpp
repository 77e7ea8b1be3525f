// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tgmap/constant/tensor_constant.hpp>
#include <utility>

namespace tgmap {
inline namespace v0 {
namespace constant {

/// What a constant is made of. Text, offsets and table are empty without mapped dimensions. The offsets are one more
/// than labels, block by block, dimension by dimension; where labels begin and end in the text.
struct constant_parts {
  tensor_type type{};
  std::uint64_t blocks = 0;
  std::span<const std::byte> cells{}, text{}, offsets{}, table{};
  std::uint64_t seed = 0;
  bool borrowed = false;
  pin owner{};
};

/// The one way into a constant, for whoever has made its parts fit each other.
struct constant_access {
  static tensor_constant make(constant_parts from) noexcept {
    tensor_constant out;
    out.type_ = std::move(from.type);
    out.blocks_ = from.blocks;
    out.cells_ = from.cells;
    out.text_ = from.text;
    out.offsets_ = from.offsets;
    out.table_ = from.table;
    out.seed_ = from.seed;
    out.borrowed_ = from.borrowed;
    out.owner_ = std::move(from.owner);
    return out;
  }
  static std::span<const std::byte> text(const tensor_constant& of) noexcept { return of.text_; }
  static constant_parts parts(const tensor_constant& of) {
    return {of.type_, of.blocks_, of.cells_, of.text_, of.offsets_, of.table_, of.seed_, of.borrowed_, of.owner_};
  }
};

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
