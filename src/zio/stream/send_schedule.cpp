// SPDX-License-Identifier: Apache-2.0
#include "zio/stream/send_schedule.hpp"

#include <algorithm>

namespace tgmap::zio {

namespace {

constexpr double max_wait = 1e9;  // seconds

send_schedule::clock::duration seconds(double number) {
  return std::chrono::duration_cast<send_schedule::clock::duration>(
      std::chrono::duration<double>(std::min(number, max_wait)));
}

}  // namespace

send_schedule::clock::time_point send_schedule::due(std::uint64_t bytes, std::optional<std::uint64_t> granule,
                                                    clock::time_point now) {
  if (rate_.as_recorded) {
    if (!granule) return now;
    if (!start_) start_ = {*granule, now};
    if (*granule <= start_->granule) return now;
    return start_->time + seconds(static_cast<double>(*granule - start_->granule) * 1e-6);
  }
  if (!rate_.messages && !rate_.bytes) return now;
  const clock::time_point out = std::max(next_.value_or(now), now);
  next_ = out + seconds(rate_.messages ? 1 / *rate_.messages : static_cast<double>(bytes) / *rate_.bytes);
  return out;
}

}  // namespace tgmap::zio
