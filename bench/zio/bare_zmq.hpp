// SPDX-License-Identifier: Apache-2.0
// libzmq alone: the minimum of calls that send and receive messages of three parts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tgmap_bench {

/// A `bare_socket` is a connected PUSH socket or a bound PULL socket.
class bare_socket {
 public:
  static bare_socket push(const std::string& endpoint);
  static bare_socket pull();
  ~bare_socket();
  bare_socket(bare_socket&&) noexcept;
  bare_socket& operator=(bare_socket&&) = delete;

  /// Returns the address with the port.
  std::string endpoint() const;
  /// Sends a message. Prefix and coordinates are copied, the payload is lent.
  void send(std::string_view prefix, std::span<const std::byte> coordinates, std::span<const std::byte> payload) const;
  /// Receives messages and drops them.
  void receive(std::uint64_t messages) const;

 private:
  explicit bare_socket(int type);
  void* context_;
  void* socket_;
};

/// A `peer` is a process at the other end of a socket, so that its memory and its time are not measured.
class peer {
 public:
  /// Starts a process that receives messages at `endpoint()`.
  static peer receiver();
  /// Starts a process that sends messages with a payload of one block to an endpoint.
  static peer sender(const std::string& endpoint, std::string prefix, std::size_t payload_bytes);
  ~peer();
  peer(peer&&) noexcept;
  peer& operator=(peer&&) = delete;

  const std::string& endpoint() const { return endpoint_; }
  /// Lets the process send or receive so many messages.
  void begin(std::uint64_t messages) const;
  /// Waits until it has done so.
  void finish() const;

 private:
  peer() = default;
  int to_ = -1, from_ = -1, process_ = -1;
  std::string endpoint_{};
};

}  // namespace tgmap_bench
