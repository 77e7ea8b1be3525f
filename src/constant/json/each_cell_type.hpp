// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <tgmap/dtype.hpp>

namespace tgmap {
inline namespace v0 {
namespace constant {
namespace json {

/// `work(Cell())` of the type of cells.
template <class Work>
decltype(auto) for_cell_type(dtype type, Work&& work) {
  if (type == dtype::float32) return work(float());
  if (type == dtype::bfloat16) return work(bfloat16{});
  if (type == dtype::int8) return work(std::int8_t());
  return work(double());
}

}  // namespace json
}  // namespace constant
}  // namespace v0
}  // namespace tgmap
