// SPDX-License-Identifier: Apache-2.0
#include "zio/socket_insides.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "zio/curve_text.hpp"
#include "zio/endpoint.hpp"
#include "zio/zmq_library.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

namespace {

int type_of(socket_kind kind) noexcept {
  switch (kind) {
    case socket_kind::push: return ZMQ_PUSH;
    case socket_kind::pull: return ZMQ_PULL;
    case socket_kind::dealer: return ZMQ_DEALER;
    case socket_kind::router: break;
  }
  return ZMQ_ROUTER;
}

int whole_milliseconds(std::chrono::milliseconds time) noexcept {
  using rep = std::chrono::milliseconds::rep;
  return static_cast<int>(std::clamp(time.count(), rep{-1}, rep{std::numeric_limits<int>::max()}));
}

}  // namespace

zmq_msg_t& zmq_parts::add() {
  if (used_ == room_) {
    const std::size_t room = std::max<std::size_t>(8, room_ * 2);
    auto larger = std::make_unique<zmq_msg_t[]>(room);
    for (std::size_t i = 0; i < used_; ++i) {
      zmq().zmq_msg_init(&larger[i]);
      zmq().zmq_msg_move(&larger[i], &parts_[i]);
    }
    parts_ = std::move(larger);
    room_ = room;
  }
  zmq().zmq_msg_init(&parts_[used_]);
  return parts_[used_++];
}

void zmq_parts::drop_last() noexcept { zmq().zmq_msg_close(&parts_[--used_]); }

void zmq_parts::clear() noexcept {
  while (used_ > 0) drop_last();
}

socket::insides::~insides() {
  parts_.clear();
  monitor_.reset();
  // By inproc receivers may hold parts for longer, and nothing is being written.
  if (lender_ != nullptr && transport_of(options_.endpoint) != transport::inproc) lender_->keep_all();
  if (handle_ != nullptr) zmq().zmq_close(handle_);
  context_.reset();  // waits for the linger; by inproc the last one does
  if (lender_ != nullptr) lender_->leave();
}

failure socket::insides::check() const noexcept {
  if (!is_endpoint(options_.endpoint)) return {.code = errc::bad_endpoint};
  const auto refuse = [](const char* argument) {
    return failure{.code = tgmap::errc::invalid_option, .argument = argument};
  };
  if (options_.max_message_bytes <= 0) return refuse("socket_options::max_message_bytes");
  if (options_.max_in_flight_bytes <= 0) return refuse("socket_options::max_in_flight_bytes");
  if (options_.high_water <= 0) return refuse("socket_options::high_water");
  // Whoever gives keys means an encrypted connection, and shall not get a plain one.
  const bool keys = options_.bind ? options_.server_key.empty() : !options_.keys || !options_.server_key.empty();
  if (!keys) return refuse("socket_options::server_key");
  const bool own =
      !options_.keys || (is_curve_key(options_.keys->public_key) && is_curve_key(options_.keys->secret_key));
  if (!own || (!options_.server_key.empty() && !is_curve_key(options_.server_key)))
    return {.code = errc::bad_curve_key};
  if (options_.bind && !options_.keys && !options_.allow_insecure && !stays_here(options_.endpoint))
    return {.code = errc::insecure_endpoint};
  return {};
}

failure socket::insides::set_text(int option, const std::string& text) noexcept {
  return zmq().zmq_setsockopt(handle_, option, text.c_str(), text.size() + 1) == 0 ? failure{}
                                                                                   : zmq_failure(zmq().zmq_errno());
}

failure socket::insides::set_options() {
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (failure why = set(ZMQ_LINGER, whole_milliseconds(options_.linger))) return why;
  if (failure why = set(ZMQ_SNDHWM, options_.high_water)) return why;
  if (failure why = set(ZMQ_RCVHWM, options_.high_water)) return why;
  if (failure why = set(ZMQ_MAXMSGSIZE, static_cast<std::int64_t>(std::min(options_.max_message_bytes, most))))
    return why;
  if (is_ipv6(options_.endpoint))
    if (failure why = set(ZMQ_IPV6, 1)) return why;
  if (options_.kind == socket_kind::router)
    if (failure why = set(ZMQ_ROUTER_MANDATORY, 1)) return why;  // else messages to nobody vanish silently
  return set_keys();
}

failure socket::insides::set_keys() {
  if (options_.bind && options_.keys) {
    if (failure why = set(ZMQ_CURVE_SERVER, 1)) return why;
    return set_text(ZMQ_CURVE_SECRETKEY, options_.keys->secret_key);
  }
  if (options_.server_key.empty()) return {};
  failure why;
  const curve_keys own = options_.keys ? *options_.keys : make_curve_keys(why);
  if (why) return why;
  if ((why = set_text(ZMQ_CURVE_SERVERKEY, options_.server_key))) return why;
  if ((why = set_text(ZMQ_CURVE_PUBLICKEY, own.public_key))) return why;
  return set_text(ZMQ_CURVE_SECRETKEY, own.secret_key);
}

failure socket::insides::open() {
  if (failure why = check()) return why;
  failure why;
  if ((lender_ = lender::make(why)) == nullptr) return why;
  const bool within = transport_of(options_.endpoint) == transport::inproc;
  if ((context_ = zmq_context::make(within, why)) == nullptr) return why;
  if ((handle_ = zmq().zmq_socket(context_->handle(), type_of(options_.kind))) == nullptr)
    return zmq_failure(zmq().zmq_errno());
  if ((why = set_options())) return why;
  monitor_.emplace(context_->handle(), handle_, why);
  if (why) return why;
  const char* where = options_.endpoint.c_str();
  if ((options_.bind ? zmq().zmq_bind(handle_, where) : zmq().zmq_connect(handle_, where)) != 0)
    return zmq_failure(zmq().zmq_errno());
  char chosen[1024];
  std::size_t length = sizeof chosen;
  if (zmq().zmq_getsockopt(handle_, ZMQ_LAST_ENDPOINT, chosen, &length) == 0 && length > 1) options_.endpoint = chosen;
  return {};
}

failure socket::insides::drain(const patience& how_long) {
  lender_->want_wakes(true);
  failure why;
  while (!why && lender_->in_flight() != 0) why = wait_for(handle_, 0, lender_->wakes(), how_long);
  lender_->want_wakes(false);
  return why;
}

socket_statistics socket::insides::statistics() noexcept {
  monitor_->read();
  counts_.bytes_in_flight = lender_->in_flight();
  counts_.connected = monitor_->connected();
  counts_.disconnected = monitor_->disconnected();
  counts_.refused = monitor_->refused();
  return counts_;
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
