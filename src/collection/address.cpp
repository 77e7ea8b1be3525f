// SPDX-License-Identifier: Apache-2.0
// Addresses of messages and objects in files.
#include <tgmap/tools/address.hpp>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <system_error>
#include <utility>

namespace tgmap {
inline namespace v0 {

namespace {

template <class Number>
std::optional<Number> number(std::string_view text, int base = 10) {
  Number out{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), out, base);
  if (problem != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return out;
}

/// Accepts decimal and hexadecimal ("0x3a10"), which error messages print.
std::optional<std::uint64_t> offset(std::string_view text) {
  return text.starts_with("0x") ? number<std::uint64_t>(text.substr(2), 16) : number<std::uint64_t>(text);
}

/// Parses "3", "-1", "2..5", "..-1" or "..".
std::optional<number_range> number_or_range(std::string_view text) {
  const std::size_t dots = text.find("..");
  if (dots == text.npos) {
    const auto one = number<std::int64_t>(text);
    return one ? std::optional(number_range{.begin = one}) : std::nullopt;
  }
  number_range out{.single = false};
  const auto end_of = [](std::string_view part, std::optional<std::int64_t>& into) {
    if (!part.empty()) into = number<std::int64_t>(part);
    return part.empty() || into.has_value();
  };
  const bool sound = end_of(text.substr(0, dots), out.begin) && end_of(text.substr(dots + 2), out.end);
  return sound ? std::optional(out) : std::nullopt;
}

/// Reads ":MESSAGES", ":MESSAGES:OBJECTS", "@OFFSET" or "@OFFSET:OBJECTS" into `out`.
bool parse_numbers(std::string_view text, archive_address& out) {
  const char sign = text.front();
  text.remove_prefix(1);
  const std::size_t colon = text.find(':');
  const std::string_view first = text.substr(0, colon);

  if (sign == '@')
    out.offset = offset(first);
  else
    out.messages = number_or_range(first);
  if (out.whole_file()) return false;
  if (colon == text.npos) return true;
  out.objects = number_or_range(text.substr(colon + 1));
  return out.objects.has_value();
}

}  // namespace

number_bounds to_bounds(const number_range& wanted, std::uint64_t count) noexcept {
  const auto counted = [&](std::int64_t n) {  // wraps around, and so out of range, for numbers before the first
    return n >= 0 ? static_cast<std::uint64_t>(n) : count + static_cast<std::uint64_t>(n);
  };
  if (wanted.single) {
    const std::uint64_t at = counted(wanted.begin.value_or(0));
    return {at, at + 1};
  }
  const auto clamped = [&](std::int64_t n) {
    const bool before_first = n < 0 && std::uint64_t{0} - static_cast<std::uint64_t>(n) > count;
    return before_first ? 0 : std::min(counted(n), count);
  };
  const std::uint64_t begin = clamped(wanted.begin.value_or(0));
  if (!wanted.end || count == 0) return {begin, count};
  const std::uint64_t last = counted(*wanted.end);  // belongs to the range
  const bool is_before_first = *wanted.end < 0 && last >= count;
  const bool is_empty = is_before_first || last < begin;
  return {begin, is_empty ? begin : std::min(last, count - 1) + 1};
}

bool archive_address::exists(const std::string& path) {
  std::error_code ignored;
  const auto type = std::filesystem::status(path, ignored).type();
  return type != std::filesystem::file_type::not_found && type != std::filesystem::file_type::none;
}

archive_address archive_address::parse(std::string_view text, const file_test& test, failure& why) {
  why = {};
  archive_address found;
  const auto try_file = [&](std::string_view named) {
    found = {};
    found.file = named;
    return test(found.file);
  };
  if (try_file(text)) return found;

  archive_address longest_numbers = found;
  const auto split_before = [&](std::size_t end) { return end == 0 ? text.npos : text.find_last_of(":@", end - 1); };
  for (auto at = split_before(text.size()); at != text.npos; at = split_before(at)) {
    const bool is_file = try_file(text.substr(0, at)), numbers = parse_numbers(text.substr(at), found);
    if (is_file && numbers) return found;
    if (is_file) {
      why = {.code = errc::bad_address, .found = at + 1};
      return {.file = std::move(found.file)};
    }
    if (numbers) longest_numbers = found;
  }
  return longest_numbers;
}

archive_address archive_address::parse(std::string_view text, const file_test& test) {
  failure why;
  archive_address out = parse(text, test, why);
  detail::raise_if(why);
  return out;
}

std::string address_text(std::string_view file, const message& of, optional_index object) {
  const auto number = of.index();
  std::string out(file);
  out += number ? ":" + std::to_string(*number) : "@" + std::to_string(of.offset());
  if (object) out += ":" + std::to_string(*object);
  return out;
}

}  // namespace v0
}  // namespace tgmap
