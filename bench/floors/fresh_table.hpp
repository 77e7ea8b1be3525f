// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/mman.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <system_error>

namespace tgmap_bench {

/// Where a floor stores what it finds: memory that no one has touched yet, of all a file of that size can need, so that
/// nothing is ever moved.
class fresh_table {
 public:
  struct entry {
    std::uint64_t offset, length;
  };

  explicit fresh_table(std::uint64_t file_size) : bytes_((file_size / 48 + 2) * sizeof(entry)) {
    void* const memory =
        ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::system_error(errno, std::system_category(), "mmap");
    first_ = next_ = static_cast<entry*>(memory);
  }
  ~fresh_table() { ::munmap(first_, bytes_); }
  fresh_table(const fresh_table&) = delete;
  fresh_table& operator=(const fresh_table&) = delete;

  void add(std::uint64_t offset, std::uint64_t length) { *next_++ = {offset, length}; }
  std::uint64_t size() const { return static_cast<std::uint64_t>(next_ - first_); }

 private:
  std::size_t bytes_;
  entry* first_;
  entry* next_;
};

}  // namespace tgmap_bench
