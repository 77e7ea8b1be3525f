// SPDX-License-Identifier: Apache-2.0
#include "cli/print/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

#include "core/text/escape.hpp"
#include "core/text/hex.hpp"
#include "core/text/utf8.hpp"

namespace tgmap::cli {

namespace {

/// Returns the name of an error code for programs; "io" for system errors.
std::string code_of(const failure& why) {
  return why.code.category() == category() ? std::string(to_string_view(static_cast<errc>(why.code.value()))) : "io";
}

json damaged_range(std::uint64_t begin, std::uint64_t end, const failure& reason) {
  return {{"begin", begin}, {"end", end}, {"code", code_of(reason)}, {"cause", reason.text()}};
}

/// Returns an object with the bytes of the names in it that are not UTF-8.
json with_hex_names(const json& of) {
  json out = json::object();
  for (const auto& [name, value] : of.items()) {
    add_member(out, name, value);
    const auto* const text = value.get_ptr<const std::string*>();
    if (text == nullptr || core::is_utf8(*text)) continue;
    if (name == "file" || name == "index" || name == "output") add_member(out, name + "_hex", core::hex_text(*text));
  }
  return out;
}

}  // namespace

std::string json_line(const json& given) {
  constexpr int compact = -1;
  const auto is_ill_formed = [](const json& value) {
    const auto* const text = value.get_ptr<const std::string*>();
    return text != nullptr && !core::is_utf8(*text);
  };
  const bool as_given = !given.is_object() || std::ranges::none_of(given, is_ill_formed);
  const json& value = as_given ? given : with_hex_names(given);
  return value.dump(compact, ' ', true, json::error_handler_t::replace) + "\n";
}

json to_json(const gap& g) { return damaged_range(g.begin, g.end, g.cause); }

json to_json(const std::optional<incomplete_tail>& t) { return t ? damaged_range(t->begin, t->end, t->cause) : json(); }

std::string json_string(std::string_view text) {
  // The library escapes what JSON requires and replaces ill-formed text.
  return core::escaped_json(nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

std::string float_text(double number) {
  std::array<char, 40> buffer;
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, std::chars_format::scientific).ptr;
  const std::string_view shortest(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
  const std::size_t mark = shortest.find('e');
  int exponent = 0;
  const std::size_t sign = shortest[mark + 1] == '+' ? 1 : 0;
  std::from_chars(shortest.data() + mark + 1 + sign, shortest.data() + shortest.size(), exponent);
  std::string digits(shortest.substr(0, mark));
  const std::string minus = digits.front() == '-' ? "-" : "";
  std::erase_if(digits, [](char c) { return c == '.' || c == '-'; });

  const int count = static_cast<int>(digits.size()), point = exponent + 1;  // digits before the point
  if (point > -5 && point <= 0) return minus + "0." + std::string(static_cast<std::size_t>(-point), '0') + digits;
  if (point > 0 && point <= 16) {
    if (count <= point) return minus + digits + std::string(static_cast<std::size_t>(point - count), '0') + ".0";
    return minus + digits.insert(static_cast<std::size_t>(point), ".");
  }
  if (count > 1) digits.insert(1, ".");
  return fmt::format("{}{}e{:+}", minus, digits, exponent);
}

namespace {

/// Appends a key that is not text in the notation of the reference's library. Complexity: linear in the size of the
/// key.
void append_debug(cbor_view item, unsigned depth, std::string& out) {
  if (depth > max_json_depth) {
    out += "...";
    return;
  }
  switch (item.kind()) {
    case cbor_kind::integer: out += fmt::format("Integer(Integer({}))", item.text()); break;
    case cbor_kind::floating: out += fmt::format("Float({})", float_text(item.get<double>().value_or(0))); break;
    case cbor_kind::boolean: out += fmt::format("Bool({})", item.text()); break;
    case cbor_kind::null: out += "Null"; break;
    case cbor_kind::text: out += "Text(" + json_string(item.text()) + ")"; break;
    case cbor_kind::bytes: {
      out += "Bytes([";
      const std::string bytes = item.text();
      for (std::size_t i = 0; i < bytes.size(); ++i)
        out += fmt::format("{}{}", i == 0 ? "" : ", ", static_cast<unsigned>(static_cast<unsigned char>(bytes[i])));
      out += "])";
      break;
    }
    case cbor_kind::tag:
      out += fmt::format("Tag({}, ", item.tag().value_or(0));
      append_debug(item.untagged(), depth + 1, out);
      out += ')';
      break;
    case cbor_kind::array:
      out += "Array([";
      item.visit([&](std::uint64_t i, cbor_view each) {
        if (i != 0) out += ", ";
        append_debug(each, depth + 1, out);
        return true;
      });
      out += "])";
      break;
    case cbor_kind::map:
      out += "Map([";
      item.visit([&, first = true](cbor_view key, cbor_view each) mutable {
        out += std::exchange(first, false) ? "(" : ", (";
        append_debug(key, depth + 1, out);
        out += ", ";
        append_debug(each, depth + 1, out);
        out += ')';
        return true;
      });
      out += "])";
      break;
  }
}

void write(const sorted_json& from, int indent, std::string& out) {
  const auto line = [&](int depth) {
    if (indent < 0) return;
    out += '\n';
    out.append(std::size_t{2} * static_cast<std::size_t>(depth), ' ');
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

sorted_json to_sorted_json(cbor_view from, unsigned depth) {
  if (depth > max_json_depth) return "...";
  switch (from.kind()) {
    case cbor_kind::null: return nullptr;
    case cbor_kind::boolean: return from.get<bool>().value_or(false);
    case cbor_kind::integer:
      if (const auto n = from.get<std::int64_t>()) return *n;
      if (const auto n = from.get<std::uint64_t>()) return *n;
      return from.text();
    case cbor_kind::floating: {
      const double number = from.get<double>().value_or(NAN);
      return std::isfinite(number) ? sorted_json(number) : sorted_json();
    }
    case cbor_kind::text: return from.text();
    case cbor_kind::bytes: return core::hex_text(from.text());
    case cbor_kind::tag: return to_sorted_json(from.untagged(), depth + 1);
    case cbor_kind::array: {
      sorted_json out = sorted_json::array();
      from.visit([&](std::uint64_t, cbor_view item) {
        out.push_back(to_sorted_json(item, depth + 1));
        return true;
      });
      return out;
    }
    case cbor_kind::map: break;
  }
  sorted_json out = sorted_json::object();
  from.visit([&](cbor_view key, cbor_view item) {
    out[json_name(key, depth + 1)] = to_sorted_json(item, depth + 1);
    return true;
  });
  return out;
}

std::string json_name(const cbor_view& key, unsigned depth) {
  if (key.kind() == cbor_kind::text) return key.text();
  std::string out;
  append_debug(key, depth, out);
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
