// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <filesystem>

namespace tgmap_bench {

/// A temporary directory that is removed with its contents when the program ends, even after Ctrl-C: it can hold
/// gigabytes. A child process waits for the end of the program and removes it.
class scratch_directory {
 public:
  scratch_directory();
  ~scratch_directory();
  scratch_directory(const scratch_directory&) = delete;
  scratch_directory& operator=(const scratch_directory&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int alive_ = -1;  ///< write end of a pipe that closes when this program ends
  pid_t remover_ = -1;
};

}  // namespace tgmap_bench
