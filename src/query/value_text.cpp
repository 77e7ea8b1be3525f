// SPDX-License-Identifier: Apache-2.0
#include "query/value_text.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "core/text/hex.hpp"

namespace tgmap::query {

namespace {

bool print_number(std::uint64_t n, text_sink& to) {
  std::array<char, 20> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), n).ptr;
  return to.take({digits.data(), static_cast<std::size_t>(end - digits.data())});
}

bool print_integer(const cbor_view& item, text_sink& to) {
  if (const auto n = item.get<std::uint64_t>()) return print_number(*n, to);
  if (const auto n = item.get<std::int64_t>())
    return to.take("-") && print_number(std::uint64_t{0} - static_cast<std::uint64_t>(*n), to);
  return to.take(item.text());  // below -2^63
}

/// Prints the shortest digits that read back the same, without an exponent: zeros fill the places up to the point.
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
  const std::size_t before_point = static_cast<std::size_t>(exponent) + 1;
  if (count <= before_point) return to.take(part(0, count)) && fill(static_cast<int>(before_point - count));
  return to.take(part(0, before_point)) && to.take(".") && to.take(part(before_point, count));
}

bool print_bytes(const cbor_view& item, text_sink& to) {
  const auto bytes = item.get<std::span<const std::byte>>();  // nothing if they are in pieces
  const std::string joined = bytes ? std::string() : item.text();
  for (const std::byte b : bytes ? *bytes : std::as_bytes(std::span(joined))) {
    const std::array<char, 2> pair = core::hex_digits(std::to_integer<std::uint8_t>(b));
    if (!to.take({pair.data(), pair.size()})) return false;
  }
  return true;
}

bool print_text(const cbor_view& item, text_sink& to) {
  const auto text = item.get<std::string_view>();  // nothing if it is in pieces
  return text ? to.take(*text) : to.take(item.text());
}

bool print_list(std::span<const std::uint64_t> list, text_sink& to) {
  if (!to.take("[")) return false;
  for (std::size_t i = 0; i < list.size(); ++i)
    if ((i != 0 && !to.take(",")) || !print_number(list[i], to)) return false;
  return to.take("]");
}

constexpr unsigned max_json_depth = 1024;  // the limit of checked metadata, whose bytes may change after the check

bool print_json(const cbor_view&, text_sink&, unsigned depth);

/// A `json_escaper` passes text on with the escapes of JSON strings.
class json_escaper final : public text_sink {
 public:
  explicit json_escaper(text_sink& to) noexcept : to_(to) {}

  bool take(std::string_view piece) override {
    std::size_t begin = 0;
    for (std::size_t i = 0; i < piece.size(); ++i) {
      const auto c = static_cast<unsigned char>(piece[i]);
      if (c >= 0x20 && c != '"' && c != '\\') continue;
      if (!to_.take(piece.substr(begin, i - begin)) || !take_escaped(c)) return false;
      begin = i + 1;
    }
    return to_.take(piece.substr(begin));
  }

 private:
  bool take_escaped(unsigned char c) {
    switch (c) {
      case '"': return to_.take("\\\"");
      case '\\': return to_.take("\\\\");
      case '\n': return to_.take("\\n");
      case '\r': return to_.take("\\r");
      case '\t': return to_.take("\\t");
      case '\b': return to_.take("\\b");
      case '\f': return to_.take("\\f");
      default: break;
    }
    const std::array<char, 2> digits = core::hex_digits(c);
    return to_.take("\\u00") && to_.take({digits.data(), digits.size()});
  }

  text_sink& to_;
};

cbor_view without_tags(cbor_view item) noexcept {
  while (item.kind() == cbor_kind::tag) item = item.untagged();
  return item;
}

/// Prints the encoded bytes in hexadecimal.
bool print_encoded(const cbor_view& item, text_sink& to) {
  if (!to.take("0x")) return false;
  for (const std::byte b : item.bytes()) {
    const std::array<char, 2> pair = core::hex_digits(std::to_integer<std::uint8_t>(b));
    if (!to.take({pair.data(), pair.size()})) return false;
  }
  return true;
}

