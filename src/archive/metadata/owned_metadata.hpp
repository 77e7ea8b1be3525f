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

/// An `owned_metadata` stays unchanged and readable, whatever happens to the file. It copies the layers of a mapped
/// file. Reading a value whose page is gone would raise a signal, or give null under a mapping_guard.
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
