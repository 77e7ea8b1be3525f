// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <tgmap/decode/executor.hpp>
#include <tgmap/tensor.hpp>
#include <variant>

namespace tgmap::statistics {

/// An element as its dtype has it: whole numbers exactly, all others as doubles. Nothing: there is none.
using exact_number = std::variant<std::monostate, std::int64_t, std::uint64_t, double>;

/// What can be said of the elements of one object. Least, greatest, mean and deviation are those of the finite ones;
/// of complex numbers those of their magnitudes, of bits 0 and 1.
struct element_statistics {
  std::uint64_t elements = 0;
  std::uint64_t nan = 0, positive_infinities = 0, negative_infinities = 0;  ///< of complex ones as §6.2 counts them
  exact_number least{}, greatest{};
  double mean = std::numeric_limits<double>::quiet_NaN();       ///< NaN: none is finite
  double deviation = std::numeric_limits<double>::quiet_NaN();  ///< standard, of the population

  std::uint64_t finite() const noexcept { return elements - nan - positive_infinities - negative_infinities; }
};

/// Of a tensor in native byte order. In one pass, piece by piece, and the pieces brought together by pairs, so that the
/// error grows with the logarithm of their number; 64-bit integers are measured from the first one, so that none is
/// rounded before its size is known. `on`: whose threads; null: the calling thread alone. The answer is the same.
/// Errors: foreign_byte_order, out_of_memory, file_shrank (borrowed elements, with a `mapping_guard`).
element_statistics statistics_of(const tensor&, executor* on, failure&) noexcept;

}  // namespace tgmap::statistics
