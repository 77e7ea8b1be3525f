// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <new>
#include <optional>
#include <tgmap/zio/flow.hpp>
#include <tgmap/zio/label.hpp>
#include <utility>

#include "core/or_throw.hpp"
#include "zio/flow/flow_label.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

namespace {

constexpr const char* eot_label = R"({"flow":"EOT"})";

std::uint64_t microseconds_since_1970() {
  const auto time = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(time).count());
}

constexpr flow_role opposite(flow_role role) noexcept {
  return role == flow_role::giver ? flow_role::taker : flow_role::giver;
}

/// Returns the "direction" in the BOT of an end with this role.
constexpr std::string_view direction(flow_role role) noexcept {
  return role == flow_role::giver ? "extract" : "inject";
}

flow_event protocol_violation(failure& why) noexcept {
  why = {.code = errc::flow_protocol};
  return flow_event::late;
}

}  // namespace

std::string_view text_of(const cbor_value& label, std::string_view key) noexcept {
  const auto found = label.view().find(key);
  return found ? found->get<std::string_view>().value_or("") : "";
}

std::optional<std::uint64_t> number_of(const cbor_value& label, std::string_view key) noexcept {
  const auto found = label.view().find(key);
  if (!found) return std::nullopt;
  if (const auto integer = found->get<std::uint64_t>()) return integer;
  constexpr double limit = 0x1p53;
  const auto number = found->get<double>();
  if (found->kind() != cbor_kind::floating || !number || !(*number >= 0 && *number < limit)) return std::nullopt;
  const auto whole = static_cast<std::uint64_t>(*number);
  return static_cast<double>(whole) == *number ? std::optional(whole) : std::nullopt;
}

std::string make_dat_label(const std::string& label) {
  cbor_value keys = read_label(label);
  if (keys.kind() == cbor_kind::null) keys = cbor_value::map();
  if (!keys.is_map()) detail::raise({.code = errc::bad_label});
  if (text_of(keys, "flow") == "DAT") return label;
  keys.update(cbor_value::map({{"flow", "DAT"}}));
  return write_label(keys);
}

flow_options default_flow_options() noexcept {
  try {
    return {};
  } catch (const std::bad_alloc&) {
    return {.attributes = cbor_value()};
  }
}

flow::flow(flow_options options, failure& why) noexcept : options_(std::move(options)) {
  why = {};
  current_.total = options_.credit;
  if (current_.total == 0)
    why = {.code = tgmap::errc::invalid_option, .found = current_.total, .argument = "flow_options::credit"};
  if (!why && !options_.attributes.is_map())
    why = {.code = tgmap::errc::invalid_option, .argument = "flow_options::attributes"};
  if (!why) write_label(options_.attributes, why);
  if (why.code == errc::bad_label) why = {.code = tgmap::errc::invalid_option, .argument = "flow_options::attributes"};
  if (why) current_.state = flow_state::ended;
}

std::string flow::make_bot_label(cbor_value attributes, std::uint64_t credit) const {
  attributes.update(cbor_value::map({{"credit", credit}, {"direction", direction(options_.role)}, {"flow", "BOT"}}));
  return write_label(attributes);
}

message flow::make_message(std::string label, std::uint64_t seqno) const {
  message out{.form = flow_form, .label = std::move(label), .origin = options_.origin, .seqno = seqno};
  out.granule = options_.granule ? options_.granule(out) : microseconds_since_1970();
  return out;
}

message flow::make(std::string label) {
  message out = make_message(std::move(label), current_.next);
  previous_ = current_;
  ++current_.next;
  return out;
}

void flow::rollback() noexcept { current_ = previous_; }

bool flow::allow(bool is_allowed, failure& why) const noexcept {
  why = {};
  if (!is_allowed) why = {.code = tgmap::errc::call_out_of_order};
  return is_allowed;
}

message flow::open(failure& why) noexcept try {
  if (!allow(current_.state == flow_state::closed && options_.side == flow_side::client, why)) return {};
  message out = make(make_bot_label(options_.attributes, current_.total));
  current_.state = flow_state::opening;
  return out;
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
  return {};
}

message flow::open() {
  return core::or_throw([&](failure& why) { return open(why); });
}

message flow::accept(failure& why) noexcept try {
  if (!allow(current_.state == flow_state::requested, why)) return {};
  const std::uint64_t offered = number_of(peer_bot_, "credit").value_or(0);
  const std::uint64_t agreed = std::min(offered, options_.credit);
  message out = make(make_bot_label(peer_bot_, options_.echo_credit ? offered : agreed));
  current_.total = agreed;
  current_.credit = is_giver() ? 0 : current_.total;
  current_.state = flow_state::open;
  return out;
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
  return {};
}

message flow::accept() {
  return core::or_throw([&](failure& why) { return accept(why); });
}

const std::string& flow::dat_label(const std::string& label) {
  if (last_dat_label_.empty() || label != last_label_) {
    std::string dat_label = make_dat_label(label);
    last_label_ = label;
    last_dat_label_ = std::move(dat_label);
  }
  return last_dat_label_;
}

