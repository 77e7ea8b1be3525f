// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <iterator>
#include <span>
#include <string>
#include <tgmap/frame.hpp>

namespace tgmap::cli {

/// 16 hexadecimal digits of XXH3-64.
inline std::string digest_text(std::span<const std::byte> of) { return fmt::format("{:016x}", xxh3(of)); }

/// Two hexadecimal digits for each byte.
inline std::string hex_text(std::span<const std::byte> of) {
  std::string out;
  for (const std::byte each : of) fmt::format_to(std::back_inserter(out), "{:02x}", std::to_integer<unsigned>(each));
  return out;
}

}  // namespace tgmap::cli
