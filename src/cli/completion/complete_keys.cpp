// SPDX-License-Identifier: Apache-2.0
#include "cli/completion/complete_keys.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <tgmap/archive.hpp>

#include "cli/app/cli_error.hpp"
#include "cli/input/target.hpp"
#include "cli/manual/page.hpp"

namespace tgmap::cli::completion {

namespace {

// Limits that keep the answer fast.
constexpr std::size_t max_messages = 8;
constexpr std::size_t max_objects = 16;  // of each message
constexpr std::size_t max_keys = 2000;
constexpr std::size_t max_key_size = 100;
constexpr std::size_t max_entries = 20'000;
constexpr std::uint64_t max_scanned = std::uint64_t{64} << 20;
constexpr int max_key_depth = 8;

bool is_safe_in_shell(std::string_view key) {
  return !key.empty() && key.size() <= max_key_size &&
         key.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.@-") == key.npos;
}

/// Collects the keys of messages, up to the limits.
class key_collector {
 public:
  const std::set<std::string>& keys() const noexcept { return keys_; }

  void add(const std::string& property) { keys_.insert(property); }

  void add_keys_of(const message& m) {
    failure why;
    add_all(m.metadata(why));
    const std::size_t objects = std::min(m.size(why), max_objects);
    for (std::size_t j = 0; j < objects; ++j)
      if (const object o = m.at(j, why); !why) add_all(o.metadata(why));
  }

 private:
  bool is_full() const noexcept { return keys_.size() >= max_keys || entries_ >= max_entries; }

  void add_all(const metadata& of) {
    for (const metadata::entry& each : of.entries())
      if (is_safe_in_shell(each.key)) add(each.key, each.value, 1);
  }

  void add(const std::string& path, const cbor_view& item, int depth) {
    ++entries_;
    if (is_full()) return;
    if (item.kind() != cbor_kind::map || depth == max_key_depth) {
      keys_.insert(path);
      return;
    }
    item.visit([&](const cbor_view& name, const cbor_view& inner) {
      const auto text = name.get<std::string_view>();
      if (text && is_safe_in_shell(*text) && path.size() + 1 + text->size() <= max_key_size)
        add(path + "." + std::string(*text), inner, depth + 1);
      else
        ++entries_;
      return !is_full();
    });
  }

  std::set<std::string> keys_;
  std::size_t entries_ = 0;
};

/// Opens the archive named by the first suitable word. Never opens pipes, because the actual command must read them.
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
    if (opened.scan(max_scanned, {}, why).messages != 0) return opened;
  }
  return {};
}

}  // namespace

std::vector<std::string> complete_keys(const std::string& begun, const std::vector<std::string>& words) {
  key_collector found;
  for (const std::string& property : manual::property_names()) found.add(property);
  const archive opened = first_archive(words);
  const std::size_t messages = opened ? std::min<std::size_t>(opened.scan_progress().messages, max_messages) : 0;
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
