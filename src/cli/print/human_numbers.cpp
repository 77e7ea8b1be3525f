// SPDX-License-Identifier: Apache-2.0
#include "cli/print/human_numbers.hpp"

#include <fmt/format.h>

namespace tgmap::cli {

std::string count_text(std::uint64_t number, std::string_view singular) {
  return fmt::format("{} {}{}", number, singular, number == 1 ? "" : "s");
}

std::string short_size(std::uint64_t bytes) {
  if (bytes < 1024) return fmt::format("{} B", bytes);
  double scaled = static_cast<double>(bytes) / 1024;
  std::string_view units = "KMGTPE";
  for (; scaled >= 1023.95 && units.size() > 1; units.remove_prefix(1)) scaled /= 1024;
  return fmt::format("{:.1f} {}iB", scaled, units.front());
}

std::string human_size(std::uint64_t bytes) {
  return bytes < 1024 ? count_text(bytes, "byte") : fmt::format("{} ({} bytes)", short_size(bytes), bytes);
}

std::string human_time(double milliseconds) {
  if (milliseconds >= 1000) return fmt::format("{:.1f} s", milliseconds / 1000);
  if (milliseconds >= 10) return fmt::format("{:.0f} ms", milliseconds);
  return fmt::format("{:.2f} ms", milliseconds);
}

}  // namespace tgmap::cli
