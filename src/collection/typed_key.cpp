// SPDX-License-Identifier: Apache-2.0
#include "collection/typed_key.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/text/escape.hpp"
#include "core/text/parse_number.hpp"

namespace tgmap::archives {

namespace {

constexpr std::array<std::pair<std::string_view, key_type>, 3> type_suffixes{
    {{":i", key_type::integer}, {":d", key_type::floating}, {":s", key_type::text}}};

using converted_value = std::optional<cbor_value>;

/// Returns a number without a fraction as an integer, if 64 bits hold it.
converted_value whole(double number) {
  if (!(std::trunc(number) == number)) return std::nullopt;
  if (number >= -0x1p63 && number < 0x1p63) return cbor_value(static_cast<std::int64_t>(number));
  if (number > 0 && number < 0x1p64) return cbor_value(static_cast<std::uint64_t>(number));
  return std::nullopt;
}

converted_value to_integer(cbor_kind kind, const cbor_view& item) {
  if (kind == cbor_kind::integer) return cbor_value::copy(item);
  if (kind == cbor_kind::floating) return whole(item.as<double>());
  if (kind != cbor_kind::text) return std::nullopt;
  const std::string text = item.text();
  if (const auto number = core::parse_number<std::int64_t>(text)) return cbor_value(*number);
  if (const auto number = core::parse_number<std::uint64_t>(text)) return cbor_value(*number);
  const auto number = core::parse_number<double>(text);
  return number ? whole(*number) : std::nullopt;
}

converted_value to_floating(cbor_kind kind, const cbor_view& item) {
  if (kind == cbor_kind::floating) return cbor_value::copy(item);
  if (kind != cbor_kind::integer && kind != cbor_kind::text) return std::nullopt;
  const auto number = core::parse_number<double>(item.text());  // get<double>() takes no integer beyond 64 bits
  return number ? converted_value(*number) : std::nullopt;
}

/// Returns true for lists and maps, whose text is JSON.
bool is_json(const key_result& found) {
  const auto* const item = std::get_if<cbor_view>(&found.get());
  if (item == nullptr) return false;
  const cbor_kind kind = item->untagged().kind();
  return kind == cbor_kind::array || kind == cbor_kind::map;
}

converted_value convert(const key_result& found, key_type type) {
  if (type == key_type::text) return cbor_value(is_json(found) ? core::escaped_json(found.text()) : found.text());
  if (const auto* const number = std::get_if<std::uint64_t>(&found.get()))
    return type == key_type::integer ? cbor_value(*number) : cbor_value(static_cast<double>(*number));
  const auto* const stored = std::get_if<cbor_view>(&found.get());
  if (stored == nullptr) return std::nullopt;
  const cbor_view item = stored->untagged();
  return type == key_type::integer ? to_integer(item.kind(), item) : to_floating(item.kind(), item);
}

}  // namespace

typed_value::typed_value(const key_result& found, key_type type) : found_(found) {
  if (!found || type == key_type::stored) return;
  const auto* const item = std::get_if<cbor_view>(&found.get());
  if (type == key_type::text && item != nullptr && item->untagged().kind() == cbor_kind::text) return;
  converted_ = convert(found, type);
  fits_ = converted_.has_value();
}

typed_key typed_key::parse(std::string_view text, failure& why) {
  typed_key out;
  std::string_view name = text;
  for (const auto& [suffix, type] : type_suffixes) {
    if (text.size() <= suffix.size() || !text.ends_with(suffix)) continue;
    name.remove_suffix(suffix.size());
    out.type_ = type;
    failure is_property;  // "@offset:i" cannot be the name of a key
    const metadata_key whole = metadata_key::parse(text, is_property);
    if (!is_property) out.whole_name_ = whole;
  }
  out.key_ = metadata_key::parse(name, why);
  if (why) why.expected = name.size();
  return out;
}

typed_value typed_key::find(const key_source& in) const {
  if (whole_name_)
    if (const key_result found = in.find(*whole_name_)) return {found, key_type::stored};
  return {in.find(key_), type_};
}

std::vector<metadata_key> without_types(const std::vector<typed_key>& keys) {
  std::vector<metadata_key> out;
  out.reserve(keys.size());
  for (const typed_key& each : keys) out.push_back(each.key());
  return out;
}

std::vector<metadata_key> indexable_keys(const std::vector<typed_key>& keys) {
  const bool has_types = std::any_of(keys.begin(), keys.end(), [](const typed_key& each) { return each.has_type(); });
  return has_types ? std::vector<metadata_key>() : without_types(keys);
}

std::vector<named_value> find_values(const std::vector<typed_key>& keys, const key_source& in) {
  std::vector<named_value> out;
  for (const typed_key& each : keys) {
    typed_value found = each.find(in);
    if (!found) continue;
    const auto same =
        std::find_if(out.begin(), out.end(), [&](const named_value& v) { return v.key->name() == each.name(); });
    if (same == out.end())
      out.push_back({&each, std::move(found)});
    else
      same->value = std::move(found);
  }
  return out;
}

void append_escaped(const key_result& found, std::string& to) {
  const std::size_t begin = to.size();
  found.append_to(to);
  const auto plain = [](char c) { return c >= 0x20 && c < 0x7f; };
  if (std::all_of(to.begin() + static_cast<std::ptrdiff_t>(begin), to.end(), plain)) return;
  const auto value = std::string_view(to).substr(begin);
  to.replace(begin, to.npos, is_json(found) ? core::escaped_json(value) : core::escaped(value));
}

}  // namespace tgmap::archives
