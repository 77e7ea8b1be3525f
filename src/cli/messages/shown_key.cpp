// SPDX-License-Identifier: Apache-2.0
#include "cli/messages/shown_key.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "cli/input/selection.hpp"
#include "cli/print/json.hpp"
#include "core/text/escape.hpp"
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

/// Returns true for lists and maps, whose text is JSON.
bool is_json(const key_result& found) {
  const auto* const item = std::get_if<cbor_view>(&found.get());
  if (item == nullptr) return false;
  const cbor_kind kind = item->untagged().kind();
  return kind == cbor_kind::array || kind == cbor_kind::map;
}

converted_value convert(const key_result& found, shown_type type) {
  if (type == shown_type::text) return cbor_value(is_json(found) ? core::escaped_json(found.text()) : found.text());
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

shown_value shown_key::find(const key_source& in) const {
  if (whole_name_)
    if (const key_result found = in.find(*whole_name_)) return {found, shown_type::stored};
  return {in.find(key_), type_};
}

std::vector<metadata_key> indexable_keys(const std::vector<shown_key>& keys) {
  const bool has_types = std::any_of(keys.begin(), keys.end(), [](const shown_key& each) { return each.has_type(); });
  return has_types ? std::vector<metadata_key>() : without_types(keys);
}

std::vector<metadata_key> without_types(const std::vector<shown_key>& keys) {
  std::vector<metadata_key> out;
  out.reserve(keys.size());
  for (const shown_key& each : keys) out.push_back(each.key());
  return out;
}

std::vector<shown_key> parse_shown_keys(const std::string& text) {
  std::vector<shown_key> out;
  for (const std::string& each : split_keys(text)) out.emplace_back(each);
  return out;
}

namespace {

/// Writes the value of a key with its type.
struct typed_value_writer {
  json_text::writer<>& to;
  void operator()(std::monostate) const { to.null(); }
  void operator()(const cbor_view& item) const {
    json_text::memory_limit no_limit;
    json_text::put_cbor(to, item, no_limit);
  }
  void operator()(std::uint64_t n) const { to.integer(n); }
  void operator()(bool b) const { to.boolean(b); }
  void operator()(std::string_view text) const { to.string(text); }
  void operator()(std::span<const std::uint64_t> list) const {
    to.begin_array();
    for (const std::uint64_t each : list) to.integer(each);
    to.end_array();
  }
};

}  // namespace

void append_value(const key_result& found, std::string& line) {
  const std::size_t begin = line.size();
  found.append_to(line);
  const auto plain = [](char c) { return c >= 0x20 && c < 0x7f; };
  if (std::all_of(line.begin() + static_cast<std::ptrdiff_t>(begin), line.end(), plain)) return;
  const auto value = std::string_view(line).substr(begin);
  line.replace(begin, line.npos, is_json(found) ? core::escaped_json(value) : core::escaped(value));
}

void append_json_line(const std::string& file, std::span<const shown_key> keys, const key_source& in,
                      std::string& line) {
  std::vector<std::string> names{"file"};
  std::vector<std::optional<shown_value>> values(1);  // the last one of keys of one name counts
  for (const shown_key& k : keys) {
    std::optional<shown_value> found = k.find(in);
    if (!*found) continue;
    const auto same = std::find(names.begin(), names.end(), k.name());
    if (same == names.end()) {
      names.push_back(k.name());
      values.push_back(std::move(found));
    } else {
      values[static_cast<std::size_t>(same - names.begin())] = std::move(found);
    }
  }
  core::text_builder text(line);
  json_text::writer<> to(text, json_text::ascii_style);
  to.begin_object();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!values[i])
      put_name(to, "file", file);
    else
      std::visit(typed_value_writer{to.key(names[i])}, values[i]->get().get());
  }
  to.end_object();
  line += '\n';
}

namespace {

/// Returns the value of a key that is no list or map of metadata.
struct scalar_json {
  json operator()(std::monostate) const { return nullptr; }
  json operator()(const cbor_view& item) const {
    if (item.kind() == cbor_kind::floating) return item.as<double>();
    if (const auto n = item.get<std::int64_t>()) return *n;
    if (const auto n = item.get<std::uint64_t>()) return *n;
    return item.text();
  }
  json operator()(std::uint64_t n) const { return n; }
  json operator()(bool b) const { return b; }
  json operator()(std::string_view text) const { return text; }
  json operator()(std::span<const std::uint64_t> list) const { return to_json(list); }
};

}  // namespace

std::vector<reports::json_stream::member> stream_members(std::span<const shown_key> keys, key_lookup& in, bool typed) {
  std::vector<reports::json_stream::member> out;
  for (const shown_key& k : keys) {
    const shown_value found = k.find(in);
    if (!found) continue;
    const key_result value = found.get();
    const bool as_text = !typed && k.type() == shown_type::stored;
    if (const auto* const item = std::get_if<cbor_view>(&value.get());
        item != nullptr && !as_text && !found.is_converted())
      out.push_back({k.name(), *item});
    else
      out.push_back({k.name(), as_text ? json(value.text()) : std::visit(scalar_json{}, value.get())});
  }
  return out;
}

void add_typed(CLI::App& app) { app.add_flag("--typed")->group(""); }

}  // namespace tgmap::cli
