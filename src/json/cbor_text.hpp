// SPDX-License-Identifier: Apache-2.0
// CBOR as JSON, as the reference implementation writes it.
#pragma once

#include <cstdint>
#include <string>
#include <tgmap/cbor_view.hpp>

#include "json/writer.hpp"

namespace tgmap::json_text {

/// Writes null, a boolean, an integer of 64 bits, a finite number or text. Returns false, and writes nothing, for other
/// values.
template <class Sink>
bool put_scalar(writer<Sink>& to, const cbor_view& item) {
  switch (item.kind()) {
    case cbor_kind::null: return to.null(), true;
    case cbor_kind::boolean: return to.boolean(item.get<bool>().value_or(false)), true;
    case cbor_kind::integer:
      if (const auto n = item.get<std::uint64_t>()) return to.integer(*n), true;
      if (const auto n = item.get<std::int64_t>()) return to.integer(*n), true;
      return false;
    case cbor_kind::floating: {
      const auto number = item.get<double>();
      return number && std::isfinite(*number) ? (to.floating(*number), true) : false;
    }
    case cbor_kind::text: return to.string(item.text()), true;
    default: return false;
  }
}

/// A `memory_limit` counts bytes that are in use.
class memory_limit {
 public:
  explicit memory_limit(std::uint64_t max = UINT64_MAX) noexcept : max_(max) {}

  /// Returns false, and counts nothing, if there would be more than the limit.
  bool take(std::uint64_t bytes) noexcept {
    if (bytes > max_ - used_) return false;
    used_ += bytes;
    return true;
  }
  void release(std::uint64_t bytes) noexcept { used_ -= bytes; }

 private:
  std::uint64_t max_, used_ = 0;
};

/// The nesting that `put_cbor` writes: the library's limit for metadata. The bytes of a checked file may change.
inline constexpr unsigned max_cbor_depth = 1024;

/// Writes any value, piece by piece. Members are sorted by name, and the last of equal names wins. Byte strings become
/// hexadecimal text, tags are dropped, integers beyond 64 bits become text, NaN and infinities null. Keys that are not
/// text are written in the reference's debug notation. Values deeper than `max_cbor_depth` become "...".
///
/// Returns false if the keys of open maps need more memory than `keys` allows, or if the sink wants no more; what was
/// written so far remains.
/// Complexity: O(n log n) in the members of a map, otherwise linear.
bool put_cbor(writer<>& to, const cbor_view&, memory_limit& keys, unsigned depth = 0);

/// Returns the name of a member for a key.
std::string key_name(const cbor_view& key, unsigned depth = 0);

}  // namespace tgmap::json_text
