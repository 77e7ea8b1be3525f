// SPDX-License-Identifier: Apache-2.0
#include "cli/reference_json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string_view>

#include "cli/json_text.hpp"

namespace tgmap::cli {

namespace {

std::string hexadecimal(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) out += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return out;
}

/// Keys other than text, as the reference's library prints them.
std::string key_text(value key) {
  switch (key.type()) {
    case kind::integer: return fmt::format("Integer(Integer({}))", key.text());
    case kind::floating: return fmt::format("Float({})", float_text(key.get<double>().value_or(0)));
    case kind::boolean: return fmt::format("Bool({})", key.text());
    case kind::null: return "Null";
    case kind::bytes: {
      std::string out;
      for (const char c : key.text())
        out += fmt::format("{}{}", out.empty() ? "" : ", ", static_cast<unsigned>(static_cast<unsigned char>(c)));
      return "Bytes([" + out + "])";
    }
    default: return key.text();
  }
}

void write(const sorted_json& from, int indent, std::string& out) {
  const auto line = [&](int depth) {
    if (indent < 0) return;
    out += '\n';
    out.append(static_cast<std::size_t>(2 * depth), ' ');
  };
  const int inner = indent < 0 ? -1 : indent + 1;
  const bool container = from.is_object() || from.is_array();
  if (container && !from.empty()) {
    const bool map = from.is_object();
    out += map ? '{' : '[';
    bool first = true;
    for (auto each = from.begin(); each != from.end(); ++each) {
      if (!first) out += ',';
      first = false;
      line(inner);
      if (map) out += json_string(each.key()) + (indent < 0 ? ":" : ": ");
      write(*each, inner, out);
    }
    line(indent);
    out += map ? '}' : ']';
  } else if (from.is_string()) {
    out += json_string(from.get_ref<const std::string&>());
  } else if (from.is_number_float()) {
    out += float_text(from.get<double>());
  } else {
    out += from.dump();
  }
}

}  // namespace

sorted_json to_sorted_json(value from, unsigned depth) {
  if (depth > max_json_depth) return "...";
  switch (from.type()) {
    case kind::null: return nullptr;
    case kind::boolean: return from.get<bool>().value_or(false);
    case kind::integer:
      if (const auto n = from.get<std::int64_t>()) return *n;
      if (const auto n = from.get<std::uint64_t>()) return *n;
      return from.text();
    case kind::floating: {
      const double number = from.get<double>().value_or(NAN);
      return std::isfinite(number) ? sorted_json(number) : sorted_json();
    }
    case kind::text: return from.text();
    case kind::bytes: return hexadecimal(from.text());
    case kind::tag: return to_sorted_json(from.untagged(), depth + 1);
    case kind::array: {
      sorted_json out = sorted_json::array();
      from.visit([&](std::uint64_t, value item) {
        out.push_back(to_sorted_json(item, depth + 1));
        return true;
      });
      return out;
    }
    case kind::map: break;
  }
  sorted_json out = sorted_json::object();
  from.visit([&](value key, value item) {
    out[key.type() == kind::text ? key.text() : key_text(key)] = to_sorted_json(item, depth + 1);
    return true;
  });
  return out;
}

std::string compact(const sorted_json& from) {
  std::string out;
  write(from, -1, out);
  return out;
}

std::string pretty(const sorted_json& from) {
  std::string out;
  write(from, 0, out);
  return out;
}

}  // namespace tgmap::cli
