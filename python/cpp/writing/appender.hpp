// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <string>
#include <tgmap/write/appender.hpp>

#include "cpp/arguments/keywords.hpp"
#include "cpp/interpreter/errors.hpp"
#include "cpp/interpreter/exclusive_use.hpp"
#include "cpp/writing/new_object.hpp"

namespace tgmap_python {

/// A `py_appender` is an appender of Python. A stream of it uses its mutex.
class py_appender {
 public:
  /// `path`: text or bytes.
  py_appender(nb::handle path, keywords options);

  /// Closes the archive. Warns with ResourceWarning if a stream is cut off.
  ~py_appender();

  void write(nb::handle objects, nb::handle metadata, keywords options);
  void write_message(const py_message&, nb::handle metadata, const keywords& options);
  void sync();
  void close();

  /// Begins a stream, which ends with end_stream().
  tgmap::stream_writer& begin_stream(const tgmap::cbor_value& extra);
  void end_stream();

  use_mutex& mutex() noexcept { return mutex_; }
  bool is_closed() const noexcept { return is_closed_; }
  int version() const noexcept { return options_.write.version; }
  const std::string& path() const noexcept { return path_; }
  std::uint64_t size_bytes() const;

 private:
  tgmap::appender& require_open();
  template <class Work>
  void run(bool is_long, Work&& work);

  use_mutex mutex_{};
  std::string path_;
  tgmap::append_options options_{};
  std::optional<tgmap::appender> appender_{};
  ::pid_t process_ = ::getpid();
  bool has_stream_ = false;  ///< which has not ended
  bool is_closed_ = false;   ///< set before the lock of the interpreter is given up to close it
};

}  // namespace tgmap_python
