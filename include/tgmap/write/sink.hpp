// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <system_error>
#include <tgmap/error.hpp>
#include <utility>
#include <vector>

namespace tgmap {
inline namespace v0 {

/// Where writers put bytes: a file, a pipe, memory, or what a program makes of it. Used by one thread at a time.
class TGMAP_API sink {
 public:
  sink() noexcept = default;
  sink(const sink&) = delete;
  sink& operator=(const sink&) = delete;
  virtual ~sink();

  /// Puts all pieces behind what is there, in order, or fails; then anything may have been put. The pieces are borrowed
  /// for the call. Errors: io, or the sink's own.
  [[nodiscard]] virtual failure write(std::span<const std::span<const std::byte>> pieces) noexcept = 0;

  /// Bytes it was given so far. Told by sinks that can be patched.
  virtual std::uint64_t bytes_written() const noexcept { return 0; }

  /// Whether bytes that are there can be changed.
  virtual bool can_overwrite() const noexcept { return false; }

  /// Changes bytes that are there. `at` counts from the first byte that this sink was given.
  [[nodiscard]] virtual failure overwrite(std::uint64_t at, std::span<const std::byte>) noexcept;

  /// Takes back the last `bytes` of what it was given, if it can: a writer asks for it when the rest of a message
  /// cannot be had.
  [[nodiscard]] virtual failure rollback(std::uint64_t bytes) noexcept;

  [[nodiscard]] failure write(std::span<const std::byte> one) noexcept { return write(std::span(&one, 1)); }
};

/// Memory. O(bytes), grown by doubling. Errors: out_of_memory.
class TGMAP_API memory_sink final : public sink {
 public:
  using sink::write;
  [[nodiscard]] failure write(std::span<const std::span<const std::byte>>) noexcept override;
  bool can_overwrite() const noexcept override { return true; }
  [[nodiscard]] failure overwrite(std::uint64_t at, std::span<const std::byte>) noexcept override;
  [[nodiscard]] failure rollback(std::uint64_t bytes) noexcept override;

  std::uint64_t bytes_written() const noexcept override { return bytes_.size(); }
  const std::vector<std::byte>& bytes() const noexcept TGMAP_LIFETIMEBOUND { return bytes_; }
  std::vector<std::byte> release() noexcept { return std::exchange(bytes_, {}); }
  void clear() noexcept { bytes_.clear(); }

 private:
  std::vector<std::byte> bytes_{};
};

/// An open file, pipe or socket, from where its position stands; the descriptor stays the caller's. Pieces go by
/// `writev`, gone on with after short counts and signals; small ones are gathered first, in at most `gather` bytes,
/// which flush(), a large piece and the destructor (which cannot tell of errors) put out. Regular files can be patched.
/// After an error written() tells what went, and what is still held: flush() goes on there, and puts nothing out twice.
///
/// Errors: io; a socket or pipe without a reader is EPIPE, and SIGPIPE is the caller's. A descriptor that is closed or
/// not open for writing is EBADF from the first write() or flush() on, before anything is gathered.
class TGMAP_API descriptor_sink : public sink {
 public:
  /// Errors: out_of_memory.
  explicit descriptor_sink(int descriptor, std::size_t gather = default_gather);
  /// Reports at once what the first write() would: that descriptor cannot be written to. Errors: io, out_of_memory.
  descriptor_sink(int descriptor, failure&) noexcept;
  descriptor_sink(int descriptor, std::size_t gather, failure&) noexcept;
  ~descriptor_sink() override;
  using sink::write;
  [[nodiscard]] failure write(std::span<const std::span<const std::byte>>) noexcept override;
  bool can_overwrite() const noexcept override { return start_ >= 0; }
  [[nodiscard]] failure overwrite(std::uint64_t at, std::span<const std::byte>) noexcept override;
  [[nodiscard]] failure rollback(std::uint64_t bytes) noexcept override;
  [[nodiscard]] failure flush() noexcept;
  void discard() noexcept { held_.clear(); }  ///< forgets what was not put out yet

  std::uint64_t bytes_written() const noexcept override { return out_ + held_.size(); }

  static constexpr std::size_t default_gather = std::size_t{1} << 18;

 private:
  /// Asked before `bytes` go to the descriptor, behind the `gone` that went; a failure keeps them here. Not asked by
  /// the destructor: who asks must flush() or discard() before.
  virtual failure before_put(std::uint64_t gone, std::uint64_t bytes) noexcept;

  failure put(std::span<const std::byte> behind) noexcept;
  failure put_out(std::span<const std::byte> behind) noexcept;

  int descriptor_;
  std::error_code unusable_;  // why nothing can be written to it
  std::int64_t start_ = -1;   // position in the file of the first byte; -1: no regular file
  std::size_t gather_;
  std::uint64_t out_ = 0;
  std::vector<std::byte> held_{};
};

struct file_sink_options {
  bool sync = false;  ///< close() returns when the file is on the disk (`fdatasync`)
  std::size_t buffer_size = descriptor_sink::default_gather;  ///< bytes of small writes that are gathered
};

/// A file that is created, or emptied if it exists, and then written from its beginning.
///
/// Gathers small writes as descriptor_sink does. The file can be patched. Call close() to learn of errors: the
/// destructor closes the file too, but cannot report them.
class TGMAP_API file_sink final : public sink {
 public:
  /// Creates or empties the file; its permissions follow the umask. Errors: io, out_of_memory.
  explicit file_sink(const std::filesystem::path&, const file_sink_options& = {});
  file_sink(const std::filesystem::path&, failure&) noexcept;
  file_sink(const std::filesystem::path&, const file_sink_options&, failure&) noexcept;
  ~file_sink() override;

  /// Errors: io; writer_state (the file was not opened, or is closed).
  using sink::write;
  [[nodiscard]] failure write(std::span<const std::span<const std::byte>>) noexcept override;
  bool can_overwrite() const noexcept override { return static_cast<bool>(out_); }
  [[nodiscard]] failure overwrite(std::uint64_t at, std::span<const std::byte>) noexcept override;
  [[nodiscard]] failure rollback(std::uint64_t bytes) noexcept override;
  [[nodiscard]] failure flush() noexcept;

  /// Writes what is gathered, syncs if the options say so, and closes the file, also after an error. Does nothing when
  /// the file is closed already. Errors: io; writer_state (the file was not opened).
  void close();
  void close(failure&) noexcept;

  std::uint64_t bytes_written() const noexcept override { return out_ ? out_->bytes_written() : written_; }

 private:
  failure open(const std::filesystem::path&, const file_sink_options&) noexcept;

  int file_ = -1;
  bool sync_ = false, opened_ = false;
  std::uint64_t written_ = 0;  // when it was closed
  std::optional<descriptor_sink> out_{};
};

}  // namespace v0
}  // namespace tgmap
