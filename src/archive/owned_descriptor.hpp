// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tgmap/object.hpp>

#include "archive/access.hpp"
#include "archive/metadata/metadata_snapshot.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// Says if the entries of a descriptor must outlive the snapshot that they are read from.
enum class entry_lifetime : std::uint8_t { snapshot, archive };

/// Reads the descriptor of an object. Its entries point into `copy`. With `entry_lifetime::archive`, `copy.in_archive`
/// gives entries that live as long as the archive. Errors: those of object::descriptor.
descriptor read_descriptor_of(const archive_state&, const object&, entry_lifetime, metadata_snapshot& copy,
                              failure&) noexcept;

/// The descriptor of an object, with entries that stay unchanged and readable while this lives, whatever happens to the
/// file. The entries of `object::descriptor` point into the mapping instead.
class owned_descriptor {
 public:
  /// Errors: those of object::descriptor.
  failure read(const object& object) noexcept {
    failure why;
    if (const archive_state* const state = access::state(object.frame()))
      descriptor_ = read_descriptor_of(*state, object, entry_lifetime::snapshot, copy_, why);
    else
      access::none(why);
    return why;
  }
  const descriptor& get() const noexcept { return descriptor_; }

 private:
  metadata_snapshot copy_;
  descriptor descriptor_{};
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
