// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <tgmap/message.hpp>
#include <tgmap/metadata.hpp>
#include <vector>

#include "archive/metadata/metadata_access.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// Metadata that stays unchanged and readable while this lives, whatever happens to the file. Layers of a mapped file
/// are copied: reading a value whose page is gone raises a signal, or under a mapping_guard gives null, which must not
/// be mistaken for the stored value.
class owned_metadata {
 public:
  /// Copies `metadata`, which belongs to the archive of `in`.
  /// Errors: file_shrank, of the operating system. Throws std::bad_alloc.
  /// Complexity: O(bytes of its layers) if they are copied.
  failure assign(const message& in, const metadata& metadata);
  const metadata& get() const noexcept { return metadata_; }

 private:
  metadata metadata_{};
  std::array<std::vector<std::byte>, metadata_access::max_layers> copies_{};
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
