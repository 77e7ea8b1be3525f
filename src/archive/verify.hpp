// SPDX-License-Identifier: Apache-2.0
// XXH3-64 over a range of the archive, specification §4.
#pragma once

#include <cstdint>
#include <tgmap/error.hpp>

#include "io/source.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// Reads by positioned reads, a megabyte at a time: truncation is an error, never a signal.
/// O(size). Errors: file_shrank, out_of_memory, of the operating system.
failure hash_range(const io::source&, std::uint64_t at, std::uint64_t size, std::uint64_t& hash) noexcept;

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
