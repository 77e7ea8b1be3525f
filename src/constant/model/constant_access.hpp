// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tgmap/constant/tensor_constant.hpp>
#include <utility>

namespace tgmap {
inline namespace v0 {
namespace constant {

/// The parts of a constant. Text, offsets and table are empty without mapped dimensions. The offsets delimit the labels
/// in the text, block by block and dimension by dimension; there is one more than labels.
struct constant_parts {
  tensor_type type{};
  std::uint64_t blocks = 0;
  std::span<const std::byte> cells{}, text{}, offsets{}, table{};
  std::uint64_t seed = 0;
  bool is_borrowed = false;
  pin owner{};
};

/// Access to the private parts of a constant. The caller makes sure that the parts fit together.
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
    out.borrowed_ = from.is_borrowed;
    out.owner_ = std::move(from.owner);
    return out;
  }
  static std::span<const std::byte> text(const tensor_constant& constant) noexcept { return constant.text_; }
  static constant_parts parts(const tensor_constant& constant) {
    return {constant.type_,  constant.blocks_, constant.cells_,    constant.text_, constant.offsets_,
            constant.table_, constant.seed_,   constant.borrowed_, constant.owner_};
  }
};

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
