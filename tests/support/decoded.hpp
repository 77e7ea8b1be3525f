// SPDX-License-Identifier: Apache-2.0
// Copies of temporary tensors, because views of temporaries do not compile.
#pragma once

#include <support/bytes.hpp>
#include <tgmap/tensor.hpp>
#include <vector>

namespace tgmap_test {

/// Returns a copy of the bytes of a tensor.
inline bytes bytes_of(const tgmap::tensor& tensor) { return bytes(view_of(tensor.bytes())); }

/// Returns a copy of the elements of a tensor in C order.
template <tgmap::element T>
std::vector<T> values_of(const tgmap::tensor& tensor) {
  const auto view = tensor.view<T>();
  const auto values = view.values();
  return {values.begin(), values.end()};
}

}  // namespace tgmap_test
