// SPDX-License-Identifier: Apache-2.0
// Finds GRIB messages in bytes, with anything between them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>

#include "bridge/grib/sections/field.hpp"

namespace tgmap::bridge::grib {

/// A `finding` is a range of the input: a message, or bytes that are none.
struct finding {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  byte_view message{};  ///< whole, from "GRIB" to "7777"; empty for other bytes
  /// Why a range that begins like a message is none: message_truncated, no_end_marker, bad_indicator or
  /// message_too_large. Empty for messages, and for bytes that do not look like GRIB.
  failure why{};
};

/// Options of finders.
struct finder_options {
  /// Longer messages are skipped, as message_too_large. Default: 2 GiB, which a stream may have to hold in memory.
  std::uint64_t max_message_bytes = std::uint64_t{1} << 31U;
};

/// A `finding_scan` is what both finders below do with the bytes that they have.
class finding_scan {
 public:
  enum class outcome { finding, need_bytes, end };

  explicit finding_scan(const finder_options& options) noexcept : options_(options) {}

  /// Looks for the next finding in `window`, which begins at `offset` of the input, not behind `keep_from()`.
  /// `is_complete`: the input ends with the window. Returns `need_bytes` if the window must reach to `need_until()`.
  outcome step(byte_view window, std::uint64_t offset, bool is_complete, finding& out) noexcept;

  std::uint64_t keep_from() const noexcept { return message_ != 0 ? begin_ : search_; }
  std::uint64_t need_until() const noexcept { return need_until_; }

 private:
  struct verdict;
  verdict judge(byte_view bytes, std::uint64_t offset, bool is_complete) const noexcept;

  finder_options options_;
  std::uint64_t begin_ = 0;    // of the next finding
  std::uint64_t search_ = 0;   // no "GRIB" that was not judged lies before
  std::uint64_t message_ = 0;  // size of the message at `begin_`, if one was found there
  std::uint64_t need_until_ = 0;
  failure why_{};  // of the range at `begin_`
};

/// A `message_finder` finds the messages in bytes that are in memory or mapped.
///
/// The findings cover all bytes, in their order. "GRIB" begins a message if its length, that of its section 1 and its
/// "7777" fit; other sections are not looked at. Nothing is searched within a message.
/// Lifetime: borrows the bytes. Those of a mapped file that becomes shorter vanish: see tgmap/mapping_guard.hpp, or
/// read the file with a `stream_finder`.
/// Complexity: linear in the bytes that belong to no message.
class message_finder {
 public:
  explicit message_finder(byte_view bytes, const finder_options& options = {}) noexcept
      : bytes_(bytes), scan_(options) {}

  /// Fills `out` with the next finding. Returns false at the end.
  bool next(finding& out) noexcept { return scan_.step(bytes_, 0, true, out) == finding_scan::outcome::finding; }

 private:
  byte_view bytes_;
  finding_scan scan_;
};

/// A `stream_finder` does the same for a pipe, or for a file that is read from its beginning to its end.
///
/// Memory: at most four times the longest message, or what looks like one, and never more than four times the bytes
/// that were read.
class stream_finder {
 public:
  /// Fills the span from its beginning. Returns the number of bytes, 0 at the end of the input.
  using read_function = std::function<std::size_t(std::span<std::byte>, failure&)>;

  explicit stream_finder(read_function read, const finder_options& options = {})
      : read_(std::move(read)), scan_(options) {}

  /// Fills `out` with the next finding. Returns false at the end, and on an error.
  /// Lifetime: `out.message` is valid until the next call.
  /// Errors: those of the function that reads; out_of_memory.
  bool next(finding& out, failure& why);

 private:
  bool read_more(failure& why);

  read_function read_;
  finding_scan scan_;
  std::unique_ptr<std::byte[]> buffer_;
  std::size_t capacity_ = 0;
  std::size_t begin_ = 0;  // of the bytes in the buffer
  std::size_t end_ = 0;
  std::uint64_t offset_ = 0;  // in the input, of the byte at `begin_`
  bool is_complete_ = false;
};

}  // namespace tgmap::bridge::grib
