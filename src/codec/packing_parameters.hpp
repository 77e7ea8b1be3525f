// SPDX-License-Identifier: Apache-2.0
// What a descriptor tells of simple_packing (§7.1), in either spelling of its keys.
#pragma once

#include <cstdint>
#include <tgmap/descriptor.hpp>
#include <tgmap/error.hpp>

namespace tgmap::codec {

struct packing_parameters {
  double reference = 0;
  std::int32_t binary_scale = 0;
  std::int32_t decimal_scale = 0;
  unsigned bits = 0;  ///< 0 to 64
};

/// All four must be there, finite and in range. O(bytes of the descriptor), no allocation. Errors: bad_parameter.
[[nodiscard]] failure read_packing_parameters(const descriptor&, packing_parameters& out) noexcept;

}  // namespace tgmap::codec
