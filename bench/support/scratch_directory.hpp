// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <filesystem>

namespace tgmap_bench {

/// A temporary directory that goes away with what is in it, however this program ends: gigabytes must not stay behind
/// because someone pressed Ctrl-C. A child process waits for the end and removes it.
class scratch_directory {
 public:
  scratch_directory();
  ~scratch_directory();
  scratch_directory(const scratch_directory&) = delete;
  scratch_directory& operator=(const scratch_directory&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int alive_ = -1;  ///< closed when this program ends
  pid_t remover_ = -1;
};

}  // namespace tgmap_bench
