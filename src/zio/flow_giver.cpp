// SPDX-License-Identifier: Apache-2.0
#include <tgmap/zio/flow_port.hpp>
#include <utility>

#include "zio/flow_label.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

namespace {

flow_options as_giver(flow_options options) noexcept {
  options.role = flow_role::giver;
  return options;
}

}  // namespace

flow_giver::flow_giver(socket& over, flow_options options, failure& why) noexcept
    : flow_port(over, as_giver(std::move(options)), why) {}

flow_giver::flow_giver(socket& over, failure& why) noexcept : flow_giver(over, default_flow_options(), why) {}

flow_giver::flow_giver(socket& over, flow_options options) : flow_port(over, as_giver(std::move(options))) {}

bool flow_giver::put(const message& m, std::chrono::milliseconds timeout, const std::stop_token& stop,
                     failure& why) noexcept {
  why = {};
  const deadline until(timeout), no_time(std::chrono::milliseconds(0));
  message heard;
  // What waits is read first: it may be the taker's end.
  while (!why && flow_.state() == flow_state::open) receive_event(heard, no_time, stop, why);
  if (why.code == errc::timed_out) why = {};
  while (!why && flow_.state() == flow_state::open && flow_.credit() == 0) receive_event(heard, until, stop, why);
  if (why || flow_.state() == flow_state::peer_ended) return false;
  const message dat = flow_.give(m, why);
  if (!why) send_message(dat, until, stop, why);
  return !why;
}

bool flow_giver::put(const message& m, std::chrono::milliseconds timeout, const std::stop_token& stop) {
  failure why;
  const bool out = put(m, timeout, stop, why);
  detail::raise_if(why);
  return out;
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
