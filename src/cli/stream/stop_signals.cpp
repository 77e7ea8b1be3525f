// SPDX-License-Identifier: Apache-2.0
#include "cli/stream/stop_signals.hpp"

#include <pthread.h>

namespace tgmap::cli {

stop_signals::stop_signals() {
  sigemptyset(&which_);
  for (const int each : {SIGHUP, SIGINT, SIGTERM}) {
    struct sigaction now {};
    if (::sigaction(each, nullptr, &now) == 0 && now.sa_handler != SIG_IGN) sigaddset(&which_, each);
  }
  // By which the watcher is told to go; sent to it alone.
  sigaddset(&which_, SIGUSR1);
  ::pthread_sigmask(SIG_BLOCK, &which_, &before_);
  watcher_ = std::thread([this] { watch(); });
}

stop_signals::~stop_signals() {
  over_ = true;
  ::pthread_kill(watcher_.native_handle(), SIGUSR1);
  watcher_.join();
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

void stop_signals::watch() {
  for (int signal = 0; ::sigwait(&which_, &signal) == 0 && !over_;) {
    if (signal == SIGUSR1 || came_ != 0) {
      ::signal(signal, SIG_DFL);
      sigset_t one;
      sigemptyset(&one);
      sigaddset(&one, signal);
      ::pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
      ::raise(signal);
    }
    came_ = signal;
    stop_.request_stop();
  }
}

}  // namespace tgmap::cli
