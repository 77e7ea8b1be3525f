// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <span>
#include <string>
#include <tgmap/frame.hpp>

namespace tgmap::cli {

/// 16 hexadecimal digits of XXH3-64.
inline std::string digest_text(std::span<const std::byte> of) { return fmt::format("{:016x}", xxh3(of)); }

}  // namespace tgmap::cli
