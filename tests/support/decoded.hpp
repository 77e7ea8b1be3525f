// SPDX-License-Identifier: Apache-2.0
// Copies of temporary tensors, because views of temporaries do not compile.
#pragma once

#include <support/bytes.hpp>
#include <tgmap/tensor.hpp>
#include <vector>

namespace tgmap_test {

/// Returns a copy of the bytes of a tensor.
inline bytes bytes_of(const tgmap::tensor& from) { return bytes(view_of(from.bytes())); }

/// Returns a copy of the elements of a tensor in C order.
template <tgmap::element T>
std::vector<T> values_of(const tgmap::tensor& from) {
  const auto view = from.view<T>();
  const auto values = view.values();
  return {values.begin(), values.end()};
}

}  // namespace tgmap_test
