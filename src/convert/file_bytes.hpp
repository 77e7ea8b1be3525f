// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <tgmap/error.hpp>

namespace tgmap::convert {

/// The bytes of a regular file, a pipe or standard input, to be converted.
///
/// They are read into memory, not mapped: truncating the file cannot end the process, and the bytes cannot change
/// between their check and their use.
class file_bytes {
 public:
  file_bytes() noexcept = default;

  /// Reads the whole file. Errors: is_directory; file_shrank (it became shorter meanwhile); of the operating system.
  /// Throws std::bad_alloc.
  static file_bytes read(const std::string& file, failure&);
  /// Reads the rest of an open file.
  static file_bytes read(int descriptor, failure&);

  std::span<const std::byte> bytes() const noexcept { return {memory_.get(), size_}; }

 private:
  std::unique_ptr<std::byte[]> memory_{};
  std::size_t size_ = 0;
};

}  // namespace tgmap::convert
