// SPDX-License-Identifier: Apache-2.0
// An open file: size, positioned reads, what kind of thing it is. POSIX.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <tgmap/error.hpp>
#include <utility>

namespace tgmap::io {

/// What a read had to do for its bytes; `unknown` where the file system cannot tell.
enum class read_cost : std::uint8_t { in_memory, waited, unknown };

enum class file_kind : std::uint8_t { regular, directory, stream };

/// Owns a descriptor. Movable; const members may run in any number of threads.
class file {
 public:
  file() noexcept = default;
  explicit file(int descriptor) noexcept : descriptor_(descriptor) {}
  file(file&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  file& operator=(file&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~file();

  /// Opens for reading. Errors: of the operating system.
  static file open(const std::filesystem::path&, failure&) noexcept;
  /// Another descriptor of the same open file.
  static file duplicate(int descriptor, failure&) noexcept;

  explicit operator bool() const noexcept { return descriptor_ >= 0; }
  int descriptor() const noexcept { return descriptor_; }

  /// Kind and size now, from the descriptor itself, so that both belong to the same file.
  failure stat(file_kind& kind, std::uint64_t& size) const noexcept;

  /// Copies [offset, offset + out.size()). Errors: file_shrank, of the operating system.
  failure read(std::uint64_t offset, std::span<std::byte> out) const noexcept;

  /// The same, telling whether all bytes were in the page cache. Costs no more when they were.
  failure read(std::uint64_t offset, std::span<std::byte> out, read_cost&) const noexcept;

  /// Asks the system to bring these bytes into the page cache meanwhile. A wish: nothing depends on it.
  void will_need(std::uint64_t offset, std::uint64_t size) const noexcept;

  /// Whether the bytes are there for good, as they are: a file in memory that was sealed against writing and shrinking.
  /// No file system says as much: one that is mounted read-only here may be writable elsewhere.
  bool is_sealed() const noexcept;

  /// The name of the network file system this file lies on, or null when it is local.
  const char* network_file_system() const noexcept;

 private:
  int descriptor_ = -1;
};

/// The failure for the current errno.
failure system_failure(std::uint64_t offset = 0) noexcept;

}  // namespace tgmap::io
