// SPDX-License-Identifier: Apache-2.0
// How the codecs say no. Where in the archive is for the caller to add.
#pragma once

#include <cstdint>
#include <tgmap/error.hpp>

namespace tgmap::codec {

/// `name`: the parameter's key in a descriptor, static text.
inline failure bad_parameter(std::uint64_t value, const char* name) noexcept {
  return {.code = errc::bad_parameter, .found = value, .argument = name};
}

inline failure bad_combination() noexcept { return {.code = errc::bad_combination}; }

/// `number`: the library's own, whatever its sign; 0 where it has none, or where it was not asked.
inline failure codec_failed(std::int64_t number = 0) noexcept {
  const auto bits = static_cast<std::uint64_t>(number);
  return {.code = errc::codec_failed, .found = number < 0 ? 0 - bits : bits};
}

/// Where all that is known is that more comes out than fits, `found` is one more than `expected`.
inline failure decoded_size(std::uint64_t expected, std::uint64_t found) noexcept {
  return {.code = errc::decoded_size_mismatch, .expected = expected, .found = found};
}

inline failure no_memory(std::uint64_t bytes = 0) noexcept { return {.code = errc::out_of_memory, .found = bytes}; }

}  // namespace tgmap::codec
