// SPDX-License-Identifier: Apache-2.0
#include "cli/output/extract_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <tgmap/query/metadata_key.hpp>
#include <unordered_map>

#include "cli/app/cli_error.hpp"
#include "cli/app/next_step.hpp"

namespace tgmap::cli {

namespace {

std::string name_from_keys(const extract_destination& to, const extracted_object& one, std::uint64_t index) try {
  key_lookup keys(one.in, one.of);
  return to.names.name_for(keys, {.index = index, .archive = one.archive, .message_label = one.message_label});
} catch (const error& why) {
  throw cli_error(why.details().text(), next_step(why.details(), one.archive), one.address);
}

/// Returns the value of the key `name` as a part of a file name; empty without text there.
std::string stored_name(const extracted_object& one) {
  static const metadata_key name("name");
  failure why;  // an object whose keys cannot be read has no name
  key_lookup keys(one.in, one.of);
  const key_result found = keys.find(name, why);
  const auto* const item = std::get_if<cbor_view>(&found.get());
  if (why || item == nullptr || item->kind() != cbor_kind::text) return {};
  const std::string text = item->text();
  return text.empty() ? text : file_name_part(text);
}

std::vector<std::string> member_names(std::span<const extracted_object> all) {
  const auto label = [](const extracted_object& one) { return std::pair(one.archive, one.message_label); };
  const bool one_message =
      std::all_of(all.begin(), all.end(), [&](const auto& each) { return label(each) == label(all.front()); });
  const bool one_archive =
      std::all_of(all.begin(), all.end(), [&](const auto& each) { return each.archive == all.front().archive; });
  const auto prefix = [&](const extracted_object& one) {
    const std::string archive = one_archive ? "" : archive_stem(one.archive) + "_";
    return archive + one.message_label + "_";
  };
  std::vector<std::string> numbered, named;
  std::unordered_map<std::string, std::size_t> uses;
  for (const extracted_object& each : all) {
    numbered.push_back(prefix(each) + std::to_string(each.of.index()));
    const std::string name = stored_name(each);
    named.push_back(name.empty() || one_message ? name : prefix(each) + name);
    ++uses[numbered.back()];
    if (!name.empty()) ++uses[named.back()];
  }
  std::vector<std::string> out;
  for (std::size_t i = 0; i < all.size(); ++i)
    out.push_back((named[i].empty() || uses[named[i]] > 1 ? numbered[i] : named[i]) + ".npy");
  return out;
}

void refuse_equal_names(const extract_destination& to, std::span<const extracted_object> all,
                        const std::vector<std::string>& names) {
  std::unordered_map<std::string_view, std::size_t> seen;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto [other, first] = seen.emplace(names[i], i);
    if (first) continue;
    const bool is_pattern = to.what == extract_destination::kind::several && !to.names.is_folder();
    throw usage_error(fmt::format("'{}' and '{}' would both be written to '{}'{}", all[other->second].address,
                                  all[i].address, names[i],
                                  is_pattern && all[other->second].archive == all[i].archive
                                      ? "; put [@message] and [@object], or other keys, into -o"
                                  : is_pattern ? "; write them to a folder, out/, or extract them in two calls"
                                               : "; extract them in two calls"));
  }
}

}  // namespace

std::vector<std::string> extract_names(const extract_destination& to, std::span<const extracted_object> all) {
  std::vector<std::string> out;
  if (to.what == extract_destination::kind::npz)
    out = member_names(all);
  else if (to.what == extract_destination::kind::several)
    for (std::size_t i = 0; i < all.size(); ++i) out.push_back(name_from_keys(to, all[i], i));
  else
    out.assign(all.size(), to.to);
  refuse_equal_names(to, all, out);
  return out;
}

}  // namespace tgmap::cli
