// SPDX-License-Identifier: Apache-2.0
#include "collection/content_survey.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "collection/surveyed_keys.hpp"

namespace tgmap::archives {

namespace {

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
  if (most == 0) return false;
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
  if (item.kind() == cbor_kind::array)
    return "[" + std::to_string(item.size()) + (item.size() == 1 ? " value]" : " values]");
  return item.text();
}

std::string shape_text(std::span<const std::uint64_t> shape) {
  std::string out = "[";
  for (const std::uint64_t extent : shape) out.append(out.size() == 1 ? "" : ", ").append(std::to_string(extent));
  return out + "]";
}

/// Returns the number of objects of a message whose keys may be read. Each object shares the keys of the message, so
/// reading the keys of all objects could take quadratic time. This number bounds it by a multiple of the size of the
/// message.
std::uint64_t objects_with_keys(const message& m, std::uint64_t max_objects) {
  std::uint64_t size = 0;
  failure why;
  frame_range range = m.frames(why);
  for (frame f; !why && range.next(f, why);)
    if (f.type() == frame_type::header_metadata || f.type() == frame_type::footer_metadata) size += f.length();
  return 16 + (size == 0 ? max_objects : 16 * (m.length() / size));
}

}  // namespace

content_survey::content_survey(std::uint64_t messages, const survey_options& options)
    : options_(options),
      total_(messages),
      most_(std::min(messages, options.max_messages)),
      each_(options.max_objects / std::max<std::uint64_t>(most_, 1)) {
  out_.is_sample = messages > options.max_messages;
}

void content_survey::add(const message& m) {
  if (!is_in_sample(seen_++, total_, most_) || m.version() == 1) return;
  ++out_.messages;
  failure why;
  const std::size_t objects = m.size(why);
  const std::uint64_t with_keys = std::min(each_, objects < 16 ? 16 : objects_with_keys(m, options_.max_objects));
  out_.is_sample = out_.is_sample || objects > with_keys;
  for (std::size_t j = 0; j < objects; ++j)
    if (is_in_sample(j, objects, each_)) add_object(m, j, is_in_sample(j, objects, with_keys));
  if (objects != 0 || why) return;
  const metadata keys = m.metadata(why);
  if (!why) add_keys(keys);
}

void content_survey::add_object(const message& m, std::size_t number, bool with_keys) {
  failure why;
  const object one = m.at(number, why);
  if (why) return;
  ++out_.objects;
  const descriptor what = one.descriptor(why);
  if (!why) {
    ++out_.dtypes[std::string(to_string_view(what.dtype))];
    ++out_.shapes[shape_text(what.shape())];
    ++out_.codecs[codecs_of(what)];
  }
  out_.is_sample = out_.is_sample || bytes_ > options_.max_bytes;
  if (!with_keys || bytes_ > options_.max_bytes) return;
  failure unreadable;
  const metadata keys = one.metadata(unreadable);
  if (!unreadable) add_keys(keys);
}

void content_survey::add_keys(const metadata& keys) {
  for_each_key(keys, [&](const std::string& path, const cbor_view& item) { add_key(path, item); });
}

void content_survey::add_key(const std::string& path, const cbor_view& item) {
  if (bytes_ > options_.max_bytes) {
    out_.is_sample = true;
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
  const value next{.number = known.of_text.size()};
  ++known.of_text.try_emplace(std::move(text), next).first->second.objects;
}

surveyed_content content_survey::finish() && {
  for (const auto& [path, known] : keys_) {
    surveyed_key one{.path = path, .objects = known.objects, .distinct = known.of_text.size()};
    one.values.resize(std::min(known.of_text.size(), options_.max_values));
    for (const auto& [text, found] : known.of_text)
      if (found.number < one.values.size()) one.values[found.number] = {.text = text, .objects = found.objects};
    if (!known.has_others && known.as_numbers.size() >= 3)
      one.range = {*known.as_numbers.begin(), *known.as_numbers.rbegin(), step_of(known.as_numbers)};
    out_.keys.push_back(std::move(one));
  }
  const auto comes_before = [](const surveyed_key& a, const surveyed_key& b) {
    return rank_of_key(a.path) < rank_of_key(b.path);
  };
  std::stable_sort(out_.keys.begin(), out_.keys.end(), comes_before);
  return std::move(out_);
}

}  // namespace tgmap::archives
