// SPDX-License-Identifier: Apache-2.0
#include "cli/completion/keys.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <tgmap/archive.hpp>

#include "cli/app/cli_error.hpp"
#include "cli/input/target.hpp"
#include "cli/manual/page.hpp"

namespace tgmap::cli::completion {

namespace {

constexpr std::size_t messages_looked_at = 8;
constexpr std::size_t objects_looked_at = 16;  // of each
constexpr std::size_t most_keys = 2000;
constexpr std::size_t longest_key = 100;
constexpr std::size_t most_entries = 20'000;                      // looked at
constexpr std::uint64_t bytes_scanned = std::uint64_t{64} << 20;  // nobody waits long for a key
constexpr int deepest = 8;

bool harmless(std::string_view key) {
  return !key.empty() && key.size() <= longest_key &&
         key.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.@-") == key.npos;
}

/// Gathers keys, as many as somebody may want to see.
class gatherer {
 public:
  const std::set<std::string>& keys() const noexcept { return keys_; }

  void add(const std::string& fact) { keys_.insert(fact); }

  void add_keys_of(const message& m) {
    failure why;
    add_all(m.metadata(why));
    const std::size_t objects = std::min(m.size(why), objects_looked_at);
    for (std::size_t j = 0; j < objects; ++j)
      if (const object o = m.at(j, why); !why) add_all(o.metadata(why));
  }

 private:
  bool enough() const noexcept { return keys_.size() >= most_keys || entries_ >= most_entries; }

  void add_all(const metadata& of) {
    for (const metadata::entry& each : of.entries())
      if (harmless(each.key)) add(each.key, each.value, 1);
  }

  void add(const std::string& path, const cbor_view& item, int depth) {
    ++entries_;
    if (enough()) return;
    if (item.kind() != cbor_kind::map || depth == deepest) {
      keys_.insert(path);
      return;
    }
    item.visit([&](const cbor_view& name, const cbor_view& inner) {
      const auto text = name.get<std::string_view>();
      if (text && harmless(*text) && path.size() + 1 + text->size() <= longest_key)
        add(path + "." + std::string(*text), inner, depth + 1);
      else
        ++entries_;
      return !enough();
    });
  }

  std::set<std::string> keys_;
  std::size_t entries_ = 0;
};

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
    if (opened.scan(bytes_scanned, {}, why).messages != 0) return opened;
  }
  return {};
}

}  // namespace

std::vector<std::string> complete_keys(const std::string& begun, const std::vector<std::string>& words) {
  gatherer found;
  for (const std::string& fact : manual::fact_names()) found.add(fact);
  const archive opened = first_archive(words);
  const std::size_t messages = opened ? std::min<std::size_t>(opened.scan_progress().messages, messages_looked_at) : 0;
  for (std::size_t i = 0; i < messages; ++i) {
    failure why;
    const message m = opened.at(i, why);
    if (why) break;
    found.add_keys_of(m);
  }

  const std::size_t comma = begun.rfind(',');
  const std::string before = comma == begun.npos ? "" : begun.substr(0, comma + 1),
                    wanted = begun.substr(before.size());
  std::vector<std::string> out;
  for (const std::string& key : found.keys())
    if (key.starts_with(wanted)) out.push_back(before + key);
  return out;
}

}  // namespace tgmap::cli::completion
