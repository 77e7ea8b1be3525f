// SPDX-License-Identifier: Apache-2.0
#include "cli/dump_message.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "cli/escape.hpp"
#include "cli/json_stream.hpp"

namespace tgmap::cli {

namespace {

std::vector<std::size_t> numbered(bounds objects) {
  std::vector<std::size_t> out(static_cast<std::size_t>(objects.end - objects.begin));
  std::iota(out.begin(), out.end(), static_cast<std::size_t>(objects.begin));
  return out;
}

sorted_json keys_of(const metadata& layers) {
  sorted_json out = sorted_json::object();
  for (const metadata::entry& each : layers.entries()) out[each.key] = to_sorted_json(each.value);
  return out;
}

std::string number_of(const message& m) {
  const auto index = m.index();
  return index ? std::to_string(*index) : fmt::format("@{}", m.offset());
}

std::string key_lines(const sorted_json& keys) {
  std::string out;
  for (const auto& [key, item] : keys.items()) out += fmt::format("    {}: {}\n", escaped(key), compact(item));
  return out;
}

/// Keys of a descriptor that are no codec parameters.
bool is_fixed(std::string_view key) {
  static constexpr std::array<std::string_view, 10> fixed{"type",     "ndim",   "shape",       "strides",    "dtype",
                                                          "encoding", "filter", "compression", "byte_order", "masks"};
  return std::find(fixed.begin(), fixed.end(), key) != fixed.end();
}

void put_object(const descriptor& what, json_stream& to) {
  std::vector<json_stream::member> all{
      {"type", what.type.text()}, {"dtype", to_string_view(what.dtype)}, {"shape", what.shape()}};
  what.entries.visit([&](const cbor_view& key, const cbor_view& item) {
    if (std::string name = key.text(); !is_fixed(name)) all.push_back({std::move(name), item});
    return true;
  });
  to.put(std::move(all));
}

/// Bytes of a message but for the payloads of these objects, all of which can be read. Throws tgmap::error.
std::uint64_t bytes_of_metadata(const message& m, const std::vector<std::size_t>& objects) {
  std::uint64_t out = m.length();
  for (const std::size_t j : objects) {
    static_cast<void>(m.base(j));
    const object one = m[j];
    static_cast<void>(one.descriptor());
    out -= std::min(out, one.payload_and_masks_size());
  }
  return out;
}

}  // namespace

std::string dump_text(const message& m, bounds chosen) {
  std::string out = fmt::format("=== Message {} ===\nversion: {}\n", number_of(m), m.version());
  if (m.version() == 1) return out + "\n";  // known by its place only
  const auto objects = numbered(chosen);
  out += fmt::format("objects: {}\n", m.size());
  for (const std::size_t j : objects) {
    const descriptor what = m[j].descriptor();
    out += fmt::format("  object[{}]: type={}, dtype={}, shape=[{}]\n", j, escaped(what.type.text()),
                       to_string_view(what.dtype), fmt::join(what.shape(), ", "));
  }
  for (const std::size_t j : objects) out += fmt::format("  base[{}]:\n", j) + key_lines(keys_of(m.base(j)));
  const sorted_json extra = keys_of(m.metadata());
  if (!extra.empty()) out += "  extra:\n" + key_lines(extra);
  return out + "\n";
}

void dump_json(const message& m, bounds chosen, const std::optional<std::uint64_t>& max_memory, output& out) {
  if (m.version() == 1) return out.write(pretty({{"version", m.version()}}) + "\n");
  const auto objects = numbered(chosen);
  const std::uint64_t input = bytes_of_metadata(m, objects);
  const metadata extra = m.metadata();
  json_stream to(out, json_stream::layout::pretty, json_limit::of(input, max_memory));
  to.begin_object();
  if (!objects.empty()) {
    to.key("base").begin_array();
    for (const std::size_t j : objects) to.put(m.base(j));
    to.end_array();
  }
  if (!extra.entries().empty()) to.key("extra").put(extra);
  to.key("objects").begin_array();
  for (const std::size_t j : objects) put_object(m[j].descriptor(), to);
  to.end_array();
  to.key("version").put(sorted_json(m.version()));
  to.end_object();
  out.write("\n");
}

}  // namespace tgmap::cli
