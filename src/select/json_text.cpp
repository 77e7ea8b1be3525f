// SPDX-License-Identifier: Apache-2.0
#include "select/json_text.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "core/text/hex.hpp"

namespace tgmap::select {

namespace {

constexpr unsigned max_json_depth = 1024;  // what checked metadata can nest; bytes may change after the check

bool print_json(const cbor_view& item, text_sink& to, unsigned depth);

/// Escapes what passes through.
class json_string final : public text_sink {
 public:
  explicit json_string(text_sink& to) noexcept : to_(to) {}

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

/// The encoded bytes, in hexadecimal.
bool print_encoded(const cbor_view& item, text_sink& to) {
  if (!to.take("0x")) return false;
  for (const std::byte b : item.bytes()) {
    const std::array<char, 2> pair = core::hex_digits(std::to_integer<std::uint8_t>(b));
    if (!to.take({pair.data(), pair.size()})) return false;
  }
  return true;
}

/// The text of any item, in quotes. A key that is a container is shown as it is encoded: as JSON inside JSON each level
/// would double the escapes of the one below.
bool print_string(const cbor_view& any, text_sink& to) {
  const cbor_view item = without_tags(any);
  const cbor_kind is = item.kind();
  json_string inner(to);
  if (!to.take("\"")) return false;
  // text() marks what is no UTF-8; JSON must not hold it.
  const bool whole = is == cbor_kind::text                            ? inner.take(item.text())
                     : is == cbor_kind::array || is == cbor_kind::map ? print_encoded(item, to)
                                                                      : print(item, inner);
  return whole && to.take("\"");
}

/// Which entries of a container are shown: of a key that comes twice in a map the last one alone, as lookups have it.
/// Allocates only where keys are not in the order in which writers put them.
class shown_entries {
 public:
  explicit shown_entries(const cbor_view& of) {
    if (of.kind() != cbor_kind::map || rise(of)) return;
    cbor_view::cursor at;
    if (of.first(at))
      while (cbor_view::next(at)) last_[name_of(at.key)] = at.index;
  }

  bool contain(const cbor_view::cursor& at) const {
    const auto found = last_.empty() ? last_.end() : last_.find(name_of(at.key));
    return found == last_.end() || found->second == at.index;
  }

 private:
  using name = std::pair<cbor_kind, std::string>;

  static name name_of(const cbor_view& key) { return {key.kind(), key.text()}; }

  /// Keys are text, and each is longer than the one before or comes behind it: none is there twice.
  static bool rise(const cbor_view& map) noexcept {
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

  std::map<name, std::uint64_t> last_{};  // ordered: no input makes it slow
};

bool print_container(const cbor_view& item, text_sink& to, unsigned depth) {
  const bool is_map = item.kind() == cbor_kind::map;
  if (depth == 0) return to.take("null");
  if (!to.take(is_map ? "{" : "[")) return false;
  const shown_entries shown(item);
  cbor_view::cursor at;
  bool first = true;
  if (item.first(at))
    while (cbor_view::next(at)) {
      if (is_map && !shown.contain(at)) continue;
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

bool print_json(const cbor_view& item, text_sink& to) { return print_json(item, to, max_json_depth); }

}  // namespace tgmap::select
