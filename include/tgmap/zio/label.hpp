// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <tgmap/write/cbor_value.hpp>
#include <tgmap/zio/errc.hpp>

namespace tgmap {
inline namespace v0 {
namespace zio {

/// Containers in each other that a label may have.
inline constexpr std::size_t max_label_depth = 128;

/// A label read as JSON: an object as a map, integers up to 2^64 and down to -2^63 exact, larger ones as floating
/// numbers, of a key that comes twice the last value. As ZIO's own reader does, a byte order mark in front is passed
/// over, blanks are, and a NUL ends the text. An empty label is null. O(depth * bytes), at most 128.
/// Errors: bad_label (found = byte), label_too_deep, out_of_memory.
TGMAP_API cbor_value read_label(std::string_view);
TGMAP_API cbor_value read_label(std::string_view, failure&) noexcept;

/// An item as JSON, byte for byte as ZIO's own writer spells it: no blanks, keys in the order of their bytes, floating
/// numbers by their shortest digits, always with a point or an exponent; NaN and infinities are null.
/// O(n log n) in its bytes. Errors: bad_label (byte strings, tags, integers below -2^63, keys other than text: JSON has
/// none of them), out_of_memory.
TGMAP_API std::string write_label(const cbor_value&);
TGMAP_API std::string write_label(const cbor_value&, failure&) noexcept;

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
