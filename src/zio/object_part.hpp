// SPDX-License-Identifier: Apache-2.0
// The bytes of an object as they travel.
#pragma once

#include <tgmap/archive.hpp>
#include <tgmap/descriptor.hpp>
#include <tgmap/object.hpp>
#include <tgmap/zio/message.hpp>

namespace tgmap {
inline namespace v0 {
namespace zio {

enum class part_order : std::uint8_t {
  c,          ///< C order
  as_stored,  ///< as the bytes are
};

/// Bytes of a message that are not where they lie in the mapping.
struct copied_bytes {
  std::uint64_t& count;
  std::uint64_t most;

  /// Whether there may be so many more. Errors: decoded_limit.
  failure fits(std::uint64_t more) const noexcept {
    if (count <= most && more <= most - count) return {};
    return {.code = tgmap::errc::decoded_limit,
            .expected = most,
            .found = more > UINT64_MAX - count ? UINT64_MAX : count + more};
  }
};

/// Its elements, little-endian: where they lie in the mapping if nothing is to be undone, else decoded. `copied` grows
/// by the bytes that are elsewhere.
part elements_of(const archive&, const object&, const descriptor&, part_order, const copied_bytes& copied, failure&);

/// Its payload and masks as they are stored.
part region_of(const archive&, const object&, const copied_bytes& copied, failure&);

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
