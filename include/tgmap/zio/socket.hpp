// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <tgmap/zio/curve_keys.hpp>
#include <tgmap/zio/message.hpp>

namespace tgmap {
inline namespace v0 {
namespace zio {

enum class socket_kind : std::uint8_t { push, pull, dealer, router };

TGMAP_API std::string_view to_string_view(socket_kind) noexcept;  ///< "push"

/// How a socket is opened. Aggregate.
struct socket_options {
  socket_kind kind = socket_kind::push;
  std::string endpoint{};  ///< "tcp://127.0.0.1:5555", "tcp://127.0.0.1:*", "ipc://file", "inproc://name"
  bool bind = false;       ///< else connect

  /// Bound: its own keys, and peers that do not know the public one are refused. Connecting: its own, made anew
  /// without.
  std::optional<curve_keys> keys{};
  std::string server_key{};  ///< connecting: the public key of the bound side; without, the connection is plain
  /// Allows binding without keys to addresses that other machines reach, or all users of this one ("ipc://@name").
  bool allow_insecure = false;

  std::uint64_t max_message_bytes = std::uint64_t{1} << 32;  ///< bytes of one message that may come
  std::uint64_t max_in_flight_bytes = std::uint64_t{1}
                                      << 28;  ///< bytes that may wait to be sent; one message always may
  int high_water = 1000;                      ///< messages that may wait, sent and received each
  std::chrono::milliseconds linger{1000};     ///< that the destructor waits at most for what was not sent
  bool copy_payloads = false;                 ///< payloads are copied, not lent
};

/// What went through a socket. A value.
struct socket_statistics {
  std::uint64_t messages_sent = 0, messages_received = 0;
  std::uint64_t bytes_sent = 0, bytes_received = 0;  ///< of payload; sent: taken by ZeroMQ
  std::uint64_t bytes_copied = 0;                    ///< of payload that was sent
  std::uint64_t bytes_in_flight = 0;                 ///< of messages that ZeroMQ has not given back yet
  /// Connections: made, ended (messages may be lost then), and refused, by either side, for their keys or else.
  std::uint64_t connected = 0, disconnected = 0, refused = 0;
};

/// A ZeroMQ socket that speaks ZIO: every message as parts, with an empty one in front on DEALER and ROUTER, as ZIO's
/// own ports have it. One in front, or none, is read from sockets of every kind. Never CLIENT or SERVER.
///
/// One thread at a time, but for statistics() of `bytes_in_flight`. Waiting calls take a timeout, below zero without
/// end, and a stop token; signals do not disturb them. Each socket has one thread of ZeroMQ; those of inproc share one.
class TGMAP_API socket {
 public:
  /// Errors: bad_endpoint; insecure_endpoint; invalid_option (keys that the direction has no use for: server_key when
  /// bound, `keys` without server_key when connecting; sizes of 0); bad_curve_key; those of the operating system, such
  /// as an address in use; zmq_failed; out_of_memory.
  explicit socket(const socket_options&);
  socket(const socket_options&, failure&) noexcept;
  /// Waits as long as `linger`, then drops what was not sent.
  ~socket();
  socket(socket&&) noexcept;
  socket& operator=(socket&&) noexcept;

  /// Gives a message to ZeroMQ, which sends it in its own time. Parts with an owner are lent, not copied: the owner is
  /// kept until they went out, and dropped on a thread of ZeroMQ (by inproc: until the receiver is done with them).
  /// Parts without an owner, and those of 32 bytes or less, are copied. Waits while more bytes than `max_in_flight` or
  /// more messages than `high_water` wait. A lent file must not become shorter: ZeroMQ ends the process then.
  ///
  /// ROUTER: to peer(). Errors: timed_out, stopped (not sent); peer_gone (ROUTER: no such peer, or none yet);
  /// writer_state (PULL; not opened); zmq_failed; out_of_memory.
  void send(const message&, std::chrono::milliseconds timeout, const std::stop_token& = {});
  void send(const message&, std::chrono::milliseconds timeout, const std::stop_token&, failure&) noexcept;
  void send(const message& what, std::chrono::milliseconds timeout, failure& why) noexcept {
    send(what, timeout, {}, why);
  }

  /// The next message; its parts are views into what ZeroMQ received, kept by their owners. After an error the socket
  /// can be used on. Errors: timed_out, stopped; message_limit (a message of several parts together; a single part that
  /// is larger ends its connection, and nothing comes of it); those of from_parts (what came is no ZIO message);
  /// writer_state (PUSH; not opened); zmq_failed; out_of_memory.
  message receive(std::chrono::milliseconds timeout, const std::stop_token& = {});
  message receive(std::chrono::milliseconds timeout, const std::stop_token&, failure&) noexcept;
  message receive(std::chrono::milliseconds timeout, failure& why) noexcept { return receive(timeout, {}, why); }

  /// Waits until all that was sent has been given back by ZeroMQ: it went out, or its connection ended.
  /// Errors: timed_out, stopped.
  void drain(std::chrono::milliseconds timeout, const std::stop_token& = {});
  void drain(std::chrono::milliseconds timeout, const std::stop_token&, failure&) noexcept;
  void drain(std::chrono::milliseconds timeout, failure& why) noexcept { drain(timeout, {}, why); }

  /// ROUTER: who sent the message that came last, whom send() answers. Bytes that ZeroMQ gave. Else empty.
  const std::string& peer() const noexcept TGMAP_LIFETIMEBOUND;
  /// ROUTER: send() goes to this one until the next receive().
  void set_peer(std::string_view peer);

  /// Where it is bound or connected, with the port that was chosen for "*".
  const std::string& endpoint() const noexcept TGMAP_LIFETIMEBOUND;
  socket_kind kind() const noexcept;
  socket_statistics statistics() const noexcept;

 private:
  class insides;
  std::unique_ptr<insides> insides_;
};

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
