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

/// A `socket_kind` is the ZeroMQ type of a socket.
enum class socket_kind : std::uint8_t { push, pull, dealer, router };

/// Returns the name of a kind, such as "push".
TGMAP_API std::string_view to_string_view(socket_kind) noexcept;

/// Options of a socket.
struct socket_options {
  socket_kind kind = socket_kind::push;
  /// The address: "tcp://127.0.0.1:5555", "tcp://127.0.0.1:*", "ipc://file" or "inproc://name".
  std::string endpoint{};
  /// Binds to the endpoint. Default: false, connects to it.
  bool bind = false;

  /// The key pair of this socket. If it is bound with keys, peers that do not know the public key are refused.
  /// Default: none. A connecting socket with `server_key` then uses a new random pair.
  std::optional<curve_keys> keys{};
  /// The public key of the bound side, for a connecting socket. Default: none, the connection is not encrypted.
  std::string server_key{};
  /// Allows a bound socket without keys at an address that other machines reach, or all users of this machine
  /// ("ipc://@name"). Default: false, because such a socket accepts anybody.
  bool allow_insecure = false;

  /// Maximum number of bytes of a received message. Default: 4 GiB.
  std::uint64_t max_message_bytes = std::uint64_t{1} << 32;
  /// Maximum number of bytes that wait to be sent. One message may always wait. Default: 256 MiB.
  std::uint64_t max_in_flight_bytes = std::uint64_t{1} << 28;
  /// Maximum number of messages that wait, in each direction. Default: 1000, as in ZeroMQ.
  int high_water = 1000;
  /// Maximum time that the destructor waits for messages that are not sent yet. Default: one second.
  std::chrono::milliseconds linger{1000};
  /// Copies payloads instead of lending them to ZeroMQ. Default: false.
  bool copy_payloads = false;
};

/// A `socket_statistics` is the counters of a socket.
struct socket_statistics {
  std::uint64_t messages_sent = 0, messages_received = 0;
  std::uint64_t bytes_sent = 0, bytes_received = 0;           ///< of payloads; sent: accepted by ZeroMQ
  std::uint64_t bytes_copied = 0;                             ///< of payloads that were sent
  std::uint64_t messages_in_flight = 0, bytes_in_flight = 0;  ///< of messages that ZeroMQ still holds
  /// Connections that were made, that ended (messages may be lost then), and that either side refused, for their keys
  /// or another reason.
  std::uint64_t connected = 0, disconnected = 0, refused = 0;
};

/// A `socket` is a ZeroMQ socket that sends and receives ZIO messages as multipart messages.
///
/// On DEALER and ROUTER an empty part comes first, as in ZIO's own ports. A received message may begin with an empty
/// part or not, on every kind of socket. CLIENT and SERVER are not supported.
///
/// Calls that wait take a timeout and a stop token. A negative timeout waits forever. Signals do not interrupt a call.
/// Each socket has one thread of ZeroMQ; all inproc sockets share one.
/// Thread safety: one thread at a time.
class TGMAP_API socket {
 public:
  /// Opens a socket and binds or connects it.
  /// Errors: bad_endpoint; insecure_endpoint; invalid_option (a bound socket has `server_key`; a connecting one has
  /// `keys` without `server_key`; a limit is 0); bad_curve_key; zmq_absent; zmq_failed; out_of_memory; those of the
  /// operating system, such as an address in use.
  explicit socket(const socket_options&);
  socket(const socket_options&, failure&) noexcept;
  /// Waits for at most `linger`, then drops the messages that are not sent yet.
  ~socket();
  socket(socket&&) noexcept;
  socket& operator=(socket&&) noexcept;

  /// Passes a message to ZeroMQ, which sends it in the background. A ROUTER sends it to `peer()`.
  ///
  /// Parts with an owner are lent, not copied. Parts without an owner and parts of at most 32 bytes are copied. The
  /// call waits while more bytes than `max_in_flight_bytes` or more messages than `high_water` wait to be sent.
  /// Errors: timed_out, stopped (the message was not sent); peer_gone (a ROUTER has no such peer, or none yet);
  /// call_out_of_order (the socket is a PULL, or is not open); zmq_failed; out_of_memory; those of the operating
  /// system.
  /// Lifetime: owners are kept until the parts are sent, and released on a thread of ZeroMQ. With inproc they are kept
  /// until the receiver releases the message. A lent file must not become shorter: ZeroMQ would end the process.
  void send(const message&, std::chrono::milliseconds timeout, const std::stop_token& = {});
  void send(const message&, std::chrono::milliseconds timeout, const std::stop_token&, failure&) noexcept;
  void send(const message& source, std::chrono::milliseconds timeout, failure& why) noexcept {
    send(source, timeout, {}, why);
  }

  /// Waits for the next message and returns it. After an error the socket can still be used.
  /// Errors: timed_out, stopped; message_limit (the parts together are larger than `max_message_bytes`; a single part
  /// that is larger ends its connection without an error here); those of `from_parts` (not a ZIO message);
  /// call_out_of_order (the socket is a PUSH, or is not open); zmq_failed; out_of_memory; those of the operating
  /// system.
  /// Lifetime: the parts are views of the buffers of ZeroMQ, which their owners keep.
  message receive(std::chrono::milliseconds timeout, const std::stop_token& = {});
  message receive(std::chrono::milliseconds timeout, const std::stop_token&, failure&) noexcept;
  message receive(std::chrono::milliseconds timeout, failure& why) noexcept { return receive(timeout, {}, why); }

  /// Waits until ZeroMQ holds no message: each was sent, or its connection ended.
  /// Errors: timed_out, stopped.
  void drain(std::chrono::milliseconds timeout, const std::stop_token& = {});
  void drain(std::chrono::milliseconds timeout, const std::stop_token&, failure&) noexcept;
  void drain(std::chrono::milliseconds timeout, failure& why) noexcept { drain(timeout, {}, why); }

  /// Returns the identity of the peer to which a ROUTER sends: the sender of the last received message, or the one of
  /// `set_peer`. The bytes are chosen by ZeroMQ. Empty for other kinds.
  const std::string& peer() const noexcept TGMAP_LIFETIMEBOUND;
  /// Makes a ROUTER send to this peer until the next message is received.
  void set_peer(std::string_view peer);

  /// Returns the address of the socket, with the port that was chosen for "*".
  const std::string& endpoint() const noexcept TGMAP_LIFETIMEBOUND;
  socket_kind kind() const noexcept;
  /// Returns the counters.
  socket_statistics statistics() const noexcept;

 private:
  class impl;
  std::unique_ptr<impl> impl_;
};

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
