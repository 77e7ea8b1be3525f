// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tgmap/object.hpp>

#include "archive/structure_copy.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// The descriptor of an object with entries that do not change and do not go away while this lives, whatever becomes of
/// the file. `object::descriptor` points into the mapping instead, which outlives it.
class held_descriptor {
 public:
  /// Errors: those of object::descriptor.
  failure read(const object&) noexcept;
  const descriptor& what() const noexcept { return what_; }

 private:
  structure_copy copy_;
  descriptor what_{};
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
