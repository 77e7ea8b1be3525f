// SPDX-License-Identifier: Apache-2.0
// Failures of a section, with its place in the input.
#pragma once

#include <string_view>

#include "bridge/grib/sections/field.hpp"

namespace tgmap::bridge::grib {

/// Fills `why` with an error in `section` of `from`. Returns false, for callers that return whether all is well.
inline bool fail(failure& why, const field& from, byte_view section, errc code, std::uint64_t expected,
                 std::uint64_t found, const char* argument = nullptr) noexcept {
  why = {};
  why.code = code;
  why.offset = from.offset;
  if (!section.empty()) why.offset += static_cast<std::uint64_t>(section.data() - from.message.data());
  why.expected = expected;
  why.found = found;
  why.argument = argument;
  return false;
}

/// Checks that a section has `size` bytes.
inline bool has_bytes(const field& from, byte_view section, std::size_t size, failure& why) noexcept {
  return section.size() >= size || fail(why, from, section, errc::section_too_short, size, section.size());
}

}  // namespace tgmap::bridge::grib
