// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace tgmap::cli {

/// A file that appears whole or not at all: written under another name beside its place, then renamed.
/// What exists there and is no regular file (a device, a pipe) is written as it is. Throws file_error.
class output_file {
 public:
  explicit output_file(std::filesystem::path);
  ~output_file();  ///< removes what was not committed
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;

  void write(std::span<const std::byte>);
  void commit();

 private:
  [[noreturn]] void fail(int number) const;

  std::filesystem::path path_;
  std::filesystem::path temporary_;  // empty: written in place, or committed
  int descriptor_ = -1;
};

}  // namespace tgmap::cli
