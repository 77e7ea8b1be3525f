// SPDX-License-Identifier: Apache-2.0
// Sending and receiving messages.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>

#include "zio/socket/socket_impl.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

namespace {

// ZeroMQ stores smaller parts in their handles, without an allocation. Nothing is faster than copying them there.
constexpr std::size_t min_lent = 33;
// Copies of parts up to this size share one buffer, which is reused. Larger ones are allocated each time.
constexpr std::size_t max_buffered = 4096;
// A ROUTER that waits for one peer has to poll: the socket stays ready for the others.
constexpr long router_poll_milliseconds = 2;

/// The memory of a part while it is sent.
enum class storage { handle, buffer, own_copy, lent };

storage storage_of(const part& p, bool copies_payloads, bool is_last) noexcept {
  if (p.bytes.size() < min_lent) return is_last ? storage::buffer : storage::handle;
  if (p.owner && !copies_payloads) return storage::lent;
  return p.bytes.size() <= max_buffered ? storage::buffer : storage::own_copy;
}

void copy_to_handle(zmq_msg_t& to, std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  if (zmq().zmq_msg_init_size(&to, bytes.size()) != 0) throw std::bad_alloc();
  std::memcpy(zmq().zmq_msg_data(&to), bytes.data(), bytes.size());
}

std::size_t write_prefix(const message& m, char* to) noexcept {
  constexpr std::string_view magic = "ZIO";
  std::copy(magic.begin(), magic.end(), to);
  to[3] = static_cast<char>('0' + static_cast<int>(m.level));
  const std::string_view form = m.form.text();
  std::copy(form.begin(), form.end(), to + 4);
  std::copy(m.label.begin(), m.label.end(), to + prefix_bytes);
  return prefix_bytes + m.label.size();
}

std::span<const std::byte> bytes_of(zmq_msg_t& part) noexcept {
  return {static_cast<const std::byte*>(zmq().zmq_msg_data(&part)), zmq().zmq_msg_size(&part)};
}

/// Releases a lease when the message was sent, or could not be.
class lease_guard {
 public:
  explicit lease_guard(buffer_lease* lease) noexcept : lease_(lease) {}
  ~lease_guard() { lease_->release(); }
  lease_guard(const lease_guard&) = delete;
  lease_guard& operator=(const lease_guard&) = delete;
  buffer_lease& operator*() const noexcept { return *lease_; }
  buffer_lease* operator->() const noexcept { return lease_; }

 private:
  buffer_lease* lease_;
};

}  // namespace

failure socket::impl::wait_for_capacity(std::uint64_t bytes, const deadline& until) {
  const auto has_capacity = [&] {
    const std::uint64_t in_flight = pool_->bytes_in_flight();
    return in_flight == 0 ||
           (in_flight <= options_.max_in_flight_bytes && bytes <= options_.max_in_flight_bytes - in_flight);
  };
  if (has_capacity()) return {};
  pool_->notify(true);
  failure why;
  while (!why && !has_capacity()) why = wait_for(handle_, 0, pool_->on_return(), until);
  pool_->notify(false);
  return why;
}

void socket::impl::make_parts(const message& m, buffer_lease& lease, std::uint64_t& bytes_copied) {
  const bool copies = options_.copy_payloads;
  const auto is_last = [&](const part& p) { return &p == &m.payload.back(); };
  std::size_t buffer_size = prefix_bytes + m.label.size() + coordinates_bytes;
  for (const part& p : m.payload)
    if (storage_of(p, copies, is_last(p)) == storage::buffer) buffer_size += p.bytes.size();
  char* const buffer = lease.buffer(buffer_size);
  std::size_t used = write_prefix(m, buffer);
  const auto copy_to_buffer = [&](std::span<const std::byte> bytes) -> std::span<const std::byte> {
    char* const to = buffer + used;
    std::copy(bytes.begin(), bytes.end(), reinterpret_cast<std::byte*>(to));
    used += bytes.size();
    return {reinterpret_cast<const std::byte*>(to), bytes.size()};
  };

  if (options_.kind == socket_kind::router) copy_to_handle(parts_.add(), std::as_bytes(std::span(peer)));
  if (has_envelope()) parts_.add();
  lease.attach(parts_.add(), std::as_bytes(std::span(buffer, used)), {}, false);
  if (m.payload.empty())
    lease.attach(parts_.add(), copy_to_buffer(coordinates_of(m)), {}, true);
  else
    copy_to_handle(parts_.add(), coordinates_of(m));
  for (const part& p : m.payload) {
    zmq_msg_t& to = parts_.add();
    const std::size_t size = p.bytes.size();
    const bool last = is_last(p);
    const storage how = storage_of(p, copies, last);
    if (how == storage::lent) {
      lease.attach(to, p.bytes, p.owner, last);
      continue;
    }
    bytes_copied += size;
    if (how == storage::handle) {
      copy_to_handle(to, p.bytes);
    } else if (how == storage::buffer) {
      lease.attach(to, copy_to_buffer(p.bytes), {}, last);
    } else {
      const auto copy = std::make_shared_for_overwrite<std::byte[]>(size);
      std::memcpy(copy.get(), p.bytes.data(), size);
      lease.attach(to, {copy.get(), size}, pin(copy), last);
    }
  }
}

