// SPDX-License-Identifier: Apache-2.0
#include "core/block_cache.hpp"

#include <sys/mman.h>

#include <algorithm>

namespace tgmap::core {

/// An `exclusive_use` locks the list if no other thread has locked it. After a fork the lock may stay locked forever;
/// then nothing is cached.
class block_cache::exclusive_use {
 public:
  explicit exclusive_use(block_cache& of) noexcept
      : of_(of), mine_(!of.busy_.test_and_set(std::memory_order_acquire)) {}
  ~exclusive_use() {
    if (mine_) of_.busy_.clear(std::memory_order_release);
  }
  exclusive_use(const exclusive_use&) = delete;
  exclusive_use& operator=(const exclusive_use&) = delete;

  explicit operator bool() const noexcept { return mine_; }

 private:
  block_cache& of_;
  bool mine_;
};

std::span<std::byte> block_cache::remove(std::size_t i) noexcept {
  const auto out = blocks_[i];
  std::copy(blocks_.begin() + i + 1, blocks_.begin() + count_, blocks_.begin() + i);
  --count_;
  bytes_ -= out.size();
  return out;
}

std::byte* block_cache::take(std::size_t bytes) noexcept {
  const exclusive_use now(*this);
  if (!now) return nullptr;
  for (std::size_t i = count_; i-- > 0;)  // the last one first: its pages are most likely in a cache
    if (blocks_[i].size() == bytes) return remove(i).data();
  return nullptr;
}

void block_cache::give(std::span<std::byte> block) noexcept {
  if (const exclusive_use now(*this); now && block.size() <= most) {
    while (count_ == max_blocks || bytes_ > most - block.size()) {
      const auto oldest = remove(0);
      ::munmap(oldest.data(), oldest.size());
    }
    blocks_[count_++] = block;
    bytes_ += block.size();
    return;
  }
  ::munmap(block.data(), block.size());
}

}  // namespace tgmap::core
