// SPDX-License-Identifier: Apache-2.0
// libzmq without anything around it: what there must be at least to send and receive three parts again and again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tgmap_bench {

/// A PUSH socket that is connected, or a PULL socket that is bound.
class bare_socket {
 public:
  static bare_socket push(const std::string& endpoint);
  static bare_socket pull();
  ~bare_socket();
  bare_socket(bare_socket&&) noexcept;
  bare_socket& operator=(bare_socket&&) = delete;

  std::string endpoint() const;  ///< with its port
  /// Prefix and coordinates are copied, the payload is lent.
  void send(std::string_view prefix, std::span<const std::byte> coordinates, std::span<const std::byte> payload) const;
  /// Receives so many messages of whatever parts and drops them.
  void receive(std::uint64_t messages) const;

 private:
  explicit bare_socket(int type);
  void* context_;
  void* socket_;
};

/// A process of its own at the other end of a socket, so that its memory and its copying are not ours.
class peer {
 public:
  /// Receives what comes at endpoint(); each call of await lets it wait for so many messages.
  static peer receiver();
  /// Sends so many messages, when asked, to that endpoint: payloads of one block.
  static peer sender(const std::string& endpoint, std::string prefix, std::size_t payload_bytes);
  ~peer();
  peer(peer&&) noexcept;
  peer& operator=(peer&&) = delete;

  const std::string& endpoint() const { return endpoint_; }
  void begin(std::uint64_t messages) const;  ///< asks for so many
  void finish() const;                       ///< waits until they are done

 private:
  peer() = default;
  int to_ = -1, from_ = -1, process_ = -1;
  std::string endpoint_{};
};

}  // namespace tgmap_bench
