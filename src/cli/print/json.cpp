// SPDX-License-Identifier: Apache-2.0
#include "cli/print/json.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>

#include "core/text/escape.hpp"

namespace tgmap::cli {

namespace {

/// Returns the name of an error for programs: that of the code, or "io" for system errors.
std::string code_of(const failure& why) {
  return why.code.category() == category() ? std::string(to_string_view(static_cast<errc>(why.code.value()))) : "io";
}

json passage(std::uint64_t begin, std::uint64_t end, const failure& reason) {
  return {{"begin", begin}, {"end", end}, {"code", code_of(reason)}, {"cause", reason.text()}};
}

}  // namespace

std::string json_line(const json& value) {
  constexpr int compact = -1;
  return value.dump(compact, ' ', true, json::error_handler_t::replace) + "\n";
}

json to_json(const gap& g) { return passage(g.begin, g.end, g.cause); }

json to_json(const std::optional<incomplete_tail>& t) { return t ? passage(t->begin, t->end, t->cause) : json(); }

std::string json_string(std::string_view text) {
  // The library escapes what JSON requires and replaces ill-formed text.
  const std::string written = nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::string out;
  for (std::string_view left = written; !left.empty();) {
    const auto [code, bytes] = core::first_code_point(left);
    if (core::is_control(code) || core::is_deceptive(code))
      out += fmt::format("\\u{:04x}", code);
    else
      out += left.substr(0, bytes);
    left.remove_prefix(bytes);
  }
  return out;
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

}  // namespace tgmap::cli
