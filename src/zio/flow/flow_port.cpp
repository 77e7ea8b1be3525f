// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <new>
#include <tgmap/zio/flow_port.hpp>
#include <tgmap/zio/label.hpp>
#include <utility>

#include "core/or_throw.hpp"
#include "zio/flow/flow_label.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds no_wait{0};

/// Returns true if a received message is at fault, not the wait for it.
bool is_message_error(const failure& why) noexcept {
  if (!why || why.code.category() == std::system_category()) return false;
  return why.code != errc::timed_out && why.code != errc::stopped && why.code != errc::zmq_failed &&
         why.code != tgmap::errc::out_of_memory && why.code != tgmap::errc::call_out_of_order;
}

/// Returns true if a socket can carry a flow. A client needs a DEALER, which is connected to one server.
bool can_carry(const socket& socket, flow_side side) noexcept {
  return socket.kind() == socket_kind::dealer || (socket.kind() == socket_kind::router && side == flow_side::server);
}

flow_options with_role(flow_options options, flow_role role) noexcept {
  options.role = role;
  return options;
}

}  // namespace

flow_port::flow_port(socket& socket, flow_options options, failure& why) noexcept
    : over_(&socket), flow_(std::move(options), why) {
  if (!why && !can_carry(socket, flow_.side()))
    why = {.code = tgmap::errc::invalid_option, .argument = "flow_options::side"};
}

flow_port::flow_port(socket& socket, flow_options options) : over_(&socket), flow_(std::move(options)) {
  if (!can_carry(socket, flow_.side()))
    detail::raise({.code = tgmap::errc::invalid_option, .argument = "flow_options::side"});
}

flow_port::~flow_port() {
  if (flow_.state() != flow_state::ending) abandon();
}

milliseconds flow_port::deadline::left() const noexcept {
  if (timeout.count() < 0) return timeout;
  // Rounded up; otherwise the last fraction of a millisecond would be a busy loop.
  return std::max(no_wait, std::chrono::ceil<milliseconds>(end - clock::now()));
}

/// Makes a failure state the timeout of the whole call.
void flow_port::deadline::set_timeout(failure& why) const noexcept {
  if (why.code == errc::timed_out) why.found = static_cast<std::uint64_t>(std::max<std::int64_t>(0, timeout.count()));
}

bool flow_port::is_from_other_peer() const noexcept {
  return over_->kind() == socket_kind::router && !peer_.empty() && over_->peer() != peer_;
}

/// Answers a message for which there is no flow with an EOT, so that the sender stops waiting. An EOT is not answered.
void flow_port::refuse(const message& m) noexcept {
  failure why;
  const cbor_value label = read_label(m.label, why);
  if (why || m.form != flow_form || text_of(label, "flow") == "EOT") return;
  const message eot = flow_.refusal(why);
  if (!why) over_->send(eot, no_wait, {}, why);
}

/// Receives the next message of any peer.
message flow_port::receive(const deadline& until, const std::stop_token& stop, failure& why) noexcept {
  message out = over_->receive(until.left(), stop, why);
  until.set_timeout(why);
  return out;
}

/// Receives a message of the peer and passes it to the flow.
flow_event flow_port::receive_event(message& into, const deadline& until, const std::stop_token& stop,
                                    failure& why) noexcept {
  do {
    into = receive(until, stop, why);
    if (why && !is_message_error(why)) return flow_event::late;
    failure label_failure;
    // Answer only others who open a flow. Their other messages may be late ones of an earlier flow.
    if (!why && is_from_other_peer() && text_of(read_label(into.label, label_failure), "flow") == "BOT") refuse(into);
  } while (is_from_other_peer());
  const flow_event out = why ? flow_event::late : flow_.process(into, why);
  // An invalid message is a violation, too, because it may have been a DAT.
  if (flow_.state() == flow_state::broken || is_message_error(why)) abandon();
  return out;
}

/// Sends an EOT without waiting for an answer.
void flow_port::abandon() noexcept {
  failure why;
  const message eot = flow_.end(why);
  if (!why) send_message(eot, deadline(no_wait), {}, why);
}

/// Sends the last message of the flow. Rolls the flow back if it cannot be sent.
void flow_port::send_message(const message& m, const deadline& until, const std::stop_token& stop,
                             failure& why) noexcept try {
  why = {};
  if (over_->kind() == socket_kind::router) over_->set_peer(peer_);
  over_->send(m, until.left(), stop, why);
  if (why) flow_.rollback();
  until.set_timeout(why);
} catch (const std::bad_alloc&) {
  flow_.rollback();
  why = {.code = tgmap::errc::out_of_memory};
}

void flow_port::pay(const deadline& until, const std::stop_token& stop, failure& why) noexcept {
  why = {};
  if (flow_.role() == flow_role::giver || flow_.credit() == 0) return;
  const message m = flow_.pay(why);
  if (!why) send_message(m, until, stop, why);
}

