// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "core/text/hex.hpp"
#include "core/text/text_sink.hpp"
#include "core/text/utf8.hpp"
#include "json/escape.hpp"
#include "json/number.hpp"

namespace tgmap::json_text {

/// The style of a text.
struct text_style {
  escapes which = escapes::required;
  const float_notation& floats = json_notation;
  bool is_indented = false;  ///< lines indented by two; otherwise one line without blanks
};

/// The style of lines for programs: ASCII, so that text from a file cannot control a terminal.
inline constexpr text_style ascii_style{.which = escapes::ascii};

/// The style of the reference implementation.
inline constexpr text_style reference_style{.which = escapes::readable, .floats = reference_notation};

/// A `writer` writes JSON to a sink piece by piece, and keeps nothing. `Sink` has `bool take(std::string_view)`, as
/// core::text_sink. The caller nests containers and puts a key before each value of an object.
template <class Sink = core::text_sink>
class writer {
 public:
  explicit writer(Sink& to, const text_style& how = {}) noexcept : to_(to), how_(how) {}

  void begin_object() { begin('{'); }
  void end_object() { end('}'); }
  void begin_array() { begin('['); }
  void end_array() { end(']'); }

  writer& key(std::string_view name) {
    before_element();
    put_string(name);
    put(how_.is_indented ? ": " : ":");
    is_after_key_ = true;
    return *this;
  }

  void null() { raw("null"); }
  void boolean(bool value) { raw(value ? "true" : "false"); }
  void integer(std::integral auto number) {
    std::array<char, max_integer_size> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    raw({digits.data(), static_cast<std::size_t>(end - digits.data())});
  }
  /// Writes null for NaN and infinities.
  void floating(double number) {
    if (!std::isfinite(number)) return null();
    std::array<char, max_float_size> digits;
    const char* const end = write_float(digits.data(), number, how_.floats);
    raw({digits.data(), static_cast<std::size_t>(end - digits.data())});
  }
  /// Writes U+FFFD for ill-formed UTF-8.
  void string(std::string_view text) {
    before_value();
    put_string(text);
  }

  /// Writes a value that is JSON already.
  void raw(std::string_view json) {
    before_value();
    put(json);
  }

  /// Returns true if the sink wants no more text. Nothing is passed to it any more.
  bool is_stopped() const noexcept { return is_stopped_; }

 private:
  void begin(char bracket) {
    before_value();
    put({&bracket, 1});
    ++depth_;
    has_elements_ = false;
  }
  void end(char bracket) {
    --depth_;
    if (std::exchange(has_elements_, true)) line();
    put({&bracket, 1});
  }
  void before_value() {
    if (!std::exchange(is_after_key_, false)) before_element();
  }
  void before_element() {
    if (depth_ == 0) return;
    if (std::exchange(has_elements_, true)) put(",");
    line();
  }
  void line() {
    if (!how_.is_indented) return;
    constexpr std::string_view blanks = "                                ";
    put("\n");
    for (std::size_t left = 2 * depth_; left != 0; left -= std::min(left, blanks.size()))
      put(blanks.substr(0, std::min(left, blanks.size())));
  }
  void put_string(std::string_view text) {
    put("\"");
    put_escaped(text, how_.which, [this](std::string_view piece) { return put(piece), !is_stopped_; });
    put("\"");
  }
  void put(std::string_view piece) {
    if (!is_stopped_) is_stopped_ = !to_.take(piece);
  }

  Sink& to_;
  text_style how_;
  std::size_t depth_ = 0;
  bool has_elements_ = false;  ///< the open container has, so that no stack is needed: a closed one is an element
  bool is_after_key_ = false, is_stopped_ = false;
};

/// Writes the member `name`. If the text is not UTF-8, a member with its bytes follows, such as `file_hex`.
template <class Sink>
void put_name(writer<Sink>& to, std::string_view name, std::string_view text) {
  to.key(name).string(text);
  if (!core::is_utf8(text)) to.key(std::string(name) + "_hex").string(core::hex_text(text));
}

}  // namespace tgmap::json_text
