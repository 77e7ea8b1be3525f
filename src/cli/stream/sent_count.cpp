// SPDX-License-Identifier: Apache-2.0
#include "cli/stream/sent_count.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "cli/app/session.hpp"
#include "cli/print/human_numbers.hpp"
#include "cli/print/json.hpp"

namespace tgmap::cli {

void sent_count::add(std::uint64_t bytes, const zio::socket& over) {
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

void sent_count::report(const zio::socket& over, const std::string& endpoint, std::string_view ended, bool as_json,
                        session& run) {
  const std::chrono::duration<double> passed = clock::now() - start_;
  const auto counts = over.statistics();
  const std::uint64_t copied = copied_ + counts.bytes_copied;
  drop_sent_sizes(counts.messages_in_flight);
  const std::uint64_t sent = messages_ - waiting_.size(),
                      sent_bytes = std::accumulate(waiting_.begin(), waiting_.end(), bytes_, std::minus<>());
  if (as_json)
    return run.out.write(json_line({{"endpoint", over.endpoint()},
                                    {"messages", sent},
                                    {"bytes", sent_bytes},
                                    {"bytes_copied", copied},
                                    {"messages_in_flight", waiting_.size()},
                                    {"bytes_in_flight", counts.bytes_in_flight},
                                    {"seconds", passed.count()},
                                    {"connected", counts.connected},
                                    {"disconnected", counts.disconnected},
                                    {"refused", counts.refused},
                                    {"ended", ended}}));
  std::string line = fmt::format("{}: {} sent, {}, in {}", endpoint, count_text(sent, "message"),
                                 human_size(sent_bytes), human_time(passed.count() * 1000));
  if (passed.count() > 0)
    line +=
        fmt::format(", {}/s", short_size(static_cast<std::uint64_t>(static_cast<double>(sent_bytes) / passed.count())));
  if (!waiting_.empty())
    line +=
        fmt::format(", {} not sent, {}", count_text(waiting_.size(), "message"), short_size(counts.bytes_in_flight));
  run.report.hint(line);
}

}  // namespace tgmap::cli
