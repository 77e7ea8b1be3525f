// SPDX-License-Identifier: Apache-2.0
#include "cli/print/content_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "cli/print/human_numbers.hpp"
#include "collection/surveyed_keys.hpp"
#include "core/text/shortened.hpp"
#include "core/text/utf8.hpp"

namespace tgmap::cli {

namespace {

constexpr std::size_t max_shown_value = 24;  // code points of a value
constexpr std::size_t max_keys_shown = 24, max_kinds_shown = 4;

/// Adds texts with commas between them, as many as fit.
std::string joined_texts(const std::vector<surveyed_value>& all, std::uint64_t count, std::size_t width) {
  std::string out;
  std::size_t used = 0, added = 0;
  for (const surveyed_value& each : all) {
    const std::string text = core::shortened(each.text.empty() ? "\"\"" : each.text, max_shown_value);
    const std::size_t size = core::code_point_count(text) + (out.empty() ? 0 : 2);
    const bool is_last = added + 1 == count;
    if (!out.empty() && used + size + (is_last ? 0 : 3) > width) break;
    out.append(out.empty() ? "" : ", ").append(text);
    used += size;
    ++added;
  }
  return added < count ? out + ", …" : out;
}

/// Returns the most frequent names with the number of their objects: "float32 (1200), int16 (3)".
std::string kinds_text(const std::map<std::string, std::uint64_t>& kinds) {
  std::vector<std::pair<std::string, std::uint64_t>> sorted(kinds.begin(), kinds.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string out;
  for (std::size_t i = 0; i < std::min(sorted.size(), max_kinds_shown); ++i)
    out += fmt::format("{}{} ({})", i == 0 ? "" : ", ", core::shortened(sorted[i].first, max_shown_value),
                       sorted[i].second);
  if (sorted.size() > max_kinds_shown) out += fmt::format(", {} more", sorted.size() - max_kinds_shown);
  return out;
}

std::string range_text(const surveyed_range& range) {
  const std::string ends = fmt::format("{} .. {}", range.first, range.last);
  return range.step ? fmt::format("{} by {}", ends, *range.step) : ends;
}

/// Returns the values of a key in `width` columns. Numbers that do not fit become a range.
std::string values_text(const surveyed_key& of, std::size_t width) {
  if (of.range && of.range->step) return range_text(*of.range);
  const std::string all = joined_texts(of.values, of.distinct, width);
  return of.range && all.ends_with("…") ? range_text(*of.range) : all;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> content_lines(const surveyed_content& of, std::size_t width,
                                                               bool with_codecs) {
  std::vector<std::pair<std::string, std::string>> out;
  const std::vector<surveyed_key>& all = of.keys;
  const std::size_t shown = std::min(all.size(), max_keys_shown);
  std::size_t widest = 0;
  for (const surveyed_key& each : std::span(all).first(shown))
    widest = std::max(widest, core::code_point_count(core::shortened(each.path, archives::max_key_size)));
  for (std::size_t i = 0; i < shown; ++i) {
    const surveyed_key& each = all[i];
    const std::string path = core::shortened(each.path, archives::max_key_size);
    std::string text =
        path + std::string(widest - core::code_point_count(path), ' ') + fmt::format("{:>7}  ", each.distinct);
    const std::size_t used = core::code_point_count(text);
    text += values_text(each, width > used ? width - used : 1);
    out.emplace_back(i == 0 ? "keys" : "", std::move(text));
  }
  if (all.size() > shown) out.emplace_back("", fmt::format("{} more keys; --json lists them", all.size() - shown));
  if (!of.dtypes.empty()) out.emplace_back("dtypes", kinds_text(of.dtypes));
  if (!of.shapes.empty()) out.emplace_back("shapes", kinds_text(of.shapes));
  if (!of.codecs.empty() && with_codecs) out.emplace_back("codecs", kinds_text(of.codecs));
  if (of.is_sample)
    out.emplace_back("sample", fmt::format("keys, dtypes, shapes and codecs are of {} in {}",
                                           count_text(of.objects, "object"), count_text(of.messages, "message")));
  return out;
}

}  // namespace tgmap::cli
