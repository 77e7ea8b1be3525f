// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>

namespace tgmap_test {

/// Counts the work of this process: basic blocks that it has executed, as valgrind counts them. They are the same on
/// every machine, whatever else runs there.
class work_counter {
 public:
  /// Starts the program anew under valgrind, with this argument, unless it runs there already. Returns only if it does,
  /// or if there is no valgrind.
  static bool run_counted(const char* program, const char* log);

  /// `log` is what valgrind writes to.
  explicit work_counter(std::filesystem::path log);

  /// Returns the basic blocks executed until now. Throws if valgrind does not tell.
  std::uint64_t blocks();

 private:
  std::filesystem::path log_;
  std::uint64_t read_ = 0;  ///< bytes of it
};

}  // namespace tgmap_test
