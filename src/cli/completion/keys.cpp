// SPDX-License-Identifier: Apache-2.0
#include "cli/completion/keys.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <tgmap/archive.hpp>

#include "cli/complaint.hpp"
#include "cli/manual/page.hpp"
#include "cli/target.hpp"

namespace tgmap::cli::completion {

namespace {

constexpr std::size_t messages_looked_at = 8;
constexpr std::size_t objects_looked_at = 16;  // of each
constexpr std::size_t most_keys = 2000;
constexpr int deepest = 8;

bool harmless(std::string_view key) {
  return !key.empty() &&
         key.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.@-") == key.npos;
}

void add(const std::string& path, const value& item, int depth, std::set<std::string>& keys) {
  if (!harmless(path) || keys.size() == most_keys) return;
  if (item.type() != kind::map || depth == deepest) {
    keys.insert(path);
    return;
  }
  item.visit([&](const value& name, const value& inner) {
    if (const auto text = name.get<std::string_view>()) add(path + "." + std::string(*text), inner, depth + 1, keys);
    return true;
  });
}

void add_all(const metadata& of, std::set<std::string>& keys) {
  for (const metadata::entry& each : of.entries()) add(each.key, each.item, 1, keys);
}

void add_keys_of(const message& m, std::set<std::string>& keys) {
  failure why;
  add_all(m.metadata(why), keys);
  const std::size_t objects = std::min(m.size(why), objects_looked_at);
  for (std::size_t j = 0; j < objects; ++j)
    if (const object o = m.at(j, why); !why) add_all(o.metadata(why), keys);
}

/// The first word that names an archive. Pipes are not touched: reading one would take it from the command to come.
archive first_archive(const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    target named;
    try {
      named = parse_target(word);
    } catch (const usage_error&) {
      continue;
    }
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(named.file, ignored)) continue;
    failure why;
    archive opened = archive::open(named.file, {}, why);
    if (why) continue;
    static_cast<void>(opened.at(0, why));
    if (!why) return opened;
  }
  return {};
}

}  // namespace

std::vector<std::string> complete_keys(const std::string& begun, const std::vector<std::string>& words) {
  std::set<std::string> keys;
  for (const std::string& fact : manual::fact_names()) keys.insert(fact);
  const archive opened = first_archive(words);
  for (std::size_t i = 0; i < messages_looked_at; ++i) {
    failure why;
    const message m = opened.at(i, why);
    if (why) break;
    add_keys_of(m, keys);
  }

  const std::size_t comma = begun.rfind(',');
  const std::string before = comma == begun.npos ? "" : begun.substr(0, comma + 1),
                    wanted = begun.substr(before.size());
  std::vector<std::string> out;
  for (const std::string& key : keys)
    if (key.starts_with(wanted)) out.push_back(before + key);
  return out;
}

}  // namespace tgmap::cli::completion
