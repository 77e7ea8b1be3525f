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

big_integer integer_of(const cbor_view& v) {
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
bool plain_map(const cbor_view& map) {
  return map.visit([](const cbor_view& key, const cbor_view&) {
    const auto text = key.get<std::string_view>();
    return text && !text->starts_with('$');
  });
}

void append_pairs(std::string& out, const cbor_view& map, std::size_t depth) {
  out += R"({"$map":[)";
  bool first = true;
  map.visit([&](const cbor_view& key, const cbor_view& one) {
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

cbor_value integer_from(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  if (negative && text == "18446744073709551616") return cbor_value::negative(UINT64_MAX);
  std::uint64_t number = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (wrong != std::errc{} || end != text.data() + text.size() || (negative && number == 0)) foreign();
  return negative ? cbor_value::negative(number - 1) : cbor_value(number);
}

cbor_value number_from(std::string_view text) {
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (text == "inf") return std::numeric_limits<double>::infinity();
  if (text == "-inf") return -std::numeric_limits<double>::infinity();
  foreign();
}

cbor_value map_from(const cbor_view& list) {
  // Keys of any kind: the bytes of a map are made of those of its pairs.
  if (list.kind() != cbor_kind::array) foreign();
  std::vector<std::pair<cbor_value, cbor_value>> pairs;
  list.visit([&](std::uint64_t, const cbor_view& pair) {
    const auto key = pair.at(0), one = pair.at(1);
    if (pair.kind() != cbor_kind::array || pair.size() != 2 || !key || !one) foreign();
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
    for (const cbor_value* each : {&key, &one}) {
      const auto encoded = each->view().bytes();
      bytes.insert(bytes.end(), encoded.begin(), encoded.end());
    }
  return cbor_value::copy(cbor_view(bytes));
}

/// An object of one key that is ours.
cbor_value special(std::string_view name, const cbor_view& what) {
  if (name == "$map") return map_from(what);
  if (name == "$tag") {
    const auto number = what.at(0), wrapped = what.at(1);
    if (what.kind() != cbor_kind::array || what.size() != 2 || !number || !wrapped) foreign();
    const cbor_value n = unspelled(*number);
    const auto natural = n.view().get<std::uint64_t>();
    if (!natural) foreign();
    return cbor_value::tagged(*natural, unspelled(*wrapped));
  }
  const auto text = what.get<std::string_view>();
  if (!text) foreign();
  if (name == "$integer") return integer_from(*text);
  if (name == "$number") return number_from(*text);
  if (name != "$bytes") foreign();
  const auto bytes = from_base64(*text);
  if (!bytes) foreign();
  return cbor_value::bytes(*bytes);
}

}  // namespace

bool plain_scalar(const cbor_view& v) {
  switch (v.kind()) {
    case cbor_kind::null:
    case cbor_kind::boolean: return true;
    case cbor_kind::text: return v.get<std::string_view>().has_value();
    case cbor_kind::integer: return exact(integer_of(v));
    case cbor_kind::floating: return std::isfinite(v.as<double>());
    default: return false;
  }
}

void append_spelled(std::string& out, const cbor_view& v, std::size_t depth) {
  // Whoever reads the label must be able to, with what surrounds this.
  if (depth > max_spelled_depth) detail::raise({.code = errc::label_too_deep, .expected = max_label_depth});
  switch (v.kind()) {
    case cbor_kind::null:
    case cbor_kind::boolean: return append_json(out, v);
    case cbor_kind::text: return append_quoted(out, v.text());
    case cbor_kind::integer: {
      const big_integer n = integer_of(v);
      if (exact(n)) return append_integer(out, n);
      out += R"({"$integer":")";
      append_integer(out, n);
      out += R"("})";
      return;
    }
    case cbor_kind::floating: {
      const double number = v.as<double>();
      if (std::isfinite(number)) return append_json(out, v);
      return append_text(out, "$number", std::isnan(number) ? "nan" : number > 0 ? "inf" : "-inf");
    }
    case cbor_kind::bytes: {
      const cbor_value whole = cbor_value::copy(v);  // pieces joined
      return append_text(out, "$bytes", to_base64(whole.view().as<std::span<const std::byte>>()));
    }
    case cbor_kind::array: {
      out += '[';
      bool first = true;
      v.visit([&](std::uint64_t, const cbor_view& one) {
        if (!std::exchange(first, false)) out += ',';
        append_spelled(out, one, depth + 1);
        return true;
      });
      out += ']';
      return;
    }
    case cbor_kind::map:
      if (!plain_map(v)) return append_pairs(out, v, depth);
      return append_object(out, v, [&](const cbor_view& one) { append_spelled(out, one, depth + 1); });
    case cbor_kind::tag:
      out += R"({"$tag":[)";
      append_spelled(out, cbor_value(v.tag().value_or(0)).view(), depth + 2);
      out += ',';
      append_spelled(out, v.untagged(), depth + 2);
      out += "]}";
      return;
  }
}

cbor_value unspelled(const cbor_view& v) {
  if (v.kind() == cbor_kind::array) {
    std::vector<cbor_value> out;
    v.visit([&](std::uint64_t, const cbor_view& one) { return out.push_back(unspelled(one)), true; });
    return cbor_value::array(out);
  }
  if (v.kind() != cbor_kind::map) return cbor_value::copy(v);
  std::vector<cbor_value::pair> out;
  std::optional<cbor_value> one;
  v.visit([&](const cbor_view& key, const cbor_view& member) {
    const auto text = key.as<std::string_view>();
    if (text.starts_with('$')) {
      if (v.size() != 1) foreign();
      one = special(text, member);
    } else {
      out.emplace_back(text, unspelled(member));
    }
    return true;
  });
  return one ? *std::move(one) : cbor_value::map(out);
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
