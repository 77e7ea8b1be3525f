// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tgmap/archive.hpp>
#include <tgmap/descriptor.hpp>
#include <tgmap/object.hpp>
#include <tgmap/zio/message.hpp>

namespace tgmap {
inline namespace v0 {
namespace zio {

/// The order of elements in a part.
enum class part_order : std::uint8_t {
  c,          ///< C order
  as_stored,  ///< the order in the archive
};

/// A `copy_limit` limits the bytes of a message that are copied because they cannot be used in the mapping.
struct copy_limit {
  std::uint64_t& count;
  std::uint64_t max;

  /// Checks that more bytes may be copied.
  /// Errors: decoded_limit.
  failure check(std::uint64_t more) const noexcept {
    if (count <= max && more <= max - count) return {};
    return {.code = tgmap::errc::decoded_limit,
            .expected = max,
            .found = more > UINT64_MAX - count ? UINT64_MAX : count + more};
  }
};

/// Returns the elements of an object, little-endian: in the mapping if they need no decoding, otherwise decoded.
/// Bytes outside the mapping are added to `copied`.
part element_part(const archive&, const object&, const descriptor&, part_order, const copy_limit& copied, failure&);

/// Returns payload and masks of an object as they are stored.
part stored_part(const archive&, const object&, const copy_limit& copied, failure&);

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
