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

/// Maximum nesting of objects and arrays in a label.
inline constexpr std::size_t max_label_depth = 128;

/// Parses a label as JSON. A JSON object becomes a map; an empty label becomes null.
///
/// Integers from -2^63 to 2^64 - 1 are exact; other integers become floating-point numbers. If a key comes twice, the
/// last value counts. A byte order mark in front and blanks are skipped, and a NUL ends the text, as in ZIO's reader.
/// Errors: bad_label (`found` is the position in the label), label_too_deep, out_of_memory.
/// Complexity: O(depth * bytes) with a depth of at most 128.
TGMAP_API cbor_value read_label(std::string_view label);
TGMAP_API cbor_value read_label(std::string_view label, failure&) noexcept;

/// Returns a value as JSON, byte for byte as ZIO's writer formats it.
///
/// The text has no blanks, and keys are in the order of their bytes. Floating-point numbers have the shortest digits,
/// always with a point or an exponent. NaN and infinities become null.
/// Errors: bad_label (JSON has no byte strings, tags, integers below -2^63 or keys other than text), out_of_memory.
/// Complexity: O(n log n) in the bytes.
TGMAP_API std::string write_label(const cbor_value&);
TGMAP_API std::string write_label(const cbor_value&, failure&) noexcept;

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
