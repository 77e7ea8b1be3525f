// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <tgmap/decode/executor.hpp>
#include <tgmap/tensor.hpp>
#include <variant>

namespace tgmap::statistics {

/// An element as its dtype holds it: integers exactly, all others as double. Empty if there is no element.
using exact_number = std::variant<std::monostate, std::int64_t, std::uint64_t, double>;

/// Statistics of the elements of one object. Range, mean and standard deviation are those of the finite elements;
/// complex numbers count by their magnitude, and bits as 0 and 1.
struct element_statistics {
  std::uint64_t elements = 0;
  std::uint64_t nan = 0, positive_infinities = 0, negative_infinities = 0;  ///< complex numbers as in §6.2
  exact_number min{}, max{};
  double mean = std::numeric_limits<double>::quiet_NaN();                ///< NaN if no element is finite
  double standard_deviation = std::numeric_limits<double>::quiet_NaN();  ///< of the population

  std::uint64_t finite_count() const noexcept { return elements - nan - positive_infinities - negative_infinities; }
};

/// Computes the statistics of a tensor in native byte order, with the threads of `executor`, or alone if it is null.
/// The result does not depend on the number of threads.
///
/// The tensor is read once, in pieces that are merged pairwise, so that the error grows with the logarithm of their
/// number. 64-bit integers are measured as distances from the first element, so that none is rounded.
/// Errors: foreign_byte_order, out_of_memory, file_shrank (borrowed elements, with a `mapping_guard`).
element_statistics compute_statistics(const tensor&, executor*, failure&) noexcept;

}  // namespace tgmap::statistics
