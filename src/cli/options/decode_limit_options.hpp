// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

#include "cli/app/session.hpp"

namespace tgmap::cli {

/// How a verb decodes, which decides the options it gets and their meaning.
enum class decoding_verb : std::uint8_t {
  one_object,  ///< each thread holds one decoded object
  pairs,       ///< each thread holds two decoded objects to compare them
  messages,    ///< all objects of a message are decoded together
  received,    ///< messages are received, and each part becomes an object
  constants,   ///< a tensor constant is read, which the library limits by the size of its text
  inputs,      ///< files are decompressed, but no objects are decoded
};

/// Adds --max-decoded, and --max-memory if objects are decoded. Replaces the library's default for one object by the
/// command's.
void add_decode_limits(CLI::App&, session&, decoding_verb);

/// Adds --max-memory only, for verbs that give it another meaning.
void add_max_memory(CLI::App&, session&, const std::string& description);

/// Adds --max-total.
void add_max_total(CLI::App&, session&);

}  // namespace tgmap::cli
