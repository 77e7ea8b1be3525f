// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <tgmap/tools/explain.hpp>
#include <vector>

#include "explain/places.hpp"

namespace tgmap::explain {

/// Which pages of a part of a file are in the page cache, as they were when this was made. Looking touches none.
class page_cache {
 public:
  page_cache() noexcept = default;

  /// Of the bytes [begin, end) of an archive that begins at `base` in the file. Knows nothing where the system does
  /// not tell: of files that are neither ours nor ours to write.
  page_cache(const std::filesystem::path&, std::uint64_t base, archive_range);

  /// Pages of the file that the ranges lie on, which are in order; one that both lie on counts once.
  std::uint64_t pages(const places&) const noexcept;

  /// Those of them that were in the page cache; nothing when that is not known of all.
  std::optional<std::uint64_t> cached(const places&) const noexcept;

 private:
  struct page_range {
    std::uint64_t begin = 0, end = 0;
  };
  std::array<page_range, 2> pages_of(const places&) const noexcept;

  std::uint64_t base_ = 0, page_ = 4096, first_ = 0;
  std::vector<unsigned char> resident_{};  ///< a byte a page from `first_` on; bit 0: it is there
};

}  // namespace tgmap::explain
