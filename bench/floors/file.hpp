// SPDX-License-Identifier: Apache-2.0
// A file descriptor and a mapping, with as little as possible around them.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <system_error>

namespace tgmap_bench {

class file {
 public:
  explicit file(const std::filesystem::path& path) : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    struct stat about;
    if (descriptor_ < 0 || ::fstat(descriptor_, &about) != 0)
      throw std::system_error(errno, std::system_category(), path.string());
    size_ = static_cast<std::uint64_t>(about.st_size);
  }
  ~file() { ::close(descriptor_); }
  file(const file&) = delete;
  file& operator=(const file&) = delete;

  int descriptor() const { return descriptor_; }
  std::uint64_t size() const { return size_; }

  /// Reads at `offset` and returns the number of bytes read.
  std::size_t read(std::uint64_t offset, std::span<std::byte> out) const {
    const ssize_t got = ::pread(descriptor_, out.data(), out.size(), static_cast<off_t>(offset));
    if (got < 0) throw std::system_error(errno, std::system_category(), "pread");
    return static_cast<std::size_t>(got);
  }
  void advise(std::uint64_t offset, std::uint64_t length, int advice) const {
    ::posix_fadvise(descriptor_, static_cast<off_t>(offset), static_cast<off_t>(length), advice);
  }

 private:
  int descriptor_;
  std::uint64_t size_ = 0;
};

class mapped_file {
 public:
  explicit mapped_file(const std::filesystem::path& path, int advice = MADV_NORMAL) : file_(path) {
    data_ = ::mmap(nullptr, file_.size(), PROT_READ, MAP_SHARED, file_.descriptor(), 0);
    if (data_ == MAP_FAILED) throw std::system_error(errno, std::system_category(), path.string());
    if (advice != MADV_NORMAL) ::madvise(data_, file_.size(), advice);
  }
  ~mapped_file() { ::munmap(data_, file_.size()); }
  mapped_file(const mapped_file&) = delete;
  mapped_file& operator=(const mapped_file&) = delete;

  const std::byte* data() const { return static_cast<const std::byte*>(data_); }
  std::uint64_t size() const { return file_.size(); }

 private:
  file file_;
  void* data_;
};

}  // namespace tgmap_bench
