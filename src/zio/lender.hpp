// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <zmq.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <tgmap/tensor.hpp>
#include <thread>
#include <vector>

#include "zio/waker.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

class lender;

/// One message's memory while ZeroMQ has it: what keeps the parts that were lent, and the bytes that were written for
/// it. ZeroMQ sends the parts of a message one after the other, so its last one alone comes back, on ZeroMQ's own
/// thread, and lets go of everything. The others do not: those of a message whose connection ended before it was whole
/// would never come, as ZeroMQ forgets them.
class loan {
 public:
  /// Memory of its own, which stays where it is until the message has gone. Once a message; keeps what it had.
  char* buffer(std::size_t bytes);

  /// Has a part be a view of `bytes`, which `owner` keeps; without an owner they lie in the buffer. The last part of
  /// each message has to be lent.
  void lend(zmq_msg_t&, std::span<const std::byte>, const pin& owner, bool last);

  /// Whether ZeroMQ dropped the message while it was being sent: what was sent comes back on another thread, or later.
  bool was_dropped() const noexcept { return dropped_; }

  /// Ends the hold that the sender itself has on it. Do not touch it afterwards.
  void release() noexcept;

 private:
  friend class lender;
  static void give_back(void* data, void* self) noexcept;

  lender* home_ = nullptr;
  loan* next_ = nullptr;
  std::atomic<std::uint32_t> holds_{0};
  std::uint64_t bytes_ = 0;
  std::thread::id sender_{};
  bool dropped_ = false;  // of use to the sender alone, and written by it alone
  std::vector<pin> owners_{};
  std::string buffer_{};
};

/// Counts the bytes that a socket has lent, and keeps loans to be used again. Lives until the socket has left it and
/// the last loan is back: by inproc a receiver may hold parts for longer than the socket lives.
class lender {
 public:
  static lender* make(failure&);
  void leave() noexcept;  ///< instead of a destructor

  /// Before a socket with connections is closed: what comes back from now on is kept until the end. ZeroMQ throws away
  /// what waits, and gives it back, while it still writes an earlier part of the same message.
  void keep_all() noexcept { keeps_.store(true); }

  /// A loan of so many bytes, held by the caller. One thread at a time.
  loan* open(std::uint64_t bytes);

  std::uint64_t in_flight() const noexcept { return in_flight_.load(); }
  const waker& wakes() const noexcept { return waker_; }

  /// Whether loans that come back shall wake. To be set before in_flight() is looked at.
  void want_wakes(bool wanted) noexcept { wanted_.store(wanted); }

 private:
  friend class loan;
  explicit lender(failure& why) noexcept : waker_(why) {}
  ~lender();
  void take_back(loan*) noexcept;
  void drop_hold() noexcept;

  std::atomic<std::uint64_t> in_flight_{0};
  std::atomic<std::uint64_t> holds_{1};  // the socket's, and one of each loan that is out
  std::atomic<bool> wanted_{false}, keeps_{false};
  std::atomic<loan*> returned_{nullptr};  // put by threads of ZeroMQ, taken all at once by the sender
  loan* free_ = nullptr;
  waker waker_;
};

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
