// SPDX-License-Identifier: Apache-2.0
#include "cli/held_signals.hpp"

namespace tgmap::cli {

namespace {

volatile std::sig_atomic_t came = 0;

}  // namespace

held_signals::held_signals() noexcept {
  struct sigaction waiting {};
  waiting.sa_handler = [](int signal) { came = signal; };
  waiting.sa_flags = SA_RESTART;
  sigemptyset(&waiting.sa_mask);
  for (std::size_t i = 0; i < which.size(); ++i) {
    if (::sigaction(which[i], nullptr, &before_[i]) != 0 || before_[i].sa_handler == SIG_IGN) continue;
    held_[i] = ::sigaction(which[i], &waiting, nullptr) == 0;
  }
}

held_signals::~held_signals() {
  for (std::size_t i = 0; i < which.size(); ++i)
    if (held_[i]) ::sigaction(which[i], &before_[i], nullptr);
  if (came == 0) return;
  const int signal = came;
  came = 0;
  ::raise(signal);
}

}  // namespace tgmap::cli
