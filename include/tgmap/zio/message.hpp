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

/// How much a message matters to whoever watches a stream.
enum class level : std::uint8_t { undefined, trace, verbose, debug, info, summary, warning, error, fatal };

TGMAP_API std::string_view to_string_view(level) noexcept;  ///< "summary"

/// Four bytes that say what a label is: "TENS", "FLOW", "TEXT", or anything else.
class form {
 public:
  constexpr form() noexcept = default;  ///< four blanks
  /// As ZIO has it: four bytes at most are taken, fewer are padded with blanks behind.
  constexpr form(std::string_view text) noexcept {  // NOLINT: what a name means
    std::copy_n(text.begin(), std::min(text.size(), bytes_.size()), bytes_.begin());
  }
  constexpr form(const char* text) noexcept : form(std::string_view(text)) {}  // NOLINT

  /// All four bytes, which may be of any value.
  constexpr std::string_view text() const noexcept TGMAP_LIFETIMEBOUND { return {bytes_.data(), bytes_.size()}; }
  constexpr bool operator==(const form&) const noexcept = default;

 private:
  std::array<char, 4> bytes_{' ', ' ', ' ', ' '};
};

inline constexpr form tens_form{"TENS"}, flow_form{"FLOW"};

/// Bytes of one part of a message, and what keeps them where they are, if anything does: the memory that they were
/// received in, the mapping of an archive, nothing when they are the caller's.
struct part {
  std::span<const std::byte> bytes{};
  tgmap::pin owner{};
};

/// A ZIO message: a prefix (level, form, label), coordinates (origin, granule, seqno), and parts that the label may
/// tell of. docs/zio.md describes the bytes.
///
/// A value; copies share the bytes of the payload, which nobody changes. Reading from any number of threads is safe.
struct message {
  zio::level level = level::undefined;
  zio::form form{};
  std::string label{};        ///< bytes; of TENS and FLOW a JSON object
  std::uint64_t origin = 0;   ///< who sent it
  std::uint64_t granule = 0;  ///< when, by convention in microseconds since 1970
  std::uint64_t seqno = 0;    ///< which
  std::vector<part> payload{};
};

inline constexpr std::size_t prefix_bytes = 8;        ///< of the first part before the label
inline constexpr std::size_t coordinates_bytes = 24;  ///< of the second part

/// The first part: "ZIO", the level's digit, the form, the label.
TGMAP_API std::string prefix_of(const message&);

/// The second part: origin, granule, seqno, each little-endian.
TGMAP_API std::array<std::byte, coordinates_bytes> coordinates_of(const message&) noexcept;

/// A message of its parts, as they come in a ZeroMQ multipart message without its envelope. Labels are not looked at.
/// O(label + parts); payloads are shared, not copied. Errors: too_few_parts, bad_prefix, bad_level, bad_coordinates,
/// out_of_memory. `object` of a failure is -1, `offset` the byte in its part.
TGMAP_API message from_parts(std::span<const part>);
TGMAP_API message from_parts(std::span<const part>, failure&) noexcept;

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
