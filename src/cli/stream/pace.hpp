// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace tgmap::cli {

/// How fast messages may go: so many a second, so many bytes a second, or as they came when they were recorded.
struct pace_options {
  std::optional<double> messages{}, bytes{};  ///< a second
  bool as_recorded = false;
};

/// What --rate takes: "100" messages, or "50MB/s". Nothing: it is neither.
std::optional<pace_options> parse_rate(const std::string&);

/// Tells when each message is due. What was late is not made up for by haste.
class pace {
 public:
  using clock = std::chrono::steady_clock;

  explicit pace(const pace_options& how) : how_(how) {}

  /// When a message may go, of so many bytes. `granule`: when it was recorded, in microseconds; nothing: not known.
  clock::time_point due(std::uint64_t bytes, std::optional<std::uint64_t> granule, clock::time_point now);

  /// What comes begins anew.
  void restart() noexcept { first_.reset(); }

 private:
  struct beginning {
    std::uint64_t granule;
    clock::time_point time;
  };

  pace_options how_;
  std::optional<clock::time_point> next_{};
  std::optional<beginning> first_{};
};

}  // namespace tgmap::cli
