// SPDX-License-Identifier: Apache-2.0
#include "cli/stream/pace.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace tgmap::cli {

namespace {

constexpr double longest_wait = 1e9;  // seconds

pace::clock::duration seconds(double number) {
  return std::chrono::duration_cast<pace::clock::duration>(
      std::chrono::duration<double>(std::min(number, longest_wait)));
}

}  // namespace

std::optional<pace_options> parse_rate(const std::string& text) {
  pace_options out;
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

pace::clock::time_point pace::due(std::uint64_t bytes, std::optional<std::uint64_t> granule, clock::time_point now) {
  if (how_.as_recorded) {
    if (!granule) return now;
    if (!first_) first_ = {*granule, now};
    if (*granule <= first_->granule) return now;
    return first_->time + seconds(static_cast<double>(*granule - first_->granule) * 1e-6);
  }
  if (!how_.messages && !how_.bytes) return now;
  const clock::time_point out = std::max(next_.value_or(now), now);
  next_ = out + seconds(how_.messages ? 1 / *how_.messages : static_cast<double>(bytes) / *how_.bytes);
  return out;
}

}  // namespace tgmap::cli
