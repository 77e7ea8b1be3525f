// SPDX-License-Identifier: Apache-2.0
#include "cli/messages/difference.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <tgmap/query/metadata_key.hpp>

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

/// Returns "2", or "0 and 2" if the two sides differ.
template <class Text>
std::string both(const printed_pair& of, Text&& text) {
  if (of.left == nullptr) return text(*of.right);
  if (of.right == nullptr) return text(*of.left);
  const std::string left = text(*of.left), right = text(*of.right);
  return left == right ? left : left + " and " + right;
}

bool is_of_objects(const printed_pair& of) { return (of.left != nullptr ? of.left : of.right)->object.has_value(); }

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

/// Returns what is on one side as text; empty if it is nothing.
struct value_text {
  std::string operator()(std::monostate) const { return {}; }
  std::string operator()(std::uint64_t objects) const { return std::to_string(objects); }
  std::string operator()(dtype of) const { return std::string(tgmap::to_string_view(of)); }
  std::string operator()(const std::vector<std::uint64_t>& shape) const {
    return fmt::format("[{}]", fmt::join(shape, ", "));
  }
  std::string operator()(const metadata_item& item) const {
    const std::string text = key_result(item.view()).text();
    return text.empty() ? "\"\"" : text;
  }
};

/// The values of both sides as text.
struct value_texts {
  explicit value_texts(const difference& of)
      : left(std::visit(value_text(), of.left)), right(std::visit(value_text(), of.right)) {
    if (left != right || of.kind != difference_kind::metadata) return;
    for (auto* const side : {&left, &right}) {  // 1 and "1" look the same
      const auto& item = std::get<metadata_item>(side == &left ? of.left : of.right);
      side->append(" (").append(tgmap::to_string_view(item.view().kind())).append(")");
    }
  }
  std::string left, right;
};

struct element_text {
  template <class T>
  std::string operator()(T x) const {
    return fmt::format("{}", x);
  }
  template <class T>
  std::string operator()(std::complex<T> x) const {
    return fmt::format("{}{:+}j", x.real(), x.imag());
  }
};
std::string text_of(const element_value& of) { return std::visit(element_text(), of); }

std::string text_of(const element_difference& of) {
  std::string out = fmt::format("{} of {} elements differ, the first at [{}]: {} and {}", of.differing, of.elements,
                                fmt::join(of.first, ", "), text_of(of.left), text_of(of.right));
  if (of.largest_absolute > 0) out += fmt::format("; the largest difference is {}", of.largest_absolute);
  return out;
}

std::string address_of(const std::string& file, const compared_part& part, optional_index object) {
  const optional_index number = part.object ? part.object : object;
  return address_text(file, part.message, number ? std::optional<std::size_t>(*number) : std::nullopt);
}

std::string left_address(const printed_pair& of, const difference& which) {
  return address_of(of.left_file, *of.left, which.left_object);
}

std::string right_address(const printed_pair& of, const difference& which) {
  return address_of(of.right_file, *of.right, which.right_object);
}

/// Returns " [a.tgm:0:1 b.tgm:6:0]".
std::string addresses_text(const printed_pair& of, const difference& which) {
  std::string out;
  if (of.left != nullptr) out += left_address(of, which);
  if (of.right != nullptr) out += (out.empty() ? "" : " ") + right_address(of, which);
  return " [" + core::escaped(out) + "]";
}

/// Returns the line without addresses.
std::string line_without_addresses(const printed_pair& of, const difference& which) {
  std::string out = "message " + both(of, [](const compared_part& part) { return number_text(part.message); });
  const bool objects = is_of_objects(of);
  if (objects) out += ", object " + both(of, [](const compared_part& part) { return std::to_string(*part.object); });
  if (which.kind == difference_kind::only_left || which.kind == difference_kind::only_right) {
    if (!of.key.empty()) out += fmt::format(" ({})", core::escaped(of.key));
    return out + (which.kind == difference_kind::only_left ? ": only in the first" : ": only in the second");
  }
  if (which.left_object && !objects) out += fmt::format(", object {}", *which.left_object);
  if (which.elements) return out + ": " + text_of(*which.elements);
  const std::string name = which.kind == difference_kind::metadata
                               ? core::escaped(shorten(which.key.text(), max_path_text))
                               : std::string(to_string_view(which.kind));
  const value_texts values(which);
  const std::size_t begin = excerpt_start(values.left, values.right);
  return out + fmt::format(": {}: {} and {}", name, excerpt(values.left, begin), excerpt(values.right, begin));
}

json number_of(const compared_part* part) {
  const auto number = part != nullptr ? part->message.index() : std::nullopt;
  return number ? json(*number) : json();
}
json offset_of(const compared_part* part) { return part != nullptr ? json(part->message.offset()) : json(); }
json object_of(const compared_part* part) { return part != nullptr ? json(*part->object) : json(); }

}  // namespace

std::string as_text(const printed_pair& of, const difference& which) {
  return line_without_addresses(of, which) + addresses_text(of, which);
}

json as_json(const printed_pair& of, const difference& which) {
  json out{{"what", to_string_view(which.kind)},
           {"left_message", number_of(of.left)},
           {"left_offset", offset_of(of.left)},
           {"right_message", number_of(of.right)},
           {"right_offset", offset_of(of.right)},
           {"left_address", of.left != nullptr ? json(left_address(of, which)) : json()},
           {"right_address", of.right != nullptr ? json(right_address(of, which)) : json()}};
  if (!of.key.empty()) out["by"] = of.key;
  if (is_of_objects(of)) {
    out["left_object"] = object_of(of.left);
    out["right_object"] = object_of(of.right);
  } else if (which.left_object) {
    out["object"] = *which.left_object;
  }
  if (which.kind == difference_kind::metadata) {
    const std::string path = which.key.text();
    out["key"] = shorten(path, max_path_json);
    if (path.size() > max_path_json) out["key_length"] = path.size();
  }
  if (const auto& elements = which.elements) {
    out["differing"] = elements->differing;
    out["elements"] = elements->elements;
    out["first"] = elements->first;
    out["left"] = text_of(elements->left);
    out["right"] = text_of(elements->right);
    out["largest"] = std::isfinite(elements->largest_absolute) ? json(elements->largest_absolute) : json();
  } else if (of.left != nullptr && of.right != nullptr) {
    const value_texts values(which);
    out["left"] = values.left.empty() ? json() : json(values.left);
    out["right"] = values.right.empty() ? json() : json(values.right);
  }
  return out;
}

}  // namespace tgmap::cli
