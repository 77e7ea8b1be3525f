// SPDX-License-Identifier: Apache-2.0
#include "zio/stream/sent_count.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

namespace tgmap::zio {

void sent_count::add(std::uint64_t bytes, const socket& over) {
  ++messages_;
  bytes_ += bytes;
  waiting_.push_back(bytes);
  if (waiting_.size() < next_look_) return;
  drop_sent_sizes(over.statistics().messages_in_flight);
  next_look_ = std::max(min_looked, 2 * waiting_.size());
}

/// ZeroMQ sends messages in order, so the last ones are not sent.
void sent_count::drop_sent_sizes(std::uint64_t in_flight) {
  while (waiting_.size() > in_flight) waiting_.pop_front();
}

sent_totals sent_count::totals(const socket& over) {
  const std::chrono::duration<double> passed = clock::now() - start_;
  sent_totals out{.socket = over.statistics(), .seconds = passed.count()};
  drop_sent_sizes(out.socket.messages_in_flight);
  out.messages = messages_ - waiting_.size();
  out.bytes = std::accumulate(waiting_.begin(), waiting_.end(), bytes_, std::minus<>());
  out.bytes_copied = copied_ + out.socket.bytes_copied;
  out.messages_in_flight = waiting_.size();
  return out;
}

}  // namespace tgmap::zio
