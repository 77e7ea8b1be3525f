// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <tgmap/error.hpp>

namespace tgmap {
inline namespace v0 {
namespace zio {

/// Counts what becomes of a socket's connections, of which ZeroMQ's own calls say nothing. By inproc there are none.
class socket_monitor {
 public:
  /// Before the socket is bound or connected, and destroyed before it is closed.
  socket_monitor(void* context, void* socket, failure&);
  ~socket_monitor();
  socket_monitor(const socket_monitor&) = delete;
  socket_monitor& operator=(const socket_monitor&) = delete;

  void read() noexcept;  ///< what was told since the last time

  std::uint64_t connected() const noexcept { return connected_; }
  std::uint64_t disconnected() const noexcept { return disconnected_; }
  std::uint64_t refused() const noexcept { return refused_; }

 private:
  bool read_one() noexcept;

  void* socket_;
  void* listener_ = nullptr;
  std::uint64_t connected_ = 0, disconnected_ = 0, refused_ = 0;
  std::uint64_t ends_of_refused_ = 0;  // each refusal is followed by an end that is none of a connection
};

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
