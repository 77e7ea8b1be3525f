// SPDX-License-Identifier: Apache-2.0
#include "reports/difference_json.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <complex>
#include <tgmap/query/metadata_key.hpp>
#include <tgmap/tools/address.hpp>
#include <variant>

#include "core/text/utf8.hpp"

namespace tgmap::reports {

namespace {

constexpr std::size_t max_path = 1024;  // bytes

std::string address_of(const std::string& file, const compared_part& part, optional_index object) {
  return address_text(file, part.message, part.object ? part.object : object);
}

/// Returns what is on one side as text; empty if it is nothing.
struct value_text {
  std::string operator()(std::monostate) const { return {}; }
  std::string operator()(std::uint64_t objects) const { return std::to_string(objects); }
  std::string operator()(dtype of) const { return std::string(to_string_view(of)); }
  std::string operator()(const std::vector<std::uint64_t>& shape) const {
    return fmt::format("[{}]", fmt::join(shape, ", "));
  }
  std::string operator()(const metadata_item& item) const {
    const std::string text = key_result(item.view()).text();
    return text.empty() ? "\"\"" : text;
  }
};

struct number_text {
  template <class T>
  std::string operator()(T x) const {
    return fmt::format("{}", x);
  }
  template <class T>
  std::string operator()(std::complex<T> x) const {
    return fmt::format("{}{:+}j", x.real(), x.imag());
  }
};

json number_of(const compared_part* part) { return part != nullptr ? or_null(part->message.index()) : json(); }
json offset_of(const compared_part* part) { return part != nullptr ? json(part->message.offset()) : json(); }
json object_of(const compared_part* part) { return part != nullptr ? json(*part->object) : json(); }

void add_elements(json& to, const element_difference& of) {
  to["differing"] = of.differing;
  to["elements"] = of.elements;
  to["first"] = of.first;
  to["left"] = element_text(of.left);
  to["right"] = element_text(of.right);
  to["largest"] = or_null(of.largest_absolute);
}

}  // namespace

std::string left_address(const named_pair& of, const difference& which) {
  return address_of(of.left_file, *of.left, which.left_object);
}

std::string right_address(const named_pair& of, const difference& which) {
  return address_of(of.right_file, *of.right, which.right_object);
}

value_texts::value_texts(const difference& of)
    : left(std::visit(value_text(), of.left)), right(std::visit(value_text(), of.right)) {
  if (left != right || of.kind != difference_kind::metadata) return;
  for (auto* const side : {&left, &right}) {  // 1 and "1" look the same
    const auto& item = std::get<metadata_item>(side == &left ? of.left : of.right);
    side->append(" (").append(to_string_view(item.view().kind())).append(")");
  }
}

std::string element_text(const element_value& of) { return std::visit(number_text(), of); }

std::string shortened_path(const std::string& path, std::size_t max_bytes) {
  if (path.size() <= max_bytes) return path;
  const std::size_t kept = (max_bytes - 3) / 2;
  return path.substr(0, core::code_point_begin(path, kept)) + "..." +
         path.substr(core::code_point_begin(path, path.size() - kept));
}

json to_json(const named_pair& of, const difference& which) {
  json out{{"what", to_string_view(which.kind)},
           {"left_message", number_of(of.left)},
           {"left_offset", offset_of(of.left)},
           {"right_message", number_of(of.right)},
           {"right_offset", offset_of(of.right)},
           {"left_address", of.left != nullptr ? json(left_address(of, which)) : json()},
           {"right_address", of.right != nullptr ? json(right_address(of, which)) : json()}};
  if (!of.key.empty()) out["by"] = of.key;
  if (of.any().object) {
    out["left_object"] = object_of(of.left);
    out["right_object"] = object_of(of.right);
  } else if (which.left_object) {
    out["object"] = *which.left_object;
  }
  if (which.kind == difference_kind::metadata) {
    const std::string path = which.key.text();
    out["key"] = shortened_path(path, max_path);
    if (path.size() > max_path) out["key_length"] = path.size();
  }
  if (which.elements) {
    add_elements(out, *which.elements);
  } else if (of.left != nullptr && of.right != nullptr) {
    const value_texts values(which);
    out["left"] = or_null(values.left);
    out["right"] = or_null(values.right);
  }
  return out;
}

}  // namespace tgmap::reports
