// SPDX-License-Identifier: Apache-2.0
#include "cli/messages/difference.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "collection/message_walk.hpp"
#include "core/text/escape.hpp"
#include "core/text/utf8.hpp"

namespace tgmap::cli {

using reports::element_text;
using reports::left_address;
using reports::named_pair;
using reports::right_address;
using reports::shortened_path;
using reports::value_texts;

namespace {

constexpr std::size_t max_value_text = 60;  // bytes of a value in text; JSON has the whole value
constexpr std::size_t context_before = 20;  // bytes before the first difference of long values
constexpr std::size_t context_after = 20;   // the minimum after it
constexpr std::size_t max_path_text = 120;  // bytes of a path in text

/// Returns "2", or "0 and 2" if the two sides differ.
template <class Text>
std::string both(const named_pair& of, Text&& text) {
  if (of.left == nullptr) return text(*of.right);
  if (of.right == nullptr) return text(*of.left);
  const std::string left = text(*of.left), right = text(*of.right);
  return left == right ? left : left + " and " + right;
}

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

std::string text_of(const element_difference& of) {
  std::string out = fmt::format("{} of {} elements differ, the first at [{}]: {} and {}", of.differing, of.elements,
                                fmt::join(of.first, ", "), element_text(of.left), element_text(of.right));
  if (of.largest_absolute > 0) out += fmt::format("; the largest difference is {}", of.largest_absolute);
  return out;
}

/// Returns " [a.tgm:0:1 b.tgm:6:0]".
std::string addresses_text(const named_pair& of, const difference& which) {
  std::string out;
  if (of.left != nullptr) out += left_address(of, which);
  if (of.right != nullptr) out += (out.empty() ? "" : " ") + right_address(of, which);
  return " [" + core::escaped(out) + "]";
}

/// Returns the line without addresses.
std::string line_without_addresses(const named_pair& of, const difference& which) {
  std::string out =
      "message " + both(of, [](const compared_part& part) { return archives::message_label(part.message); });
  const bool objects = of.any().object.has_value();
  if (objects) out += ", object " + both(of, [](const compared_part& part) { return std::to_string(*part.object); });
  if (which.kind == difference_kind::only_left || which.kind == difference_kind::only_right) {
    if (!of.key.empty()) out += fmt::format(" ({})", core::escaped(of.key));
    return out + (which.kind == difference_kind::only_left ? ": only in the first" : ": only in the second");
  }
  if (which.left_object && !objects) out += fmt::format(", object {}", *which.left_object);
  if (which.elements) return out + ": " + text_of(*which.elements);
  const std::string name = which.kind == difference_kind::metadata
                               ? core::escaped(shortened_path(which.key.text(), max_path_text))
                               : std::string(to_string_view(which.kind));
  const value_texts values(which);
  const std::size_t begin = excerpt_start(values.left, values.right);
  return out + fmt::format(": {}: {} and {}", name, excerpt(values.left, begin), excerpt(values.right, begin));
}

}  // namespace

std::string as_text(const named_pair& of, const difference& which) {
  return line_without_addresses(of, which) + addresses_text(of, which);
}

}  // namespace tgmap::cli
