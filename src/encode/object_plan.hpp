// SPDX-License-Identifier: Apache-2.0
// What can be known of an object before an element of it is read.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "encode/object_encoder.hpp"
#include "encode/source_layout.hpp"

namespace tgmap::encode {

/// The product of a shape; nothing on overflow. An extent of 0 makes it 0, whatever the others.
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
  source_layout layout{};   ///< one that is in C order where the elements need not be gathered
};

/// Errors: as check_object.
failure plan_object(const new_object&, int version, object_plan& out) noexcept;

/// What the filter takes as one element, 0 where there is no filter. `bits`: of a packed element.
std::size_t shuffle_size(const pipeline&, dtype, unsigned bits) noexcept;

/// Of what goes into a compression: the bits of a sample (§7.4), the bytes that repeat (§7.7).
unsigned sample_bits(const pipeline&, dtype, unsigned bits) noexcept;
std::size_t typesize(const pipeline&, dtype, unsigned bits) noexcept;

/// Whether so many encoded bytes can be filtered. Errors: bad_parameter (found = the size of an element).
failure check_shuffle(const pipeline&, dtype, unsigned bits, std::uint64_t bytes) noexcept;

}  // namespace tgmap::encode
