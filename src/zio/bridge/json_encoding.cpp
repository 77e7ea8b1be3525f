// SPDX-License-Identifier: Apache-2.0
#include "zio/bridge/json_encoding.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tgmap/zio/label.hpp>
#include <utility>
#include <vector>

namespace tgmap {
inline namespace v0 {
namespace zio {

namespace {

constexpr std::string_view base64_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::uint64_t max_exact = std::uint64_t{1} << 53;  // every reader of JSON keeps such integers

constexpr std::size_t max_encoded_depth = max_label_depth - 16;

/// Returns bytes as base64 with padding (RFC 4648, section 4).
std::string to_base64(std::span<const std::byte> bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i)
      bits = bits << 8 | (i < count ? std::to_integer<std::uint32_t>(bytes[at + i]) : 0);
    for (std::size_t i = 0; i < 4; ++i) out += i <= count ? base64_digits[bits >> (18 - 6 * i) & 63] : '=';
  }
  return out;
}

/// Returns the bytes of a base64 text; nothing for a text that to_base64 does not write.
std::optional<std::vector<std::byte>> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::vector<std::byte> out;
  out.reserve(text.size() / 4 * 3);
  for (std::size_t at = 0; at < text.size(); at += 4) {
    std::string_view four = text.substr(at, 4);
    if (at + 4 == text.size())
      while (four.size() > 2 && four.back() == '=') four.remove_suffix(1);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const std::size_t digit = i < four.size() ? base64_digits.find(four[i]) : 0;
      if (digit == base64_digits.npos) return std::nullopt;
      bits = bits << 6 | static_cast<std::uint32_t>(digit);
    }
    for (std::size_t i = 1; i < four.size(); ++i) out.push_back(static_cast<std::byte>(bits >> (24 - 8 * i)));
  }
  return out;
}

/// An integer of CBOR: a negative one is -1 - bits.
struct big_integer {
  bool negative = false;
  std::uint64_t bits = 0;
};

big_integer integer_of(const cbor_view& v) {
  if (const auto natural = v.get<std::uint64_t>()) return {false, *natural};
  if (const auto number = v.get<std::int64_t>()) return {true, ~static_cast<std::uint64_t>(*number)};
  // Below -2^63: the argument follows one byte of head.
  std::uint64_t bits = 0;
  for (const std::byte b : v.bytes().subspan(1)) bits = bits << 8 | std::to_integer<std::uint64_t>(b);
  return {true, bits};
}

bool is_exact(const big_integer& n) noexcept { return n.bits <= max_exact - (n.negative ? 1 : 0); }

std::string integer_text(const big_integer& n) {
  if (n.negative && n.bits == UINT64_MAX) return "-18446744073709551616";
  return (n.negative ? "-" : "") + std::to_string(n.negative ? n.bits + 1 : n.bits);
}

void put_special(label_writer& to, std::string_view key, std::string_view text) {
  to.begin_object();
  to.key(key).string(text);
  to.end_object();
}

/// Returns true if all keys are texts and none is reserved.
bool is_json_object(const cbor_view& map) {
  return map.visit([](const cbor_view& key, const cbor_view&) {
    const auto text = key.get<std::string_view>();
    return text && !text->starts_with('$');
  });
}

void put_pairs(label_writer& to, const cbor_view& map, std::size_t depth) {
  to.begin_object();
  to.key("$map").begin_array();
  map.visit([&](const cbor_view& key, const cbor_view& value) {
    to.begin_array();
    encode_json(to, key, depth + 3);
    encode_json(to, value, depth + 3);
    to.end_array();
    return true;
  });
  to.end_array();
  to.end_object();
}

cbor_value integer_from(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  if (negative && text == "18446744073709551616") return cbor_value::negative(UINT64_MAX);
  std::uint64_t number = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (wrong != std::errc{} || end != text.data() + text.size() || (negative && number == 0)) throw_bad_label();
  return negative ? cbor_value::negative(number - 1) : cbor_value(number);
}

cbor_value number_from(std::string_view text) {
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (text == "inf") return std::numeric_limits<double>::infinity();
  if (text == "-inf") return -std::numeric_limits<double>::infinity();
  throw_bad_label();
}

