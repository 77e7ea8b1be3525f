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

/// One end of a flow over a socket, DEALER or ROUTER; what flow_giver and flow_taker share. Borrows the socket, which
/// carries one flow at a time, and another one after that.
///
/// A server takes the first client that opens a flow it can have. Who else opens one meanwhile is answered by EOT, and
/// finds it refused; whatever else others send is dropped. A breach by the other end, be it a message that is none of
/// ZIO or too large, is told to it by an EOT.
///
/// Waiting calls take a timeout, below zero without end, and a stop token; after timed_out and stopped they may be
/// called again, and nothing is lost. Nobody tells that the other end has died: it is timed_out, or peer_gone where
/// ZeroMQ knows. One thread at a time, that of the socket.
class TGMAP_API flow_port {
 public:
  flow_port(const flow_port&) = delete;
  flow_port& operator=(const flow_port&) = delete;
  /// Of a flow that is on, tells the other end by an EOT that it has ended, and waits for nothing.
  ~flow_port();

  /// A client says its BOT and waits for the answer; a server waits for a BOT and answers it. Then a taker pays.
  /// Errors: those of flow::take, flow_refused among them; of socket::send and socket::receive.
  void open(std::chrono::milliseconds timeout, const std::stop_token& = {});
  void open(std::chrono::milliseconds timeout, const std::stop_token&, failure&) noexcept;
  void open(std::chrono::milliseconds timeout, failure& why) noexcept { open(timeout, {}, why); }

  /// Ends the flow and waits for the other's EOT, dropping what comes before; or answers its EOT, where that has come.
  /// After that the socket still has to send the answer: its destructor does. Errors: as above.
  void finish(std::chrono::milliseconds timeout, const std::stop_token& = {});
  void finish(std::chrono::milliseconds timeout, const std::stop_token&, failure&) noexcept;
  void finish(std::chrono::milliseconds timeout, failure& why) noexcept { finish(timeout, {}, why); }

  /// Where the flow stands, what was agreed on, and what the other end's BOT said.
  const zio::flow& flow() const noexcept TGMAP_LIFETIMEBOUND { return flow_; }

 protected:
  using clock = std::chrono::steady_clock;

  /// Until when a call waits. A value.
  struct deadline {
    explicit deadline(std::chrono::milliseconds whole) noexcept
        : given(whole), end(whole.count() < 0 ? clock::time_point::max() : clock::now() + whole) {}
    std::chrono::milliseconds left() const noexcept;
    void tell(failure&) const noexcept;

    std::chrono::milliseconds given;
    clock::time_point end;
  };

  flow_port(socket& over, flow_options);
  flow_port(socket& over, flow_options, failure&) noexcept;

  flow_event receive_event(message& into, const deadline&, const std::stop_token&, failure&) noexcept;
  void send_message(const message&, const deadline&, const std::stop_token&, failure&) noexcept;
  void pay(const deadline&, const std::stop_token&, failure&) noexcept;

  socket* over_;
  zio::flow flow_;
  std::string peer_{};  ///< of a ROUTER, whose flow this is

 private:
  message receive(const deadline&, const std::stop_token&, failure&) noexcept;
  bool from_stranger() const noexcept;
  void hang_up() noexcept;
  void turn_away(const message&) noexcept;
  void await_client(const deadline&, const std::stop_token&, failure&) noexcept;
};

/// Gives messages to a taker.
class TGMAP_API flow_giver : public flow_port {
 public:
  /// `options.role` is set. The socket must live longer. Errors: invalid_option (those of flow; a client's socket is no
  /// DEALER, a server's neither that nor a ROUTER).
  explicit flow_giver(socket& over, flow_options = {});
  flow_giver(socket& over, flow_options, failure&) noexcept;
  flow_giver(socket& over, failure&) noexcept;

  /// Sends a message as a DAT, once there is credit for it. False without a failure: the taker has ended the flow, and
  /// the message has not gone; finish() answers. Errors: those of flow::give, flow::take, socket::send and
  /// socket::receive; the message has not gone then.
  [[nodiscard]] bool put(const message&, std::chrono::milliseconds timeout, const std::stop_token& = {});
  [[nodiscard]] bool put(const message&, std::chrono::milliseconds timeout, const std::stop_token&, failure&) noexcept;
  [[nodiscard]] bool put(const message& what, std::chrono::milliseconds timeout, failure& why) noexcept {
    return put(what, timeout, {}, why);
  }
};

/// Takes messages from a giver.
class TGMAP_API flow_taker : public flow_port {
 public:
  /// As flow_giver.
  explicit flow_taker(socket& over, flow_options = {});
  flow_taker(socket& over, flow_options, failure&) noexcept;
  flow_taker(socket& over, failure&) noexcept;

  /// Pays for what it has room for, and waits for the next DAT, which is as it came: of form FLOW. Nothing, without a
  /// failure: the giver has ended the flow; finish() answers. Errors: as above.
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
