// SPDX-License-Identifier: Apache-2.0
// Targets for the rows that write: a file in memory, so that no disk is measured, and a sink that discards.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <span>
#include <system_error>
#include <tgmap/write/sink.hpp>

namespace tgmap_bench {

/// A nameless file in memory. Its pages exist after the first write and are reused.
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

/// A sink that counts bytes and discards them.
class null_sink final : public tgmap::sink {
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
