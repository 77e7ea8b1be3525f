// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <stop_token>
#include <tgmap/zio/errc.hpp>

namespace tgmap {
inline namespace v0 {
namespace zio {

/// A `wakeup` is a file descriptor that any thread can make readable, to wake a thread that polls it beside a socket.
class wakeup {
 public:
  explicit wakeup(failure&) noexcept;
  ~wakeup();
  wakeup(const wakeup&) = delete;
  wakeup& operator=(const wakeup&) = delete;

  void signal() const noexcept;
  void clear() const noexcept;
  int descriptor() const noexcept { return descriptor_; }

 private:
  int descriptor_ = -1;
};

/// A `deadline` limits how long a call waits: a timeout, infinite if negative, and a stop token.
class deadline {
 public:
  using clock = std::chrono::steady_clock;

  deadline(std::chrono::milliseconds timeout, const std::stop_token& stop) noexcept
      : timeout_(timeout), begin_(clock::now()), stop_(stop) {}

  const std::stop_token& stop() const noexcept { return stop_; }

  /// Returns why the call must not wait any longer: timed_out, stopped, or no failure.
  failure check() const noexcept;
  /// Returns the milliseconds left, for poll(); -1 for no limit.
  long left() const noexcept;

 private:
  std::chrono::milliseconds timeout_;
  clock::time_point begin_;
  const std::stop_token& stop_;
};

/// Waits until the socket is ready for `events` of ZeroMQ (0: none), the wakeup is signalled, `max_milliseconds` are
/// over (-1: no limit) or the deadline is reached. The caller then checks its own condition again.
/// Errors: timed_out, stopped, zmq_failed.
failure wait_for(void* socket, short events, const wakeup&, const deadline&, long max_milliseconds = -1) noexcept;

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
