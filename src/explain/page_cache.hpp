// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <tgmap/tools/explain.hpp>
#include <vector>

namespace tgmap::explain {

/// Two ranges of an archive in order; the second one may be empty. Each step of an access reads at most two ranges.
using range_pair = std::array<archive_range, 2>;

/// A `page_cache` is a snapshot: the pages of a part of a file that the system holds in memory. Taking it touches no
/// page.
class page_cache {
 public:
  page_cache() noexcept = default;

  /// Takes the snapshot for a range of the archive that begins at `base` in the file. The snapshot is empty if the
  /// system does not report it, as for files that the user neither owns nor may write.
  page_cache(const std::filesystem::path&, std::uint64_t base, archive_range);

  /// Returns the number of pages that hold the ranges. A page in both ranges counts once.
  std::uint64_t page_count(const range_pair&) const noexcept;

  /// Returns the number of these pages that were in memory, or nothing if the snapshot does not cover all of them.
  std::optional<std::uint64_t> cached_count(const range_pair&) const noexcept;

 private:
  struct page_range {
    std::uint64_t begin = 0, end = 0;
  };
  std::array<page_range, 2> pages_of(const range_pair&) const noexcept;

  std::uint64_t base_ = 0, page_size_ = 4096, first_page_ = 0;
  std::vector<unsigned char> resident_{};  ///< one byte a page from `first_page_` on; bit 0 is set if it is in memory
};

}  // namespace tgmap::explain
