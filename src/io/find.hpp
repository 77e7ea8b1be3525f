// SPDX-License-Identifier: Apache-2.0
// Searching for a byte pattern, in memory or window by window.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/error.hpp>

namespace tgmap::io {

class source;

/// First offset in [from, to) where `pattern` lies whole within `bytes`; `to` when there is none.
std::uint64_t find_in_memory(std::span<const std::byte> bytes, std::span<const std::byte> pattern, std::uint64_t from,
                             std::uint64_t to) noexcept;

/// The same by reads of a megabyte. Errors: out_of_memory, those of source::read.
std::uint64_t find_in_windows(const source&, std::span<const std::byte> pattern, std::uint64_t from, std::uint64_t to,
                              failure&) noexcept;

}  // namespace tgmap::io
