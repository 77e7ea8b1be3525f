// SPDX-License-Identifier: Apache-2.0
// Where rows of writing put bytes: a file in memory, so that no disk is measured, and nowhere.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <span>
#include <system_error>
#include <tgmap/write/sink.hpp>

namespace tgmap_bench {

/// A file that lies in memory and has no name. Written again and again: its pages are there after the first time.
class memory_file {
 public:
  memory_file() : descriptor_(::memfd_create("tgmap_bench", MFD_CLOEXEC)) {
    if (descriptor_ < 0) throw std::system_error(errno, std::system_category(), "memfd_create");
  }
  ~memory_file() { ::close(descriptor_); }
  memory_file(const memory_file&) = delete;
  memory_file& operator=(const memory_file&) = delete;

  int descriptor() const { return descriptor_; }
  void rewind() const { ::lseek(descriptor_, 0, SEEK_SET); }

 private:
  int descriptor_;
};

/// Takes everything and keeps nothing.
class nowhere final : public tgmap::sink {
 public:
  using sink::write;
  tgmap::failure write(std::span<const std::span<const std::byte>> pieces) noexcept override {
    for (const auto piece : pieces) written_ += piece.size();
    return {};
  }
  std::uint64_t bytes_written() const noexcept override { return written_; }

 private:
  std::uint64_t written_ = 0;
};

}  // namespace tgmap_bench
