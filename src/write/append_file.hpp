// SPDX-License-Identifier: Apache-2.0
// The file that an appender adds to: opened, locked, and cut back to its last whole message.
#pragma once

#include <cstdint>
#include <filesystem>
#include <tgmap/write/appender.hpp>

namespace tgmap::write {

class append_file {
 public:
  append_file() noexcept = default;
  append_file(const append_file&) = delete;
  append_file& operator=(const append_file&) = delete;
  ~append_file();

  /// Errors: those of the appender's constructor. Throws std::bad_alloc; std::system_error.
  failure open(const std::filesystem::path&, const append_options&);

  /// Whether its path still leads to it, and it ends at `end`. Errors: archive_changed, io.
  failure unchanged(std::uint64_t end) const noexcept;

  /// Forgets what lies behind `end`, and puts the position there; bytes behind `reached` are not the appender's, and
  /// nothing is touched. Errors: archive_changed, io.
  failure cut(std::uint64_t end, std::uint64_t reached) const noexcept;

  /// Everything is on the disk; the folder too, where the file is new. Errors: io.
  failure sync() noexcept;

  int descriptor() const noexcept { return descriptor_; }
  std::uint64_t end() const noexcept { return end_; }  ///< of the last whole message when it was opened

 private:
  failure find_end(on_tail);

  int descriptor_ = -1;
  std::uint64_t end_ = 0;
  std::filesystem::path path_{};    // absolute: a program may change its folder
  std::filesystem::path new_in_{};  // the folder, of a file that was made
};

}  // namespace tgmap::write
