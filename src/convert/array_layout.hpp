// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "convert/npy_elements.hpp"

namespace tgmap::convert {

/// What a file of one array holds, where it lies. Borrows the file.
struct npy_array {
  npy_elements elements{};
  std::vector<std::uint64_t> shape{};   ///< slowest first; empty: a scalar
  std::vector<std::int64_t> strides{};  ///< in elements: C order, or Fortran order where the file says that
  std::span<const std::byte> data{};    ///< just the elements, at any alignment
  std::size_t offset = 0;               ///< of `data` in the file
};

/// Takes `data` as the elements of that dtype and shape, in Fortran order or in C order. Throws refusal unless it is
/// just as long as they are.
void lay_out(npy_array&, std::span<const std::byte> data, bool fortran_order);

/// "is cut: …". Throws refusal.
[[noreturn]] void refuse_cut(std::uint64_t wanted, std::uint64_t there);

}  // namespace tgmap::convert
