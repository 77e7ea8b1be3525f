// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <support/bytes.hpp>
#include <tgmap/dtype.hpp>

namespace tgmap_interop {

using tgmap_test::bytes;

/// The values among the elements that are not finite.
enum kinds : unsigned { finite = 0, nan = 1, positive = 2, negative = 4, every_kind = 7 };

bool is_float(tgmap::dtype) noexcept;

/// Returns elements in this machine's byte order, the same for the same arguments. `is_smooth`: float64 values that
/// lossy codecs keep well; otherwise elements without a pattern.
bytes elements_of(tgmap::dtype, std::uint64_t count, bool is_smooth, unsigned not_finite = finite, unsigned seed = 1);

/// Returns the elements in the other byte order.
bytes swapped(tgmap::dtype, bytes);

}  // namespace tgmap_interop
