// SPDX-License-Identifier: Apache-2.0
#include "edit/compare/metadata_comparison.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <utility>

namespace tgmap::edit {

namespace {

constexpr unsigned max_depth = 64;  // deeper items are compared byte by byte

using key_map = std::map<std::string, cbor_view, std::less<>>;

key_map entries_of(const metadata& of) {
  key_map out;
  for (const metadata::entry& each : of.entries()) out.emplace(each.key, each.value);
  return out;
}

key_map entries_of(const cbor_view& map) {
  key_map out;
  map.visit([&](const cbor_view& name, const cbor_view& item) {
    const auto text = name.get<std::string_view>();
    out.insert_or_assign(text ? std::string(*text) : name.text(), item);
    return true;
  });
  return out;
}

bool same_bytes(const cbor_view& a, const cbor_view& b) { return std::ranges::equal(a.bytes(), b.bytes()); }

bool same_value(const cbor_view& a, const cbor_view& b, unsigned depth);

bool same_arrays(const cbor_view& a, const cbor_view& b, unsigned depth) {
  cbor_view::cursor left, right;
  if (!a.first(left) || !b.first(right)) return same_bytes(a, b);
  for (;;) {
    const bool more = cbor_view::next(left);
    if (more != cbor_view::next(right)) return false;
    if (!more) return !left.is_malformed && !right.is_malformed;
    if (!same_value(left.value, right.value, depth + 1)) return false;
  }
}

bool same_maps(const cbor_view& a, const cbor_view& b, unsigned depth) {
  const key_map left = entries_of(a), right = entries_of(b);
  return std::equal(left.begin(), left.end(), right.begin(), right.end(), [&](const auto& x, const auto& y) {
    return x.first == y.first && same_value(x.second, y.second, depth + 1);
  });
}

bool same_value(const cbor_view& a, const cbor_view& b, unsigned depth) {
  if (a.kind() != b.kind()) return false;
  if (depth == max_depth || same_bytes(a, b)) return same_bytes(a, b);
  switch (a.kind()) {
    case cbor_kind::floating: {
      const auto x = a.get<double>(), y = b.get<double>();
      return x && y && (*x == *y || (std::isnan(*x) && std::isnan(*y)));
    }
    case cbor_kind::array: return same_arrays(a, b, depth);
    case cbor_kind::map: return same_maps(a, b, depth);
    case cbor_kind::tag: return a.tag() == b.tag() && same_value(a.untagged(), b.untagged(), depth + 1);
    default: return a.text() == b.text();  // for integers of different width and text in chunks
  }
}

bool is_ignored(const std::string& path, std::span<const std::string> keys) {
  return std::any_of(keys.begin(), keys.end(), [&](const std::string& each) {
    return path == each || (path.starts_with(each) && path[each.size()] == '.');
  });
}

/// Walks through two trees of keys. One buffer holds the current path.
class key_comparison {
 public:
  key_comparison(const compared_keys& of, std::span<const std::string> ignored, difference_list& into)
      : of_(of), ignored_(ignored), into_(into), path_(of.parent) {
    if (!path_.empty()) parent_ = std::make_shared<key_path>(key_path{.name = path_});
  }

  void compare() { compare(entries_of(of_.left), entries_of(of_.right), 0); }

 private:
  void compare(const key_map& left, const key_map& right, unsigned depth) {
    for (const auto& each : left) {
      const auto other = right.find(each.first);
      with_key(each.first,
               [&] { compare(each.first, each.second, other == right.end() ? nullptr : &other->second, depth); });
    }
    for (const auto& each : right)
      if (left.count(each.first) == 0) with_key(each.first, [&] { add(each.first, nullptr, &each.second); });
  }

  /// Runs `work` with the path extended by `name`, unless that key is ignored.
  template <class Work>
  void with_key(const std::string& name, Work&& work) {
    const std::size_t before = path_.size();
    if (before != 0) path_ += '.';
    path_ += name;
    if (!is_ignored(path_, ignored_)) work();
    path_.resize(before);
  }

  void compare(const std::string& name, const cbor_view& left, const cbor_view* right, unsigned depth) {
    if (right == nullptr) return add(name, &left, nullptr);
    if (left.kind() == cbor_kind::map && right->kind() == cbor_kind::map && depth < max_depth) {
      if (same_bytes(left, *right)) return;
      const auto outer = std::exchange(parent_, std::make_shared<key_path>(key_path{parent_, name}));
      compare(entries_of(left), entries_of(*right), depth + 1);
      parent_ = outer;
    } else if (!same_value(left, *right, depth)) {
      add(name, &left, right);
    }
  }

  void add(const std::string& name, const cbor_view* left, const cbor_view* right) {
    const auto value_of = [](const cbor_view* item) {
      return item == nullptr ? difference::value() : difference::value(metadata_item(*item));
    };
    into_.add([&] {
      return difference{.kind = difference_kind::metadata,
                        .left_object = of_.left_object,
                        .right_object = of_.right_object,
                        .key = {parent_, name},
                        .left = value_of(left),
                        .right = value_of(right)};
    });
  }

  const compared_keys& of_;
  std::span<const std::string> ignored_;
  difference_list& into_;
  std::string path_;
  std::shared_ptr<const key_path> parent_{};
};

}  // namespace

void compare_metadata(const compared_keys& of, std::span<const std::string> ignored, difference_list& into) {
  key_comparison(of, ignored, into).compare();
}

}  // namespace tgmap::edit

namespace tgmap {
inline namespace v0 {

std::string key_path::text() const {
  std::vector<const std::string*> names;
  for (const key_path* each = this; each != nullptr; each = each->parent.get()) names.push_back(&each->name);
  std::string out;
  for (auto each = names.rbegin(); each != names.rend(); ++each) {
    if (each != names.rbegin()) out += '.';
    out += **each;
  }
  return out;
}

}  // namespace v0
}  // namespace tgmap
