// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <tgmap/dtype.hpp>
#include <tgmap/half.hpp>

namespace tgmap {
inline namespace v0 {
namespace constant {
namespace json {

/// `work(Cell())` of the type of cells.
template <class Work>
decltype(auto) for_cell_type(dtype type, Work&& work) {
  switch (type) {
    case dtype::float32: return work(float());
    case dtype::bfloat16: return work(bfloat16{});
    case dtype::int8: return work(std::int8_t());
    default: return work(double());
  }
}

}  // namespace json
}  // namespace constant
}  // namespace v0
}  // namespace tgmap
