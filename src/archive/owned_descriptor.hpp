// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
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

/// Returns a copy of a descriptor whose entries are in `copy`, with a copy of its bytes. Throws std::bad_alloc.
std::shared_ptr<const descriptor> share(const descriptor&, const metadata_snapshot& copy);

/// Lets later views of an object find its layout without the descriptor, if it can be viewed.
void remember_layout(const object&, const descriptor&) noexcept;

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

  /// Parses a copy of bytes that were read as the descriptor of an object. Errors: those of object::descriptor.
  failure take(const object&, std::span<const std::byte> bytes) noexcept;

  /// Reads the descriptor, and payload and masks into `region`, by one read. Returns false if that was not possible;
  /// then read() says why. Errors: those of object::descriptor.
  bool read_with(const object&, std::span<std::byte> region, failure&) noexcept;

  const descriptor& get() const noexcept { return descriptor_; }
  std::shared_ptr<const descriptor> share() const { return detail::share(descriptor_, copy_); }

 private:
  metadata_snapshot copy_;
  descriptor descriptor_{};
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
