// SPDX-License-Identifier: Apache-2.0
#include "cli/target.hpp"

#include <charconv>
#include <filesystem>
#include <system_error>

#include "cli/complaint.hpp"

namespace tgmap::cli {

namespace {

template <class Number>
std::optional<Number> number(std::string_view text, int base = 10) {
  Number out{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), out, base);
  if (problem != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return out;
}

/// Decimal, or hexadecimal as in "0x3a10": error messages give offsets that way.
std::optional<std::uint64_t> offset(std::string_view text) {
  return text.starts_with("0x") ? number<std::uint64_t>(text.substr(2), 16) : number<std::uint64_t>(text);
}

/// Reads ":MESSAGE", ":MESSAGE:OBJECT", "@OFFSET" or "@OFFSET:OBJECT" into `out`.
bool parse_selector(std::string_view text, target& out) {
  const char sign = text.front();
  text.remove_prefix(1);
  const std::size_t colon = text.find(':');
  const std::string_view first = text.substr(0, colon);

  if (sign == '@')
    out.offset = offset(first);
  else
    out.message = number<std::int64_t>(first);
  if (out.whole_file()) return false;
  if (colon == text.npos) return true;
  out.object = number<std::int64_t>(text.substr(colon + 1));
  return out.object.has_value();
}

}  // namespace

bool exists_on_disk(const std::string& path) {
  if (path == "-") return true;
  std::error_code ignored;
  const auto type = std::filesystem::status(path, ignored).type();
  return type != std::filesystem::file_type::not_found && type != std::filesystem::file_type::none;
}

target parse_target(std::string_view text, const file_test& exists) {
  const auto split_before = [&](std::size_t end) { return end == 0 ? text.npos : text.find_last_of(":@", end - 1); };

  target whole;
  whole.file = text;
  if (exists(whole.file)) return whole;

  target longest_numbers = whole;
  for (auto at = split_before(text.size()); at != text.npos; at = split_before(at)) {
    target out;
    out.file = text.substr(0, at);
    const std::string rest(text.substr(at));
    const bool numbers = parse_selector(rest, out);
    if (exists(out.file)) {
      if (numbers) return out;
      throw usage_error("'" + rest + "' after '" + out.file +
                        "' is not :MESSAGE, :MESSAGE:OBJECT, @OFFSET or @OFFSET:OBJECT");
    }
    if (numbers) longest_numbers = out;
  }
  return longest_numbers;
}

}  // namespace tgmap::cli
