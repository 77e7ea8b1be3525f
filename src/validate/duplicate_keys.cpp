// SPDX-License-Identifier: Apache-2.0
#include "validate/duplicate_keys.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "core/text/utf8.hpp"

namespace tgmap::checks {

namespace {

constexpr std::size_t longest_path = 160, longest_key = 80;  ///< bytes of text: a file may hold any number of them

/// Text up to a number of bytes, whole characters, with a sign where more follows.
std::string shortened(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  return std::string(text.substr(0, core::code_point_begin(text, most))) + "…";
}

class key_search {
 public:
  key_search(item root, std::string_view what, about where, collector& found)
      : root_(root), what_(what), where_(where), found_(found) {}

  void run() { look_into(root_); }

 private:
  /// One step from the outermost item to where the search is: a key, or the number of an element.
  struct step {
    item key{};  ///< absent: an element
    std::uint64_t index = 0;
  };

  void look_into(item at) {
    at = at.untagged();
    if (at.is_map()) return look_into_map(at);
    at.elements([&](std::uint64_t i, item each) {
      if (each.is_around_others()) look_behind({.index = i}, each);
      return true;
    });
  }

  void look_behind(const step& next, item inner) {
    path_.push_back(next);
    look_into(inner);
    path_.pop_back();
  }

  void look_into_map(item map) {
    const std::size_t first = keys_.size();
    bool rises = true;
    map.pairs([&](item key, item inner) {
      if (key.is_around_others()) look_into(key);
      rises = rises && (keys_.size() == first || keys_.back().compare(key) < 0);
      keys_.push_back(key);
      if (inner.is_around_others()) look_behind({.key = key}, inner);
      return true;
    });
    if (!rises) report_from(first);
    keys_.resize(first);
  }

  void report_from(std::size_t first) {
    const auto begin = keys_.begin() + static_cast<std::ptrdiff_t>(first);
    std::sort(begin, keys_.end(), [this](const item& a, const item& b) {
      const int order = a.compare(b);
      return order != 0 ? order < 0 : a.offset_in(root_) < b.offset_in(root_);
    });
    for (std::size_t i = first + 1; i < keys_.size(); ++i)
      if (keys_[i - 1].compare(keys_[i]) == 0) report(keys_[i]);
  }

  void report(item key) {
    std::string path;
    for (const step& each : path_) {
      if (path.size() > longest_path) break;
      path += each.key ? say(path.empty() ? "" : ".", name_of(each.key)) : say("[", each.index, "]");
    }
    path = shortened(path, longest_path);
    found_.error(finding_code::duplicate_key, validation_level::metadata, where_,
                 say("key '", path, path.empty() ? "" : ".", name_of(key), "' of the ", what_,
                     " comes twice, again at byte ", key.offset_in(root_)));
  }

  std::string name_of(item key) {
    if (const auto number = key.number()) return std::to_string(*number);
    return key.is_text() ? shortened(key.text(storage_), longest_key) : "(a key that is not text)";
  }

  item root_;
  std::string_view what_;
  about where_;
  collector& found_;
  std::vector<step> path_{};
  std::vector<item> keys_{};  ///< of the maps around one another, the innermost last
  std::string storage_{};
};

}  // namespace

void report_duplicate_keys(item root, std::string_view what, about where, collector& found) {
  key_search(root, what, where, found).run();
}

}  // namespace tgmap::checks
