// SPDX-License-Identifier: Apache-2.0
// The library's own way into items: memory of one that is there is used for what it is to become.
#pragma once

#include <span>
#include <tgmap/write/cbor_value.hpp>

namespace tgmap {
inline namespace v0 {
namespace detail {

struct cbor_value_access {
  /// As item::copy. With a failure the item means nothing. Throws std::bad_alloc.
  static failure copy(const cbor_view& from, cbor_value& to);

  /// The same of bytes that are one item in memory; without any the item becomes a map without keys.
  static failure copy_map(std::span<const std::byte> encoded, cbor_value& to);

  /// What `write(cbor::writer&)` puts into an item, unless that is too deep.
  template <class Write>
  static cbor_value make(Write&& write);
  template <class Write>
  static cbor_value make(Write&& write, failure&) noexcept;
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
