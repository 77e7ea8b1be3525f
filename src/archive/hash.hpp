// SPDX-License-Identifier: Apache-2.0
// XXH3-64 over a range of the archive, and where it is stated, specification §4.
#pragma once

#include <cstdint>
#include <optional>
#include <tgmap/cbor_view.hpp>
#include <tgmap/error.hpp>

#include "io/source.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// Whether the digest of [at, at + size) is `wanted`. Hashes the bytes where they lie when that cannot raise a signal,
/// else by positioned reads. A file that has become shorter is an error, never a mismatch.
/// O(size). Errors: file_shrank, out_of_memory, of the operating system.
failure compare_hash(const io::source&, std::uint64_t at, std::uint64_t size, std::uint64_t wanted,
                     bool& matches) noexcept;

/// The digest of the payload that a descriptor of version 2 states (§4); nothing where it states none of a known kind.
/// No allocation.
std::optional<std::uint64_t> stated_hash(const cbor_view& entries) noexcept;

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
