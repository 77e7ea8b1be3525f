// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <tgmap/zio/socket.hpp>

#include "zio/socket/buffer_pool.hpp"
#include "zio/socket/socket_monitor.hpp"
#include "zio/socket/zmq_context.hpp"
#include "zio/socket/zmq_library.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

/// A `zmq_parts` is the parts of one message as ZeroMQ holds them. It keeps its memory for the next message.
class zmq_parts {
 public:
  zmq_parts() = default;
  ~zmq_parts() { clear(); }
  zmq_parts(const zmq_parts&) = delete;
  zmq_parts& operator=(const zmq_parts&) = delete;

  /// Adds an empty part. May move the other parts, which invalidates views of small ones.
  zmq_msg_t& add();
  void drop_last() noexcept;
  void clear() noexcept;
  std::size_t size() const noexcept { return size_; }
  zmq_msg_t& operator[](std::size_t i) noexcept { return parts_[i]; }

 private:
  std::unique_ptr<zmq_msg_t[]> parts_{};
  std::size_t size_ = 0, capacity_ = 0;
};

/// The implementation of `socket`. Opening and options are in socket.cpp, messages in socket_transfer.cpp.
class socket::impl {
 public:
  explicit impl(const socket_options& options) : options_(options) {}
  ~impl();
  impl(const impl&) = delete;
  impl& operator=(const impl&) = delete;

  failure open();
  failure send(const message&, const deadline&);
  message receive(const deadline&, failure&);
  failure drain(const deadline&);
  socket_statistics statistics() noexcept;

  const socket_options& options() const noexcept { return options_; }

  std::string peer{};

 private:
  failure check_options() const noexcept;
  failure set_options();
  failure set_keys();
  template <class T>
  failure set(int option, const T& value) noexcept {
    return set_bytes(option, &value, sizeof value);
  }
  failure set_text(int option, const std::string& text) noexcept {
    return set_bytes(option, text.c_str(), text.size() + 1);
  }
  failure set_bytes(int option, const void* value, std::size_t size) noexcept;

  bool has_envelope() const noexcept {
    return options_.kind == socket_kind::dealer || options_.kind == socket_kind::router;
  }
  failure wait_for_capacity(std::uint64_t bytes, const deadline&);
  void make_parts(const message&, buffer_lease&, std::uint64_t& bytes_copied);
  /// Sends the parts. `was_lost`: the connection ended after the first parts, and the message with it. See also
  /// buffer_lease::was_dropped.
  failure send_parts(const deadline&, bool& was_lost);
  failure receive_parts(const deadline&);

  socket_options options_;
  std::shared_ptr<zmq_context> context_{};
  void* handle_ = nullptr;
  std::optional<socket_monitor> monitor_{};
  buffer_pool* pool_ = nullptr;
  zmq_parts parts_{};  // of the current message
  socket_statistics statistics_{};
};

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
