// SPDX-License-Identifier: Apache-2.0
#include "collection/content_survey.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "cli/print/human_numbers.hpp"
#include "collection/varying_keys.hpp"
#include "core/text/utf8.hpp"

namespace tgmap::cli {

namespace {

constexpr std::uint64_t max_sample_messages = 1000, max_sample_objects = 10'000;
constexpr std::size_t max_sample_metadata = 16 << 20;  // bytes of keys and values
constexpr std::size_t max_shown_value = 24;            // code points of a value at a terminal
constexpr std::size_t max_values_kept = 20, max_keys_shown = 24, max_kinds_shown = 4;

/// Returns a number below `bound` that depends on `of` without a pattern. A sample at equal distances could always
/// find the same parameter.
std::uint64_t pseudo_random(std::uint64_t of, std::uint64_t bound) noexcept {
  of = (of + 1) * 0x9e3779b97f4a7c15u;
  of = (of ^ of >> 30) * 0xbf58476d1ce4e5b9u;
  return (of ^ of >> 31) % bound;
}

/// Divides `total` items into `most` parts and takes one item of each part as a sample. Returns true if item `i` is in
/// it.
bool is_in_sample(std::uint64_t i, std::uint64_t total, std::uint64_t most) noexcept {
  if (total <= most) return true;
  const auto begin_of = [&](std::uint64_t part) { return (part * total + most - 1) / most; };
  const std::uint64_t part = i * most / total, begin = begin_of(part);
  return i == begin + pseudo_random(part, begin_of(part + 1) - begin);
}

std::optional<double> step_of(const std::set<double>& numbers) {
  const double step = *std::next(numbers.begin()) - *numbers.begin();
  for (auto before = numbers.begin(), at = std::next(before); at != numbers.end(); before = at++)
    if (*at - *before != step) return std::nullopt;
  return step;
}

std::string text_of_value(const cbor_view& item) {
  if (item.kind() == cbor_kind::array) return fmt::format("[{}]", count_text(item.size(), "value"));
  return item.text();
}

/// Adds texts with commas between them, as many as fit.
std::string joined_texts(const std::vector<std::string>& all, std::uint64_t count, std::size_t width) {
  std::string out;
  std::size_t used = 0, added = 0;
  for (const std::string& each : all) {
    const std::string text = shortened(each.empty() ? "\"\"" : each, max_shown_value);
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
    out += fmt::format("{}{} ({})", i == 0 ? "" : ", ", shortened(sorted[i].first, max_shown_value), sorted[i].second);
  if (sorted.size() > max_kinds_shown) out += fmt::format(", {} more", sorted.size() - max_kinds_shown);
  return out;
}

json kinds_json(const std::map<std::string, std::uint64_t>& kinds) {
  json out = json::object();
  for (const auto& [name, count] : kinds) add_member(out, name, count);
  return out;
}

std::string range_text(const archive_survey::number_range& range) {
  const std::string ends = fmt::format("{} .. {}", range.first, range.last);
  return range.step ? fmt::format("{} by {}", ends, *range.step) : ends;
}

/// Returns the values of a key in `width` columns. Numbers that do not fit become a range.
std::string values_text(const archive_survey::key& of, std::size_t width) {
  if (of.range && of.range->step) return range_text(*of.range);
  const std::string all = joined_texts(of.values, of.distinct, width);
  return of.range && all.ends_with("…") ? range_text(*of.range) : all;
}

/// Returns the number of objects of a message whose keys may be read. Each object shares the keys of the message, so
/// reading the keys of all objects could take quadratic time. This number bounds it by a multiple of the size of the
/// message.
std::uint64_t objects_with_keys(const message& m) {
  std::uint64_t size = 0;
  failure why;
  frame_range range = m.frames(why);
  for (frame f; !why && range.next(f, why);)
    if (f.type() == frame_type::header_metadata || f.type() == frame_type::footer_metadata) size += f.length();
  return 16 + (size == 0 ? max_sample_objects : 16 * (m.length() / size));
}

}  // namespace

std::string codec_name_of(const descriptor& what) {
  std::string out;
  for (const short_name* const each : {&what.encoding_name, &what.filter_name, &what.compression_name})
    if (each->view() != "none") out.append(out.empty() ? "" : "+").append(each->view());
  return out.empty() ? "none" : out;
}

archive_survey::archive_survey(std::uint64_t messages)
    : total_(messages),
      most_(std::min(messages, max_sample_messages)),
      each_(max_sample_objects / std::max<std::uint64_t>(most_, 1)),
      is_sample_(messages > max_sample_messages) {}

void archive_survey::add(const message& m) {
  if (!is_in_sample(seen_++, total_, most_) || m.version() == 1) return;
  ++messages_;
  failure why;
  const std::size_t objects = m.size(why);
  const std::uint64_t with_keys = std::min(each_, objects < 16 ? 16 : objects_with_keys(m));
  is_sample_ = is_sample_ || objects > with_keys;
  for (std::size_t j = 0; j < objects; ++j)
    if (is_in_sample(j, objects, each_)) add_object(m, j, is_in_sample(j, objects, with_keys));
  if (objects != 0 || why) return;
  const metadata keys = m.metadata(why);
  if (!why) add_keys(keys);
}

void archive_survey::add_object(const message& m, std::size_t number, bool with_keys) {
  failure why;
  const object one = m.at(number, why);
  if (why) return;
  ++objects_;
  const descriptor what = one.descriptor(why);
  if (!why) {
    ++dtypes_[std::string(to_string_view(what.dtype))];
    ++shapes_[fmt::format("[{}]", fmt::join(what.shape(), ", "))];
    ++codecs_[codec_name_of(what)];
  }
  is_sample_ = is_sample_ || bytes_ > max_sample_metadata;
  if (!with_keys || bytes_ > max_sample_metadata) return;
  failure unreadable;
  const metadata keys = one.metadata(unreadable);
  if (!unreadable) add_keys(keys);
}

void archive_survey::add_keys(const metadata& keys) {
  for_each_key(keys, [&](const std::string& path, const cbor_view& item) { add_key(path, item); });
}

void archive_survey::add_key(const std::string& path, const cbor_view& item) {
  if (bytes_ > max_sample_metadata) {
    is_sample_ = true;
    return;
  }
  std::string text = text_of_value(item);
  bytes_ += path.size() + text.size();
  values& known = keys_[path];
  ++known.objects;
  const bool is_number = item.kind() == cbor_kind::integer || item.kind() == cbor_kind::floating;
  const auto number = is_number ? item.get<double>() : std::nullopt;
  if (number && std::isfinite(*number))
    known.as_numbers.insert(*number);
  else
    known.has_others = true;
  known.numbers.try_emplace(std::move(text), known.numbers.size());
}

std::vector<archive_survey::key> archive_survey::keys() const {
  std::vector<key> out;
  for (const auto& [path, known] : keys_) {
    key one{.path = path, .objects = known.objects, .distinct = known.numbers.size()};
    one.values.resize(std::min(known.numbers.size(), max_values_kept));
    for (const auto& [text, number] : known.numbers)
      if (number < one.values.size()) one.values[number] = text;
    if (!known.has_others && known.as_numbers.size() >= 3)
      one.range = number_range{*known.as_numbers.begin(), *known.as_numbers.rbegin(), step_of(known.as_numbers)};
    out.push_back(std::move(one));
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const key& a, const key& b) { return rank_of_key(a.path) < rank_of_key(b.path); });
  return out;
}

json archive_survey::as_json() const {
  json keys = json::array();
  for (const key& each : this->keys()) {
    json one{{"key", each.path}, {"objects", each.objects}, {"distinct", each.distinct}, {"values", each.values}};
    if (each.range) {
      one["first"] = each.range->first;
      one["last"] = each.range->last;
      one["step"] = each.range->step ? json(*each.range->step) : json();
    }
    keys.push_back(std::move(one));
  }
  return {{"is_sample", is_sample_},      {"messages", messages_},         {"objects", objects_},
          {"keys", std::move(keys)},      {"dtypes", kinds_json(dtypes_)}, {"shapes", kinds_json(shapes_)},
          {"codecs", kinds_json(codecs_)}};
}

std::vector<std::pair<std::string, std::string>> archive_survey::lines(std::size_t width, bool with_codecs) const {
  std::vector<std::pair<std::string, std::string>> out;
  const std::vector<key> all = keys();
  const std::size_t shown = std::min(all.size(), max_keys_shown);
  std::size_t widest = 0;
  for (const key& each : std::span(all).first(shown))
    widest = std::max(widest, core::code_point_count(shortened(each.path, max_key_size)));
  for (std::size_t i = 0; i < shown; ++i) {
    const key& each = all[i];
    const std::string path = shortened(each.path, max_key_size);
    std::string text =
        path + std::string(widest - core::code_point_count(path), ' ') + fmt::format("{:>7}  ", each.distinct);
    const std::size_t used = core::code_point_count(text);
    text += values_text(each, width > used ? width - used : 1);
    out.emplace_back(i == 0 ? "keys" : "", std::move(text));
  }
  if (all.size() > shown) out.emplace_back("", fmt::format("{} more keys; --json lists them", all.size() - shown));
  if (!dtypes_.empty()) out.emplace_back("dtypes", kinds_text(dtypes_));
  if (!shapes_.empty()) out.emplace_back("shapes", kinds_text(shapes_));
  if (!codecs_.empty() && with_codecs) out.emplace_back("codecs", kinds_text(codecs_));
  if (is_sample_)
    out.emplace_back("sample", fmt::format("keys, dtypes, shapes and codecs are of {} in {}",
                                           count_text(objects_, "object"), count_text(messages_, "message")));
  return out;
}

}  // namespace tgmap::cli