cbor_value map_from(const cbor_view& list) {
  // Keys may be any values, so make the bytes of the map from those of its pairs.
  if (list.kind() != cbor_kind::array) throw_bad_label();
  std::vector<std::pair<cbor_value, cbor_value>> pairs;
  list.visit([&](std::uint64_t, const cbor_view& pair) {
    const auto key = pair.at(0), value = pair.at(1);
    if (pair.kind() != cbor_kind::array || pair.size() != 2 || !key || !value) throw_bad_label();
    pairs.emplace_back(decode_json(*key), decode_json(*value));
    return true;
  });
  std::vector<std::byte> bytes;
  const auto append_head = [&](std::uint64_t n) {  // in the longest form; cbor_value::copy makes it canonical
    bytes.push_back(std::byte{0xBB});
    for (int shift = 56; shift >= 0; shift -= 8) bytes.push_back(static_cast<std::byte>(n >> shift));
  };
  append_head(pairs.size());
  for (const auto& [key, value] : pairs)
    for (const cbor_value* each : {&key, &value}) {
      const auto encoded = each->view().bytes();
      bytes.insert(bytes.end(), encoded.begin(), encoded.end());
    }
  return cbor_value::copy(cbor_view(bytes));
}

/// Decodes an object with one reserved key.
cbor_value decode_special(std::string_view name, const cbor_view& content) {
  if (name == "$map") return map_from(content);
  if (name == "$tag") {
    const auto number = content.at(0), wrapped = content.at(1);
    if (content.kind() != cbor_kind::array || content.size() != 2 || !number || !wrapped) throw_bad_label();
    const cbor_value n = decode_json(*number);
    const auto natural = n.view().get<std::uint64_t>();
    if (!natural) throw_bad_label();
    return cbor_value::tagged(*natural, decode_json(*wrapped));
  }
  const auto text = content.get<std::string_view>();
  if (!text) throw_bad_label();
  if (name == "$integer") return integer_from(*text);
  if (name == "$number") return number_from(*text);
  if (name != "$bytes") throw_bad_label();
  const auto bytes = from_base64(*text);
  if (!bytes) throw_bad_label();
  return cbor_value::bytes(*bytes);
}

}  // namespace

bool is_json_scalar(const cbor_view& v) {
  switch (v.kind()) {
    case cbor_kind::null:
    case cbor_kind::boolean: return true;
    case cbor_kind::text: return v.get<std::string_view>().has_value();
    case cbor_kind::integer: return is_exact(integer_of(v));
    case cbor_kind::floating: return std::isfinite(v.as<double>());
    default: return false;
  }
}

void encode_json(label_writer& to, const cbor_view& v, std::size_t depth) {
  // The label around this value must not exceed the limit of readers.
  if (depth > max_encoded_depth) detail::raise({.code = errc::label_too_deep, .expected = max_label_depth});
  switch (v.kind()) {
    case cbor_kind::null:
    case cbor_kind::boolean: return put_value(to, v);
    case cbor_kind::text:
      if (const auto text = v.get<std::string_view>()) return put_text(to, *text);
      return put_text(to, v.text());  // joins a string in pieces
    case cbor_kind::integer: {
      const big_integer n = integer_of(v);
      return is_exact(n) ? to.raw(integer_text(n)) : put_special(to, "$integer", integer_text(n));
    }
    case cbor_kind::floating: {
      const double number = v.as<double>();
      if (std::isfinite(number)) return put_float(to, number);
      return put_special(to, "$number", std::isnan(number) ? "nan" : number > 0 ? "inf" : "-inf");
    }
    case cbor_kind::bytes: {
      const cbor_value joined = cbor_value::copy(v);  // joins a string in pieces
      return put_special(to, "$bytes", to_base64(joined.view().as<std::span<const std::byte>>()));
    }
    case cbor_kind::array:
      to.begin_array();
      v.visit([&](std::uint64_t, const cbor_view& value) { return encode_json(to, value, depth + 1), true; });
      return to.end_array();
    case cbor_kind::map:
      if (!is_json_object(v)) return put_pairs(to, v, depth);
      return put_object(to, v, [&](const cbor_view& value) { encode_json(to, value, depth + 1); });
    case cbor_kind::tag:
      to.begin_object();
      to.key("$tag").begin_array();
      to.integer(v.tag().value_or(0));
      encode_json(to, v.untagged(), depth + 2);
      to.end_array();
      return to.end_object();
  }
}

cbor_value decode_json(const cbor_view& v) {
  if (v.kind() == cbor_kind::array) {
    std::vector<cbor_value> out;
    v.visit([&](std::uint64_t, const cbor_view& value) { return out.push_back(decode_json(value)), true; });
    return cbor_value::array(out);
  }
  if (v.kind() != cbor_kind::map) return cbor_value::copy(v);
  std::vector<cbor_value::pair> out;
  std::optional<cbor_value> value;
  v.visit([&](const cbor_view& key, const cbor_view& member) {
    const auto text = key.as<std::string_view>();
    if (text.starts_with('$')) {
      if (v.size() != 1) throw_bad_label();
      value = decode_special(text, member);
    } else {
      out.emplace_back(text, decode_json(member));
    }
    return true;
  });
  return value ? *std::move(value) : cbor_value::map(out);
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
