// SPDX-License-Identifier: Apache-2.0
// Long work that Ctrl-C ends.
#pragma once

#include <chrono>
#include <future>
#include <optional>
#include <stop_token>
#include <system_error>

#include "cpp/interpreter/python.hpp"

namespace tgmap_python {

/// Runs `work(stop)` without the lock of the interpreter, on a thread of its own, while this one looks for signals.
/// After Ctrl-C it requests a stop, waits for the end of the work and raises KeyboardInterrupt. Work that is not long
/// runs as without_lock() runs it. It must not throw, and must call nothing of Python. The thread is no executor's: the
/// caller of executor::run() works, too, but here it must wait for signals.
template <class Work>
void run_interruptibly(bool is_long, Work&& work) {
  constexpr std::chrono::milliseconds step(20);
  std::stop_source stop;
  std::future<void> running;
  if (is_long) try {
      running = std::async(std::launch::async, [&] { work(stop.get_token()); });
    } catch (const std::system_error&) {  // there is no further thread
    }
  if (!running.valid()) return without_lock(is_long, [&] { work(stop.get_token()); });
  for (;;) {
    const bool has_ended = without_lock(true, [&] { return running.wait_for(step) == std::future_status::ready; });
    if (has_ended) return running.get();
    if (PyErr_CheckSignals() == 0) continue;
    stop.request_stop();
    const nb::python_error raised;  // takes the exception
    without_lock(true, [&] { running.wait(); });
    throw raised;
  }
}

}  // namespace tgmap_python
