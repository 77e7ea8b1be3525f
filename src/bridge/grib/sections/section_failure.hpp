// SPDX-License-Identifier: Apache-2.0
// Failures with the place of their bytes in the input.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bridge/grib/sections/field.hpp"

namespace tgmap::bridge::grib {

/// Returns a failure at `offset` of the input.
inline failure make_failure(errc code, std::uint64_t offset, std::uint64_t expected, std::uint64_t found) noexcept {
  failure why;
  why.code = code;
  why.offset = offset;
  why.expected = expected;
  why.found = found;
  return why;
}

/// Fills `why` with an error in `section` of `from`, with the parameter that is wrong, if it is one. Returns false, for
/// callers that return whether all is well.
inline bool fail(failure& why, const field& from, byte_view section, errc code, std::uint64_t expected,
                 std::uint64_t found, const char* parameter = nullptr) noexcept {
  const auto at = section.empty() ? 0 : static_cast<std::uint64_t>(section.data() - from.message.data());
  why = make_failure(code, from.offset + at, expected, found);
  why.argument = parameter;
  return false;
}

/// Checks that a section has `size` bytes.
/// Errors: section_too_short.
inline bool has_bytes(const field& from, byte_view section, std::size_t size, failure& why) noexcept {
  return section.size() >= size || fail(why, from, section, errc::section_too_short, size, section.size());
}

}  // namespace tgmap::bridge::grib
