// SPDX-License-Identifier: Apache-2.0
#include "convert/export/exported_object.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <tgmap/query/metadata_key.hpp>
#include <tgmap/tools/address.hpp>
#include <utility>
#include <variant>

#include "collection/message_walk.hpp"
#include "core/seeded_hash.hpp"

namespace tgmap::convert {

namespace {

struct format_entry {
  std::string_view name, extension;
  element_format format;
};

constexpr std::array formats{
    format_entry{"npy", ".npy", element_format::npy},   format_entry{"raw", ".raw", element_format::raw},
    format_entry{"", ".bin", element_format::stored},   format_entry{"csv", ".csv", element_format::csv},
    format_entry{"text", ".txt", element_format::text}, format_entry{"json", ".json", element_format::json}};

/// Returns the first named format for which `is_wanted` is true.
template <class Test>
std::optional<element_format> find_format(Test&& is_wanted) noexcept {
  for (const format_entry& each : formats)
    if (!each.name.empty() && is_wanted(each)) return each.format;
  return std::nullopt;
}

/// Returns the value of the key `name` as a part of a file name; empty without text there.
std::string stored_name(const exported_object& one) {
  static const metadata_key name("name");
  failure why;  // an object whose keys cannot be read has no name
  key_lookup keys(one.in, one.of);
  const key_result found = keys.find(name, why);
  const auto* const item = std::get_if<cbor_view>(&found.get());
  if (why || item == nullptr || item->kind() != cbor_kind::text) return {};
  const std::string text = item->text();
  return text.empty() ? text : edit::file_name_part(text);
}

}  // namespace

std::string_view extension(element_format format) noexcept {
  return std::ranges::find(formats, format, &format_entry::format)->extension;
}

std::optional<element_format> format_named(std::string_view name) noexcept {
  return find_format([&](const format_entry& each) { return each.name == name; });
}

std::optional<element_format> format_of_extension(std::string_view extension) noexcept {
  return find_format([&](const format_entry& each) { return each.extension == extension; });
}

std::string exported_object::address() const { return address_text(archive, in, of.index()); }

std::string exported_object::file_name(const edit::file_template& names, std::uint64_t index) const {
  key_lookup keys(in, of);
  const std::string label = archives::message_label(in);
  return names.name_for(keys, {.index = index, .archive = archive, .message_label = label});
}

std::vector<std::string> member_names(std::span<const exported_object> all) {
  const auto is_first = [&](const exported_object& each) { return each.archive == all.front().archive; };
  const bool one_archive = std::ranges::all_of(all, is_first);
  const bool one_message = std::ranges::all_of(all, [&](const exported_object& each) {
    return is_first(each) && archives::message_label(each.in) == archives::message_label(all.front().in);
  });
  const auto prefix = [&](const exported_object& one) {
    return (one_archive ? "" : edit::archive_stem(one.archive) + "_") + archives::message_label(one.in) + "_";
  };
  std::vector<std::vector<std::string>> choices;
  core::text_map<std::size_t> uses;
  for (const exported_object& each : all) {
    std::vector<std::string>& own = choices.emplace_back();
    if (const std::string name = stored_name(each); !name.empty()) {
      own.push_back(name);
      if (!one_message) own.push_back(prefix(each) + name);
    }
    own.push_back(prefix(each) + std::to_string(each.of.index()));
    for (const std::string& choice : own) ++uses[choice];
  }
  std::vector<std::string> out;
  for (const auto& own : choices) {
    const auto unique = std::ranges::find_if(own, [&](const std::string& each) { return uses[each] == 1; });
    out.push_back((unique == own.end() ? own.back() : *unique) + ".npy");
  }
  return out;
}

}  // namespace tgmap::convert
