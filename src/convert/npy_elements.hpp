// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <tgmap/descriptor.hpp>
#include <tgmap/dtype.hpp>

namespace tgmap::convert {

/// What NumPy's name for elements means here.
struct npy_elements {
  tgmap::dtype type = dtype::uint8;
  tgmap::byte_order order = byte_order::little;
  /// Tensogram has nothing that is quite that, so `type` is to be taken only where the caller says so: NumPy's bool,
  /// whose bytes are 0 or 1 (uint8, or bitmask when they are packed), and two opaque bytes without an order (bfloat16).
  bool stand_in = false;
};

/// Of every dtype of Tensogram, in both byte orders: "<f4", ">c16", "|u1", "<V2" (bfloat16, as the packages that add it
/// write it). The bitmask is none of NumPy's. Throws refusal, which says what there is.
npy_elements npy_elements_of(std::string_view descr);

}  // namespace tgmap::convert
