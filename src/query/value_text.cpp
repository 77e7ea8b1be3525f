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
#include "json/cbor_text.hpp"

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

/// Prints the shortest digits that read back the same, without an exponent.
bool print_floating(double x, text_sink& to) {
  if (std::isnan(x)) return to.take("NaN");
  if (std::isinf(x)) return to.take(x < 0 ? "-inf" : "inf");
  std::array<char, json_text::max_float_size> digits;
  const char* const end = json_text::write_float(digits.data(), x, json_text::plain_notation);
  return to.take({digits.data(), static_cast<std::size_t>(end - digits.data())});
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

cbor_view without_tags(cbor_view item) noexcept {
  while (item.kind() == cbor_kind::tag) item = item.untagged();
  return item;
}

/// Returns the text of any key. A container becomes its encoded bytes in hexadecimal: as JSON within JSON each level
/// would double the escapes of the level below.
std::string key_text(const cbor_view& any) {
  const cbor_view key = without_tags(any);
  const cbor_kind kind = key.kind();
  if (kind == cbor_kind::array || kind == cbor_kind::map) {
    const auto encoded = key.bytes();
    return "0x" + core::hex_text({reinterpret_cast<const char*>(encoded.data()), encoded.size()});
  }
  // JSON must be UTF-8: text() replaces ill-formed bytes, which print() does not.
  if (kind == cbor_kind::text) return key.text();
  std::string out;
  core::text_builder text(out);
  print(key, text);
  return out;
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

void put_json(json_text::writer<>&, const cbor_view&, unsigned depth);

void put_container(json_text::writer<>& to, const cbor_view& item, unsigned depth) {
  const bool is_map = item.kind() == cbor_kind::map;
  if (depth == 0) return to.null();
  is_map ? to.begin_object() : to.begin_array();
  const printed_entries printed(item);
  cbor_view::cursor at;
  if (item.first(at))
    while (!to.is_stopped() && cbor_view::next(at)) {
      if (is_map && !printed.contains(at)) continue;
      put_json(is_map ? to.key(key_text(at.key)) : to, at.value, depth - 1);
    }
  is_map ? to.end_object() : to.end_array();
}

void put_json(json_text::writer<>& to, const cbor_view& any, unsigned depth) {
  const cbor_view item = without_tags(any);
  if (json_text::put_scalar(to, item)) return;
  switch (item.kind()) {
    case cbor_kind::array:
    case cbor_kind::map: return put_container(to, item, depth);
    case cbor_kind::integer: return to.raw(item.text());  // below -2^63
    case cbor_kind::bytes: return to.string(core::hex_text(item.text()));
    default: return to.null();  // NaN and infinities
  }
}

bool print_json(const cbor_view& item, text_sink& sink) {
  json_text::writer<> to(sink, {.floats = json_text::plain_notation});
  put_json(to, item, json_text::max_cbor_depth);
  return !to.is_stopped();
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
    bool operator()(std::uint64_t n) const { return print_number(n, to); }
    bool operator()(bool b) const { return to.take(b ? "true" : "false"); }
    bool operator()(std::string_view text) const { return to.take(text); }
    bool operator()(std::span<const std::uint64_t> list) const { return print_list(list, to); }
  };
  return std::visit(printer{to}, found.get());
}

}  // namespace tgmap::query
