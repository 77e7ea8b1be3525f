// SPDX-License-Identifier: Apache-2.0
#include "cli/messages/shown_key.hpp"

#include <algorithm>
#include <utility>

#include "cli/input/selection.hpp"
#include "cli/print/json.hpp"
#include "core/text/split.hpp"
#include "core/text/trim.hpp"
#include "json/key_text.hpp"

namespace tgmap::cli {

std::vector<typed_key> parse_typed_keys(const std::string& text) {
  std::vector<typed_key> out;
  for (const std::string_view each : core::split(text)) {
    failure why;
    const std::string_view name = core::trimmed(each);
    out.push_back(typed_key::parse(name, why));
    if (why) throw_key_error(std::string(name.substr(0, why.expected)));
  }
  return out;
}

void append_json_line(const std::string& file, const std::vector<typed_key>& keys, const key_source& in,
                      std::string& line) {
  const std::vector<archives::named_value> values = archives::find_values(keys, in);
  const auto is_file = [](const archives::named_value& each) { return each.key->name() == "file"; };
  const auto own_file = std::find_if(values.begin(), values.end(), is_file);
  core::text_builder text(line);
  json_text::writer<> to(text, json_text::ascii_style);
  to.begin_object();
  if (own_file == values.end())
    json_text::put_name(to, "file", file);
  else
    json_text::put_key(to.key("file"), own_file->value.get());
  for (const archives::named_value& each : values)
    if (!is_file(each)) json_text::put_key(to.key(each.key->name()), each.value.get());
  to.end_object();
  line += '\n';
}

namespace {

/// Returns a value that is no list or map of metadata.
json scalar(const key_result& value) {
  return json::parse(json_of([&](json_text::writer<>& to) { json_text::put_key(to, value); }));
}

}  // namespace

std::vector<reports::json_stream::member> stream_members(const std::vector<typed_key>& keys, key_lookup& in,
                                                         bool typed) {
  std::vector<reports::json_stream::member> out;
  for (const typed_key& k : keys) {
    const archives::typed_value found = k.find(in);
    if (!found) continue;
    const key_result value = found.get();
    const bool as_text = !typed && k.type() == archives::key_type::stored;
    if (const auto* const item = std::get_if<cbor_view>(&value.get());
        item != nullptr && !as_text && !found.is_converted())
      out.push_back({k.name(), *item});
    else
      out.push_back({k.name(), as_text ? json(value.text()) : scalar(value)});
  }
  return out;
}

void add_typed(CLI::App& app) { app.add_flag("--typed")->group(""); }

}  // namespace tgmap::cli
