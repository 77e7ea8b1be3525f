// SPDX-License-Identifier: Apache-2.0
#include "cpp/metadata/missing_keys.hpp"

#include <algorithm>
#include <tgmap/archive.hpp>
#include <tgmap/query/indexed_selection.hpp>
#include <tgmap/query/metadata_key.hpp>

#include "core/text/hex.hpp"
#include "cpp/interpreter/text.hpp"

namespace tgmap_python {
namespace {

constexpr std::size_t max_messages = 1000;   // as in the command
constexpr std::size_t max_objects = 16;      // of a message
constexpr std::size_t max_suggestions = 16;  // messages in which a similar key is looked for

/// Removes the keys that a message or one of its objects has. Properties of objects are found in objects alone.
void remove_found(const tgmap::message& in, std::vector<tgmap::metadata_key>& keys, tgmap::failure& why) {
  const auto remove = [&](tgmap::key_lookup lookup) {
    std::erase_if(keys, [&](const tgmap::metadata_key& key) { return !why && lookup.find(key, why); });
  };
  remove(tgmap::key_lookup(in));
  if (keys.empty() || why || in.version() == 1) return;
  const std::size_t objects = std::min(in.size(why), max_objects);
  for (std::size_t j = 0; j < objects && !why && !keys.empty(); ++j)
    if (const tgmap::object one = in.at(j, why); !why) remove(tgmap::key_lookup(in, one));
}

std::string nearest_key(const tgmap::archive& in, const std::string& wanted) {
  for (std::size_t i = 0; i < max_suggestions; ++i) {
    tgmap::failure why;
    const tgmap::message m = in.at(i, why);
    if (why) break;
    if (std::string near = tgmap::key_lookup(m).nearest_key(wanted); !near.empty()) return near;
  }
  return {};
}

/// Returns a name of the caller whose lone surrogates, which have three bytes here, are escaped as Python does it.
std::string shown_name(std::string_view name) {
  const auto has = [&](std::size_t at, unsigned low, unsigned high) {
    const unsigned byte = at < name.size() ? static_cast<unsigned char>(name[at]) : 0U;
    return low <= byte && byte <= high;
  };
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (!has(i, 0xed, 0xed) || !has(i + 1, 0xa0, 0xbf) || !has(i + 2, 0x80, 0xbf)) {
      out += name[i];
      continue;
    }
    const auto low_bits = [&](std::size_t at) { return static_cast<unsigned char>(name[at]) & 0x3fU; };
    const unsigned value = 0xd000U | low_bits(i + 1) << 6 | low_bits(i + 2);
    const auto digits = tgmap::core::hex_digits(std::uint64_t{value});
    out.append("\\u").append(digits.data() + 12, 4);
    i += 2;
  }
  return out;
}

}  // namespace

std::vector<std::string> find_missing_keys(const opened_archive& in, const tgmap::selection& wanted, bool has_matched) {
  const tgmap::archive& archive = in.archive;
  std::vector<tgmap::metadata_key> keys = has_matched ? wanted.optional_keys() : wanted.keys();
  tgmap::failure why;
  std::size_t examined = 0;
  for (; !keys.empty() && examined < max_messages && !why; ++examined) {
    const tgmap::message m = archive.at(examined, why);
    if (!why) remove_found(m, keys, why);
  }
  const bool is_cut = !why;
  if (examined <= 1 && why) return {};  // no message
  if (why && why.code != tgmap::errc::out_of_range) return {};
  if (!keys.empty() && archive.index_status().is_used) {
    const auto missing = tgmap::indexed_selection::of_messages(archive, wanted, why).missing_keys();
    if (why) return {};
    std::erase_if(keys, [&](const tgmap::metadata_key& key) {
      return std::find(missing.begin(), missing.end(), key.text()) == missing.end();
    });
  }
  std::vector<std::string> out;
  for (const tgmap::metadata_key& key : keys) {
    const std::string near = nearest_key(archive, key.text());
    out.push_back((in.path.empty() ? "" : in.path + ": ") +
                  (is_cut ? "none of the first " + std::to_string(max_messages) + " messages has" : "no message has") +
                  " the key '" + shown_name(key.text()) + "'" + (near.empty() ? "" : "; did you mean '" + near + "'?"));
  }
  return out;
}

void warn_of_keys(const std::vector<std::string>& texts) {
  for (const std::string& each : texts) call_python(from_package("tgmap._warnings", "warn_of_key"), shown_text(each));
}

}  // namespace tgmap_python
