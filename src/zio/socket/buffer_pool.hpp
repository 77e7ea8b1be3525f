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

#include "zio/socket/wakeup.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

class buffer_pool;

/// A `buffer_lease` keeps the memory of one message while ZeroMQ sends it: the owners of the parts, and a buffer for
/// bytes written for the message.
///
/// ZeroMQ sends the parts of a message in order. Only the last part reports when it is sent, on a thread of ZeroMQ, and
/// that releases everything. Earlier parts do not report: if a connection ends in the middle of a message, ZeroMQ
/// forgets them.
class buffer_lease {
 public:
  /// Returns memory that keeps its address until the message is sent. Call it once a message.
  char* buffer(std::size_t bytes);

  /// Makes a part a view of `bytes`, which `owner` keeps alive; without an owner they are in the buffer. The last part
  /// of each message must be passed here.
  void attach(zmq_msg_t&, std::span<const std::byte>, const pin& owner, bool is_last);

  /// Returns true if ZeroMQ dropped the message during the call that sent it. A message that was sent is released on
  /// another thread, or later.
  bool was_dropped() const noexcept { return was_dropped_; }

  /// Ends the use by the sender, who must not touch the lease afterwards.
  void release() noexcept;

 private:
  friend class buffer_pool;
  static void on_sent(void* data, void* self) noexcept;

  buffer_pool* pool_ = nullptr;
  buffer_lease* next_ = nullptr;
  std::atomic<std::uint32_t> references_{0};
  std::uint64_t bytes_ = 0;
  std::thread::id sender_{};
  bool was_dropped_ = false;  // read and written by the sender's thread alone
  std::vector<pin> owners_{};
  std::string buffer_{};
};

/// A `buffer_pool` counts the bytes that ZeroMQ holds for a socket, and reuses leases.
///
/// Lifetime: until the socket has called `close()` and the last lease is returned. With inproc a receiver may hold
/// parts longer than the socket lives.
class buffer_pool {
 public:
  static buffer_pool* make(failure&);
  void close() noexcept;  ///< takes the place of a destructor

  /// Keeps the owners of all leases that are returned from now on until the pool ends. Call it before a socket with
  /// connections is closed: ZeroMQ then drops waiting parts while it still writes an earlier part of the same message.
  void keep_owners() noexcept { keeps_owners_.store(true); }

  /// Returns a lease of so many bytes. One thread at a time.
  buffer_lease* lease(std::uint64_t bytes);

  std::uint64_t bytes_in_flight() const noexcept { return bytes_in_flight_.load(); }
  std::uint64_t messages_in_flight() const noexcept { return messages_in_flight_.load(); }
  /// Returns the wakeup that a returned lease signals while notification is on.
  const wakeup& on_return() const noexcept { return on_return_; }

  /// Switches notification. Call it before `bytes_in_flight()` is read.
  void notify(bool is_on) noexcept { notifies_.store(is_on); }

 private:
  friend class buffer_lease;
  explicit buffer_pool(failure& why) noexcept : on_return_(why) {}
  ~buffer_pool();
  void take_back(buffer_lease*) noexcept;
  void drop_reference() noexcept;

  std::atomic<std::uint64_t> messages_in_flight_{0}, bytes_in_flight_{0};
  std::atomic<std::uint64_t> references_{1};  // of the socket and of each lease in use
  std::atomic<bool> notifies_{false}, keeps_owners_{false};
  std::atomic<buffer_lease*> returned_{nullptr};  // a list: threads of ZeroMQ add, the sender takes all at once
  buffer_lease* free_ = nullptr;
  wakeup on_return_;
};

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
