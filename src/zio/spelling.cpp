// SPDX-License-Identifier: Apache-2.0
#include "zio/spelling.hpp"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>
#include <tgmap/zio/label.hpp>
#include <utility>
#include <vector>

#include "zio/base64.hpp"
#include "zio/label_text.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

namespace {

constexpr std::uint64_t most_exact = std::uint64_t{1} << 53;  // integers that every reader of JSON keeps

constexpr std::size_t max_spelled_depth = max_label_depth - 16;

/// Integers as they come in CBOR: a sign, and a magnitude less one where it is below 0.
struct big_integer {
  bool negative = false;
  std::uint64_t bits = 0;
};

big_integer integer_of(const value& v) {
  if (const auto natural = v.get<std::uint64_t>()) return {false, *natural};
  if (const auto number = v.get<std::int64_t>()) return {true, ~static_cast<std::uint64_t>(*number)};
  // Below -2^63: the argument stands behind one byte of head.
  std::uint64_t bits = 0;
  for (const std::byte b : v.bytes().subspan(1)) bits = bits << 8 | std::to_integer<std::uint64_t>(b);
  return {true, bits};
}

bool exact(const big_integer& n) noexcept { return n.bits <= most_exact - (n.negative ? 1 : 0); }

void append_integer(std::string& out, const big_integer& n) {
  if (n.negative && n.bits == UINT64_MAX) {
    out += "-18446744073709551616";
  } else {
    if (n.negative) out += '-';
    append_number(out, n.negative ? n.bits + 1 : n.bits);
  }
}

void append_text(std::string& out, std::string_view key, std::string_view text) {
  out += R"({")";
  out += key;
  out += R"(":")";
  out += text;
  out += R"("})";
}

/// Keys are text, and none is taken for one of ours.
bool plain_map(const value& map) {
  return map.visit([](const value& key, const value&) {
    const auto text = key.get<std::string_view>();
    return text && !text->starts_with('$');
  });
}

void append_pairs(std::string& out, const value& map, std::size_t depth) {
  out += R"({"$map":[)";
  bool first = true;
  map.visit([&](const value& key, const value& one) {
    out += std::exchange(first, false) ? "[" : ",[";
    append_spelled(out, key, depth + 3);
    out += ',';
    append_spelled(out, one, depth + 3);
    out += ']';
    return true;
  });
  out += "]}";
}

[[noreturn]] void foreign() { detail::raise({.code = errc::bad_label}); }

item integer_from(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  if (negative && text == "18446744073709551616") return item::negative(UINT64_MAX);
  std::uint64_t number = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (wrong != std::errc{} || end != text.data() + text.size() || (negative && number == 0)) foreign();
  return negative ? item::negative(number - 1) : item(number);
}

item number_from(std::string_view text) {
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (text == "inf") return std::numeric_limits<double>::infinity();
  if (text == "-inf") return -std::numeric_limits<double>::infinity();
  foreign();
}

item map_from(const value& list) {
  // Keys of any kind: the bytes of a map are made of those of its pairs.
  if (list.type() != kind::array) foreign();
  std::vector<std::pair<item, item>> pairs;
  list.visit([&](std::uint64_t, const value& pair) {
    const auto key = pair.at(0), one = pair.at(1);
    if (pair.type() != kind::array || pair.size() != 2 || !key || !one) foreign();
    pairs.emplace_back(unspelled(*key), unspelled(*one));
    return true;
  });
  std::vector<std::byte> bytes;
  const auto head = [&](std::uint64_t n) {  // of a map, in the longest spelling: item::copy brings it into its form
    bytes.push_back(std::byte{0xBB});
    for (int shift = 56; shift >= 0; shift -= 8) bytes.push_back(static_cast<std::byte>(n >> shift));
  };
  head(pairs.size());
  for (const auto& [key, one] : pairs)
    for (const item* each : {&key, &one}) {
      const auto encoded = each->view().bytes();
      bytes.insert(bytes.end(), encoded.begin(), encoded.end());
    }
  return item::copy(value(bytes));
}

/// An object of one key that is ours.
item special(std::string_view name, const value& what) {
  if (name == "$map") return map_from(what);
  if (name == "$tag") {
    const auto number = what.at(0), wrapped = what.at(1);
    if (what.type() != kind::array || what.size() != 2 || !number || !wrapped) foreign();
    const item n = unspelled(*number);
    const auto natural = n.view().get<std::uint64_t>();
    if (!natural) foreign();
    return item::tagged(*natural, unspelled(*wrapped));
  }
  const auto text = what.get<std::string_view>();
  if (!text) foreign();
  if (name == "$integer") return integer_from(*text);
  if (name == "$number") return number_from(*text);
  if (name != "$bytes") foreign();
  const auto bytes = from_base64(*text);
  if (!bytes) foreign();
  return item::bytes(*bytes);
}

}  // namespace

bool plain_scalar(const value& v) {
  switch (v.type()) {
    case kind::null:
    case kind::boolean: return true;
    case kind::text: return v.get<std::string_view>().has_value();
    case kind::integer: return exact(integer_of(v));
    case kind::floating: return std::isfinite(v.as<double>());
    default: return false;
  }
}

void append_spelled(std::string& out, const value& v, std::size_t depth) {
  // Whoever reads the label must be able to, with what surrounds this.
  if (depth > max_spelled_depth) detail::raise({.code = errc::label_too_deep, .expected = max_label_depth});
  switch (v.type()) {
    case kind::null:
    case kind::boolean: return append_json(out, v);
    case kind::text: return append_quoted(out, v.text());
    case kind::integer: {
      const big_integer n = integer_of(v);
      if (exact(n)) return append_integer(out, n);
      out += R"({"$integer":")";
      append_integer(out, n);
      out += R"("})";
      return;
    }
    case kind::floating: {
      const double number = v.as<double>();
      if (std::isfinite(number)) return append_json(out, v);
      return append_text(out, "$number", std::isnan(number) ? "nan" : number > 0 ? "inf" : "-inf");
    }
    case kind::bytes: {
      const item whole = item::copy(v);  // pieces joined
      return append_text(out, "$bytes", to_base64(whole.view().as<std::span<const std::byte>>()));
    }
    case kind::array: {
      out += '[';
      bool first = true;
      v.visit([&](std::uint64_t, const value& one) {
        if (!std::exchange(first, false)) out += ',';
        append_spelled(out, one, depth + 1);
        return true;
      });
      out += ']';
      return;
    }
    case kind::map:
      if (!plain_map(v)) return append_pairs(out, v, depth);
      return append_object(out, v, [&](const value& one) { append_spelled(out, one, depth + 1); });
    case kind::tag:
      out += R"({"$tag":[)";
      append_spelled(out, item(v.tag().value_or(0)).view(), depth + 2);
      out += ',';
      append_spelled(out, v.untagged(), depth + 2);
      out += "]}";
      return;
  }
}

item unspelled(const value& v) {
  if (v.type() == kind::array) {
    std::vector<item> out;
    v.visit([&](std::uint64_t, const value& one) { return out.push_back(unspelled(one)), true; });
    return item::array(out);
  }
  if (v.type() != kind::map) return item::copy(v);
  std::vector<item::pair> out;
  std::optional<item> one;
  v.visit([&](const value& key, const value& member) {
    const auto text = key.as<std::string_view>();
    if (text.starts_with('$')) {
      if (v.size() != 1) foreign();
      one = special(text, member);
    } else {
      out.emplace_back(text, unspelled(member));
    }
    return true;
  });
  return one ? *std::move(one) : item::map(out);
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
