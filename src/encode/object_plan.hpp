// SPDX-License-Identifier: Apache-2.0
// Properties of an object that are known before an element is read.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "encode/object_encoder.hpp"
#include "encode/source_layout.hpp"

namespace tgmap::encode {

/// Returns the product of a shape, or nothing on overflow. An extent of 0 makes it 0, whatever the others are.
inline std::optional<std::uint64_t> element_count(std::span<const std::uint64_t> shape) noexcept {
  if (std::find(shape.begin(), shape.end(), 0U) != shape.end()) return 0;
  std::uint64_t product = 1;
  for (const std::uint64_t extent : shape)
    if (__builtin_mul_overflow(product, extent, &product)) return std::nullopt;
  return product;
}

struct object_plan {
  std::uint64_t elements = 0;
  std::uint64_t bytes = 0;  ///< of all elements, without gaps
  source_layout layout{};   ///< in C order if the elements need not be gathered
};

/// Plans an object. Errors: those of check_object.
failure plan_object(const new_object&, int version, object_plan& out) noexcept;

/// Returns the bytes of an element of the filter; 0 without a filter. `bits` is the size of a packed element.
std::size_t shuffle_size(const pipeline&, dtype, unsigned bits) noexcept;

/// Return the bits of a sample (§7.4) and the typesize (§7.7) of the input of a compression.
unsigned sample_bits(const pipeline&, dtype, unsigned bits) noexcept;
std::size_t typesize(const pipeline&, dtype, unsigned bits) noexcept;

/// Checks that `bytes` encoded bytes can be filtered. Errors: bad_parameter (found = size of an element).
failure check_shuffle(const pipeline&, dtype, unsigned bits, std::uint64_t bytes) noexcept;

}  // namespace tgmap::encode
