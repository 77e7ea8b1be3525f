// SPDX-License-Identifier: Apache-2.0
#include "select/print.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include "core/text/hex.hpp"
#include "select/json_text.hpp"

namespace tgmap::select {

namespace {

bool print_whole(std::uint64_t n, text_sink& to) {
  std::array<char, 20> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), n).ptr;
  return to.take({digits.data(), static_cast<std::size_t>(end - digits.data())});
}

bool print_integer(const cbor_view& item, text_sink& to) {
  if (const auto n = item.get<std::uint64_t>()) return print_whole(*n, to);
  if (const auto n = item.get<std::int64_t>())
    return to.take("-") && print_whole(std::uint64_t{0} - static_cast<std::uint64_t>(*n), to);
  return to.take(item.text());  // below -2^63
}

/// Shortest digits that read back the same, never with an exponent: zeros fill the places that they do not reach.
bool print_floating(double x, text_sink& to) {
  if (std::isnan(x)) return to.take("NaN");
  if (std::isinf(x)) return to.take(x < 0 ? "-inf" : "inf");
  std::array<char, 32> scientific;  // d.ddde+dd
  const char* const end = std::to_chars(scientific.data(), scientific.data() + scientific.size(), std::fabs(x),
                                        std::chars_format::scientific)
                              .ptr;
  std::string_view text(scientific.data(), static_cast<std::size_t>(end - scientific.data()));
  const std::size_t e = text.find('e');
  int exponent = 0;
  std::from_chars(text.data() + e + (text[e + 1] == '+' ? 2 : 1), end, exponent);

  std::array<char, 17> digits;
  std::size_t count = 0;
  for (const char c : text.substr(0, e))
    if (c != '.') digits[count++] = c;
  const auto part = [&](std::size_t from, std::size_t to_end) {
    return std::string_view(digits.data() + from, to_end - from);
  };
  static constexpr auto zeros = [] {
    std::array<char, 330> out{};
    out.fill('0');
    return out;
  }();
  const auto fill = [&](int n) { return n <= 0 || to.take({zeros.data(), static_cast<std::size_t>(n)}); };

  if (std::signbit(x) && !to.take("-")) return false;
  if (exponent < 0) return to.take("0.") && fill(-exponent - 1) && to.take(part(0, count));
  const std::size_t whole = static_cast<std::size_t>(exponent) + 1;  // digits before the point
  if (count <= whole) return to.take(part(0, count)) && fill(static_cast<int>(whole - count));
  return to.take(part(0, whole)) && to.take(".") && to.take(part(whole, count));
}

bool print_bytes(const cbor_view& item, text_sink& to) {
  const auto whole = item.get<std::span<const std::byte>>();
  const std::string joined = whole ? std::string() : item.text();
  for (const std::byte b : whole ? *whole : std::as_bytes(std::span(joined))) {
    const std::array<char, 2> pair = core::hex_digits(std::to_integer<std::uint8_t>(b));
    if (!to.take({pair.data(), pair.size()})) return false;
  }
  return true;
}

bool print_text(const cbor_view& item, text_sink& to) {
  const auto whole = item.get<std::string_view>();
  return whole ? to.take(*whole) : to.take(item.text());
}

bool print_list(std::span<const std::uint64_t> list, text_sink& to) {
  if (!to.take("[")) return false;
  for (std::size_t i = 0; i < list.size(); ++i)
    if ((i != 0 && !to.take(",")) || !print_whole(list[i], to)) return false;
  return to.take("]");
}

}  // namespace

bool print(const cbor_view& item, text_sink& to) {
  switch (item.kind()) {
    case cbor_kind::null: return to.take("null");
    case cbor_kind::boolean: return to.take(item.get<bool>().value_or(false) ? "true" : "false");
    case cbor_kind::integer: return print_integer(item, to);
    case cbor_kind::floating: return print_floating(item.get<double>().value_or(0), to);
    case cbor_kind::text: return print_text(item, to);
    case cbor_kind::bytes: return print_bytes(item, to);
    case cbor_kind::tag: {
      cbor_view core = item.untagged();
      while (core.kind() == cbor_kind::tag) core = core.untagged();
      return print(core, to);
    }
    case cbor_kind::array:
    case cbor_kind::map: return print_json(item, to);
  }
  return true;
}

bool print(const key_result& found, text_sink& to) {
  struct printer {
    text_sink& to;
    bool operator()(std::monostate) const { return true; }
    bool operator()(const cbor_view& item) const { return print(item, to); }
    bool operator()(std::uint64_t n) const { return print_whole(n, to); }
    bool operator()(bool b) const { return to.take(b ? "true" : "false"); }
    bool operator()(std::string_view text) const { return to.take(text); }
    bool operator()(std::span<const std::uint64_t> list) const { return print_list(list, to); }
  };
  return std::visit(printer{to}, found.get());
}

}  // namespace tgmap::select
