// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/mman.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <system_error>

namespace tgmap_bench {

/// A table of messages in fresh memory, in which floors store what they find. Entries never move: the first ones are
/// inside the object, all others in one reservation large enough for any file of that size.
class fresh_table {
 public:
  struct entry {
    std::uint64_t offset, length;
  };

  explicit fresh_table(std::uint64_t file_size) : bytes_((file_size / 48 + 2) * sizeof(entry)) {}
  ~fresh_table() {
    if (reserved_ != nullptr) ::munmap(reserved_, bytes_);
  }
  fresh_table(const fresh_table&) = delete;
  fresh_table& operator=(const fresh_table&) = delete;

  void add(std::uint64_t offset, std::uint64_t length) {
    if (next_ == first_.data() + first_.size()) next_ = reserve();
    *next_++ = {offset, length};
  }
  std::uint64_t size() const {
    const bool few = reserved_ == nullptr;
    return static_cast<std::uint64_t>(few ? next_ - first_.data() : next_ - reserved_ + few_entries);
  }

 private:
  static constexpr std::ptrdiff_t few_entries = 256;

  entry* reserve() {
    void* const memory =
        ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::system_error(errno, std::system_category(), "mmap");
    return reserved_ = static_cast<entry*>(memory);
  }

  std::size_t bytes_;
  entry* reserved_ = nullptr;
  std::array<entry, few_entries> first_;
  entry* next_ = first_.data();
};

}  // namespace tgmap_bench
