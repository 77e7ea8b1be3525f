// SPDX-License-Identifier: Apache-2.0
#include "cli/window.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

namespace tgmap::cli {

std::size_t window_width() noexcept {
  constexpr std::size_t usual = 80;
  winsize size{};
  return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0 ? size.ws_col : usual;
}

}  // namespace tgmap::cli
