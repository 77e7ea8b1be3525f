// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <support/bytes.hpp>
#include <tgmap/dtype.hpp>

namespace tgmap_interop {

using tgmap_test::bytes;

/// Which values that are not finite lie among the elements.
enum kinds : unsigned { finite = 0, nan = 1, positive = 2, negative = 4, every_kind = 7 };

bool is_float(tgmap::dtype) noexcept;

/// Elements in this machine's byte order, the same for the same arguments. `smooth`: as a field of float64 is, within
/// what codecs that compute with them keep; else without a pattern.
bytes elements_of(tgmap::dtype, std::uint64_t count, bool smooth, unsigned not_finite = finite, unsigned seed = 1);

/// The other byte order.
bytes turned(tgmap::dtype, bytes);

}  // namespace tgmap_interop
