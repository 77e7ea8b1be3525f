// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <stop_token>
#include <tgmap/zio/errc.hpp>

namespace tgmap {
inline namespace v0 {
namespace zio {

/// A descriptor that any thread can make readable, so that a thread that polls it, beside a socket, wakes up.
class waker {
 public:
  explicit waker(failure&) noexcept;
  ~waker();
  waker(const waker&) = delete;
  waker& operator=(const waker&) = delete;

  void wake() const noexcept;
  void clear() const noexcept;
  int descriptor() const noexcept { return descriptor_; }

 private:
  int descriptor_ = -1;
};

/// How long a call may wait: a timeout, below zero without end, and a stop token.
class patience {
 public:
  using clock = std::chrono::steady_clock;

  patience(std::chrono::milliseconds timeout, const std::stop_token& stop) noexcept
      : timeout_(timeout), begin_(clock::now()), stop_(stop) {}

  const std::stop_token& stop() const noexcept { return stop_; }

  /// Why no more waiting is allowed, or nothing.
  failure over() const noexcept;
  /// Milliseconds to wait at most, for poll(): -1 without end.
  long left() const noexcept;

 private:
  std::chrono::milliseconds timeout_;
  clock::time_point begin_;
  const std::stop_token& stop_;
};

/// Waits until the socket can do one of `events` (of ZeroMQ; 0: only its housekeeping is done), the waker wakes, `most`
/// milliseconds are over (-1: no bound) or patience is. The caller looks again at what it waits for. Errors: timed_out,
/// stopped, zmq_failed.
failure wait_for(void* socket, short events, const waker&, const patience&, long most = -1) noexcept;

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
