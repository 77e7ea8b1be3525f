// SPDX-License-Identifier: Apache-2.0
#include "picture/slice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <stdexcept>

#include "core/text/trim.hpp"

namespace tgmap::picture {

namespace {

std::optional<std::int64_t> number(std::string_view text, std::string_view input) {
  if (text.empty()) return std::nullopt;
  std::int64_t out = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (problem != std::errc{} || end != text.data() + text.size())
    throw std::invalid_argument(fmt::format("'{}' in '{}' is not an index or a range such as : or 2:5", text, input));
  return out;
}

index_range parse_range(std::string_view text, std::string_view input) {
  const std::size_t colon = text.find(':');
  if (colon != text.npos)
    return {.begin = number(core::trimmed(text.substr(0, colon)), input),
            .end = number(core::trimmed(text.substr(colon + 1)), input)};
  if (text.empty())
    throw std::invalid_argument(fmt::format("'{}' leaves out a dimension; write : for all of it", input));
  return {.is_index = true, .begin = number(text, input)};
}

/// Returns a bound of a range, clamped to the dimension. A negative bound counts from the end.
std::uint64_t bound(std::int64_t at, std::uint64_t size) {
  if (at >= 0) return std::min(static_cast<std::uint64_t>(at), size);
  const std::uint64_t distance = 0 - static_cast<std::uint64_t>(at);
  return distance > size ? 0 : size - distance;
}

slice::extent resolve(const index_range& c, std::uint64_t size) {
  if (!c.is_index) {
    const std::uint64_t begin = bound(c.begin.value_or(0), size), end = c.end ? bound(*c.end, size) : size;
    return {begin, end > begin ? end - begin : 0, size, false};
  }
  const std::int64_t at = *c.begin;
  const std::uint64_t distance = at < 0 ? 0 - static_cast<std::uint64_t>(at) : static_cast<std::uint64_t>(at) + 1;
  if (distance > size)
    throw std::invalid_argument(fmt::format("index {} is out of range for a dimension of {}", at, size));
  return {at < 0 ? size - distance : distance - 1, 1, size, true};
}

std::string text_of(const slice::extent& e) {
  if (e.is_index) return fmt::format("{}", e.begin);
  if (e.begin == 0 && e.size == e.full_size) return ":";
  return fmt::format("{}:{}", e.begin, e.begin + e.size);
}

}  // namespace

std::vector<index_range> parse_slice(std::string_view text) {
  const std::string_view input = text;
  text = core::trimmed(text);
  if (text.starts_with('[') != text.ends_with(']') || text == "[")
    throw std::invalid_argument(fmt::format("unbalanced brackets in '{}'", input));
  if (text.starts_with('[')) text = core::trimmed(text.substr(1, text.size() - 2));

  std::vector<index_range> out;
  if (text.empty()) return out;
  for (;;) {
    const std::size_t comma = text.find(',');
    out.push_back(parse_range(core::trimmed(text.substr(0, comma)), input));
    if (comma == text.npos) return out;
    text.remove_prefix(comma + 1);
  }
}

std::uint64_t slice::elements() const noexcept {
  // Cannot overflow: reading the descriptor checked the product of all extents, unless one of them is 0.
  std::uint64_t out = 1;
  for (const extent& e : dimensions)
    if (e.size == 0) return 0;
  for (const extent& e : dimensions) out *= e.size;
  return out;
}

std::vector<std::size_t> slice::axes() const {
  std::vector<std::size_t> out;
  for (std::size_t d = 0; d < dimensions.size(); ++d)
    if (!dimensions[d].is_index && dimensions[d].size != 1) out.push_back(d);
  return out;
}

bool slice::is_full() const noexcept {
  return std::all_of(dimensions.begin(), dimensions.end(), [](const extent& e) { return e.size == e.full_size; });
}

std::string slice::text() const {
  std::vector<std::string> parts;
  std::transform(dimensions.begin(), dimensions.end(), std::back_inserter(parts), text_of);
  return fmt::format("[{}]", fmt::join(parts, ", "));
}

slice full_slice(std::span<const std::uint64_t> shape) {
  slice out;
  for (const std::uint64_t size : shape) out.dimensions.push_back({0, size, size, false});
  return out;
}

slice default_slice(std::span<const std::uint64_t> shape) {
  slice out = full_slice(shape);
  if (out.elements() == 0) return out;
  const auto axes = out.axes();
  for (std::size_t i = 0; i + 2 < axes.size(); ++i) {
    out.dimensions[axes[i]].size = 1;
    out.dimensions[axes[i]].is_index = true;
  }
  return out;
}

slice resolve(std::span<const index_range> ranges, std::span<const std::uint64_t> shape) {
  if (ranges.size() != shape.size())
    throw std::invalid_argument(fmt::format("a slice of {} dimension{} does not fit the shape {}", ranges.size(),
                                            ranges.size() == 1 ? "" : "s", shape_text(shape)));
  slice out;
  for (std::size_t d = 0; d < shape.size(); ++d) out.dimensions.push_back(resolve(ranges[d], shape[d]));
  return out;
}

std::string shape_text(std::span<const std::uint64_t> shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }

}  // namespace tgmap::picture
