// SPDX-License-Identifier: Apache-2.0
#include "cli/stream/send_schedule.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace tgmap::cli {

namespace {

constexpr double max_wait = 1e9;  // seconds

send_schedule::clock::duration seconds(double number) {
  return std::chrono::duration_cast<send_schedule::clock::duration>(
      std::chrono::duration<double>(std::min(number, max_wait)));
}

}  // namespace

std::optional<send_rate> parse_rate(const std::string& text) {
  send_rate out;
  if (text.ends_with("/s")) {
    std::string size = text.substr(0, text.size() - 2);
    std::uint64_t number = 0;
    try {
      if (!CLI::AsSizeValue(false)(size).empty()) return std::nullopt;
    } catch (const CLI::Error&) {
      return std::nullopt;
    }
    const auto [end, fault] = std::from_chars(size.data(), size.data() + size.size(), number);
    if (fault != std::errc() || end != size.data() + size.size() || number == 0) return std::nullopt;
    out.bytes = static_cast<double>(number);
    return out;
  }
  double number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc() || end != text.data() + text.size() || !std::isfinite(number) || number <= 0)
    return std::nullopt;
  out.messages = number;
  return out;
}

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

}  // namespace tgmap::cli
