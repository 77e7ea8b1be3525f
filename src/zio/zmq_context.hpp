// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <tgmap/zio/errc.hpp>

namespace tgmap {
inline namespace v0 {
namespace zio {

/// A context of ZeroMQ. Its end waits until all of its sockets are closed and have lingered: then ZeroMQ has given back
/// all memory that was lent to it, but for what a receiver by inproc holds.
class zmq_context {
 public:
  explicit zmq_context(void* handle) noexcept : handle_(handle) {}
  ~zmq_context();
  zmq_context(const zmq_context&) = delete;
  zmq_context& operator=(const zmq_context&) = delete;
  void* handle() const noexcept { return handle_; }

  /// One of its own, or the one that all inproc sockets of the process share as long as there are any: by inproc only
  /// sockets of one context find each other.
  static std::shared_ptr<zmq_context> make(bool shared, failure&);

 private:
  void* handle_;
};

/// What ZeroMQ's error number means here: of the operating system, of the address, or its own.
failure zmq_failure(int number) noexcept;

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
