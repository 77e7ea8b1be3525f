// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <new>
#include <tgmap/zio/flow_port.hpp>
#include <tgmap/zio/label.hpp>
#include <utility>

#include "zio/flow_label.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds at_once{0};

/// Whether what came is at fault, not the wait for it.
bool of_message(const failure& why) noexcept {
  if (!why || why.code.category() == std::system_category()) return false;
  return why.code != errc::timed_out && why.code != errc::stopped && why.code != errc::zmq_failed &&
         why.code != tgmap::errc::out_of_memory && why.code != tgmap::errc::call_out_of_order;
}

/// A client has one server: the one that its DEALER is connected to.
bool can_carry(const socket& over, flow_side side) noexcept {
  return over.kind() == socket_kind::dealer || (over.kind() == socket_kind::router && side == flow_side::server);
}

}  // namespace

flow_port::flow_port(socket& over, flow_options options, failure& why) noexcept
    : over_(&over), flow_(std::move(options), why) {
  if (!why && !can_carry(over, flow_.side()))
    why = {.code = tgmap::errc::invalid_option, .argument = "flow_options::side"};
}

flow_port::flow_port(socket& over, flow_options options) : over_(&over), flow_(std::move(options)) {
  if (!can_carry(over, flow_.side()))
    detail::raise({.code = tgmap::errc::invalid_option, .argument = "flow_options::side"});
}

flow_port::~flow_port() {
  if (flow_.state() != flow_state::ending) hang_up();
}

milliseconds flow_port::deadline::left() const noexcept {
  if (given.count() < 0) return given;
  // Rounded up: what is left is never waited for by looking again and again.
  return std::max(at_once, std::chrono::ceil<milliseconds>(end - clock::now()));
}

/// A failure tells how long the whole call has waited.
void flow_port::deadline::tell(failure& why) const noexcept {
  if (why.code == errc::timed_out) why.found = static_cast<std::uint64_t>(std::max<std::int64_t>(0, given.count()));
}

bool flow_port::from_stranger() const noexcept {
  return over_->kind() == socket_kind::router && !peer_.empty() && over_->peer() != peer_;
}

/// Answers a message that no flow is for by an EOT: who waits for something else is told so. An EOT is not answered.
void flow_port::turn_away(const message& m) noexcept {
  failure why;
  const cbor_value label = read_label(m.label, why);
  if (why || m.form != flow_form || text_of(label, "flow") == "EOT") return;
  const message last = flow_.refusal(why);
  if (!why) over_->send(last, at_once, {}, why);
}

/// The next message of anybody.
message flow_port::receive(const deadline& until, const std::stop_token& stop, failure& why) noexcept {
  message out = over_->receive(until.left(), stop, why);
  until.tell(why);
  return out;
}

/// What came of the other end, taken in.
flow_event flow_port::receive_event(message& into, const deadline& until, const std::stop_token& stop,
                                    failure& why) noexcept {
  do {
    into = receive(until, stop, why);
    if (why && !of_message(why)) return flow_event::late;
    failure of_label;
    // Only who opens a flow is answered: what else others send may be late.
    if (!why && from_stranger() && text_of(read_label(into.label, of_label), "flow") == "BOT") turn_away(into);
  } while (from_stranger());
  const flow_event out = why ? flow_event::late : flow_.process(into, why);
  // What is no message at all is a breach, too: it may have been a DAT.
  if (flow_.state() == flow_state::broken || of_message(why)) hang_up();
  return out;
}

/// Tells the other end that the flow is over, and waits for nothing.
void flow_port::hang_up() noexcept {
  failure why;
  const message last = flow_.end(why);
  if (!why) send_message(last, deadline(at_once), {}, why);
}

/// Sends what the flow has made last; unmade, where it does not go out.
void flow_port::send_message(const message& m, const deadline& until, const std::stop_token& stop,
                             failure& why) noexcept try {
  why = {};
  if (over_->kind() == socket_kind::router) over_->set_peer(peer_);
  over_->send(m, until.left(), stop, why);
  if (why) flow_.rollback();
  until.tell(why);
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

/// Waits for a BOT that the flow can have; turns away what else comes.
void flow_port::await_client(const deadline& until, const std::stop_token& stop, failure& why) noexcept try {
  while (flow_.state() == flow_state::closed) {
    const message m = receive(until, stop, why);
    if (of_message(why)) continue;
    if (why) return;
    zio::flow tried = flow_;
    if (tried.process(m, why) == flow_event::requested && !why) {
      peer_ = over_->peer();
      flow_ = std::move(tried);
    } else {
      turn_away(m);
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

void flow_port::finish(milliseconds timeout, const std::stop_token& stop, failure& why) noexcept {
  why = {};
  const deadline until(timeout);
  const flow_state at = flow_.state();
  if (at == flow_state::closed || at == flow_state::ended) return;
  if (at != flow_state::ending) {
    const message last = flow_.end(why);
    if (!why) send_message(last, until, stop, why);
    // Who does not wait for the answer to its EOT needs none.
    if (why.code == errc::peer_gone && at == flow_state::peer_ended) flow_.end(why);
  }
  message dropped;
  while (!why && flow_.state() == flow_state::ending) receive_event(dropped, until, stop, why);
}

void flow_port::open(milliseconds timeout, const std::stop_token& stop) {
  failure why;
  open(timeout, stop, why);
  detail::raise_if(why);
}

void flow_port::finish(milliseconds timeout, const std::stop_token& stop) {
  failure why;
  finish(timeout, stop, why);
  detail::raise_if(why);
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
