// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/mman.h>

#include <cerrno>
#include <cstddef>
#include <span>
#include <system_error>

namespace tgmap_bench {

/// Fresh memory in huge pages, aligned to one.
class huge_pages {
 public:
  explicit huge_pages(std::size_t size) : size_(size), mapped_(size + page) {
    at_ = ::mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at_ == MAP_FAILED) throw std::system_error(errno, std::system_category(), "mmap");
    ::madvise(at_, mapped_, MADV_HUGEPAGE);
  }
  ~huge_pages() { ::munmap(at_, mapped_); }
  huge_pages(const huge_pages&) = delete;
  huge_pages& operator=(const huge_pages&) = delete;

  std::span<std::byte> bytes() const {
    const auto from = reinterpret_cast<std::uintptr_t>(at_);
    return {reinterpret_cast<std::byte*>((from + page - 1) / page * page), size_};
  }

 private:
  static constexpr std::size_t page = std::size_t{2} << 20;
  std::size_t size_, mapped_;
  void* at_;
};

}  // namespace tgmap_bench
