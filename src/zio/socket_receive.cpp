// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <memory>

#include "zio/socket_insides.hpp"
#include "zio/zmq_library.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

namespace {

std::span<const std::byte> bytes_of_zmq(zmq_msg_t& part) noexcept {
  return {static_cast<const std::byte*>(zmq().zmq_msg_data(&part)), zmq().zmq_msg_size(&part)};
}

}  // namespace

failure socket::insides::get(const patience& how_long) {
  parts_.clear();
  std::uint64_t bytes = 0;
  for (bool more = true; more;) {
    zmq_msg_t& part = parts_.add();
    const int got = zmq().zmq_msg_recv(&part, handle_, ZMQ_DONTWAIT);
    if (got < 0) {
      const int number = zmq().zmq_errno();
      parts_.drop_last();
      if (number == EINTR) continue;
      if (number != EAGAIN) return zmq_failure(number);
      monitor_->read();
      if (failure why = wait_for(handle_, ZMQ_POLLIN, lender_->wakes(), how_long)) return why;
      continue;
    }
    bytes += zmq().zmq_msg_size(&part);
    more = zmq().zmq_msg_more(&part) != 0;
    // What is too large is read to its end all the same, as the next message begins there.
    if (bytes > options_.max_message_bytes) parts_.drop_last();
  }
  if (bytes > options_.max_message_bytes)
    return {.code = errc::message_limit, .expected = options_.max_message_bytes, .found = bytes};
  return {};
}

message socket::insides::receive(const patience& how_long, failure& why) {
  if (options_.kind == socket_kind::push) {
    why = {.code = tgmap::errc::call_out_of_order};
    return {};
  }
  if (how_long.stop().stop_requested()) {
    why = {.code = errc::stopped};
    return {};
  }
  if ((why = get(how_long))) {
    parts_.clear();
    return {};
  }
  std::size_t first = 0;
  if (options_.kind == socket_kind::router) {
    const auto who = bytes_of_zmq(parts_[first++]);
    peer.assign(reinterpret_cast<const char*>(who.data()), who.size());
  }
  if (first + 1 < parts_.size() && zmq().zmq_msg_size(&parts_[first]) == 0) ++first;

  // Views are made where the parts stay, as small ones lie within their handles.
  const auto kept = std::make_shared<zmq_parts>();
  std::vector<part> parts;
  parts.reserve(parts_.size() - first);
  for (std::size_t i = first; i < parts_.size(); ++i) zmq().zmq_msg_move(&kept->add(), &parts_[i]);
  parts_.clear();
  const pin owner{kept};
  for (std::size_t i = 0; i < kept->size(); ++i) parts.push_back({bytes_of_zmq((*kept)[i]), i < 2 ? pin() : owner});

  message out = from_parts(parts, why);
  if (why) return {};
  ++counts_.messages_received;
  for (const part& p : out.payload) counts_.bytes_received += p.bytes.size();
  return out;
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
