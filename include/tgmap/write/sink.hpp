// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <system_error>
#include <tgmap/error.hpp>
#include <utility>
#include <vector>

namespace tgmap {
inline namespace v0 {

/// A `sink` takes the bytes that writers produce: a file, a pipe, memory, or a class of the program.
/// Thread safety: one thread at a time.
class TGMAP_API sink {
 public:
  sink() noexcept = default;
  sink(const sink&) = delete;
  sink& operator=(const sink&) = delete;
  virtual ~sink();

  /// Appends all pieces in order. After a failure any part of them may have been written.
  /// Errors: io, or the sink's own.
  /// Lifetime: the pieces are borrowed for the call.
  [[nodiscard]] virtual failure write(std::span<const std::span<const std::byte>> pieces) noexcept = 0;

  /// Returns the number of bytes given to this sink so far. A sink that can overwrite must implement it; others may
  /// return 0.
  virtual std::uint64_t bytes_written() const noexcept { return 0; }

  /// Returns true if written bytes can be changed.
  virtual bool can_overwrite() const noexcept { return false; }

  /// Changes written bytes, from `at` on, which counts from the first byte given to this sink.
  /// Errors: cannot_overwrite, which this implementation always returns; out_of_range; io.
  [[nodiscard]] virtual failure overwrite(std::uint64_t at, std::span<const std::byte>) noexcept;

  /// Removes the last `bytes` bytes. A writer calls it if it cannot read the rest of a message.
  /// Errors: cannot_overwrite, which this implementation always returns; out_of_range; io.
  [[nodiscard]] virtual failure rollback(std::uint64_t bytes) noexcept;

  /// Gives buffered bytes to their destination. Does nothing in a sink without a buffer. Errors: io, or the sink's own.
  [[nodiscard]] virtual failure flush() noexcept;

  /// A stream calls it with true when it begins, and with false after the last byte of its message. Does nothing in
  /// most sinks.
  virtual void set_unfinished(bool) noexcept;

  /// A writer calls it if it could not write a message, or could not begin. Does nothing in most sinks.
  virtual void message_refused() noexcept;

  /// Appends one piece. Errors: as above.
  [[nodiscard]] failure write(std::span<const std::byte> one) noexcept { return write(std::span(&one, 1)); }
};

/// A `memory_sink` collects bytes in memory. They can be overwritten.
/// Errors: out_of_memory.
/// Complexity: O(bytes); the memory grows by doubling.
class TGMAP_API memory_sink final : public sink {
 public:
  using sink::write;
  [[nodiscard]] failure write(std::span<const std::span<const std::byte>>) noexcept override;
  bool can_overwrite() const noexcept override { return true; }
  [[nodiscard]] failure overwrite(std::uint64_t at, std::span<const std::byte>) noexcept override;
  [[nodiscard]] failure rollback(std::uint64_t bytes) noexcept override;

  std::uint64_t bytes_written() const noexcept override { return bytes_.size(); }

  /// Returns all bytes. Lifetime: until the next call that is not const.
  const std::vector<std::byte>& bytes() const noexcept TGMAP_LIFETIMEBOUND { return bytes_; }

  /// Moves all bytes out, which leaves the sink empty.
  std::vector<std::byte> release() noexcept { return std::exchange(bytes_, {}); }
  void clear() noexcept { bytes_.clear(); }

 private:
  std::vector<std::byte> bytes_{};
};

/// A `descriptor_sink` writes to an open file, pipe or socket, from its current position on.
///
/// It writes with `writev` and continues after short counts and signals. Small pieces are collected in a buffer. The
/// buffer is written by flush(), before a large piece, and by the destructor, which cannot report errors. Regular files
/// can be overwritten, unless they are open for appending only. After an error bytes_written() counts what was written
/// and what is still buffered; flush() continues there and writes nothing twice.
/// Errors: io. A socket or pipe without a reader is EPIPE; the program deals with SIGPIPE. A descriptor that is closed
/// or not open for writing is EBADF from the first write() or flush() on, before anything is buffered.
/// In a child made by `fork` the destructor writes nothing: the parent has the same bytes in its buffer.
/// Lifetime: the caller owns the descriptor and closes it after the sink is destroyed.
class TGMAP_API descriptor_sink : public sink {
 public:
  /// Creates a sink that buffers up to `buffer_size` bytes. Errors: out_of_memory.
  explicit descriptor_sink(int descriptor, std::size_t buffer_size = default_buffer_size);

  /// Creates a sink and reports at once if the descriptor cannot be written to. Errors: io, out_of_memory.
  descriptor_sink(int descriptor, failure&) noexcept;
  descriptor_sink(int descriptor, std::size_t buffer_size, failure&) noexcept;
  ~descriptor_sink() override;
  using sink::write;
  [[nodiscard]] failure write(std::span<const std::span<const std::byte>>) noexcept override;
  bool can_overwrite() const noexcept override { return start_ >= 0; }
  [[nodiscard]] failure overwrite(std::uint64_t at, std::span<const std::byte>) noexcept override;
  [[nodiscard]] failure rollback(std::uint64_t bytes) noexcept override;

  /// Writes the buffer. Errors: io.
  [[nodiscard]] failure flush() noexcept override;

  void discard() noexcept { held_.clear(); }  ///< drops the bytes that are still buffered

  std::uint64_t bytes_written() const noexcept override { return out_ + held_.size(); }

  static constexpr std::size_t default_buffer_size = std::size_t{1} << 18;  ///< 256 KiB of small pieces

 private:
  /// Called before `bytes` bytes are written after the first `gone` ones. If it fails, they stay in the buffer. The
  /// destructor does not call it: a class that overrides it calls flush() or discard() in its own destructor.
  virtual failure before_put(std::uint64_t gone, std::uint64_t bytes) noexcept;

  failure put(std::span<const std::byte> behind) noexcept;
  failure put_out(std::span<const std::byte> behind) noexcept;

  int descriptor_;
  std::uint32_t forks_;
  std::error_code unusable_;  // why nothing can be written to it
  std::int64_t start_ = -1;   // position in the file of the first byte; -1: no regular file
  std::size_t gather_;
  std::uint64_t out_ = 0;
  std::vector<std::byte> held_{};
};

/// Options of a file_sink. Aggregate: `{.sync = true}`.
struct file_sink_options {
  /// Puts the file on the disk (`fsync`), and its name, before close() returns. Default: false, since close() would
  /// wait for it.
  bool sync = false;

  /// Bytes of small writes that are buffered. Default: 256 KiB, as in descriptor_sink.
  std::size_t buffer_size = descriptor_sink::default_buffer_size;

  /// Fails with EEXIST if the file exists. Default: false, since most files are written again.
  bool exclusive = false;
};

namespace detail {
class output_file;
}

/// A `file_sink` writes a file from its beginning.
///
/// A file of a new name grows as it is written, and what was written stays, also after an error. An existing file is
/// **replaced only by a complete one**: the new bytes have no name until close(), or the destructor, and are on the
/// disk before they get it. The old file stays after a failed write, after abandon(), and if the message of a stream
/// has no end. The destructor also keeps it if a writer refused a message, and if an exception unwinds. A program that
/// has the old file open keeps it. So does another name of it (a hard link). Owner, group, permissions and access list
/// stay as far as this process may keep them. A file that may not be written is refused, and so is one that cannot be
/// replaced: in a folder that may not be written, of another user in a sticky folder, or mounted. A symbolic link is
/// followed. Devices, pipes and paths such as `/dev/fd/3` are written in place.
///
/// Removes the index beside an archive that it replaces, which describes other bytes; see tools/index.hpp.
/// It buffers small writes as descriptor_sink does. The file can be overwritten. Call close() to see all errors: the
/// destructor closes the file too, but cannot report them. A child made by `fork` closes its copy and changes nothing;
/// calls there are call_out_of_order.
class TGMAP_API file_sink final : public sink {
 public:
  /// Opens the file; the umask limits the permissions of a new one. Errors: io, with `argument` "the folder of the
  /// file" if nothing can be created there; foreign_file; output_changed; out_of_memory.
  explicit file_sink(const std::filesystem::path&, const file_sink_options& = {});
  file_sink(const std::filesystem::path&, failure&) noexcept;
  file_sink(const std::filesystem::path&, const file_sink_options&, failure&) noexcept;
  ~file_sink() override;

  /// Writes to the file. Errors, here and below: io; call_out_of_order (the file was not opened, or is closed).
  using sink::write;
  [[nodiscard]] failure write(std::span<const std::span<const std::byte>>) noexcept override;
  bool can_overwrite() const noexcept override;
  [[nodiscard]] failure overwrite(std::uint64_t at, std::span<const std::byte>) noexcept override;
  [[nodiscard]] failure rollback(std::uint64_t bytes) noexcept override;
  [[nodiscard]] failure flush() noexcept override;  ///< writes the buffer
  [[nodiscard]] failure sync() noexcept;            ///< writes the buffer and puts the bytes on the disk
  void set_unfinished(bool) noexcept override;      ///< with true, an older file is not replaced
  void message_refused() noexcept override;         ///< the destructor will not replace an older file

  /// Writes the buffer, syncs if the options say so, and closes the file, also after an error. Replaces an older file
  /// if everything was written. Does nothing if the file is closed already.
  /// Errors: io; that of an earlier write, if a file would be replaced; incomplete_message (a stream has no end, and a
  /// file would be replaced); output_changed; call_out_of_order (the file was not opened).
  void close();
  void close(failure&) noexcept;

  /// Closes the file without replacing an older one: that stays, and the new bytes are gone. Otherwise what was written
  /// stays. Errors: as close().
  void abandon(failure&) noexcept;

  /// Returns true if an older file stays until close().
  bool is_replacing() const noexcept;

  /// Returns true if the destructor would keep an older file and lose the new one.
  bool keeps_older() const noexcept;

  std::uint64_t bytes_written() const noexcept override { return out_ ? out_->bytes_written() : written_; }

 private:
  failure open(const std::filesystem::path&, const file_sink_options&) noexcept;
  failure open_file(const std::filesystem::path&, const file_sink_options&);
  failure publish() noexcept;
  failure keep_failure(failure) noexcept;
  void remove_index() noexcept;
  bool is_open() const noexcept;
  void release() noexcept;

  std::unique_ptr<detail::output_file> file_;
  std::uint32_t forks_;
  bool sync_ = false, opened_ = false, is_unfinished_ = false, is_refused_ = false;
  int exceptions_;             // that were unwinding when it was made
  std::error_code broken_{};   // of the first write that failed
  std::uint64_t written_ = 0;  // when it was closed
  std::optional<descriptor_sink> out_{};
};

}  // namespace v0
}  // namespace tgmap
