// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <tgmap/options.hpp>

#include "cpp/handles/handles.hpp"

namespace tgmap_python {

/// How an archive is opened, as callers say it.
struct opening_options {
  std::string mode = "auto", damage = "stop", index = "use";
  bool index_cache = false;
  std::optional<std::string> index_path{};
  std::string trust_index_of{};
  std::uint64_t offset = 0;
  std::optional<std::uint64_t> length{};
  std::uint64_t max_decoded = std::uint64_t{4} << 30;  ///< as in the command
  std::optional<std::string> stream_name{};  ///< the source is a file object that is read to its end; empty: no path
};

/// Returns the options of the library. Lifetime: borrows from `chosen`. Raises ValueError for an unknown choice.
tgmap::open_options to_options(const opening_options& chosen);

/// A `py_archive` is an archive of Python: one that is open, or closed.
class py_archive {
 public:
  /// `source`: a path as text, a file descriptor, an object with a buffer, or a file object. `index_bytes`: of an index
  /// that another process has, or None.
  py_archive(nb::handle source, const opening_options&, nb::handle index_bytes);

  explicit py_archive(shared_archive opened) noexcept : opened_(std::move(opened)) {}

  /// Returns what is open. Work without the lock of the interpreter needs a copy of it, because another thread may
  /// close the archive meanwhile. Raises ValueError if the archive is closed.
  const shared_archive& opened() const {
    if (opened_.empty()) throw nb::value_error("the archive is closed");
    return opened_;
  }
  bool is_closed() const noexcept { return opened_.empty(); }
  void close() noexcept { opened_ = {}; }

  /// Returns a message. Negative numbers count from the end.
  py_message message(nb::ssize_t number) const;
  std::size_t size() const;
  void refresh();

  /// Has what another one has open.
  void share(const py_archive& other) { opened_ = other.opened(); }

 private:
  shared_archive opened_{};
};

/// Scans a whole archive that takes a while, unless Ctrl-C ends it. The next call of the archive reports errors.
void scan_all(const tgmap::archive&);

/// Returns the message that begins at an offset.
py_message message_at(const shared_archive&, std::uint64_t offset);

}  // namespace tgmap_python
