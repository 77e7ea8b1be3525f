// SPDX-License-Identifier: Apache-2.0
#include "edit/compare/metadata_comparison.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <tgmap/query/metadata_key.hpp>
#include <utility>

namespace tgmap::cli {

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

bool is_ignored(const std::string& path, const ignored_keys& keys) {
  return std::any_of(keys.begin(), keys.end(), [&](const std::string& each) {
    return path == each || (path.starts_with(each) && path[each.size()] == '.');
  });
}

/// Walks through two trees of keys. One buffer holds the current path.
class key_comparison {
 public:
  key_comparison(const ignored_keys& ignored, const std::string& parent, std::optional<std::size_t> object,
                 difference_list& into)
      : ignored_(ignored), object_(object), into_(into), path_(parent) {
    if (!parent.empty()) parent_ = std::make_shared<key_path>(key_path{.name = parent});
  }

  void compare(const key_map& left, const key_map& right, unsigned depth) {
    for (const auto& each : left) {
      const auto other = right.find(each.first);
      with_key(each.first,
               [&] { compare(each.first, each.second, other == right.end() ? nullptr : &other->second, depth); });
    }
    const auto nothing = [] { return std::string(); };
    for (const auto& each : right)
      if (left.count(each.first) == 0)
        with_key(each.first, [&] { add(each.first, nothing, [&] { return text_of(each.second); }); });
  }

 private:
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
    if (right == nullptr)
      return add(
          name, [&] { return text_of(left); }, [] { return std::string(); });
    if (left.kind() == cbor_kind::map && right->kind() == cbor_kind::map && depth < max_depth) {
      if (same_bytes(left, *right)) return;
      const auto outer = std::exchange(parent_, std::make_shared<key_path>(key_path{parent_, name}));
      compare(entries_of(left), entries_of(*right), depth + 1);
      parent_ = outer;
    } else if (!same_value(left, *right, depth)) {
      const auto text = [&](const cbor_view& of, const cbor_view& other) {
        std::string out = text_of(of);
        if (out == text_of(other))
          out.append(" (").append(tgmap::to_string_view(of.kind())).append(")");  // 1 and "1" look the same
        return out;
      };
      add(
          name, [&] { return text(left, *right); }, [&] { return text(*right, left); });
    }
  }

  template <class Left, class Right>
  void add(const std::string& name, Left&& left, Right&& right) {
    into_.add([&] {
      return difference{.what = difference::kind::metadata,
                        .object = object_,
                        .key = {parent_, name},
                        .left = left(),
                        .right = right()};
    });
  }

  static std::string text_of(const cbor_view& of) {
    const std::string text = key_result(key_result::value_type(of)).text();
    return text.empty() ? "\"\"" : text;
  }

  const ignored_keys& ignored_;
  std::optional<std::size_t> object_;
  difference_list& into_;
  std::string path_;
  std::shared_ptr<const key_path> parent_{};
};

}  // namespace

void compare_metadata(const metadata& left, const metadata& right, const ignored_keys& ignored,
                      const std::string& parent, std::optional<std::size_t> object, difference_list& into) {
  key_comparison(ignored, parent, object, into).compare(entries_of(left), entries_of(right), 0);
}

}  // namespace tgmap::cli
