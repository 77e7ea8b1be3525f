// SPDX-License-Identifier: Apache-2.0
#include <tgmap/zio/flow_port.hpp>
#include <utility>

#include "zio/flow_label.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

namespace {

flow_options as_taker(flow_options options) noexcept {
  options.role = flow_role::taker;
  return options;
}

}  // namespace

flow_taker::flow_taker(socket& over, flow_options options, failure& why) noexcept
    : flow_port(over, as_taker(std::move(options)), why) {}

flow_taker::flow_taker(socket& over, failure& why) noexcept : flow_taker(over, default_flow_options(), why) {}

flow_taker::flow_taker(socket& over, flow_options options) : flow_port(over, as_taker(std::move(options))) {}

std::optional<message> flow_taker::get(std::chrono::milliseconds timeout, const std::stop_token& stop,
                                       failure& why) noexcept {
  why = {};
  if (flow_.state() == flow_state::peer_ended) return std::nullopt;
  if (flow_.state() != flow_state::open) {
    why = {.code = tgmap::errc::call_out_of_order};
    return std::nullopt;
  }
  const deadline whole(timeout), no_time(std::chrono::milliseconds(0));
  pay(whole, stop, why);
  // What it has sent before it went is here.
  const failure gone = why.code == errc::peer_gone ? std::exchange(why, {}) : failure{};
  std::optional<message> out(std::in_place);
  while (!why && flow_.state() == flow_state::open)
    if (receive_event(*out, gone ? no_time : whole, stop, why) == flow_event::data && !why) return out;
  if (gone && why.code == errc::timed_out) why = gone;
  return std::nullopt;
}

std::optional<message> flow_taker::get(std::chrono::milliseconds timeout, const std::stop_token& stop) {
  failure why;
  auto out = get(timeout, stop, why);
  detail::raise_if(why);
  return out;
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
