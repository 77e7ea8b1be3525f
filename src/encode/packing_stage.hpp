// SPDX-License-Identifier: Apache-2.0
// The encoding simple_packing (§7.1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/write/new_message.hpp>

#include "codec/packing/packing_parameters.hpp"
#include "core/memory.hpp"

namespace tgmap::encode {

/// A `double_elements` is float64 elements in C order, at any address.
struct double_elements {
  std::span<const std::byte> bytes{};
  byte_order order = native_byte_order;
};

/// A `packing_plan` is the result of choosing parameters.
struct packing_plan {
  codec::packing_parameters parameters{};
  bool all_fit = false;     ///< every finite element fits
  bool all_finite = false;  ///< every element is finite
};

/// Chooses parameters: given, computed, or the fewest bits that keep the error small. Ignores NaN and infinities. Reads
/// elements only if the parameters depend on them, or if `some_are_masked`; masked elements need not fit.
/// Errors: bad_parameter, not_representable (found = index of the element).
failure choose_packing(const double_elements&, const pipeline&, bool some_are_masked, packing_plan& out) noexcept;

/// Packs elements into `memory`. Errors: non_finite, not_representable (both unless all_fit); out_of_memory.
failure pack_elements(const double_elements&, const packing_plan&, core::scratch& memory,
                      std::span<const std::byte>& out) noexcept;

}  // namespace tgmap::encode
