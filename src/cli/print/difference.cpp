// SPDX-License-Identifier: Apache-2.0
#include "cli/print/difference.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "cli/input/archives.hpp"
#include "core/text/escape.hpp"
#include "core/text/utf8.hpp"

namespace tgmap::cli {

namespace {

constexpr std::size_t max_value_text = 60;   // bytes of a value in text; JSON has the whole value
constexpr std::size_t context_before = 20;   // bytes before the first difference of long values
constexpr std::size_t context_after = 20;    // the minimum after it
constexpr std::size_t max_path_text = 120;   // bytes of a path in text
constexpr std::size_t max_path_json = 1024;  // bytes of a path in JSON

std::string number_text(const message& m) {
  const auto number = m.index();
  return number ? std::to_string(*number) : fmt::format("@{}", m.offset());
}

std::string pair_place(const message_pair& of) {
  if (of.left == nullptr) return number_text(*of.right);
  if (of.right == nullptr) return number_text(*of.left);
  const std::string left = number_text(*of.left), right = number_text(*of.right);
  return left == right ? left : left + " and " + right;
}

/// "2", or "0 and 2".
std::string objects_text(const message_pair& of) {
  if (of.left == nullptr || (of.right != nullptr && of.left_object == of.right_object))
    return std::to_string(*of.right_object);
  if (of.right == nullptr) return std::to_string(*of.left_object);
  return fmt::format("{} and {}", *of.left_object, *of.right_object);
}

json number_of(const std::optional<std::size_t>& object) { return object ? json(*object) : json(); }

/// Returns the position from which two long values are shown, so that their first difference is visible.
std::size_t excerpt_start(const std::string& left, const std::string& right) {
  const auto [end, unused] = std::mismatch(left.begin(), left.end(), right.begin(), right.end());
  const auto same = static_cast<std::size_t>(end - left.begin());
  if (left.size() <= max_value_text && right.size() <= max_value_text) return 0;
  return same < max_value_text - context_after ? 0 : core::code_point_begin(left, same - context_before);
}

std::string excerpt(const std::string& text, std::size_t begin) {
  if (text.empty()) return "nothing";
  const std::size_t end =
      text.size() - begin <= max_value_text ? text.size() : core::code_point_begin(text, begin + max_value_text);
  return (begin == 0 ? "" : "...") + core::escaped(text.substr(begin, end - begin)) + (end == text.size() ? "" : "...");
}

/// Shortens a long path in the middle, since its last names distinguish it from others.
std::string shorten(const std::string& path, std::size_t max_size) {
  if (path.size() <= max_size) return path;
  const std::size_t kept = (max_size - 3) / 2;
  return path.substr(0, core::code_point_begin(path, kept)) + "..." +
         path.substr(core::code_point_begin(path, path.size() - kept));
}

std::string_view kind_name(difference::kind what) {
  switch (what) {
    case difference::kind::only_left: return "only_left";
    case difference::kind::only_right: return "only_right";
    case difference::kind::objects: return "objects";
    case difference::kind::metadata: return "metadata";
    case difference::kind::dtype: return "dtype";
    case difference::kind::shape: return "shape";
    case difference::kind::values: break;
  }
  return "values";
}

std::string text_of(const value_difference& of) {
  std::string out = fmt::format("{} of {} elements differ, the first at [{}]: {} and {}", of.differing, of.elements,
                                fmt::join(of.first, ", "), of.left, of.right);
  if (of.largest > 0) out += fmt::format("; the largest difference is {}", of.largest);
  return out;
}

json number_of(const message* m) { return m != nullptr && m->index() ? json(*m->index()) : json(); }
json offset_of(const message* m) { return m != nullptr ? json(m->offset()) : json(); }

}  // namespace

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

namespace {

std::string left_address(const message_pair& of, const difference& which) {
  return address_text(of.left_file, *of.left, of.left_object ? of.left_object : which.object);
}

std::string right_address(const message_pair& of, const difference& which) {
  return address_text(of.right_file, *of.right, of.right_object ? of.right_object : which.object);
}

/// Returns " [a.tgm:0:1 b.tgm:6:0]".
std::string addresses_text(const message_pair& of, const difference& which) {
  std::string out;
  if (of.left != nullptr) out += left_address(of, which);
  if (of.right != nullptr) out += (out.empty() ? "" : " ") + right_address(of, which);
  return " [" + core::escaped(out) + "]";
}

/// Returns the line without addresses.
std::string line_without_addresses(const message_pair& of, const difference& which) {
  std::string out = "message " + pair_place(of);
  const bool objects = of.left_object || of.right_object;
  if (objects) out += ", object " + objects_text(of);
  if (which.what == difference::kind::only_left || which.what == difference::kind::only_right) {
    if (!of.key.empty()) out += fmt::format(" ({})", core::escaped(of.key));
    return out + (which.what == difference::kind::only_left ? ": only in the first" : ": only in the second");
  }
  if (which.object && !objects) out += fmt::format(", object {}", *which.object);
  if (which.elements) return out + ": " + text_of(*which.elements);
  const std::string name = which.what == difference::kind::metadata
                               ? core::escaped(shorten(which.key.text(), max_path_text))
                               : std::string(kind_name(which.what));
  const std::size_t begin = excerpt_start(which.left, which.right);
  return out + fmt::format(": {}: {} and {}", name, excerpt(which.left, begin), excerpt(which.right, begin));
}

}  // namespace

std::string as_text(const message_pair& of, const difference& which) {
  return line_without_addresses(of, which) + addresses_text(of, which);
}

json as_json(const message_pair& of, const difference& which) {
  json out{{"what", kind_name(which.what)},
           {"left_message", number_of(of.left)},
           {"left_offset", offset_of(of.left)},
           {"right_message", number_of(of.right)},
           {"right_offset", offset_of(of.right)},
           {"left_address", of.left != nullptr ? json(left_address(of, which)) : json()},
           {"right_address", of.right != nullptr ? json(right_address(of, which)) : json()}};
  if (!of.key.empty()) out["by"] = of.key;
  if (of.left_object || of.right_object) {
    out["left_object"] = number_of(of.left_object);
    out["right_object"] = number_of(of.right_object);
  } else if (which.object) {
    out["object"] = *which.object;
  }
  if (which.what == difference::kind::metadata) {
    const std::string path = which.key.text();
    out["key"] = shorten(path, max_path_json);
    if (path.size() > max_path_json) out["key_length"] = path.size();
  }
  if (const auto& elements = which.elements) {
    out["differing"] = elements->differing;
    out["elements"] = elements->elements;
    out["first"] = elements->first;
    out["left"] = elements->left;
    out["right"] = elements->right;
    out["largest"] = std::isfinite(elements->largest) ? json(elements->largest) : json();
  } else if (of.left != nullptr && of.right != nullptr) {
    out["left"] = which.left.empty() ? json() : json(which.left);
    out["right"] = which.right.empty() ? json() : json(which.right);
  }
  return out;
}

}  // namespace tgmap::cli
