// SPDX-License-Identifier: Apache-2.0
#include "cli/stream/outgoing.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>

namespace tgmap::cli {

namespace {

using clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds between_looks_at_files{250};
constexpr milliseconds for_the_last_words{2000};

}  // namespace

/// Tries again and again, each time for a while, until it is done or patience is over.
template <class Try>
void outgoing::persist(Try&& attempt, failure& why) {
  for (const auto begin = clock::now();;) {
    const auto gone = std::chrono::duration_cast<milliseconds>(clock::now() - begin);
    const auto left = silence_.count() < 0 ? between_looks_at_files : silence_ - gone;
    attempt(std::clamp(left, milliseconds(0), between_looks_at_files), why);
    if (why.code != zio::errc::timed_out) return;
    if (left <= between_looks_at_files && silence_.count() >= 0) {
      why.found = static_cast<std::uint64_t>(silence_.count());
      return;
    }
    look_();
  }
}

void outgoing::open_flow(zio::flow_side side, std::uint64_t credit, failure& why) {
  zio::flow_options how;
  how.side = side;
  how.credit = credit;
  flow_ = std::make_unique<zio::flow_giver>(*over_, how);
  flow_->open(silence_, stop_, why);
}

bool outgoing::put(const zio::message& m, failure& why) {
  bool wanted = true;
  persist(
      [&](milliseconds time, failure& to) {
        if (flow_)
          wanted = flow_->put(m, time, stop_, to);
        else
          over_->send(m, time, stop_, to);
      },
      why);
  return wanted;
}

void outgoing::wait(clock::time_point until, failure& why) {
  why = {};
  std::mutex mutex;
  std::condition_variable_any never;
  std::unique_lock lock(mutex);
  while (!stop_.stop_requested() && clock::now() < until) {
    never.wait_until(lock, stop_, std::min(until, clock::now() + between_looks_at_files), [] { return false; });
    look_();
  }
  if (stop_.stop_requested()) why = {.code = zio::errc::stopped};
}

void outgoing::drain(failure& why) {
  persist([&](milliseconds time, failure& to) { over_->drain(time, stop_, to); }, why);
}

void outgoing::close(failure& why) {
  why = {};
  if (flow_) flow_->finish(for_the_last_words, {}, why);
}

}  // namespace tgmap::cli
