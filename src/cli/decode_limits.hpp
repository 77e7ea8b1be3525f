// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <tgmap/options.hpp>

namespace tgmap::cli {

struct session;

/// How much a run may decode. Verbs that decode nothing keep what the library sets by itself.
struct decode_limits {
  std::optional<std::uint64_t> max_decoded{};  ///< bytes of one object
  std::optional<std::uint64_t> max_memory{};   ///< bytes of objects that are decoded at one time
  std::optional<std::uint64_t> max_total{};    ///< bytes of all objects of an archive

  std::uint64_t usual_decoded = open_options{}.max_decoded_bytes;  ///< unless `max_decoded` is given
  unsigned objects_each = 1;                                       ///< that a thread of the verb holds decoded at once

  /// Bytes of one object, so that those which one thread holds fit the memory.
  std::uint64_t of_object() const noexcept;
  /// The same, if one of the options that say so is given.
  std::optional<std::uint64_t> asked_of_object() const noexcept;
  /// Bytes of objects that may be decoded before they are wanted.
  std::uint64_t ahead() const noexcept;
  /// Bytes of all objects of one message.
  std::uint64_t of_message() const noexcept;
  /// Threads of `wanted` that may decode at one time: as many as fit, but one.
  unsigned threads(unsigned wanted) const noexcept;
  /// Of all objects: what was asked for; else 64 GiB, and no more than 1000 times the bytes read so far and 1 GiB.
  total_limit of_all() const noexcept;
};

/// What a verb takes of these options.
enum class decoding_verb : std::uint8_t {
  one_object,  ///< a thread holds one decoded object
  pairs,       ///< a thread holds two, to compare them
  messages,    ///< all objects of a message are decoded before the next one
  received,    ///< messages come, of which each part becomes an object
  constants,   ///< a tensor constant is read, the library limits it by its text
  inputs,      ///< files are decompressed, but no objects decoded
};

/// Adds --max-decoded, and where objects are decoded --max-memory. The default of an object becomes the command's.
void add_decode_limits(CLI::App&, session&, decoding_verb);

/// Adds --max-memory alone, of verbs for which it means something else.
void add_max_memory(CLI::App&, session&, const std::string& description);

/// Adds --max-total.
void add_max_total(CLI::App&, session&);

}  // namespace tgmap::cli
