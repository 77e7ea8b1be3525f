// SPDX-License-Identifier: Apache-2.0
#include "zio/stream/stop_signals.hpp"

#include <pthread.h>

namespace tgmap::zio {

stop_signals::stop_signals() {
  sigemptyset(&watched_);
  for (const int each : {SIGHUP, SIGINT, SIGTERM}) {
    struct sigaction current {};
    if (::sigaction(each, nullptr, &current) == 0 && current.sa_handler != SIG_IGN) sigaddset(&watched_, each);
  }
  // The destructor sends SIGUSR1 to the watcher to end it.
  sigaddset(&watched_, SIGUSR1);
  ::pthread_sigmask(SIG_BLOCK, &watched_, &original_mask_);
  watcher_ = std::thread([this] { watch(); });
}

stop_signals::~stop_signals() {
  is_over_ = true;
  ::pthread_kill(watcher_.native_handle(), SIGUSR1);
  watcher_.join();
  ::pthread_sigmask(SIG_SETMASK, &original_mask_, nullptr);
}

void stop_signals::watch() {
  for (int signal = 0; ::sigwait(&watched_, &signal) == 0 && !is_over_;) {
    if (signal == SIGUSR1 || stop_.stop_requested()) {
      ::signal(signal, SIG_DFL);
      sigset_t one;
      sigemptyset(&one);
      sigaddset(&one, signal);
      ::pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
      ::raise(signal);
    }
    stop_.request_stop();
  }
}

}  // namespace tgmap::zio
