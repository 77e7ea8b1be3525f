// SPDX-License-Identifier: Apache-2.0
// Copies of what temporary tensors hold: their views do not compile.
#pragma once

#include <support/bytes.hpp>
#include <tgmap/tensor.hpp>
#include <vector>

namespace tgmap_test {

/// The bytes of a tensor, copied.
inline bytes bytes_of(const tgmap::tensor& from) { return bytes(view_of(from.bytes())); }

/// The elements of a tensor in C order, copied.
template <tgmap::element T>
std::vector<T> values_of(const tgmap::tensor& from) {
  const auto view = from.view<T>();
  const auto values = view.values();
  return {values.begin(), values.end()};
}

}  // namespace tgmap_test
