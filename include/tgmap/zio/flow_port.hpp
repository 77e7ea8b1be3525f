// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <tgmap/zio/flow.hpp>
#include <tgmap/zio/socket.hpp>

namespace tgmap {
inline namespace v0 {
namespace zio {

/// A `flow_port` is one end of a flow over a DEALER or ROUTER socket, and the base of `flow_giver` and `flow_taker`.
///
/// A socket carries one flow at a time; another one may follow. A server takes the first client that opens a flow with
/// the matching direction. Other clients that open a flow meanwhile get an EOT, which refuses them; everything else
/// from others is dropped. After a protocol violation the peer gets an EOT. A message that is not a ZIO message, or is
/// too large, is such a violation.
///
/// Calls that wait take a timeout and a stop token. A negative timeout waits forever. After timed_out and stopped a
/// call may be repeated; nothing is lost. The death of the peer shows as timed_out, or as peer_gone if ZeroMQ notices.
/// Lifetime: borrows the socket, which must live longer.
/// Thread safety: one thread at a time, the same as that of the socket.
class TGMAP_API flow_port {
 public:
  flow_port(const flow_port&) = delete;
  flow_port& operator=(const flow_port&) = delete;
  /// Sends an EOT if the flow is still on. Does not wait for an answer.
  ~flow_port();

  /// Opens the flow: a client sends its BOT and waits for the answer, a server waits for a BOT and answers it. A taker
  /// then pays.
  /// Errors: those of `flow::process` with flow_refused, of `socket::send` and of `socket::receive`; call_out_of_order.
  void open(std::chrono::milliseconds timeout, const std::stop_token& = {});
  void open(std::chrono::milliseconds timeout, const std::stop_token&, failure&) noexcept;
  void open(std::chrono::milliseconds timeout, failure& why) noexcept { open(timeout, {}, why); }

  /// Ends the flow. If the peer has ended it, answers its EOT; otherwise sends an EOT and waits for the answer. Drops
  /// the messages that come before the answer. Does nothing if the flow is closed or ended.
  ///
  /// The socket sends the last message in the background, at the latest in its destructor.
  /// Errors: those of `flow::process`, `socket::send` and `socket::receive`.
  void finish(std::chrono::milliseconds timeout, const std::stop_token& = {});
  void finish(std::chrono::milliseconds timeout, const std::stop_token&, failure&) noexcept;
  void finish(std::chrono::milliseconds timeout, failure& why) noexcept { finish(timeout, {}, why); }

  /// Returns the state machine: its state, the agreed credit, and the BOT of the peer.
  const zio::flow& flow() const noexcept TGMAP_LIFETIMEBOUND { return flow_; }

 protected:
  using clock = std::chrono::steady_clock;

  /// A `deadline` is the time until which a call waits.
  struct deadline {
    explicit deadline(std::chrono::milliseconds time) noexcept
        : timeout(time), end(time.count() < 0 ? clock::time_point::max() : clock::now() + time) {}
    std::chrono::milliseconds left() const noexcept;
    void set_timeout(failure&) const noexcept;

    std::chrono::milliseconds timeout;
    clock::time_point end;
  };

  flow_port(socket& over, flow_options);
  flow_port(socket& over, flow_options, failure&) noexcept;

  flow_event receive_event(message& into, const deadline&, const std::stop_token&, failure&) noexcept;
  void send_message(const message&, const deadline&, const std::stop_token&, failure&) noexcept;
  void pay(const deadline&, const std::stop_token&, failure&) noexcept;

  socket* over_;
  zio::flow flow_;
  std::string peer_{};  ///< the identity of the peer on a ROUTER

 private:
  message receive(const deadline&, const std::stop_token&, failure&) noexcept;
  bool is_from_other_peer() const noexcept;
  void abandon() noexcept;
  void refuse(const message&) noexcept;
  void await_client(const deadline&, const std::stop_token&, failure&) noexcept;
};

/// A `flow_giver` sends messages to a taker.
class TGMAP_API flow_giver : public flow_port {
 public:
  /// Makes a closed flow with the role of a giver, whatever the role in the options.
  /// Errors: invalid_option (as for `flow`; the socket of a client is not a DEALER; the socket of a server is neither a
  /// DEALER nor a ROUTER).
  /// Lifetime: the socket must live longer.
  explicit flow_giver(socket& over, flow_options = {});
  flow_giver(socket& over, flow_options, failure&) noexcept;
  flow_giver(socket& over, failure&) noexcept;

  /// Waits for credit and sends a message as a DAT. Returns true if it was sent.
  ///
  /// Returns false without a failure if the taker has ended the flow; the message was not sent, and `finish()` answers.
  /// Errors: those of `flow::give`, `flow::process`, `socket::send` and `socket::receive`; the message was not sent.
  [[nodiscard]] bool put(const message&, std::chrono::milliseconds timeout, const std::stop_token& = {});
  [[nodiscard]] bool put(const message&, std::chrono::milliseconds timeout, const std::stop_token&, failure&) noexcept;
  [[nodiscard]] bool put(const message& what, std::chrono::milliseconds timeout, failure& why) noexcept {
    return put(what, timeout, {}, why);
  }
};

/// A `flow_taker` receives messages from a giver.
class TGMAP_API flow_taker : public flow_port {
 public:
  /// Makes a closed flow with the role of a taker, whatever the role in the options.
  /// Errors: as for `flow_giver`.
  /// Lifetime: the socket must live longer.
  explicit flow_taker(socket& over, flow_options = {});
  flow_taker(socket& over, flow_options, failure&) noexcept;
  flow_taker(socket& over, failure&) noexcept;

  /// Pays all credit that is free and returns the next DAT as it was received, with form FLOW.
  ///
  /// Returns nothing without a failure if the giver has ended the flow; `finish()` then answers.
  /// Errors: call_out_of_order (the flow is not open); those of `flow::process`, `socket::send` and `socket::receive`.
  [[nodiscard]] std::optional<message> get(std::chrono::milliseconds timeout, const std::stop_token& = {});
  [[nodiscard]] std::optional<message> get(std::chrono::milliseconds timeout, const std::stop_token&,
                                           failure&) noexcept;
  [[nodiscard]] std::optional<message> get(std::chrono::milliseconds timeout, failure& why) noexcept {
    return get(timeout, {}, why);
  }
};

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
