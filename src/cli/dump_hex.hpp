// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <tgmap/archive.hpp>

#include "cli/output.hpp"

namespace tgmap::cli {

/// Part of some bytes, [begin, end); an end that is left out is theirs.
struct part {
  std::uint64_t begin = 0, end = UINT64_MAX;
};

/// Reads "16..64", "..64", "16.." or "..". Throws usage_error.
part parse_part(std::string_view);

/// That part of the `size` bytes at archive offset `at`: offsets, hexadecimal, and ASCII where it can be printed.
/// Throws tgmap::error when they cannot be read.
void dump_hex(const archive&, std::uint64_t at, std::uint64_t size, part, output&);

}  // namespace tgmap::cli
