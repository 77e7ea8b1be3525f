// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <tgmap/zio/socket.hpp>
#include <vector>

#include "zio/lender.hpp"
#include "zio/socket_monitor.hpp"
#include "zio/zmq_context.hpp"
#include "zio/zmq_library.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

/// Parts of one message on their way, closed with it.
class zmq_parts {
 public:
  zmq_parts() = default;
  ~zmq_parts() { clear(); }
  zmq_parts(const zmq_parts&) = delete;
  zmq_parts& operator=(const zmq_parts&) = delete;

  /// One more, empty. Parts are moved in memory as ZeroMQ wants it, so views of small ones end here.
  zmq_msg_t& add();
  void drop_last() noexcept;
  void clear() noexcept;
  std::size_t size() const noexcept { return used_; }
  zmq_msg_t& operator[](std::size_t i) noexcept { return parts_[i]; }

 private:
  std::unique_ptr<zmq_msg_t[]> parts_{};
  std::size_t used_ = 0, room_ = 0;
};

class socket::insides {
 public:
  explicit insides(const socket_options& options) : options_(options) {}
  ~insides();
  insides(const insides&) = delete;
  insides& operator=(const insides&) = delete;

  failure open();
  failure send(const message&, const patience&);
  message receive(const patience&, failure&);
  failure drain(const patience&);
  socket_statistics statistics() noexcept;

  const socket_options& options() const noexcept { return options_; }
  bool envelopes() const noexcept {
    return options_.kind == socket_kind::dealer || options_.kind == socket_kind::router;
  }

  std::string peer{};

 private:
  failure check() const noexcept;
  failure set_options();
  failure set_keys();
  template <class T>
  failure set(int option, const T& value) noexcept {
    return zmq().zmq_setsockopt(handle_, option, &value, sizeof value) == 0 ? failure{}
                                                                            : zmq_failure(zmq().zmq_errno());
  }
  failure set_text(int option, const std::string& text) noexcept;

  failure wait_for_room(std::uint64_t bytes, const patience&);
  void build(const message&, loan&, std::uint64_t& copied);
  /// Sends what was built. `lost`: the connection that had the first parts is gone, and with it the message (see also
  /// loan::was_dropped).
  failure put(const patience&, bool& lost);
  failure get(const patience&);

  socket_options options_;
  std::shared_ptr<zmq_context> context_{};
  void* handle_ = nullptr;
  std::optional<socket_monitor> monitor_{};
  lender* lender_ = nullptr;
  zmq_parts parts_{};  // of the message that goes, or comes; kept for its memory
  socket_statistics counts_{};
};

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
