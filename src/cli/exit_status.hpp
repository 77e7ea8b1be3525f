// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tgmap::cli {

/// What the command returns to the shell.
enum class exit_status : std::uint8_t {
  fine = 0,
  failed = 1,        ///< something asked for could not be done
  usage = 2,         ///< the command line makes no sense; nothing was done
  damaged = 3,       ///< all done, but gaps or a tail were found
  incomparable = 4,  ///< of `diff`, where 1 says that something differs: something could not be compared
};

/// The status of two files together: incomparable before failed before damaged before fine.
constexpr exit_status both(exit_status a, exit_status b) noexcept {
  if (a == exit_status::incomparable || b == exit_status::incomparable) return exit_status::incomparable;
  if (a == exit_status::failed || b == exit_status::failed) return exit_status::failed;
  return a == exit_status::damaged || b == exit_status::damaged ? exit_status::damaged : exit_status::fine;
}

}  // namespace tgmap::cli
