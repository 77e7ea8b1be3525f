// SPDX-License-Identifier: Apache-2.0
// Access to the bytes of a cbor_value, to reuse their memory.
#pragma once

#include <span>
#include <tgmap/write/cbor_value.hpp>

namespace tgmap {
inline namespace v0 {
namespace detail {

struct cbor_value_access {
  /// Does the same as cbor_value::copy. After a failure the value is unspecified. Throws std::bad_alloc.
  static failure copy(const cbor_view& view, cbor_value& value);

  /// Copies a map that is in memory. Without bytes the value becomes an empty map.
  static failure copy_map(std::span<const std::byte> encoded, cbor_value& value);

  /// Returns the value that `write(cbor::writer&)` writes, or fails if it is nested too deep.
  template <class Write>
  static cbor_value make(Write&& write);
  template <class Write>
  static cbor_value make(Write&& write, failure&) noexcept;
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
