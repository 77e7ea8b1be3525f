// SPDX-License-Identifier: Apache-2.0
// What numbers on the command line may be, and how people are told what they are not.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>

namespace tgmap::cli {

/// A whole number of 64 bits, from `least` on, in decimal digits alone.
CLI::Validator whole_number_from(std::uint64_t least);

/// A finite number, 0 or greater.
CLI::Validator number_from_0();

/// A size of at least one byte, made a number: "64MiB" becomes "67108864".
CLI::Validator size_in_bytes();

}  // namespace tgmap::cli
