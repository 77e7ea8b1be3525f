// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <tgmap/zio/errc.hpp>

namespace tgmap {
inline namespace v0 {
namespace zio {

/// A `zmq_context` owns a context of ZeroMQ. Its destructor waits until all of its sockets are closed and have
/// lingered. ZeroMQ has then released all borrowed memory, except what receivers by inproc hold.
class zmq_context {
 public:
  explicit zmq_context(void* handle) noexcept : handle_(handle) {}
  ~zmq_context();
  zmq_context(const zmq_context&) = delete;
  zmq_context& operator=(const zmq_context&) = delete;
  void* handle() const noexcept { return handle_; }

  /// Returns a new context, or the one that all inproc sockets of the process share: inproc connects only sockets of
  /// the same context.
  ///
  /// Errors: zmq_absent, zmq_failed, those of the operating system.
  static std::shared_ptr<zmq_context> make(bool is_shared, failure&);

 private:
  void* handle_;
};

/// Translates an error number of ZeroMQ: bad_endpoint, out_of_memory, zmq_failed, or an error of the operating system.
failure zmq_failure(int number) noexcept;

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
