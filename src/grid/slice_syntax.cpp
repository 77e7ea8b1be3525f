// SPDX-License-Identifier: Apache-2.0
#include "grid/slice_syntax.hpp"

#include <algorithm>
#include <charconv>

#include "core/text/trim.hpp"

namespace tgmap::grids {

namespace {

bool is_rest(const slice_item& item) { return item.what == slice_item::kind::rest; }

failure mistake(slice_mistake what, std::uint64_t position, std::uint64_t length) {
  return {.code = errc::invalid_option,
          .offset = position,
          .expected = static_cast<std::uint64_t>(what),
          .found = length,
          .argument = "slice"};
}

/// Parses the items of a slice in brackets. `why` receives the first mistake.
class slice_parser {
 public:
  slice_parser(std::string_view whole, failure& why) : whole_(whole), why_(why) {}

  std::vector<slice_item> items() {
    std::vector<slice_item> out;
    bool has_rest = false;
    std::string_view second{};
    for (std::string_view rest = whole_.substr(1, whole_.size() - 2); !why_;) {
      const std::size_t comma = rest.find(',');
      const std::string_view part = core::trimmed(rest.substr(0, comma));
      out.push_back(item(part.empty() ? rest.substr(0, 0) : part));  // an empty part has a position, too
      if (has_rest && is_rest(out.back())) second = part_;
      has_rest = has_rest || is_rest(out.back());
      if (comma == rest.npos) break;
      rest.remove_prefix(comma + 1);
    }
    part_ = second;
    if (!second.empty()) refuse(slice_mistake::second_rest);
    return out;
  }

  void refuse(slice_mistake what) {
    if (!why_) why_ = mistake(what, static_cast<std::uint64_t>(part_.data() - whole_.data()), part_.size());
  }

 private:
  slice_item item(std::string_view part) {
    part_ = part;
    if (part == "...") return {.what = slice_item::kind::rest};
    if (part.find(':') != part.npos) return range();
    if (part.empty()) refuse(slice_mistake::empty_item);
    return {.what = slice_item::kind::index, .begin = number(part)};
  }

  /// Numbers that are too large become the largest one, which is also beyond every dimension.
  std::optional<std::int64_t> number(std::string_view text) {
    text = core::trimmed(text);
    if (text.empty()) return std::nullopt;
    std::int64_t out = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), out);
    if (problem == std::errc::invalid_argument || end != text.data() + text.size()) refuse(slice_mistake::item);
    if (problem == std::errc::result_out_of_range) return text.front() == '-' ? INT64_MIN : INT64_MAX;
    return out;
  }

  slice_item range() {
    const std::size_t first = part_.find(':'), second = part_.find(':', first + 1);
    slice_item out{.begin = number(part_.substr(0, first))};
    out.end = number(part_.substr(first + 1, second == part_.npos ? part_.npos : second - first - 1));
    if (second == part_.npos) return out;
    const std::int64_t step = number(part_.substr(second + 1)).value_or(1);
    if (step <= 0) refuse(slice_mistake::step);
    out.step = static_cast<std::uint64_t>(step);
    return out;
  }

  std::string_view whole_, part_{};
  failure& why_;
};

std::uint64_t magnitude(std::int64_t n) noexcept {
  return n < 0 ? 0 - static_cast<std::uint64_t>(n) : static_cast<std::uint64_t>(n);
}

/// Returns a bound of a range, clamped to the dimension.
std::uint64_t bound(std::int64_t at, std::uint64_t extent) noexcept {
  if (at >= 0) return std::min(magnitude(at), extent);
  return magnitude(at) > extent ? 0 : extent - magnitude(at);
}

slice::extent range_of(const slice_item& item, std::uint64_t extent) noexcept {
  const std::uint64_t begin = bound(item.begin.value_or(0), extent), end = item.end ? bound(*item.end, extent) : extent;
  const std::uint64_t count = end > begin ? (end - begin - 1) / item.step + 1 : 0;
  return {.begin = count == 0 ? 0 : begin, .size = count, .full_size = extent, .step = count <= 1 ? 1 : item.step};
}

slice::extent index_of(const slice_item& item, std::uint64_t extent, std::size_t dimension, failure& why) noexcept {
  const std::int64_t at = *item.begin;
  if (at < 0 ? magnitude(at) > extent : magnitude(at) >= extent)
    why = {.code = errc::out_of_range,
           .offset = dimension,
           .expected = extent,
           .found = static_cast<std::uint64_t>(at),
           .argument = "index"};
  return {.begin = at < 0 ? extent - magnitude(at) : magnitude(at), .size = 1, .full_size = extent, .is_index = true};
}

}  // namespace

slice_spec parse_slice(std::string_view text, failure& why) {
  why = {};
  text = core::trimmed(text);
  const bool opens = text.starts_with('['), closes = text.ends_with(']');
  slice_spec out{.text = std::string(text)};
  if (opens != closes) {
    why = mistake(slice_mistake::bracket, 0, text.size());
    return out;
  }
  if (!opens) out.text = "[" + out.text + "]";
  out.items = slice_parser(out.text, why).items();
  return out;
}

slice resolve(const slice_spec& of, std::span<const std::uint64_t> shape, failure& why) {
  why = {};
  slice out;
  const auto rests = static_cast<std::size_t>(std::count_if(of.items.begin(), of.items.end(), is_rest));
  const std::size_t given = of.items.size() - rests;
  if (given > shape.size()) {
    why = {.code = errc::out_of_range, .expected = shape.size(), .found = given, .argument = "dimensions"};
    return out;
  }
  const auto take_all = [&] {
    const std::uint64_t extent = shape[out.dimensions.size()];
    out.dimensions.push_back({.begin = 0, .size = extent, .full_size = extent});
  };
  for (const slice_item& item : of.items) {
    const std::size_t d = out.dimensions.size();
    if (is_rest(item))
      for (std::size_t n = shape.size() - given; n > 0; --n) take_all();
    else if (item.what == slice_item::kind::index)
      out.dimensions.push_back(index_of(item, shape[d], d, why));
    else
      out.dimensions.push_back(range_of(item, shape[d]));
    if (why) return out;
  }
  while (out.dimensions.size() < shape.size()) take_all();
  return out;
}

}  // namespace tgmap::grids
