// SPDX-License-Identifier: Apache-2.0
#include "collection/varying_keys.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "collection/surveyed_keys.hpp"
#include "core/text/escape.hpp"
#include "core/text/shortened.hpp"
#include "core/text/utf8.hpp"

namespace tgmap::archives {

namespace {

constexpr std::size_t max_cell = 24;                     // code points
constexpr std::size_t max_surveyed_metadata = 16 << 20;  // bytes of keys and values

/// Joins different values.
class joined_values {
 public:
  void add(const std::string& value) {
    if (!value.empty() && seen_.insert(value).second) text_.append(text_.empty() ? "" : ", ").append(value);
  }
  std::string text() const { return core::shortened(text_, max_cell); }

 private:
  std::set<std::string> seen_{};
  std::string text_{};
};

/// Calls `take` with the metadata of each object, or of the message if it has none.
template <class Take>
void for_each_metadata(const message& m, const Take& take) {
  if (m.version() == 1) return;
  failure why;
  const std::size_t objects = std::min(m.size(why), max_objects_of_keys);
  if (objects == 0 && !why) {
    const metadata keys = m.metadata(why);
    if (!why) take(keys);
  }
  for (std::size_t j = 0; j < objects; ++j) {
    failure unreadable;
    const object one = m.at(j, unreadable);
    if (unreadable) continue;
    const metadata keys = one.metadata(unreadable);
    if (!unreadable) take(keys);
  }
}

}  // namespace

std::vector<std::string> values_of_objects(const message& m, const std::vector<std::string>& paths) {
  std::vector<joined_values> values(paths.size());
  for_each_metadata(m, [&](const metadata& keys) {
    for (std::size_t i = 0; i < paths.size(); ++i)
      if (const auto found = keys.find(paths[i])) values[i].add(found->text());
  });
  std::vector<std::string> out;
  for (const joined_values& each : values) out.push_back(each.text());
  return out;
}

void varying_keys::add(const message& m) {
  if (bytes_ > max_surveyed_metadata) return;
  std::map<std::string, joined_values> values;
  for_each_metadata(m, [&](const metadata& keys) {
    if (bytes_ > max_surveyed_metadata) return;
    for_each_key(keys, [&](const std::string& path, const cbor_view& item) {
      const std::string text = item.text();
      bytes_ += path.size() + text.size();
      if (!text.empty()) values[path].add(text);  // an array has none
    });
  });
  for (const auto& [path, value] : values) {
    key_values& known = keys_[path];
    const std::string text = value.text();
    const auto next = static_cast<std::uint32_t>(known.numbers.size());
    known.occurrences.push_back({messages_, known.numbers.try_emplace(text, next).first->second});
    known.width = std::max(known.width, core::code_point_count(text));
  }
  ++messages_;
}

std::optional<message_arrays> arrays_of(const message& m) {
  if (m.version() == 1) return std::nullopt;
  failure why;
  const std::size_t objects = m.size(why), shown = std::min(objects, max_objects_of_keys);
  std::optional<message_arrays> out;
  for (std::size_t j = 0; j < shown && !why; ++j) {
    failure unreadable;
    const object one = m.at(j, unreadable);
    const descriptor what = unreadable ? descriptor() : one.descriptor(unreadable);
    if (unreadable) continue;
    const std::vector<std::uint64_t> shape(what.shape().begin(), what.shape().end());
    if (!out) out = message_arrays{what.dtype, shape, objects > shown, objects > shown};
    out->dtypes_differ = out->dtypes_differ || what.dtype != out->dtype;
    out->shapes_differ = out->shapes_differ || shape != out->shape;
  }
  return out;
}

std::vector<std::string> varying_keys::best(std::size_t width, std::size_t count) const {
  std::vector<std::string> out;
  for (const key& each : ranked()) {
    const std::size_t taken = each.width + 2;
    if (out.size() == count || (!out.empty() && taken > width)) break;
    width -= std::min(taken, width);
    out.push_back(each.path);
  }
  return out;
}

/// Returns all keys in that order.
std::vector<varying_keys::key> varying_keys::ranked() const {
  std::vector<std::pair<std::string, const key_values*>> differing, constant;
  for (const auto& [path, known] : keys_) {
    if (known.numbers.size() > 1 || known.occurrences.size() != messages_)
      differing.emplace_back(path, &known);
    else if (is_usual_key(path))
      constant.emplace_back(path, &known);
  }
  auto& wanted = differing.empty() ? constant : differing;
  std::stable_sort(wanted.begin(), wanted.end(),
                   [](const auto& a, const auto& b) { return rank_of_key(a.first) < rank_of_key(b.first); });

  std::vector<key> out, last;
  std::set<std::vector<occurrence>> divisions;
  bool has_name = false;
  for (const auto& [path, known] : wanted) {
    const bool is_new = divisions.insert(known->occurrences).second;
    const bool first = is_new || (is_usual_key(path) && !(is_name_key(path) && has_name));
    has_name = has_name || is_name_key(path);
    const std::size_t width = std::max(known->width, core::code_point_count(core::escaped(path)));
    (first ? out : last).push_back({path, width});
  }
  out.insert(out.end(), last.begin(), last.end());
  return out;
}

}  // namespace tgmap::archives
