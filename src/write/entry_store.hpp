// SPDX-License-Identifier: Apache-2.0
// Entries of metadata, kept until the end of a stream.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace tgmap::write {

/// Bytes, appended and never moved: growing takes no second copy of what is there.
class entry_store {
 public:
  void add(std::span<const std::byte> bytes) {
    if (chunks_.empty() || chunks_.back().capacity() - chunks_.back().size() < bytes.size()) {
      chunks_.emplace_back();
      chunks_.back().reserve(std::max(bytes.size(), chunk));
    }
    chunks_.back().insert(chunks_.back().end(), bytes.begin(), bytes.end());
    size_ += bytes.size();
  }

  const std::deque<std::vector<std::byte>>& chunks() const noexcept { return chunks_; }
  std::uint64_t size() const noexcept { return size_; }

 private:
  static constexpr std::size_t chunk = std::size_t{64} << 10;
  std::deque<std::vector<std::byte>> chunks_{};
  std::uint64_t size_ = 0;
};

}  // namespace tgmap::write
