// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace tgmap::cli {

/// All bytes of a file that is no archive: of a regular one, of a pipe, of standard input ("-").
///
/// Read into memory of its own: then nothing that happens to the file meanwhile can end the process, as it could were
/// it mapped, and what was checked is what is used.
class input_bytes {
 public:
  /// Throws file_error; complaint when the file becomes shorter meanwhile.
  static input_bytes of(const std::string& file);

  std::span<const std::byte> bytes() const noexcept { return {memory_.get(), size_}; }

 private:
  std::unique_ptr<std::byte[]> memory_{};
  std::size_t size_ = 0;
};

}  // namespace tgmap::cli