/// Prints the text of any item in quotes. A container, which can only be a key here, is printed as its encoded bytes.
/// As JSON within JSON each level would double the escapes of the level below.
bool print_string(const cbor_view& any, text_sink& to) {
  const cbor_view item = without_tags(any);
  const cbor_kind kind = item.kind();
  json_escaper inner(to);
  if (!to.take("\"")) return false;
  // JSON must be UTF-8: text() replaces ill-formed bytes, which get() does not.
  const bool more = kind == cbor_kind::text                              ? inner.take(item.text())
                    : kind == cbor_kind::array || kind == cbor_kind::map ? print_encoded(item, to)
                                                                         : print(item, inner);
  return more && to.take("\"");
}

/// A `printed_entries` is the set of entries of a container that are printed. If a key of a map is repeated, only the
/// last entry is, as in lookups. Allocates only if the keys are not in the order in which writers put them.
class printed_entries {
 public:
  explicit printed_entries(const cbor_view& of) {
    if (of.kind() != cbor_kind::map || is_ascending(of)) return;
    cbor_view::cursor at;
    if (of.first(at))
      while (cbor_view::next(at)) last_[name_of(at.key)] = at.index;
  }

  bool contains(const cbor_view::cursor& at) const {
    const auto found = last_.empty() ? last_.end() : last_.find(name_of(at.key));
    return found == last_.end() || found->second == at.index;
  }

 private:
  using name = std::pair<cbor_kind, std::string>;

  static name name_of(const cbor_view& key) { return {key.kind(), key.text()}; }

  /// Returns true if all keys are text, and each one is longer than the one before, or of its length and greater. Then
  /// no key is repeated.
  static bool is_ascending(const cbor_view& map) noexcept {
    cbor_view::cursor at;
    std::optional<std::string_view> before;
    if (!map.first(at)) return true;
    while (cbor_view::next(at)) {
      const auto key = at.key.get<std::string_view>();
      if (!key) return false;
      if (before && (before->size() != key->size() ? before->size() > key->size() : *before >= *key)) return false;
      before = key;
    }
    return true;
  }

  std::map<name, std::uint64_t> last_{};  // not hashed, so that no input makes it slow
};

bool print_container(const cbor_view& item, text_sink& to, unsigned depth) {
  const bool is_map = item.kind() == cbor_kind::map;
  if (depth == 0) return to.take("null");
  if (!to.take(is_map ? "{" : "[")) return false;
  const printed_entries printed(item);
  cbor_view::cursor at;
  bool first = true;
  if (item.first(at))
    while (cbor_view::next(at)) {
      if (is_map && !printed.contains(at)) continue;
      if (!first && !to.take(",")) return false;
      first = false;
      if (is_map && !(print_string(at.key, to) && to.take(":"))) return false;
      if (!print_json(at.value, to, depth - 1)) return false;
    }
  return to.take(is_map ? "}" : "]");
}

bool print_json(const cbor_view& any, text_sink& to, unsigned depth) {
  const cbor_view item = without_tags(any);
  switch (item.kind()) {
    case cbor_kind::array:
    case cbor_kind::map: return print_container(item, to, depth);
    case cbor_kind::text:
    case cbor_kind::bytes: return print_string(item, to);
    case cbor_kind::floating:
      if (!std::isfinite(item.get<double>().value_or(0))) return to.take("null");
      [[fallthrough]];
    default: return print(item, to);
  }
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
    case cbor_kind::map: return print_json(item, to, max_json_depth);
  }
  return true;
}

bool print(const key_result& found, text_sink& to) {
  struct printer {
    text_sink& to;
    bool operator()(std::monostate) const { return true; }
    bool operator()(const cbor_view& item) const { return print(item, to); }
    bool operator()(std::uint64_t n) const { return print_number(n, to); }
    bool operator()(bool b) const { return to.take(b ? "true" : "false"); }
    bool operator()(std::string_view text) const { return to.take(text); }
    bool operator()(std::span<const std::uint64_t> list) const { return print_list(list, to); }
  };
  return std::visit(printer{to}, found.get());
}

}  // namespace tgmap::query
