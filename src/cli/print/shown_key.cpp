// SPDX-License-Identifier: Apache-2.0
#include "cli/print/shown_key.hpp"

#include <array>
#include <cmath>
#include <utility>

#include "cli/input/selection.hpp"
#include "core/text/parse_number.hpp"

namespace tgmap::cli {

namespace {

constexpr std::array<std::pair<std::string_view, shown_type>, 3> type_suffixes{
    {{":i", shown_type::integer}, {":d", shown_type::floating}, {":s", shown_type::text}}};

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

converted_value convert(const key_result& found, shown_type type) {
  if (type == shown_type::text) return cbor_value(found.text());
  if (const auto* const number = std::get_if<std::uint64_t>(&found.get()))
    return type == shown_type::integer ? cbor_value(*number) : cbor_value(static_cast<double>(*number));
  const auto* const stored = std::get_if<cbor_view>(&found.get());
  if (stored == nullptr) return std::nullopt;
  const cbor_view item = stored->untagged();
  return type == shown_type::integer ? to_integer(item.kind(), item) : to_floating(item.kind(), item);
}

}  // namespace

shown_value::shown_value(const key_result& found, shown_type type) : found_(found) {
  if (!found || type == shown_type::stored) return;
  const auto* const item = std::get_if<cbor_view>(&found.get());
  if (type == shown_type::text && item != nullptr && item->untagged().kind() == cbor_kind::text) return;
  converted_ = convert(found, type);
  fits_ = converted_.has_value();
}

shown_key::shown_key(const std::string& text) {
  std::string name = text;
  for (const auto& [suffix, type] : type_suffixes) {
    if (text.size() <= suffix.size() || !text.ends_with(suffix)) continue;
    name.resize(text.size() - suffix.size());
    type_ = type;
    failure is_property;  // "@offset:i" cannot be the name of a key
    const metadata_key whole = metadata_key::parse(text, is_property);
    if (!is_property) whole_name_ = whole;
  }
  key_ = parse_keys(name).front();
}

shown_value shown_key::find(key_lookup& in) const {
  if (whole_name_)
    if (const key_result found = in.find(*whole_name_)) return {found, shown_type::stored};
  return {in.find(key_), type_};
}

std::vector<metadata_key> without_types(const std::vector<shown_key>& keys) {
  std::vector<metadata_key> out;
  for (const shown_key& each : keys) out.push_back(each.key());
  return out;
}

std::vector<shown_key> parse_shown_keys(const std::string& text) {
  std::vector<shown_key> out;
  for (const std::string& each : split_keys(text)) out.emplace_back(each);
  return out;
}

}  // namespace tgmap::cli
