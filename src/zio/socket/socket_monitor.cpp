// SPDX-License-Identifier: Apache-2.0
#include "zio/socket/socket_monitor.hpp"

#include <atomic>
#include <cstring>
#include <string>

#include "zio/socket/zmq_context.hpp"
#include "zio/socket/zmq_library.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

namespace {

constexpr int refusals =
    ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL | ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL | ZMQ_EVENT_HANDSHAKE_FAILED_AUTH;
constexpr int all_events = refusals | ZMQ_EVENT_HANDSHAKE_SUCCEEDED | ZMQ_EVENT_DISCONNECTED;

}  // namespace

socket_monitor::socket_monitor(void* context, void* socket, failure& why) : socket_(socket) {
  static std::atomic<std::uint64_t> count{0};
  const std::string endpoint = "inproc://tgmap.monitor." + std::to_string(count++);
  const int zero = 0;
  // No high-water mark, or the thread of ZeroMQ would wait for a program that does not read the events.
  if (zmq().zmq_socket_monitor(socket, endpoint.c_str(), all_events) != 0 ||
      (listener_ = zmq().zmq_socket(context, ZMQ_PAIR)) == nullptr ||
      zmq().zmq_setsockopt(listener_, ZMQ_RCVHWM, &zero, sizeof zero) != 0 ||
      zmq().zmq_setsockopt(listener_, ZMQ_LINGER, &zero, sizeof zero) != 0 ||
      zmq().zmq_connect(listener_, endpoint.c_str()) != 0)
    why = zmq_failure(zmq().zmq_errno());
}

socket_monitor::~socket_monitor() {
  // Stop the monitor before the listener is closed: ZeroMQ leaks events that it cannot deliver.
  zmq().zmq_socket_monitor(socket_, nullptr, 0);
  if (listener_ != nullptr) zmq().zmq_close(listener_);
}

void socket_monitor::read() noexcept {
  while (read_one()) {
  }
}

bool socket_monitor::read_one() noexcept {
  zmq_msg_t part;
  zmq().zmq_msg_init(&part);
  if (zmq().zmq_msg_recv(&part, listener_, ZMQ_DONTWAIT) < 0) {
    zmq().zmq_msg_close(&part);
    return false;
  }
  std::uint16_t event = 0;
  if (zmq().zmq_msg_size(&part) >= sizeof event) std::memcpy(&event, zmq().zmq_msg_data(&part), sizeof event);
  while (zmq().zmq_msg_more(&part) != 0)  // the endpoint
    if (zmq().zmq_msg_recv(&part, listener_, ZMQ_DONTWAIT) < 0) break;
  zmq().zmq_msg_close(&part);

  if (event == ZMQ_EVENT_HANDSHAKE_SUCCEEDED) ++connected_;
  if ((event & refusals) != 0) {
    ++refused_;
    ++refused_disconnects_;
  }
  if (event == ZMQ_EVENT_DISCONNECTED) {
    if (refused_disconnects_ > 0)
      --refused_disconnects_;
    else
      ++disconnected_;
  }
  return true;
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
