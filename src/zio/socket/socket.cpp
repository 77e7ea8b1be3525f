// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <new>
#include <tgmap/zio/socket.hpp>
#include <utility>

#include "core/or_throw.hpp"
#include "zio/socket/curve_key_format.hpp"
#include "zio/socket/endpoint.hpp"
#include "zio/socket/socket_impl.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

namespace {

int zmq_type(socket_kind kind) noexcept {
  switch (kind) {
    case socket_kind::push: return ZMQ_PUSH;
    case socket_kind::pull: return ZMQ_PULL;
    case socket_kind::dealer: return ZMQ_DEALER;
    case socket_kind::router: break;
  }
  return ZMQ_ROUTER;
}

int to_milliseconds(std::chrono::milliseconds time) noexcept {
  using rep = std::chrono::milliseconds::rep;
  return static_cast<int>(std::clamp(time.count(), rep{-1}, rep{std::numeric_limits<int>::max()}));
}

failure last_failure() noexcept { return zmq_failure(zmq().zmq_errno()); }

}  // namespace

zmq_msg_t& zmq_parts::add() {
  if (size_ == capacity_) {
    const std::size_t capacity = std::max<std::size_t>(8, capacity_ * 2);
    auto larger = std::make_unique<zmq_msg_t[]>(capacity);
    for (std::size_t i = 0; i < size_; ++i) {
      zmq().zmq_msg_init(&larger[i]);
      zmq().zmq_msg_move(&larger[i], &parts_[i]);
    }
    parts_ = std::move(larger);
    capacity_ = capacity;
  }
  zmq().zmq_msg_init(&parts_[size_]);
  return parts_[size_++];
}

void zmq_parts::drop_last() noexcept { zmq().zmq_msg_close(&parts_[--size_]); }

void zmq_parts::clear() noexcept {
  while (size_ > 0) drop_last();
}

socket::impl::~impl() {
  parts_.clear();
  monitor_.reset();
  // With inproc nothing is being written, and receivers may hold parts for longer.
  if (pool_ != nullptr && transport_of(options_.endpoint) != transport::inproc) pool_->keep_owners();
  if (handle_ != nullptr) zmq().zmq_close(handle_);
  context_.reset();  // waits for the linger; with inproc the last socket does
  if (pool_ != nullptr) pool_->close();
}

failure socket::impl::check_options() const noexcept {
  if (!is_endpoint(options_.endpoint)) return {.code = errc::bad_endpoint};
  const auto invalid = [](const char* argument) {
    return failure{.code = tgmap::errc::invalid_option, .argument = argument};
  };
  if (options_.max_message_bytes <= 0) return invalid("socket_options::max_message_bytes");
  if (options_.max_in_flight_bytes <= 0) return invalid("socket_options::max_in_flight_bytes");
  if (options_.high_water <= 0) return invalid("socket_options::high_water");
  // A caller who passes keys wants encryption, and must not get a plain connection.
  const bool fits_side = options_.bind ? options_.server_key.empty() : !options_.keys || !options_.server_key.empty();
  if (!fits_side) return invalid("socket_options::server_key");
  const bool are_own_keys_valid =
      !options_.keys || (is_curve_key(options_.keys->public_key) && is_curve_key(options_.keys->secret_key));
  if (!are_own_keys_valid || (!options_.server_key.empty() && !is_curve_key(options_.server_key)))
    return {.code = errc::bad_curve_key};
  if (options_.bind && !options_.keys && !options_.allow_insecure && !is_private(options_.endpoint))
    return {.code = errc::insecure_endpoint};
  return {};
}

failure socket::impl::set_bytes(int option, const void* value, std::size_t size) noexcept {
  return zmq().zmq_setsockopt(handle_, option, value, size) == 0 ? failure{} : last_failure();
}

failure socket::impl::set_options() {
  constexpr auto max_size = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (failure why = set(ZMQ_LINGER, to_milliseconds(options_.linger))) return why;
  if (failure why = set(ZMQ_SNDHWM, options_.high_water)) return why;
  if (failure why = set(ZMQ_RCVHWM, options_.high_water)) return why;
  const auto max_message = static_cast<std::int64_t>(std::min(options_.max_message_bytes, max_size));
  if (failure why = set(ZMQ_MAXMSGSIZE, max_message)) return why;
  if (is_ipv6(options_.endpoint))
    if (failure why = set(ZMQ_IPV6, 1)) return why;
  if (options_.kind == socket_kind::router)
    if (failure why = set(ZMQ_ROUTER_MANDATORY, 1)) return why;  // otherwise messages to nobody vanish silently
  return set_keys();
}