message flow::give(const message& m, failure& why) noexcept try {
  if (!allow(current_.state == flow_state::open && is_giver() && current_.credit > 0, why)) return {};
  message out{.form = flow_form,
              .label = dat_label(m.label),
              .origin = options_.origin,
              .granule = m.granule,
              .seqno = current_.next,
              .payload = m.payload};
  out.granule = options_.granule ? options_.granule(out) : microseconds_since_1970();
  previous_ = current_;
  ++current_.next;
  --current_.credit;
  return out;
} catch (const error& e) {
  last_dat_label_.clear();
  why = e.details();
  return {};
} catch (const std::bad_alloc&) {
  last_dat_label_.clear();
  why = {.code = tgmap::errc::out_of_memory};
  return {};
}

message flow::give(const message& m) {
  return core::or_throw([&](failure& why) { return give(m, why); });
}

message flow::pay(failure& why) noexcept try {
  if (!allow(current_.state == flow_state::open && !is_giver() && current_.credit > 0, why)) return {};
  message out = make(write_label(cbor_value::map({{"credit", current_.credit}, {"flow", "PAY"}})));
  current_.credit = 0;
  return out;
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
  return {};
}

message flow::pay() {
  return core::or_throw([&](failure& why) { return pay(why); });
}

message flow::end(failure& why) noexcept try {
  constexpr auto can_end = [](flow_state s) { return s != flow_state::closed && s < flow_state::ending; };
  const bool is_last = current_.state == flow_state::peer_ended || current_.state == flow_state::requested ||
                       current_.state == flow_state::broken;
  if (!allow(is_last || can_end(current_.state), why)) return {};
  message out = make(eot_label);
  current_.state = is_last ? flow_state::ended : flow_state::ending;
  return out;
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
  return {};
}

message flow::end() {
  return core::or_throw([&](failure& why) { return end(why); });
}

message flow::refusal(failure& why) const noexcept try {
  why = {};
  return make_message(eot_label, 0);
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
  return {};
}

flow_event flow::process_bot(const cbor_value& label, failure& why) {
  const auto credit = number_of(label, "credit");
  if (text_of(label, "direction") != direction(opposite(options_.role)) || !credit || *credit == 0)
    return protocol_violation(why);
  if (current_.state == flow_state::closed && options_.side == flow_side::server) {
    peer_bot_ = label;
    current_.state = flow_state::requested;
    return flow_event::requested;
  }
  // We ended before the answer came. A second answer is still a violation.
  const bool is_late =
      current_.state == flow_state::ending && options_.side == flow_side::client && !peer_bot_.is_map();
  if (current_.state != flow_state::opening && !is_late) return protocol_violation(why);
  if (!is_giver() && *credit > current_.total) return protocol_violation(why);
  peer_bot_ = label;
  if (is_late) return flow_event::late;
  current_.total = *credit;
  current_.credit = is_giver() ? 0 : current_.total;
  current_.state = flow_state::open;
  return flow_event::opened;
}

flow_event flow::process_pay(const cbor_value& label, failure& why) noexcept {
  if (is_giver() && current_.state == flow_state::ending) return flow_event::late;
  const auto credit = number_of(label, "credit");
  if (!is_giver() || current_.state != flow_state::open || !credit) return protocol_violation(why);
  if (*credit > current_.total - current_.credit) {
    why = {.code = errc::flow_credit, .expected = current_.total - current_.credit, .found = *credit};
    return flow_event::late;
  }
  current_.credit += *credit;
  return flow_event::credited;
}

flow_event flow::process_dat(failure& why) noexcept {
  if (!is_giver() && current_.state == flow_state::ending) return flow_event::late;
  if (is_giver() || current_.state != flow_state::open || current_.credit == current_.total)
    return protocol_violation(why);
  ++current_.credit;
  return flow_event::data;
}

flow_event flow::process_eot(failure& why) noexcept {
  switch (current_.state) {
    case flow_state::opening:
      why = {.code = errc::flow_refused};
      current_.state = flow_state::ended;
      return flow_event::ended;
    case flow_state::ending: current_.state = flow_state::ended; return flow_event::ended;
    case flow_state::requested:
    case flow_state::open: current_.state = flow_state::peer_ended; return flow_event::peer_ended;
    default: return protocol_violation(why);
  }
}

flow_event flow::process(const message& m, failure& why) noexcept try {
  if (!allow(current_.state != flow_state::broken, why)) return flow_event::late;
  flow_event out = flow_event::late;
  const cbor_value label = read_label(m.label, why);
  if (why.code == tgmap::errc::out_of_memory) return out;
  const std::string_view type = text_of(label, "flow");
  if (why || m.form != flow_form || type.size() != 3)
    why = why ? why : failure{.code = errc::flow_protocol};
  else if (type == "BOT")
    out = process_bot(label, why);
  else if (type == "PAY")
    out = process_pay(label, why);
  else if (type == "DAT")
    out = process_dat(why);
  else if (type == "EOT")
    out = process_eot(why);
  else
    protocol_violation(why);
  // A flow that has ended stays ended.
  if (why && current_.state != flow_state::ended) current_.state = flow_state::broken;
  return out;
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
  return flow_event::late;
}

flow_event flow::process(const message& m) {
  return core::or_throw([&](failure& why) { return process(m, why); });
}

bool is_end_of_stream(const message& m) noexcept {
  if (!m.payload.empty()) return false;
  failure why;
  const cbor_value label = read_label(m.label, why);
  return !why && label.view().size() == 1 && text_of(label, "flow") == "DAT";
}

flow::flow(failure& why) noexcept : flow(default_flow_options(), why) {}

flow::flow(flow_options options) {
  failure why;
  *this = flow(std::move(options), why);
  detail::raise_if(why);
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