failure socket::impl::send_parts(const deadline& until, bool& was_lost) {
  was_lost = false;
  for (std::size_t i = 0; i < parts_.size();) {
    const bool last = i + 1 == parts_.size();
    const int flags = ZMQ_DONTWAIT | (last ? 0 : ZMQ_SNDMORE);
    if (zmq().zmq_msg_send(&parts_[i], handle_, flags) >= 0) {
      ++i;
      continue;
    }
    const int number = zmq().zmq_errno();
    if (number == EINTR) continue;
    if (number == EHOSTUNREACH) return {.code = errc::peer_gone};
    if (number != EAGAIN) return zmq_failure(number);
    if (i == 0) {
      // Nothing was sent yet: wait until a peer can take the message.
      const bool is_router = options_.kind == socket_kind::router;
      monitor_->read();
      if (failure why = wait_for(handle_, is_router ? short{0} : short{ZMQ_POLLOUT}, pool_->on_return(), until,
                                 is_router ? router_poll_milliseconds : -1))
        return why;
      continue;
    }
    // The connection ended between two parts. ZeroMQ skips the rest of such a message, so pass it the rest, too. If
    // ZeroMQ notices the end by itself, it reports nothing and drops the rest.
    was_lost = true;
    ++i;
  }
  return {};
}

failure socket::impl::send(const message& m, const deadline& until) {
  if (options_.kind == socket_kind::pull) return {.code = tgmap::errc::call_out_of_order};
  if (options_.kind == socket_kind::router && peer.empty()) return {.code = errc::peer_gone};
  if (until.stop().stop_requested()) return {.code = errc::stopped};
  std::uint64_t payload = 0;
  for (const part& p : m.payload) payload += p.bytes.size();
  const std::uint64_t size = payload + prefix_bytes + m.label.size() + coordinates_bytes;

  std::uint64_t bytes_copied = 0;
  for (bool was_lost = true; was_lost;) {
    if (failure why = wait_for_capacity(size, until)) return why;
    const lease_guard lease(pool_->lease(size));
    bytes_copied = 0;
    failure why;
    try {
      make_parts(m, *lease, bytes_copied);
      why = send_parts(until, was_lost);
      was_lost = was_lost || lease->was_dropped();
    } catch (const std::bad_alloc&) {
      why = {.code = tgmap::errc::out_of_memory};
    }
    parts_.clear();
    if (why) return why;
  }
  ++statistics_.messages_sent;
  statistics_.bytes_sent += payload;
  statistics_.bytes_copied += bytes_copied;
  return {};
}

failure socket::impl::receive_parts(const deadline& until) {
  parts_.clear();
  std::uint64_t bytes = 0;
  for (bool has_more = true; has_more;) {
    zmq_msg_t& part = parts_.add();
    if (zmq().zmq_msg_recv(&part, handle_, ZMQ_DONTWAIT) < 0) {
      const int number = zmq().zmq_errno();
      parts_.drop_last();
      if (number == EINTR) continue;
      if (number != EAGAIN) return zmq_failure(number);
      monitor_->read();
      if (failure why = wait_for(handle_, ZMQ_POLLIN, pool_->on_return(), until)) return why;
      continue;
    }
    bytes += zmq().zmq_msg_size(&part);
    has_more = zmq().zmq_msg_more(&part) != 0;
    // Read a message that is too large to its end, because the next one begins there.
    if (bytes > options_.max_message_bytes) parts_.drop_last();
  }
  if (bytes > options_.max_message_bytes)
    return {.code = errc::message_limit, .expected = options_.max_message_bytes, .found = bytes};
  return {};
}

message socket::impl::receive(const deadline& until, failure& why) {
  if (options_.kind == socket_kind::push) {
    why = {.code = tgmap::errc::call_out_of_order};
    return {};
  }
  if (until.stop().stop_requested()) {
    why = {.code = errc::stopped};
    return {};
  }
  if ((why = receive_parts(until))) {
    parts_.clear();
    return {};
  }
  std::size_t first = 0;
  if (options_.kind == socket_kind::router) {
    const auto identity = bytes_of(parts_[first++]);
    peer.assign(reinterpret_cast<const char*>(identity.data()), identity.size());
  }
  if (first + 1 < parts_.size() && zmq().zmq_msg_size(&parts_[first]) == 0) ++first;

  // Make views only after the move: small parts are stored in their handles.
  const auto owned_parts = std::make_shared<zmq_parts>();
  std::vector<part> parts;
  parts.reserve(parts_.size() - first);
  for (std::size_t i = first; i < parts_.size(); ++i) zmq().zmq_msg_move(&owned_parts->add(), &parts_[i]);
  parts_.clear();
  const pin owner{owned_parts};
  for (std::size_t i = 0; i < owned_parts->size(); ++i)
    parts.push_back({bytes_of((*owned_parts)[i]), i < 2 ? pin() : owner});

  message out = from_parts(parts, why);
  if (why) return {};
  ++statistics_.messages_received;
  for (const part& p : out.payload) statistics_.bytes_received += p.bytes.size();
  return out;
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
