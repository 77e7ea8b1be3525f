// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tgmap/constant/tensor_constant.hpp>

#include "constant/grown_memory.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {

/// The labels of a constant as archives keep them: offsets counted from 0, and a table that anybody who has the labels
/// makes just so.
struct lookup {
  grown_memory table{};
  std::uint64_t seed = 0;
};

/// The table of a constant with mapped dimensions. The seed is the digest of its text; where labels meet too often, as
/// if somebody had chosen them so, the next number, and so on. O(blocks).
/// Errors: bad_constant, tgmap::errc::out_of_memory.
lookup make_lookup(const tensor_constant&, failure&) noexcept;

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
