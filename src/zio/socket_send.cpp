// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>

#include "zio/socket_insides.hpp"
#include "zio/zmq_library.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

namespace {

// What ZeroMQ keeps within its own handle of a part, without memory for it: nothing is faster than to copy that.
constexpr std::size_t smallest_lent = 33;
// Copies of parts up to this size share one buffer, which is kept; larger ones get memory of their own.
constexpr std::size_t most_in_buffer = 4096;
// A ROUTER that waits for one peer cannot be told when that one can take more: the socket is ready for all others.
constexpr long router_pause = 2;

/// Where a part's bytes come from when it is sent.
enum class way { within, buffer, own_copy, lent };

way way_of(const part& p, bool copy, bool last) noexcept {
  if (p.bytes.size() < smallest_lent) return last ? way::buffer : way::within;
  if (p.owner && !copy) return way::lent;
  return p.bytes.size() <= most_in_buffer ? way::buffer : way::own_copy;
}

void put_within(zmq_msg_t& to, std::span<const std::byte> bytes) {
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

/// Held by the sender until the message went or could not.
class held_loan {
 public:
  explicit held_loan(loan* one) noexcept : loan_(one) {}
  ~held_loan() { loan_->release(); }
  held_loan(const held_loan&) = delete;
  held_loan& operator=(const held_loan&) = delete;
  loan& operator*() const noexcept { return *loan_; }

 private:
  loan* loan_;
};

}  // namespace

failure socket::insides::wait_for_room(std::uint64_t bytes, const patience& how_long) {
  const auto room = [&] {
    const std::uint64_t out = lender_->in_flight();
    return out == 0 || (out <= options_.max_in_flight_bytes && bytes <= options_.max_in_flight_bytes - out);
  };
  if (room()) return {};
  lender_->want_wakes(true);
  failure why;
  while (!why && !room()) why = wait_for(handle_, 0, lender_->wakes(), how_long);
  lender_->want_wakes(false);
  return why;
}

void socket::insides::build(const message& m, loan& from, std::uint64_t& copied) {
  const bool copy = options_.copy_payloads;
  const auto is_last = [&](const part& p) { return &p == &m.payload.back(); };
  std::size_t buffered = prefix_bytes + m.label.size() + coordinates_bytes;
  for (const part& p : m.payload)
    if (way_of(p, copy, is_last(p)) == way::buffer) buffered += p.bytes.size();
  char* const buffer = from.buffer(buffered);
  std::size_t at = write_prefix(m, buffer);
  const auto put_in_buffer = [&](std::span<const std::byte> bytes) -> std::span<const std::byte> {
    char* const to = buffer + at;
    std::copy(bytes.begin(), bytes.end(), reinterpret_cast<std::byte*>(to));
    at += bytes.size();
    return {reinterpret_cast<const std::byte*>(to), bytes.size()};
  };

  if (options_.kind == socket_kind::router) put_within(parts_.add(), std::as_bytes(std::span(peer)));
  if (envelopes()) parts_.add();
  from.lend(parts_.add(), std::as_bytes(std::span(buffer, at)), {}, false);
  if (m.payload.empty())
    from.lend(parts_.add(), put_in_buffer(coordinates_of(m)), {}, true);
  else
    put_within(parts_.add(), coordinates_of(m));
  for (const part& p : m.payload) {
    zmq_msg_t& to = parts_.add();
    const std::size_t size = p.bytes.size();
    const bool last = is_last(p);
    const way how = way_of(p, copy, last);
    if (how == way::lent) {
      from.lend(to, p.bytes, p.owner, last);
      continue;
    }
    copied += size;
    if (how == way::within) {
      put_within(to, p.bytes);
    } else if (how == way::buffer) {
      from.lend(to, put_in_buffer(p.bytes), {}, last);
    } else {
      const auto own = std::make_shared_for_overwrite<std::byte[]>(size);
      std::memcpy(own.get(), p.bytes.data(), size);
      from.lend(to, {own.get(), size}, pin(own), last);
    }
  }
}

failure socket::insides::put(const patience& how_long, bool& lost) {
  lost = false;
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
      // Nothing of it went: wait until a peer can take it.
      const bool one_of_many = options_.kind == socket_kind::router;
      monitor_->read();
      if (failure why = wait_for(handle_, one_of_many ? short{0} : short{ZMQ_POLLOUT}, lender_->wakes(), how_long,
                                 one_of_many ? router_pause : -1))
        return why;
      continue;
    }
    // The connection ended between two parts. ZeroMQ passes over the rest of such a message, so it is given that too.
    // Where it learns of that end by itself, it says nothing and drops the rest.
    lost = true;
    ++i;
  }
  return {};
}

failure socket::insides::send(const message& m, const patience& how_long) {
  if (options_.kind == socket_kind::pull) return {.code = tgmap::errc::call_out_of_order};
  if (options_.kind == socket_kind::router && peer.empty()) return {.code = errc::peer_gone};
  if (how_long.stop().stop_requested()) return {.code = errc::stopped};
  std::uint64_t payload = 0;
  for (const part& p : m.payload) payload += p.bytes.size();
  const std::uint64_t whole = payload + prefix_bytes + m.label.size() + coordinates_bytes;

  std::uint64_t copied = 0;
  for (bool lost = true; lost;) {
    if (failure why = wait_for_room(whole, how_long)) return why;
    const held_loan from(lender_->open(whole));
    copied = 0;
    failure why;
    try {
      build(m, *from, copied);
      why = put(how_long, lost);
      lost = lost || (*from).was_dropped();
    } catch (const std::bad_alloc&) {
      why = {.code = tgmap::errc::out_of_memory};
    }
    parts_.clear();
    if (why) return why;
  }
  ++counts_.messages_sent;
  counts_.bytes_sent += payload;
  counts_.bytes_copied += copied;
  return {};
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
