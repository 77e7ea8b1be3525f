// SPDX-License-Identifier: Apache-2.0
// Digests of sections, for caches of what was found out about them.
#pragma once

#include "bridge/grib/sections/field.hpp"

namespace tgmap::bridge::grib {

/// A `section_digest` is the XXH3 of 128 bits of some sections. It is no protection against forged collisions: a cache
/// that must not mix up two fields compares the bytes, too.
struct section_digest {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  friend bool operator==(const section_digest&, const section_digest&) noexcept = default;
};

/// Returns the digest of what the keys of a field depend on: edition, discipline, and sections 1 to 4; of GRIB 1
/// sections 1 and 2.
section_digest digest_of_keys(const field&) noexcept;

/// Returns the digest of the grid of a field: section 3; of GRIB 1 section 2, or its grid number without one.
section_digest digest_of_grid(const field&) noexcept;

}  // namespace tgmap::bridge::grib
