// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>

namespace tgmap_test {

/// A `work_counter` counts the work of this process in basic blocks, by valgrind. The numbers do not depend on the
/// machine and its load.
class work_counter {
 public:
  /// Restarts the program under valgrind with this argument, unless it runs there already. Returns only in that case,
  /// or if there is no valgrind.
  static bool run_counted(const char* program, const char* log);

  /// `log`: the file that valgrind writes to.
  explicit work_counter(std::filesystem::path log);

  /// Returns the number of basic blocks executed so far. Throws if valgrind does not report it.
  std::uint64_t blocks();

 private:
  std::filesystem::path log_;
  std::uint64_t read_ = 0;  ///< bytes of the log that were read
};

}  // namespace tgmap_test
