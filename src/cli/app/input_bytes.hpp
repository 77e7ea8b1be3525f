// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace tgmap::cli {

/// The bytes of a regular file, a pipe or standard input ("-").
///
/// They are read into memory, not mapped: truncating the file cannot end the process, and the bytes cannot change
/// between their check and their use.
class input_bytes {
 public:
  /// Reads the whole file. Errors: file_error; cli_error if the file shrinks while it is read.
  static input_bytes read(const std::string& file);

  std::span<const std::byte> bytes() const noexcept { return {memory_.get(), size_}; }

 private:
  std::unique_ptr<std::byte[]> memory_{};
  std::size_t size_ = 0;
};

}  // namespace tgmap::cli
