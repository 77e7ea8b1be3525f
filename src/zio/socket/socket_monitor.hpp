// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <tgmap/error.hpp>

namespace tgmap {
inline namespace v0 {
namespace zio {

/// A `socket_monitor` counts the connections of a socket, which other calls of ZeroMQ do not report. Connections by
/// inproc are not counted.
class socket_monitor {
 public:
  /// Make it before the socket is bound or connected, and destroy it before the socket is closed.
  /// Errors: those of `zmq_failure`.
  socket_monitor(void* context, void* socket, failure&);
  ~socket_monitor();
  socket_monitor(const socket_monitor&) = delete;
  socket_monitor& operator=(const socket_monitor&) = delete;

  /// Counts the events since the last call.
  void read() noexcept;

  std::uint64_t connected() const noexcept { return connected_; }
  std::uint64_t disconnected() const noexcept { return disconnected_; }
  std::uint64_t refused() const noexcept { return refused_; }

 private:
  bool read_one() noexcept;

  void* socket_;
  void* listener_ = nullptr;
  std::uint64_t connected_ = 0, disconnected_ = 0, refused_ = 0;
  std::uint64_t refused_disconnects_ = 0;  // a refusal is followed by the disconnect of no connection
};

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
