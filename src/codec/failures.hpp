// SPDX-License-Identifier: Apache-2.0
// Failures of codecs. The caller adds the location in the archive.
#pragma once

#include <cstdint>
#include <tgmap/error.hpp>

namespace tgmap::codec {

/// `name` is the key of the parameter in a descriptor; static text.
inline failure bad_parameter(std::uint64_t value, const char* name) noexcept {
  return {.code = errc::bad_parameter, .found = value, .argument = name};
}

inline failure bad_combination() noexcept { return {.code = errc::bad_combination}; }

/// `number` is the error number of the library, of either sign; 0 if there is none.
inline failure codec_failed(std::int64_t number = 0) noexcept {
  const auto bits = static_cast<std::uint64_t>(number);
  return {.code = errc::codec_failed, .found = number < 0 ? 0 - bits : bits};
}

/// `found` is `expected` + 1 if it is only known that the output is too small.
inline failure decoded_size(std::uint64_t expected, std::uint64_t found) noexcept {
  return {.code = errc::decoded_size_mismatch, .expected = expected, .found = found};
}

inline failure no_memory(std::uint64_t bytes = 0) noexcept { return {.code = errc::out_of_memory, .found = bytes}; }

}  // namespace tgmap::codec
