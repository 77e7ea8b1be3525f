// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <new>
#include <optional>
#include <tgmap/zio/flow.hpp>
#include <tgmap/zio/label.hpp>
#include <utility>

#include "zio/flow_label.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

namespace {

constexpr const char* eot = R"({"flow":"EOT"})";

std::uint64_t time_now() {
  using std::chrono::microseconds;
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<microseconds>(since).count());
}

constexpr flow_role other(flow_role role) noexcept {
  return role == flow_role::giver ? flow_role::taker : flow_role::giver;
}

/// The name of a role in a BOT is of what its sender does.
constexpr std::string_view direction(flow_role role) noexcept {
  return role == flow_role::giver ? "extract" : "inject";
}

flow_event breach(failure& why) noexcept {
  why = {.code = errc::flow_protocol};
  return flow_event::late;
}

}  // namespace

flow::flow(flow_options options, failure& why) noexcept : options_(std::move(options)) {
  why = {};
  now_.total = options_.credit;
  if (now_.total == 0)
    why = {.code = tgmap::errc::invalid_option, .found = now_.total, .argument = "flow_options::credit"};
  if (!why && !options_.attributes.is_map())
    why = {.code = tgmap::errc::invalid_option, .argument = "flow_options::attributes"};
  if (!why) write_label(options_.attributes, why);
  if (why.code == errc::bad_label) why = {.code = tgmap::errc::invalid_option, .argument = "flow_options::attributes"};
  if (why) now_.state = flow_state::ended;
}

std::string flow::bot(cbor_value attributes, std::uint64_t credit) const {
  attributes.update(cbor_value::map({{"credit", credit}, {"direction", direction(options_.role)}, {"flow", "BOT"}}));
  return write_label(attributes);
}

message flow::told(std::string label, std::uint64_t seqno) const {
  message out{.form = flow_form, .label = std::move(label), .origin = options_.origin, .seqno = seqno};
  out.granule = options_.granule ? options_.granule(out) : time_now();
  return out;
}

message flow::make(std::string label) {
  message out = told(std::move(label), now_.next);
  before_ = now_;
  ++now_.next;
  return out;
}

void flow::rollback() noexcept { now_ = before_; }

bool flow::turn(bool ours, failure& why) const noexcept {
  why = {};
  if (!ours) why = {.code = tgmap::errc::call_out_of_order};
  return ours;
}

message flow::open(failure& why) noexcept try {
  if (!turn(now_.state == flow_state::closed && options_.side == flow_side::client, why)) return {};
  message out = make(bot(options_.attributes, now_.total));
  now_.state = flow_state::opening;
  return out;
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
  return {};
}

message flow::accept(failure& why) noexcept try {
  if (!turn(now_.state == flow_state::requested, why)) return {};
  const std::uint64_t offered = number_of(greeting_, "credit").value_or(0);
  const std::uint64_t agreed = std::min(offered, options_.credit);
  message out = make(bot(greeting_, options_.echo_credit ? offered : agreed));
  now_.total = agreed;
  now_.credit = giver() ? 0 : now_.total;
  now_.state = flow_state::open;
  return out;
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
  return {};
}

const std::string& flow::dat_label(const std::string& label) {
  if (last_dat_.empty() || label != last_label_) {
    std::string made = with_flow(label);
    last_label_ = label;
    last_dat_ = std::move(made);
  }
  return last_dat_;
}

message flow::give(const message& m, failure& why) noexcept try {
  if (!turn(now_.state == flow_state::open && giver() && now_.credit > 0, why)) return {};
  message out{.form = flow_form,
              .label = dat_label(m.label),
              .origin = options_.origin,
              .granule = m.granule,
              .seqno = now_.next,
              .payload = m.payload};
  out.granule = options_.granule ? options_.granule(out) : time_now();
  before_ = now_;
  ++now_.next;
  --now_.credit;
  return out;
} catch (const error& e) {
  last_dat_.clear();
  why = e.details();
  return {};
} catch (const std::bad_alloc&) {
  last_dat_.clear();
  why = {.code = tgmap::errc::out_of_memory};
  return {};
}

message flow::pay(failure& why) noexcept try {
  if (!turn(now_.state == flow_state::open && !giver() && now_.credit > 0, why)) return {};
  message out = make(write_label(cbor_value::map({{"credit", now_.credit}, {"flow", "PAY"}})));
  now_.credit = 0;
  return out;
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
  return {};
}

message flow::end(failure& why) noexcept try {
  constexpr auto ends = [](flow_state s) { return s != flow_state::closed && s < flow_state::ending; };
  const bool last =
      now_.state == flow_state::peer_ended || now_.state == flow_state::requested || now_.state == flow_state::broken;
  if (!turn(last || ends(now_.state), why)) return {};
  message out = make(eot);
  now_.state = last ? flow_state::ended : flow_state::ending;
  return out;
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
  return {};
}

