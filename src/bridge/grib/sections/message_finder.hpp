// SPDX-License-Identifier: Apache-2.0
// Finds GRIB messages in bytes, with anything between them.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "bridge/grib/sections/field.hpp"

namespace tgmap::bridge::grib {

/// A `finding` is a range of the input: a message, or bytes that are none.
struct finding {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  byte_view message{};  ///< whole, from "GRIB" to "7777"; empty for other bytes
  /// Why a range that begins like a message is none: message_truncated, no_end_marker or message_too_large. Empty for
  /// messages, and for bytes that do not look like GRIB.
  failure why{};
};

/// Options of finders.
struct finder_options {
  /// Longer messages are skipped, as message_too_large. Default: 2 GiB, which a stream may have to hold in memory.
  std::uint64_t max_message_bytes = std::uint64_t{1} << 31U;
};

/// A `message_finder` finds the messages in bytes that are in memory or mapped.
///
/// The findings cover all bytes, in their order. "GRIB" begins a message if its length, that of its section 1 and its
/// "7777" fit; other sections are not looked at. Nothing is searched within a message.
/// Lifetime: borrows the bytes.
/// Complexity: linear in the bytes that belong to no message.
class message_finder {
 public:
  explicit message_finder(byte_view bytes, const finder_options& options = {}) noexcept
      : bytes_(bytes), options_(options) {}

  /// Fills `out` with the next finding. Returns false at the end.
  bool next(finding& out) noexcept;

 private:
  byte_view bytes_;
  finder_options options_;
  std::size_t position_ = 0;  // where the next finding begins
  std::size_t message_ = 0;   // bytes of the message there, if known
};

/// A `stream_finder` does the same for a pipe or a file that is read from its beginning to its end.
///
/// Memory: at most twice the largest message, and not more than twice what was read.
class stream_finder {
 public:
  /// Fills the span from its beginning. Returns the number of bytes, 0 at the end of the input.
  using read_function = std::function<std::size_t(std::span<std::byte>, failure&)>;

  explicit stream_finder(read_function read, const finder_options& options = {})
      : read_(std::move(read)), options_(options) {}

  /// Fills `out` with the next finding. Returns false at the end, and on an error.
  /// Lifetime: `out.message` is valid until the next call.
  /// Errors: those of the function that reads; out_of_memory.
  bool next(finding& out, failure& why);

 private:
  read_function read_;
  finder_options options_;
};

}  // namespace tgmap::bridge::grib
