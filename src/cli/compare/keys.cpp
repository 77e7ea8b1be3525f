// SPDX-License-Identifier: Apache-2.0
#include "cli/compare/keys.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tgmap/keys.hpp>

namespace tgmap::cli {

namespace {

constexpr unsigned deepest = 64;  // maps inside each other; what is below is compared byte by byte

using key_map = std::map<std::string, value, std::less<>>;

key_map entries_of(const metadata& of) {
  key_map out;
  for (const metadata::entry& each : of.entries()) out.emplace(each.key, each.item);
  return out;
}

key_map entries_of(const value& map) {
  key_map out;
  map.visit([&](const value& name, const value& item) {
    const auto text = name.get<std::string_view>();
    out.insert_or_assign(text ? std::string(*text) : name.text(), item);
    return true;
  });
  return out;
}

bool same_bytes(const value& a, const value& b) { return std::ranges::equal(a.bytes(), b.bytes()); }

bool same_value(const value& a, const value& b, unsigned depth);

bool same_arrays(const value& a, const value& b, unsigned depth) {
  value::step left, right;
  if (!a.first(left) || !b.first(right)) return same_bytes(a, b);
  for (;;) {
    const bool more = value::next(left);
    if (more != value::next(right)) return false;
    if (!more) return !left.malformed && !right.malformed;
    if (!same_value(left.item, right.item, depth + 1)) return false;
  }
}

bool same_maps(const value& a, const value& b, unsigned depth) {
  const key_map left = entries_of(a), right = entries_of(b);
  return std::equal(left.begin(), left.end(), right.begin(), right.end(), [&](const auto& x, const auto& y) {
    return x.first == y.first && same_value(x.second, y.second, depth + 1);
  });
}

bool same_value(const value& a, const value& b, unsigned depth) {
  if (a.type() != b.type()) return false;
  if (depth == deepest || same_bytes(a, b)) return same_bytes(a, b);
  switch (a.type()) {
    case kind::floating: {
      const auto x = a.get<double>(), y = b.get<double>();
      return x && y && (*x == *y || (std::isnan(*x) && std::isnan(*y)));
    }
    case kind::array: return same_arrays(a, b, depth);
    case kind::map: return same_maps(a, b, depth);
    case kind::tag: return a.tag() == b.tag() && same_value(a.untagged(), b.untagged(), depth + 1);
    default: return a.text() == b.text();  // numbers of several widths, text in pieces
  }
}

bool is_ignored(const std::string& path, const ignored_keys& keys) {
  return std::any_of(keys.begin(), keys.end(), [&](const std::string& each) {
    return path == each || (path.starts_with(each) && path[each.size()] == '.');
  });
}

class key_comparison {
 public:
  key_comparison(const ignored_keys& ignored, std::optional<std::size_t> object, std::vector<difference>& into)
      : ignored_(ignored), object_(object), into_(into) {}

  void compare(const std::string& above, const key_map& left, const key_map& right, unsigned depth) {
    for (const auto& [name, item] : left) {
      const auto other = right.find(name);
      compare(above + name, item, other == right.end() ? nullptr : &other->second, depth);
    }
    for (const auto& [name, item] : right)
      if (left.count(name) == 0) tell(above + name, {}, text_of(item));
  }

 private:
  void compare(const std::string& path, const value& left, const value* right, unsigned depth) {
    if (is_ignored(path, ignored_)) return;
    if (right == nullptr) return tell(path, text_of(left), {});
    if (left.type() == kind::map && right->type() == kind::map && depth < deepest) {
      if (!same_bytes(left, *right)) compare(path + ".", entries_of(left), entries_of(*right), depth + 1);
    } else if (!same_value(left, *right, depth)) {
      std::string one = text_of(left), other = text_of(*right);
      if (one == other) {  // 1 and "1" read alike
        one.append(" (").append(name(left.type())).append(")");
        other.append(" (").append(name(right->type())).append(")");
      }
      tell(path, std::move(one), std::move(other));
    }
  }

  void tell(const std::string& path, std::string left, std::string right) {
    if (is_ignored(path, ignored_)) return;
    into_.push_back({.what = difference::kind::metadata,
                     .object = object_,
                     .key = path,
                     .left = std::move(left),
                     .right = std::move(right)});
  }

  static std::string text_of(const value& of) {
    const std::string text = key_value(key_value::held(of)).text();
    return text.empty() ? "\"\"" : text;
  }

  const ignored_keys& ignored_;
  std::optional<std::size_t> object_;
  std::vector<difference>& into_;
};

}  // namespace

void compare_keys(const metadata& left, const metadata& right, const ignored_keys& ignored, const std::string& above,
                  std::optional<std::size_t> object, std::vector<difference>& into) {
  key_comparison(ignored, object, into).compare(above, entries_of(left), entries_of(right), 0);
}

}  // namespace tgmap::cli
