// SPDX-License-Identifier: Apache-2.0
// Hashes of payloads and frames, specification §4.
#pragma once

#include <cstdint>
#include <optional>
#include <tgmap/cbor_view.hpp>
#include <tgmap/error.hpp>
#include <tgmap/frame.hpp>

#include "io/source.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// Stores the hash of [at, at + size) in `found`. Hashes the bytes in place where that cannot raise a signal, otherwise
/// by positioned reads. Errors: file_shrank, out_of_memory, of the operating system. Complexity: O(size).
failure hash_range(const io::source&, std::uint64_t at, std::uint64_t size, std::uint64_t& found) noexcept;

/// Does the same, and compares with `wanted`. A file that has become shorter is an error, never a mismatch.
failure compare_hash(const io::source&, std::uint64_t at, std::uint64_t size, std::uint64_t wanted,
                     std::uint64_t& found) noexcept;

/// Returns the hash that a frame of version 3 stores; nothing if it has none. The frame belongs to an archive.
/// Errors: of the operating system, file_shrank.
std::optional<std::uint64_t> read_frame_hash(const frame&, failure&) noexcept;

/// Returns the hash of the payload that a descriptor of version 2 states (§4); nothing if it states none, or one of
/// another algorithm. No allocation.
std::optional<std::uint64_t> stated_hash(const cbor_view& entries) noexcept;

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
