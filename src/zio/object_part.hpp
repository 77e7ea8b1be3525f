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

/// Its elements, little-endian: where they lie in the mapping if nothing is to be undone, else decoded. `copied` grows
/// by the bytes that are elsewhere.
part elements_of(const archive&, const object&, const descriptor&, part_order, std::uint64_t& copied, failure&);

/// Its payload and masks as they are stored.
part region_of(const archive&, const object&, std::uint64_t& copied, failure&);

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
