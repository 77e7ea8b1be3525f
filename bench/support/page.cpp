// SPDX-License-Identifier: Apache-2.0
#include "support/page.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

namespace tgmap_bench {

namespace {

std::string scaled(double value, double step, std::string_view smallest,
                   std::initializer_list<std::string_view> units) {
  std::string_view unit = smallest;
  for (const std::string_view next : units) {
    if (value < step * 0.9995) break;
    value /= step;
    unit = next;
  }
  return fmt::format("{:.{}f} {}", value, value < 9.95 && unit != smallest ? 1 : 0, unit);
}

}  // namespace

page::page() : bold_(::isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr) {}

void page::heading(std::string_view text) const {
  const std::string_view on = bold_ ? "\x1b[1m" : "", off = bold_ ? "\x1b[0m" : "";
  fmt::print("\n{}{}{}\n", on, text, off);
}

void page::line(std::string_view text) const { fmt::print("  {}\n", text); }

void page::step(std::string_view name, const std::string& result) {
  const auto taken = clock::now() - started_;
  fmt::print("  {:<34}{:>8}  {}\n", name, human_time(taken), result);
  start();
}

std::string human_size(std::uint64_t bytes) {
  return scaled(static_cast<double>(bytes), 1000, "bytes", {"kB", "MB", "GB", "TB"});
}

std::string human_time(std::chrono::nanoseconds taken) {
  return scaled(static_cast<double>(taken.count()), 1000, "ns", {"µs", "ms", "s"});
}

}  // namespace tgmap_bench
