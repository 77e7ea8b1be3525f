// SPDX-License-Identifier: Apache-2.0
#include "cli/dump_message.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "cli/escape.hpp"
#include "cli/reference_json.hpp"

namespace tgmap::cli {

namespace {

std::vector<std::size_t> numbered(bounds objects) {
  std::vector<std::size_t> out(static_cast<std::size_t>(objects.end - objects.begin));
  std::iota(out.begin(), out.end(), static_cast<std::size_t>(objects.begin));
  return out;
}

sorted_json keys_of(const metadata& layers) {
  sorted_json out = sorted_json::object();
  for (const metadata::entry& each : layers.entries()) out[each.key] = to_sorted_json(each.item);
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

sorted_json object_json(const descriptor& what) {
  sorted_json out{{"type", what.type.text()}, {"dtype", name(what.dtype)}, {"shape", what.shape()}};
  what.entries.visit([&](value key, value item) {
    if (std::string name = key.text(); !is_fixed(name)) out[name] = to_sorted_json(item);
    return true;
  });
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
    out += fmt::format("  object[{}]: type={}, dtype={}, shape=[{}]\n", j, escaped(what.type.text()), name(what.dtype),
                       fmt::join(what.shape(), ", "));
  }
  for (const std::size_t j : objects) out += fmt::format("  base[{}]:\n", j) + key_lines(keys_of(m.base(j)));
  const sorted_json extra = keys_of(m.metadata());
  if (!extra.empty()) out += "  extra:\n" + key_lines(extra);
  return out + "\n";
}

std::string dump_json(const message& m, bounds chosen) {
  sorted_json out{{"version", m.version()}};
  if (m.version() == 1) return pretty(out) + "\n";
  sorted_json base = sorted_json::array(), objects = sorted_json::array();
  for (const std::size_t j : numbered(chosen)) {
    base.push_back(keys_of(m.base(j)));
    objects.push_back(object_json(m[j].descriptor()));
  }
  if (!base.empty()) out["base"] = std::move(base);
  if (sorted_json extra = keys_of(m.metadata()); !extra.empty()) out["extra"] = std::move(extra);
  out["objects"] = std::move(objects);
  return pretty(out) + "\n";
}

}  // namespace tgmap::cli