/// Waits for a BOT that the flow accepts, and refuses all other messages.
void flow_port::await_client(const deadline& until, const std::stop_token& stop, failure& why) noexcept try {
  while (flow_.state() == flow_state::closed) {
    const message m = receive(until, stop, why);
    if (is_message_error(why)) continue;
    if (why) return;
    zio::flow attempt = flow_;
    if (attempt.process(m, why) == flow_event::requested && !why) {
      peer_ = over_->peer();
      flow_ = std::move(attempt);
    } else {
      refuse(m);
    }
  }
  why = {};
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
}

void flow_port::open(milliseconds timeout, const std::stop_token& stop, failure& why) noexcept {
  why = {};
  const deadline until(timeout);
  if (flow_.side() == flow_side::server) {
    await_client(until, stop, why);
    if (why) return;
  }
  if (flow_.state() == flow_state::closed || flow_.state() == flow_state::requested) {
    const message bot = flow_.side() == flow_side::client ? flow_.open(why) : flow_.accept(why);
    if (!why) send_message(bot, until, stop, why);
  }
  message answer;
  while (!why && flow_.state() == flow_state::opening) receive_event(answer, until, stop, why);
  if (!why && flow_.state() != flow_state::open) why = {.code = tgmap::errc::call_out_of_order};
  if (!why) pay(until, stop, why);
}

void flow_port::open(milliseconds timeout, const std::stop_token& stop) {
  core::or_throw([&](failure& why) { open(timeout, stop, why); });
}

void flow_port::finish(milliseconds timeout, const std::stop_token& stop, failure& why) noexcept {
  why = {};
  const deadline until(timeout);
  const flow_state at = flow_.state();
  if (at == flow_state::closed || at == flow_state::ended) return;
  if (at != flow_state::ending) {
    const message eot = flow_.end(why);
    if (!why) send_message(eot, until, stop, why);
    // A peer that does not wait for the answer to its EOT needs none.
    if (why.code == errc::peer_gone && at == flow_state::peer_ended) flow_.end(why);
  }
  message ignored;
  while (!why && flow_.state() == flow_state::ending) receive_event(ignored, until, stop, why);
}

void flow_port::finish(milliseconds timeout, const std::stop_token& stop) {
  core::or_throw([&](failure& why) { finish(timeout, stop, why); });
}

flow_giver::flow_giver(socket& socket, flow_options options, failure& why) noexcept
    : flow_port(socket, with_role(std::move(options), flow_role::giver), why) {}

flow_giver::flow_giver(socket& socket, failure& why) noexcept : flow_giver(socket, default_flow_options(), why) {}

flow_giver::flow_giver(socket& socket, flow_options options)
    : flow_port(socket, with_role(std::move(options), flow_role::giver)) {}

bool flow_giver::put(const message& m, std::chrono::milliseconds timeout, const std::stop_token& stop,
                     failure& why) noexcept {
  why = {};
  const deadline until(timeout), now(no_wait);
  message received;
  // Read waiting messages first; the taker may have ended the flow.
  while (!why && flow_.state() == flow_state::open) receive_event(received, now, stop, why);
  if (why.code == errc::timed_out) why = {};
  while (!why && flow_.state() == flow_state::open && flow_.credit() == 0) receive_event(received, until, stop, why);
  if (why || flow_.state() == flow_state::peer_ended) return false;
  const message dat = flow_.give(m, why);
  if (!why) send_message(dat, until, stop, why);
  return !why;
}

bool flow_giver::put(const message& m, std::chrono::milliseconds timeout, const std::stop_token& stop) {
  return core::or_throw([&](failure& why) { return put(m, timeout, stop, why); });
}

flow_taker::flow_taker(socket& socket, flow_options options, failure& why) noexcept
    : flow_port(socket, with_role(std::move(options), flow_role::taker), why) {}

flow_taker::flow_taker(socket& socket, failure& why) noexcept : flow_taker(socket, default_flow_options(), why) {}

flow_taker::flow_taker(socket& socket, flow_options options)
    : flow_port(socket, with_role(std::move(options), flow_role::taker)) {}

std::optional<message> flow_taker::get(std::chrono::milliseconds timeout, const std::stop_token& stop,
                                       failure& why) noexcept {
  why = {};
  if (flow_.state() == flow_state::peer_ended) return std::nullopt;
  if (flow_.state() != flow_state::open) {
    why = {.code = tgmap::errc::call_out_of_order};
    return std::nullopt;
  }
  const deadline until(timeout), now(no_wait);
  pay(until, stop, why);
  // Messages that the peer sent before it disappeared can still be received.
  const failure peer_lost = why.code == errc::peer_gone ? std::exchange(why, {}) : failure{};
  std::optional<message> out(std::in_place);
  while (!why && flow_.state() == flow_state::open)
    if (receive_event(*out, peer_lost ? now : until, stop, why) == flow_event::data && !why) return out;
  if (peer_lost && why.code == errc::timed_out) why = peer_lost;
  return std::nullopt;
}

std::optional<message> flow_taker::get(std::chrono::milliseconds timeout, const std::stop_token& stop) {
  return core::or_throw([&](failure& why) { return get(timeout, stop, why); });
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
