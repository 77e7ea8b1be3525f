// SPDX-License-Identifier: Apache-2.0
// The encoding simple_packing (§7.1): from elements as they lie to packed ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/write/new_message.hpp>

#include "codec/packing/packing_parameters.hpp"
#include "core/memory.hpp"

namespace tgmap::encode {

/// Elements of float64 in C order, at any address.
struct double_elements {
  std::span<const std::byte> bytes{};
  byte_order order = native_byte_order;
};

/// What was found out in choosing how to pack.
struct packing_plan {
  codec::packing_parameters with{};
  bool all_fit = false;     ///< every element that is finite does
  bool all_finite = false;  ///< every element is
};

/// Parameters for those elements: given, computed, or as few bits as keep the error small. NaN and infinities do not
/// count. Reads elements only where that depends on them, or where `some_are_masked`, which need not fit.
/// Errors: bad_parameter, not_representable (found = the number of the element).
failure choose_packing(const double_elements&, const pipeline&, bool some_are_masked, packing_plan& out) noexcept;

/// Packs into memory that is lent. Errors: where they are not known to fit non_finite, not_representable;
/// out_of_memory.
failure pack_elements(const double_elements&, const packing_plan&, core::scratch& memory,
                      std::span<const std::byte>& out) noexcept;

}  // namespace tgmap::encode
