// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <tgmap/message.hpp>
#include <tgmap/metadata.hpp>
#include <vector>

#include "archive/metadata_layout.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// Metadata that stays readable while this lives, whatever becomes of the file. Of a mapped file it holds a copy: a
/// value whose page is gone raises a signal there, or with a guard reads as null, which is not to be taken for what it
/// was.
class held_metadata {
 public:
  /// `from` lies in the archive of `in`. O(bytes of its layers) where they are copied. Errors: file_shrank, of the
  /// operating system. Throws std::bad_alloc.
  failure hold(const message& in, const metadata& from);
  const metadata& what() const noexcept { return what_; }

 private:
  metadata what_{};
  std::array<std::vector<std::byte>, metadata_access::most_layers> copies_{};
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