failure socket::impl::set_keys() {
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

failure socket::impl::open() {
  if (failure why = check_options()) return why;
  failure why;
  if ((pool_ = buffer_pool::make(why)) == nullptr) return why;
  const bool is_shared = transport_of(options_.endpoint) == transport::inproc;
  if ((context_ = zmq_context::make(is_shared, why)) == nullptr) return why;
  if ((handle_ = zmq().zmq_socket(context_->handle(), zmq_type(options_.kind))) == nullptr) return last_failure();
  if ((why = set_options())) return why;
  monitor_.emplace(context_->handle(), handle_, why);
  if (why) return why;
  const char* const endpoint = options_.endpoint.c_str();
  if ((options_.bind ? zmq().zmq_bind(handle_, endpoint) : zmq().zmq_connect(handle_, endpoint)) != 0)
    return last_failure();
  char chosen[1024];
  std::size_t length = sizeof chosen;
  if (zmq().zmq_getsockopt(handle_, ZMQ_LAST_ENDPOINT, chosen, &length) == 0 && length > 1) options_.endpoint = chosen;
  return {};
}

failure socket::impl::drain(const deadline& until) {
  pool_->notify(true);
  failure why;
  while (!why && pool_->bytes_in_flight() != 0) why = wait_for(handle_, 0, pool_->on_return(), until);
  pool_->notify(false);
  return why;
}

socket_statistics socket::impl::statistics() noexcept {
  monitor_->read();
  statistics_.messages_in_flight = pool_->messages_in_flight();
  statistics_.bytes_in_flight = pool_->bytes_in_flight();
  statistics_.connected = monitor_->connected();
  statistics_.disconnected = monitor_->disconnected();
  statistics_.refused = monitor_->refused();
  return statistics_;
}

socket::socket(const socket_options& options, failure& why) noexcept try {
  why = {};
  auto opened = std::make_unique<impl>(options);
  why = opened->open();
  if (!why) impl_ = std::move(opened);
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
}

socket::socket(const socket_options& options) {
  failure why;
  *this = socket(options, why);
  detail::raise_if(why);
}

socket::~socket() = default;
socket::socket(socket&&) noexcept = default;
socket& socket::operator=(socket&&) noexcept = default;

void socket::send(const message& m, std::chrono::milliseconds timeout, const std::stop_token& stop,
                  failure& why) noexcept try {
  why = impl_ ? impl_->send(m, {timeout, stop}) : failure{.code = tgmap::errc::call_out_of_order};
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
}

void socket::send(const message& m, std::chrono::milliseconds timeout, const std::stop_token& stop) {
  core::or_throw([&](failure& why) { send(m, timeout, stop, why); });
}

message socket::receive(std::chrono::milliseconds timeout, const std::stop_token& stop, failure& why) noexcept try {
  why = {};
  if (impl_) return impl_->receive({timeout, stop}, why);
  why = {.code = tgmap::errc::call_out_of_order};
  return {};
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
  return {};
}

message socket::receive(std::chrono::milliseconds timeout, const std::stop_token& stop) {
  return core::or_throw([&](failure& why) { return receive(timeout, stop, why); });
}

void socket::drain(std::chrono::milliseconds timeout, const std::stop_token& stop, failure& why) noexcept {
  why = impl_ ? impl_->drain({timeout, stop}) : failure{};
}

void socket::drain(std::chrono::milliseconds timeout, const std::stop_token& stop) {
  core::or_throw([&](failure& why) { drain(timeout, stop, why); });
}

const std::string& socket::peer() const noexcept {
  static const std::string none;
  return impl_ ? impl_->peer : none;
}

void socket::set_peer(std::string_view peer) {
  if (impl_) impl_->peer = peer;
}

const std::string& socket::endpoint() const noexcept {
  static const std::string none;
  return impl_ ? impl_->options().endpoint : none;
}

socket_kind socket::kind() const noexcept { return impl_ ? impl_->options().kind : socket_kind::push; }

socket_statistics socket::statistics() const noexcept { return impl_ ? impl_->statistics() : socket_statistics{}; }

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
