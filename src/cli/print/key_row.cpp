// SPDX-License-Identifier: Apache-2.0
#include "cli/print/key_row.hpp"

#include <algorithm>

#include "cli/print/reference_json.hpp"
#include "core/text/escape.hpp"

namespace tgmap::cli {

namespace {

json typed_value(const key_result& found) {
  struct converter {
    json operator()(std::monostate) const { return nullptr; }
    json operator()(const cbor_view& item) const { return to_sorted_json(item); }
    json operator()(std::uint64_t n) const { return n; }
    json operator()(bool b) const { return b; }
    json operator()(std::string_view text) const { return text; }
    json operator()(std::span<const std::uint64_t> list) const { return to_json(list); }
  };
  return std::visit(converter{}, found.get());
}

}  // namespace

void append_value(const key_result& found, std::string& line) {
  const std::size_t begin = line.size();
  found.append_to(line);
  const auto plain = [](char c) { return c >= 0x20 && c < 0x7f; };
  if (std::all_of(line.begin() + static_cast<std::ptrdiff_t>(begin), line.end(), plain)) return;
  line.replace(begin, line.npos, core::escaped(std::string_view(line).substr(begin)));
}

json key_members(const std::string& file, std::span<const shown_key> keys, key_lookup& in) {
  json out{{"file", file}};
  for (const shown_key& k : keys)
    if (const shown_value found = k.find(in)) out[k.name()] = typed_value(found.get());
  return out;
}

std::vector<json_stream::member> stream_members(std::span<const shown_key> keys, key_lookup& in, bool typed) {
  std::vector<json_stream::member> out;
  for (const shown_key& k : keys) {
    const shown_value found = k.find(in);
    if (!found) continue;
    const key_result value = found.get();
    const bool as_text = !typed && k.type() == shown_type::stored;
    if (const auto* const item = std::get_if<cbor_view>(&value.get());
        item != nullptr && !as_text && !found.is_converted())
      out.push_back({k.name(), *item});
    else
      out.push_back({k.name(), as_text ? sorted_json(value.text()) : sorted_json(typed_value(value))});
  }
  return out;
}

void add_typed(CLI::App& app) { app.add_flag("--typed")->group(""); }

}  // namespace tgmap::cli
