// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tgmap/tensor.hpp>
#include <tgmap/zio/errc.hpp>
#include <vector>

namespace tgmap {
inline namespace v0 {
namespace zio {

/// A `level` is the importance of a message for a person who watches a stream.
enum class level : std::uint8_t { undefined, trace, verbose, debug, info, summary, warning, error, fatal };

/// Returns the name of a level, such as "summary".
TGMAP_API std::string_view to_string_view(level) noexcept;

/// A `form` is the four bytes that name the kind of a label, such as "TENS", "FLOW" or "TEXT".
class form {
 public:
  /// Makes a form of four blanks.
  constexpr form() noexcept = default;
  /// Makes a form of the first four bytes of `text`. A shorter text is padded with blanks at the end, as in ZIO.
  constexpr form(std::string_view text) noexcept {  // NOLINT: what a name means
    std::copy_n(text.begin(), std::min(text.size(), bytes_.size()), bytes_.begin());
  }
  constexpr form(const char* text) noexcept : form(std::string_view(text)) {}  // NOLINT

  /// Returns all four bytes. They may have any value.
  constexpr std::string_view text() const noexcept TGMAP_LIFETIMEBOUND { return {bytes_.data(), bytes_.size()}; }
  constexpr bool operator==(const form&) const noexcept = default;

 private:
  std::array<char, 4> bytes_{' ', ' ', ' ', ' '};
};

inline constexpr form tens_form{"TENS"}, flow_form{"FLOW"};

/// A `part` is the bytes of one part of a message and their owner.
///
/// The owner keeps the bytes alive: the buffer that they were received in, or the mapping of an archive. It is empty if
/// the bytes belong to the caller.
struct part {
  std::span<const std::byte> bytes{};
  tgmap::pin owner{};
};

/// A `message` is a ZIO message: a prefix (level, form, label), coordinates (origin, granule, seqno) and a payload.
///
/// Copies share the bytes of the payload, which never change. docs/zio.md describes the bytes of a message.
/// Thread safety: any number of threads may read a message.
struct message {
  zio::level level = level::undefined;
  zio::form form{};
  std::string label{};          ///< any bytes; a JSON object in the forms TENS and FLOW
  std::uint64_t origin = 0;     ///< identifies the sender
  std::uint64_t granule = 0;    ///< the time, by convention in microseconds since 1970
  std::uint64_t seqno = 0;      ///< sequence number
  std::vector<part> payload{};  ///< the parts after prefix and coordinates
};

inline constexpr std::size_t prefix_bytes = 8;        ///< size of the first part without the label
inline constexpr std::size_t coordinates_bytes = 24;  ///< size of the second part

/// Returns the first part of a message: "ZIO", the digit of the level, the form and the label.
TGMAP_API std::string prefix_of(const message&);

/// Returns the second part of a message: origin, granule and seqno, each as 8 bytes, little-endian.
TGMAP_API std::array<std::byte, coordinates_bytes> coordinates_of(const message&) noexcept;

/// Makes a message from the parts of a ZeroMQ multipart message without its envelope. The label is not parsed.
/// Errors: too_few_parts, bad_prefix, bad_level, bad_coordinates, out_of_memory. `offset` is a position in the part;
/// `object` is empty.
/// Complexity: O(label + parts). Payloads are shared, not copied.
TGMAP_API message from_parts(std::span<const part> parts);
TGMAP_API message from_parts(std::span<const part> parts, failure&) noexcept;

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