message flow::refusal(failure& why) const noexcept try {
  why = {};
  return told(eot, 0);
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
  return {};
}

flow_event flow::take_bot(const cbor_value& label, failure& why) {
  const auto credit = number_of(label, "credit");
  if (text_of(label, "direction") != direction(other(options_.role)) || !credit || *credit == 0) return breach(why);
  if (now_.state == flow_state::closed && options_.side == flow_side::server) {
    greeting_ = label;
    now_.state = flow_state::requested;
    return flow_event::requested;
  }
  // We ended before the answer came. A second answer is a breach as ever.
  const bool late = now_.state == flow_state::ending && options_.side == flow_side::client && !greeting_.is_map();
  if (now_.state != flow_state::opening && !late) return breach(why);
  if (!giver() && *credit > now_.total) return breach(why);
  greeting_ = label;
  if (late) return flow_event::late;
  now_.total = *credit;
  now_.credit = giver() ? 0 : now_.total;
  now_.state = flow_state::open;
  return flow_event::opened;
}

flow_event flow::take_pay(const cbor_value& label, failure& why) noexcept {
  if (giver() && now_.state == flow_state::ending) return flow_event::late;
  const auto paid = number_of(label, "credit");
  if (!giver() || now_.state != flow_state::open || !paid) return breach(why);
  if (*paid > now_.total - now_.credit) {
    why = {.code = errc::flow_credit, .expected = now_.total - now_.credit, .found = *paid};
    return flow_event::late;
  }
  now_.credit += *paid;
  return flow_event::credited;
}

flow_event flow::take_dat(failure& why) noexcept {
  if (!giver() && now_.state == flow_state::ending) return flow_event::late;
  if (giver() || now_.state != flow_state::open || now_.credit == now_.total) return breach(why);
  ++now_.credit;
  return flow_event::data;
}

flow_event flow::take_eot(failure& why) noexcept {
  switch (now_.state) {
    case flow_state::opening:
      why = {.code = errc::flow_refused};
      now_.state = flow_state::ended;
      return flow_event::ended;
    case flow_state::ending: now_.state = flow_state::ended; return flow_event::ended;
    case flow_state::requested:
    case flow_state::open: now_.state = flow_state::peer_ended; return flow_event::peer_ended;
    default: return breach(why);
  }
}

flow_event flow::process(const message& m, failure& why) noexcept try {
  if (!turn(now_.state != flow_state::broken, why)) return flow_event::late;
  flow_event out = flow_event::late;
  const cbor_value label = read_label(m.label, why);
  if (why.code == tgmap::errc::out_of_memory) return out;
  const std::string_view what = text_of(label, "flow");
  if (why || m.form != flow_form || what.size() != 3)
    why = why ? why : failure{.code = errc::flow_protocol};
  else if (what == "BOT")
    out = take_bot(label, why);
  else if (what == "PAY")
    out = take_pay(label, why);
  else if (what == "DAT")
    out = take_dat(why);
  else if (what == "EOT")
    out = take_eot(why);
  else
    breach(why);
  // After its end it stays ended, whatever comes.
  if (why && now_.state != flow_state::ended) now_.state = flow_state::broken;
  return out;
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
  return flow_event::late;
}

bool is_end_of_stream(const message& m) noexcept {
  if (!m.payload.empty()) return false;
  failure why;
  const cbor_value label = read_label(m.label, why);
  return !why && label.view().size() == 1 && text_of(label, "flow") == "DAT";
}

flow_options default_flow_options() noexcept {
  try {
    return {};
  } catch (const std::bad_alloc&) {
    return {.attributes = cbor_value()};
  }
}

flow::flow(failure& why) noexcept : flow(default_flow_options(), why) {}

flow::flow(flow_options options) {
  failure why;
  *this = flow(std::move(options), why);
  detail::raise_if(why);
}

message flow::open() {
  failure why;
  message out = open(why);
  detail::raise_if(why);
  return out;
}

message flow::accept() {
  failure why;
  message out = accept(why);
  detail::raise_if(why);
  return out;
}

message flow::give(const message& m) {
  failure why;
  message out = give(m, why);
  detail::raise_if(why);
  return out;
}

message flow::pay() {
  failure why;
  message out = pay(why);
  detail::raise_if(why);
  return out;
}

message flow::end() {
  failure why;
  message out = end(why);
  detail::raise_if(why);
  return out;
}

flow_event flow::process(const message& m) {
  failure why;
  const flow_event out = process(m, why);
  detail::raise_if(why);
  return out;
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
