// SPDX-License-Identifier: Apache-2.0
// What handles and arrays keep alive.
#pragma once

#include <cstdint>
#include <string>
#include <tgmap/archive.hpp>
#include <tgmap/decode/archive_cache.hpp>

#include "cpp/interpreter/python.hpp"

namespace tgmap_python {

/// An `opened_archive` is an open archive and what it borrows. Archive, messages, objects and arrays refer to it, so it
/// lives until the last of them is gone, also if the archive was closed.
struct opened_archive {
  tgmap::archive archive{};
  nb::object buffer{};                       ///< owner of the bytes of an archive in memory
  std::string path{};                        ///< empty: not opened by a path
  std::uint64_t max_decoded = UINT64_MAX;    ///< bytes of memory for one decoded object
  std::optional<tgmap::file_state> state{};  ///< of its file when it was opened
  nb::object origin = nb::none();            ///< how the package opens it again, for pickles; see _origin.py

  /// Returns whether arrays may point into it: it is mapped, or in memory.
  bool has_bytes_in_place() const noexcept { return archive.mode() == tgmap::io_mode::map; }
};

/// A `shared_archive` is a counted reference to an opened_archive.
class shared_archive {
 public:
  shared_archive() noexcept = default;
  /// Raises TypeError for an object that is no opened_archive.
  explicit shared_archive(nb::object opened)
      : object_(std::move(opened)), opened_(&require<opened_archive>(object_, "this needs an open archive")) {}

  const opened_archive& operator*() const noexcept { return *opened_; }
  const opened_archive* operator->() const noexcept { return opened_; }

  /// Returns the object of Python that owns the archive.
  nb::handle owner() const noexcept { return object_; }
  bool empty() const noexcept { return opened_ == nullptr; }

 private:
  nb::object object_{};
  const opened_archive* opened_ = nullptr;
};

}  // namespace tgmap_python
