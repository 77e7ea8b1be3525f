// SPDX-License-Identifier: Apache-2.0
#include "zio/stream/transport.hpp"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <mutex>
#include <tgmap/zio/errc.hpp>

namespace tgmap::zio {

namespace {

using clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds poll_interval{250};
constexpr milliseconds close_timeout{2000};

constexpr std::array<std::string_view, 6> names_of_ends{"count", "end", "taker", "silence", "signal", "failure"};

}  // namespace

std::string_view to_string_view(stream_end which) noexcept { return names_of_ends[static_cast<std::size_t>(which)]; }

bool concerns_one_message(const failure& why) noexcept {
  return why.code == errc::bad_prefix || why.code == errc::bad_level || why.code == errc::bad_coordinates ||
         why.code == errc::too_few_parts;
}

std::uint64_t message_bytes(const message& m) noexcept {
  std::uint64_t out = prefix_bytes + m.label.size() + coordinates_bytes;
  for (const part& each : m.payload) out += each.bytes.size();
  return out;
}

std::uint64_t stored_bytes(const new_message& m) {
  std::uint64_t out = m.extra.encoded().size();
  for (const auto& each : m.objects) {
    const auto& one = std::get<stored_object>(each);
    out += one.payload_and_masks.size() + one.base.encoded().size() + one.descriptor.encoded().size();
  }
  return out;
}

/// Repeats short attempts until one succeeds or the timeout is over, and polls in between.
template <class Try>
void message_sender::retry(Try&& attempt, failure& why) {
  for (const auto begin = clock::now();;) {
    const auto elapsed = std::chrono::duration_cast<milliseconds>(clock::now() - begin);
    const auto left = timeout_.count() < 0 ? poll_interval : timeout_ - elapsed;
    attempt(std::clamp(left, milliseconds(0), poll_interval), why);
    if (why.code != errc::timed_out) return;
    if (left <= poll_interval && timeout_.count() >= 0) {
      why.found = static_cast<std::uint64_t>(timeout_.count());
      return;
    }
    poll_();
  }
}

void message_sender::open_flow(flow_side side, std::uint64_t credit, failure& why) {
  flow_options how;
  how.side = side;
  how.credit = credit;
  flow_ = std::make_unique<flow_giver>(*socket_, how);
  flow_->open(timeout_, stop_, why);
}

bool message_sender::put(const message& m, failure& why) {
  bool wanted = true;
  retry(
      [&](milliseconds time, failure& to) {
        if (flow_)
          wanted = flow_->put(m, time, stop_, to);
        else
          socket_->send(m, time, stop_, to);
      },
      why);
  return wanted;
}

void message_sender::wait(clock::time_point until, failure& why) {
  why = {};
  std::mutex mutex;
  std::condition_variable_any never_notified;
  std::unique_lock lock(mutex);
  while (!stop_.stop_requested() && clock::now() < until) {
    never_notified.wait_until(lock, stop_, std::min(until, clock::now() + poll_interval), [] { return false; });
    poll_();
  }
  if (stop_.stop_requested()) why = {.code = errc::stopped};
}

void message_sender::drain(failure& why) {
  retry([&](milliseconds time, failure& to) { socket_->drain(time, stop_, to); }, why);
}

void message_sender::close(failure& why) {
  why = {};
  if (flow_) flow_->finish(close_timeout, {}, why);
}

void message_receiver::open_flow(flow_side side, std::uint64_t credit, failure& why) {
  flow_ = std::make_unique<flow_taker>(*socket_, flow_options{.side = side, .credit = credit});
  flow_->open(timeout_, stop_, why);
}

std::optional<message> message_receiver::next(failure& why) {
  if (flow_) return flow_->get(timeout_, stop_, why);
  std::optional<message> out = socket_->receive(timeout_, stop_, why);
  if (why) out.reset();
  return out;
}

void message_receiver::close(failure& why) {
  why = {};
  if (flow_) flow_->finish(close_timeout, {}, why);
}

std::optional<sequence_gap> sequence_check::gap_before(const message& m) {
  const auto known = last_.find(m.origin);
  if (known == last_.end()) {
    if (last_.size() < max_origins) last_.emplace(m.origin, m.seqno);
    return std::nullopt;
  }
  const std::uint64_t before = known->second;
  known->second = m.seqno;
  if (m.seqno == before + 1 || (m.seqno == 0 && before == 0)) return std::nullopt;
  ++gaps_;
  return sequence_gap{m.origin, before, m.seqno};
}

}  // namespace tgmap::zio
