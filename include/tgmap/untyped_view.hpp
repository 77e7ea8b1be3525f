// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/descriptor.hpp>
#include <tgmap/detail/dimensions.hpp>
#include <tgmap/dtype.hpp>
#include <tgmap/object.hpp>
#include <tgmap/options.hpp>

namespace tgmap {
inline namespace v0 {

/// An `untyped_view` is a read-only view of the elements of a plain object, as they are stored. Dtype and byte order
/// are values. It is meant for bindings to other languages, whose arrays take any byte order and any address.
/// Lifetime: valid while the archive, or a pin of it, lives.
/// Thread safety: any number of threads may read through one.
struct untyped_view {
  tgmap::dtype dtype = dtype::uint8;
  tgmap::byte_order byte_order = byte_order::little;
  std::span<const std::byte> bytes{};  ///< all elements, at any address; a bitmask has eight in a byte
  detail::dimensions dimensions{};     ///< storage of the members below

  /// Returns the extents, slowest first. Empty for a scalar.
  std::span<const std::uint64_t> shape() const noexcept TGMAP_LIFETIMEBOUND { return dimensions.shape(); }
  /// Returns the strides in elements, one for each extent. They are a permutation of a dense layout.
  std::span<const std::int64_t> strides() const noexcept TGMAP_LIFETIMEBOUND { return dimensions.strides(); }
};

/// Returns the elements of a plain object in place. In `io_mode::read` they are in memory that the archive owns.
/// Errors: encoded, filtered, compressed, masked, unsupported_strides, payload_size_mismatch; those of
/// object::descriptor and object::payload.
/// Complexity: O(bytes of the descriptor); O(1) if the object was viewed before in native byte order.
/// Spec: §6.1.
TGMAP_API untyped_view view_untyped(const object&, stride_policy = stride_policy::apply);
TGMAP_API untyped_view view_untyped(const object&, failure&) noexcept;
TGMAP_API untyped_view view_untyped(const object&, stride_policy, failure&) noexcept;

}  // namespace v0
}  // namespace tgmap
