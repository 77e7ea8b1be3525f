// SPDX-License-Identifier: Apache-2.0
#include "cli/input/sliced_target.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "cli/app/cli_error.hpp"
#include "cli/print/human_numbers.hpp"
#include "core/text/trim.hpp"

namespace tgmap::cli {

namespace {

[[noreturn]] void refuse(std::string_view part, std::string_view whole, std::string_view why) {
  throw usage_error(fmt::format("'{}' in the slice '{}' {}", part, whole, why), "write it as in '[10:20,::4,3]'");
}

/// Numbers that are too large become the largest one, which is also beyond every dimension.
std::optional<std::int64_t> number(std::string_view text, std::string_view part, std::string_view whole) {
  text = core::trimmed(text);
  if (text.empty()) return std::nullopt;
  std::int64_t out = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (problem == std::errc::invalid_argument || end != text.data() + text.size())
    refuse(part, whole, "is not an index, a range such as 2:5 or ::4, or ...");
  if (problem == std::errc::result_out_of_range) return text.front() == '-' ? INT64_MIN : INT64_MAX;
  return out;
}

slice_item parse_range(std::string_view part, std::string_view whole) {
  const std::size_t first = part.find(':'), second = part.find(':', first + 1);
  slice_item out{.begin = number(part.substr(0, first), part, whole)};
  out.end = number(part.substr(first + 1, second == part.npos ? part.npos : second - first - 1), part, whole);
  if (second == part.npos) return out;
  const std::int64_t step = number(part.substr(second + 1), part, whole).value_or(1);
  if (step <= 0) refuse(part, whole, "has a step that is not positive");
  out.step = static_cast<std::uint64_t>(step);
  return out;
}

slice_item parse_item(std::string_view part, std::string_view whole) {
  if (part == "...") return {.what = slice_item::kind::rest};
  if (part.find(':') != part.npos) return parse_range(part, whole);
  if (part.empty()) refuse(part, whole, "is empty; : takes a whole dimension");
  return {.what = slice_item::kind::index, .begin = number(part, part, whole)};
}

std::uint64_t magnitude(std::int64_t n) noexcept {
  return n < 0 ? 0 - static_cast<std::uint64_t>(n) : static_cast<std::uint64_t>(n);
}

/// Returns a bound of a range, clamped to the dimension.
std::uint64_t bound(std::int64_t at, std::uint64_t extent) noexcept {
  if (at >= 0) return std::min(magnitude(at), extent);
  return magnitude(at) > extent ? 0 : extent - magnitude(at);
}

void take_range(const slice_item& item, std::uint64_t extent, box& out) {
  out.kept.push_back(out.start.size());
  const std::uint64_t begin = bound(item.begin.value_or(0), extent), end = item.end ? bound(*item.end, extent) : extent;
  const std::uint64_t count = end > begin ? (end - begin - 1) / item.step + 1 : 0;
  out.start.push_back(count == 0 ? 0 : begin);
  out.count.push_back(count);
  out.stride.push_back(count <= 1 ? 1 : item.step);
  out.shape.push_back(count);
}

void take_index(const slice_item& item, std::span<const std::uint64_t> shape, const std::string& text, box& out) {
  const std::size_t axis = out.start.size();
  const std::uint64_t extent = shape[axis];
  const std::int64_t at = *item.begin;
  if (at < 0 ? magnitude(at) > extent : magnitude(at) >= extent)
    throw cli_error(
        fmt::format("index {} is out of range for axis {} with extent {}, in the slice '{}' of the shape [{}]", at,
                    axis, extent, text, fmt::join(shape, ", ")),
        extent == 0 ? "use : for this axis, which is empty"
                    : fmt::format("use 0 to {}, or -{} to -1", extent - 1, extent));
  out.start.push_back(at < 0 ? extent - magnitude(at) : magnitude(at));
  out.count.push_back(1);
  out.stride.push_back(1);
}

}  // namespace

slice_spec parse_slice(std::string_view whole) {
  slice_spec out{.text = std::string(whole)};
  std::string_view rest = whole.substr(1, whole.size() - 2);
  for (bool more = true; more;) {
    const std::size_t comma = rest.find(',');
    const std::string_view part = core::trimmed(rest.substr(0, comma));
    out.items.push_back(parse_item(part, whole));
    more = comma != rest.npos;
    if (more) rest.remove_prefix(comma + 1);
  }
  const auto is_rest = [](const slice_item& item) { return item.what == slice_item::kind::rest; };
  if (std::count_if(out.items.begin(), out.items.end(), is_rest) > 1) refuse("...", whole, "occurs more than once");
  return out;
}

slice_spec parse_slice_option(std::string_view text) {
  text = core::trimmed(text);
  const bool opens = text.starts_with('['), closes = text.ends_with(']');
  if (opens != closes || text == "[") refuse(text, text, "has only one of the brackets");
  return opens ? parse_slice(text) : parse_slice(fmt::format("[{}]", text));
}

box resolve(const slice_spec& slice, std::span<const std::uint64_t> shape) {
  const auto is_rest = [](const slice_item& item) { return item.what == slice_item::kind::rest; };
  const bool has_rest = std::any_of(slice.items.begin(), slice.items.end(), is_rest);
  const std::size_t given = slice.items.size() - (has_rest ? 1 : 0);
  if (given > shape.size())
    throw cli_error(fmt::format("the slice '{}' has {}, but the shape [{}] has {}", slice.text,
                                count_text(given, "dimension"), fmt::join(shape, ", "), shape.size()),
                    "use at most as many dimensions as the object has");
  box out;
  const auto take_all = [&] { take_range({}, shape[out.start.size()], out); };
  for (const slice_item& item : slice.items) {
    if (item.what == slice_item::kind::rest)
      for (std::size_t n = shape.size() - given; n > 0; --n) take_all();
    else if (item.what == slice_item::kind::index)
      take_index(item, shape, slice.text, out);
    else
      take_range(item, shape[out.start.size()], out);
  }
  while (out.start.size() < shape.size()) take_all();
  return out;
}

sliced_target parse_sliced_target(std::string_view text, const file_test& exists) {
  const std::size_t bracket = text.rfind('[');
  if (bracket == text.npos || !text.ends_with(']') || exists(std::string(text)))
    return {.address = parse_target(text, exists)};
  return {.address = parse_target(core::trimmed(text.substr(0, bracket)), exists),
          .slice = parse_slice(text.substr(bracket))};
}

std::vector<sliced_target> parse_sliced_targets(const std::vector<std::string>& texts) {
  std::vector<sliced_target> out;
  for (const std::string& text : texts) out.push_back(parse_sliced_target(text));
  if (std::count_if(out.begin(), out.end(), [](const sliced_target& t) { return t.address.file == "-"; }) > 1)
    throw usage_error("standard input can be read only once; save it to a file first");
  return out;
}

}  // namespace tgmap::cli
