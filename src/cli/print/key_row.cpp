// SPDX-License-Identifier: Apache-2.0
#include "cli/print/key_row.hpp"

#include <algorithm>

#include "cli/print/escape.hpp"
#include "cli/print/reference_json.hpp"

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
  line.replace(begin, line.npos, escaped(std::string_view(line).substr(begin)));
}

json key_members(std::span<const metadata_key> keys, key_lookup& in, bool typed) {
  json out = json::object();
  for (const metadata_key& k : keys)
    if (const key_result found = in.find(k)) out[k.text()] = typed ? typed_value(found) : json(found.text());
  return out;
}

std::vector<json_stream::member> stream_members(std::span<const metadata_key> keys, key_lookup& in, bool typed) {
  std::vector<json_stream::member> out;
  for (const metadata_key& k : keys) {
    const key_result found = in.find(k);
    if (!found) continue;
    if (const cbor_view* const item = std::get_if<cbor_view>(&found.get()); item != nullptr && typed)
      out.push_back({k.text(), *item});
    else
      out.push_back({k.text(), typed ? sorted_json(typed_value(found)) : sorted_json(found.text())});
  }
  return out;
}

void add_typed(CLI::App& app, bool& into) {
  app.add_flag("--typed", into, "With --json: print numbers, lists and maps as such, not as text");
}

}  // namespace tgmap::cli
