// SPDX-License-Identifier: Apache-2.0
// The file of an appender.
#pragma once

#include <cstdint>
#include <filesystem>
#include <tgmap/write/appender.hpp>
#include <tgmap/write/sink.hpp>

#include "io/file_status.hpp"
#include "io/unshared_descriptor.hpp"

namespace tgmap::write {

/// A `locked_file` is an archive that is open for appending. An advisory lock excludes other appenders, and every
/// change that a program without the lock makes to the end of the file is detected.
class locked_file {
 public:
  locked_file() noexcept = default;
  locked_file(const locked_file&) = delete;
  locked_file& operator=(const locked_file&) = delete;
  ~locked_file() { static_cast<void>(unlock()); }

  /// Opens and locks a file. Changes nothing: the caller truncates it after its last whole message.
  /// Errors: those of the constructor of appender. Throws std::bad_alloc; std::system_error.
  failure open(const std::filesystem::path&, const append_options&);

  /// Checks that the path still names this file and that the file ends at `end`. Errors: archive_changed, io.
  failure check_unchanged(std::uint64_t end) const noexcept;

  /// Truncates the file to `end` and sets its position there. A file of more than `written_end` bytes has bytes of
  /// another program; it is not changed. Errors: archive_changed, io.
  failure truncate(std::uint64_t end, std::uint64_t written_end) const noexcept;

  /// Puts the file on the disk, and the name of a new file. Errors: io.
  failure sync() noexcept;

  /// Gives up the lock, also for a child that kept a copy of the descriptor, and closes the file. Errors: io.
  failure unlock() noexcept;

  /// Returns false once it is unlocked, and in a child made by `fork`.
  bool is_open() const noexcept { return static_cast<bool>(descriptor_); }

  int descriptor() const noexcept { return descriptor_.get(); }
  const std::filesystem::path& path() const noexcept { return path_; }
  std::uint64_t end() const noexcept { return end_; }  ///< end of the last whole message when the file was opened
  std::uint64_t opened_size() const noexcept { return opened_size_; }  ///< bytes of the file at that time

 private:
  failure open_file(const append_options&, bool& is_new);
  failure lock() const noexcept;
  failure find_end(on_tail);

  io::unshared_descriptor descriptor_{};
  bool is_locked_ = false;
  std::uint64_t end_ = 0, opened_size_ = 0;
  std::filesystem::path path_{};                // absolute, because a program may change its working directory
  std::filesystem::path unsynced_directory_{};  // of a new file, until its name is on the disk
};

/// A `locked_file_sink` writes at the end of a locked file. Before each write it checks that the file is unchanged.
/// Errors: archive_changed (nothing was written); io.
class locked_file_sink final : public descriptor_sink {
 public:
  /// `begin` is the end of the archive and the position of the file.
  locked_file_sink(const locked_file& file, std::uint64_t begin)
      : descriptor_sink(file.descriptor()), file_(&file), begin_(begin), written_end_(begin) {}
  ~locked_file_sink() override { discard(); }  // buffered bytes must not be written without the check

  /// Always fails: the appender truncates the file itself, after a check.
  failure rollback(std::uint64_t) noexcept override { return {.code = errc::cannot_overwrite}; }

  /// Returns the largest offset that written bytes may have reached, also if the last write failed.
  std::uint64_t written_end() const noexcept { return written_end_; }

 private:
  failure before_put(std::uint64_t written, std::uint64_t bytes) noexcept override {
    if (failure why = file_->check_unchanged(begin_ + written)) return why;
    written_end_ = begin_ + written + bytes;
    return {};
  }

  const locked_file* file_;
  std::uint64_t begin_, written_end_;
};

}  // namespace tgmap::write
