// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <tgmap/write/new_message.hpp>
#include <tgmap/zio/errc.hpp>
#include <tgmap/zio/flow_port.hpp>
#include <tgmap/zio/message.hpp>
#include <tgmap/zio/socket.hpp>
#include <utility>

namespace tgmap::zio {

/// Why a stream ended.
enum class stream_end : std::uint8_t {
  count,    ///< the wanted number of messages was reached
  end,      ///< everything was sent, or the sender ended the flow
  taker,    ///< the receiver ended the flow
  silence,  ///< nothing came for the timeout
  signal,   ///< a stop was requested
  failure,
};

/// Returns the name of the enumerator.
std::string_view to_string_view(stream_end) noexcept;

/// One end of a connection: a socket, and how messages pass through it.
struct stream_endpoint {
  socket_options socket{};
  bool flow = false;  ///< uses the FLOW protocol
  std::uint64_t credit = flow_options{}.credit;
  std::chrono::milliseconds timeout{-1};  ///< without a message; negative: no limit

  /// Returns the side of the flow: the end that binds is the server.
  flow_side side() const noexcept { return socket.bind ? flow_side::server : flow_side::client; }
};

/// Returns true if a failure to receive concerns a single message, so that the next one may be valid.
bool concerns_one_message(const failure&) noexcept;

/// Returns the size of a message without transport overhead.
std::uint64_t message_bytes(const message&) noexcept;

/// Returns the size of the objects and metadata of a message that `to_archive` made.
std::uint64_t stored_bytes(const new_message&);

/// A `message_sender` sends messages over a socket, or over a flow on that socket. Lifetime: the socket must outlive
/// it.
class message_sender {
 public:
  /// `poll` is called now and then while the sender waits.
  message_sender(socket& over, std::stop_token stop, std::chrono::milliseconds timeout, std::function<void()> poll)
      : socket_(&over), stop_(std::move(stop)), timeout_(timeout), poll_(std::move(poll)) {}

  /// Opens a flow for sending. Errors: those of flow_port::open.
  void open_flow(flow_side, std::uint64_t credit, failure&);

  /// Sends a message. Returns false without a failure if the other end of the flow wants no more.
  bool put(const message&, failure&);

  /// Waits until that time. Errors: stopped.
  void wait(std::chrono::steady_clock::time_point until, failure&);

  /// Waits until ZeroMQ has released all data.
  void drain(failure&);

  /// Closes the flow, if there is one.
  void close(failure&);

 private:
  template <class Try>
  void retry(Try&&, failure&);

  socket* socket_;
  std::stop_token stop_;
  std::chrono::milliseconds timeout_;
  std::function<void()> poll_;
  std::unique_ptr<flow_giver> flow_{};
};

/// A `message_receiver` receives messages from a socket, or from a flow on that socket. Lifetime: the socket must
/// outlive it.
class message_receiver {
 public:
  message_receiver(socket& over, std::stop_token stop, std::chrono::milliseconds timeout)
      : socket_(&over), stop_(std::move(stop)), timeout_(timeout) {}

  /// Opens a flow for receiving. Errors: those of flow_port::open.
  void open_flow(flow_side, std::uint64_t credit, failure&);

  /// Returns the next message, or nothing without a failure at the end of the flow.
  std::optional<message> next(failure&);

  /// Closes the flow, if there is one.
  void close(failure&);

 private:
  socket* socket_;
  std::stop_token stop_;
  std::chrono::milliseconds timeout_;
  std::unique_ptr<flow_taker> flow_{};
};

/// A gap in the numbers of an origin: the number `after` follows `before`.
struct sequence_gap {
  std::uint64_t origin = 0, before = 0, after = 0;
};

/// A `sequence_check` verifies that the numbers of each origin are consecutive. If all numbers of an origin are 0, its
/// messages are not numbered.
class sequence_check {
 public:
  /// Checks the next message. Returns the gap before it, or nothing.
  std::optional<sequence_gap> gap_before(const message&);

  std::uint64_t gaps() const noexcept { return gaps_; }

 private:
  static constexpr std::size_t max_origins = 65536;  // bounds the memory

  std::map<std::uint64_t, std::uint64_t> last_{};
  std::uint64_t gaps_ = 0;
};

}  // namespace tgmap::zio
