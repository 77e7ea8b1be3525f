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
  target found;
  const auto try_file = [&](std::string_view file) {
    found = {};
    found.file = file == standard_input ? "-" : file;
    return exists(std::string(file));
  };
  if (try_file(text)) return found;

  target longest_numbers = found;
  const auto split_before = [&](std::size_t end) { return end == 0 ? text.npos : text.find_last_of(":@", end - 1); };
  for (auto at = split_before(text.size()); at != text.npos; at = split_before(at)) {
    const bool is_file = try_file(text.substr(0, at)), numbers = parse_selector(text.substr(at), found);
    if (is_file && numbers) return found;
    if (is_file)
      throw usage_error("'" + std::string(text.substr(at)) + "' after '" + found.file +
                        "' is not :MESSAGE, :MESSAGE:OBJECT, @OFFSET or @OFFSET:OBJECT");
    if (numbers) longest_numbers = found;
  }
  return longest_numbers;
}

}  // namespace tgmap::cli
