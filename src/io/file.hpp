// SPDX-License-Identifier: Apache-2.0
// An open file: size, positioned reads and its kind. POSIX.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <tgmap/error.hpp>
#include <utility>

#include "io/file_stamp.hpp"

namespace tgmap::io {

/// The source of the bytes of a read; `unknown` if the file system does not say.
enum class read_cost : std::uint8_t { in_memory, waited, unknown };

/// Returns the name of the network file system of an open file, or null if it is local.
const char* network_file_system(int descriptor) noexcept;

enum class file_kind : std::uint8_t { regular, directory, stream };

/// Owns a file descriptor. Movable; const members may run in any number of threads.
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

  /// Does the same, and returns whether the path is that of a symbolic link. Costs a further call for a link alone.
  static file open(const std::filesystem::path&, bool& is_link, failure&) noexcept;

  /// Does the same without waiting for the writer of a pipe, or for another process. With `no_link`, a symbolic link is
  /// the error too_many_symbolic_link_levels.
  static file open_at_once(const std::filesystem::path&, bool no_link, failure&) noexcept;

  /// Returns another descriptor of the same open file.
  static file duplicate(int descriptor, failure&) noexcept;

  explicit operator bool() const noexcept { return descriptor_ >= 0; }
  int descriptor() const noexcept { return descriptor_; }

  /// Gives up the descriptor, which the caller closes.
  int release() noexcept { return std::exchange(descriptor_, -1); }

  /// Returns kind and size from the descriptor, so that both belong to the same file; on request also the number of the
  /// user who owns it.
  failure stat(file_kind& kind, std::uint64_t& size, std::uint32_t* owner = nullptr) const noexcept;

  /// Returns the size of the file and when its bytes were last changed. Returns nothing if they are not known.
  std::optional<file_stamp> stamp() const noexcept;

  /// Returns who may read and write the file, as in the mode of POSIX; only the owner if it is not known.
  unsigned permissions() const noexcept;

  /// Copies [offset, offset + out.size()). Errors: file_shrank, of the operating system.
  failure read(std::uint64_t offset, std::span<std::byte> out) const noexcept;

  /// Does the same, and reports if all bytes were in the page cache. Costs nothing extra in that case.
  failure read(std::uint64_t offset, std::span<std::byte> out, read_cost&) const noexcept;

  /// Copies the bytes from `offset` on into several buffers, one after the other, mostly by one system call. Errors: as
  /// read().
  failure read(std::uint64_t offset, std::span<const std::span<std::byte>> parts) const noexcept;

  /// Asks the system to bring these bytes into the page cache. A hint: nothing depends on it.
  void will_need(std::uint64_t offset, std::uint64_t size) const noexcept;

  /// Returns true for a memory file that is sealed against writing and shrinking: nobody can change its bytes. Returns
  /// false for all other files, because a file system that is mounted read-only here may be writable elsewhere.
  bool is_sealed() const noexcept;

  /// Returns the name of the network file system of this file, or null if it is local.
  const char* network_file_system() const noexcept { return io::network_file_system(descriptor_); }

 private:
  int descriptor_ = -1;
};

/// A symbolic link: where it leads, and the number of the user who owns it.
struct symbolic_link {
  std::filesystem::path target{};
  std::uint32_t owner = 0;
};

/// Reads a symbolic link. Errors: of the operating system. May throw std::bad_alloc.
symbolic_link read_link(const std::filesystem::path&, failure&);

/// Returns the failure for the current errno.
failure system_failure(std::uint64_t offset = 0) noexcept;

}  // namespace tgmap::io
