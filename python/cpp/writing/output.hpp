// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <exception>
#include <memory>
#include <string>
#include <tgmap/write/sink.hpp>

#include "cpp/interpreter/python.hpp"

namespace tgmap_python {

/// A `file_object_sink` gives bytes to an object of Python with a method write(). It needs no lock of the interpreter,
/// and takes it for each call.
class file_object_sink final : public tgmap::sink {
 public:
  /// `seeks`: seek() and tell() work, so that bytes can be overwritten.
  file_object_sink(nb::object file, bool seeks);
  using tgmap::sink::write;
  tgmap::failure write(std::span<const std::span<const std::byte>>) noexcept override;
  std::uint64_t bytes_written() const noexcept override { return written_; }
  bool can_overwrite() const noexcept override { return start_ >= 0; }
  tgmap::failure overwrite(std::uint64_t at, std::span<const std::byte>) noexcept override;

  nb::handle file() const noexcept { return file_; }
  std::uint64_t start() const noexcept { return start_ < 0 ? 0 : static_cast<std::uint64_t>(start_); }

  /// Raises the exception of the last call that failed, if there is one.
  void raise_error();

 private:
  void put(std::span<const std::byte>);
  template <class Work>
  tgmap::failure call(Work&&) noexcept;

  nb::object file_;
  std::exception_ptr error_{};
  std::uint64_t written_ = 0;
  std::int64_t start_ = -1;
};

/// How an output is opened.
struct output_options {
  bool seeks = false;      ///< bytes of a file object can be overwritten
  bool exclusive = false;  ///< a path must be new
  bool syncs = false;      ///< close() waits for the disk
};

/// An `output` is where a writer of Python writes to: a file, a descriptor or a file object.
class output {
 public:
  /// `target`: bytes, which are a path; a descriptor; or an object with write().
  output(nb::handle target, const output_options&);

  /// Closes the file. If bytes are lost, because they cannot be written or the message of a stream has no end, it warns
  /// with ResourceWarning.
  ~output();
  output(const output&) = delete;
  output& operator=(const output&) = delete;

  tgmap::sink& sink() noexcept;
  const std::string& path() const noexcept { return path_; }

  /// Returns the file object; null if it is none.
  nb::handle file() const noexcept { return to_object_ ? to_object_->file() : nb::handle(); }

  /// Returns the offset in its file of the next byte; 0 if it has no offsets. Call it before anything is written.
  std::uint64_t position() const;

  /// Raises the exception of a failure of a writer that uses this output. An error of the file object comes first.
  void raise_if(const tgmap::failure&);

  /// Writes all buffered bytes; with `syncs` also puts them on the disk. Raises OSError.
  void flush(bool syncs);

  /// Does the same as the options say, and closes the file. An older file is replaced.
  void close();

  /// Closes the file, and keeps an older one that it would replace.
  void abandon();

  /// Says that a call to write was refused: unless the program calls close(), an older file stays.
  void keep_older() noexcept {
    was_refused_ = true;
    sink().message_refused();
  }

 private:
  tgmap::failure sync_descriptor() noexcept;

  ::pid_t process_;
  int descriptor_ = -1;
  bool syncs_ = false, was_refused_ = false;
  std::string path_{};
  std::unique_ptr<tgmap::file_sink> to_file_{};
  std::unique_ptr<tgmap::descriptor_sink> to_descriptor_{};
  std::unique_ptr<file_object_sink> to_object_{};
};

}  // namespace tgmap_python
