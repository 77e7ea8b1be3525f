// SPDX-License-Identifier: Apache-2.0
#include "edit/output/file_template.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <utility>

#include "core/text/enum_table.hpp"
#include "core/text/escape.hpp"
#include "core/text/hex.hpp"
#include "core/text/utf8.hpp"
#include "edit/output/output_location.hpp"

namespace tgmap::edit {

namespace {

constexpr std::string_view index_mark = "index", message_number = "@message";
constexpr std::size_t max_value_bytes = 100;  // file systems allow names of 255 bytes

/// Returns the FNV-1a hash, which is not meant to resist attackers.
std::uint64_t hash(std::string_view text) noexcept {
  std::uint64_t out = 0xcbf29ce484222325;
  for (const char c : text) out = (out ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return out;
}

/// Returns the number with at least four digits.
std::string four_digits(std::uint64_t number) {
  const std::string out = std::to_string(number);
  return out.size() < 4 ? std::string(4 - out.size(), '0') + out : out;
}

/// Replaces each "/" and each character that `escaped` would escape by "_".
std::string replace_unsafe_characters(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto [code, bytes] = core::first_code_point(text);
    if (bytes == 0 || code == '/' || core::is_control(code) || core::is_deceptive(code))
      out += '_';
    else
      out += text.substr(0, bytes);
    text.remove_prefix(bytes == 0 ? 1 : bytes);
  }
  return out;
}

/// Returns the name of an archive in its folder, also without its extension.
std::string archive_name(const std::string& path, bool only_stem) {
  const std::filesystem::path name = path == "-" ? "stdin.tgm" : std::filesystem::path(path).filename();
  return (only_stem ? name.stem() : name).string();
}

}  // namespace

std::string archive_stem(const std::string& path) { return archive_name(path, true); }

std::string file_name_part(std::string_view value) {
  std::string out(value.empty() ? "_" : value);
  if (out.size() > max_value_bytes) {
    const std::size_t end = core::code_point_begin(out, max_value_bytes);
    const auto digits = core::hex_digits(hash(value));
    out.resize(end);
    out.append("-").append(digits.data(), digits.size());
  }
  out = replace_unsafe_characters(out);
  for (std::size_t i = 0; i < out.size() && out[i] == '.'; ++i) out[i] = '_';
  return out;
}

std::size_t closing_bracket(std::string_view text, std::size_t begin) noexcept {
  std::size_t depth = 0;
  for (std::size_t at = begin; at < text.size(); ++at) {
    if (text[at] == '[') ++depth;
    if (text[at] == ']' && --depth == 0) return at;
  }
  return text.npos;
}

file_template file_template::parse(std::string_view text, failure& why) {
  why = {};
  file_template out;
  out.is_folder_ = names_folder(std::string(text));
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = std::min(text.find('[', at), text.size());
    if (open != at) out.pieces_.push_back({piece::kind::text, std::string(text.substr(at, open - at))});
    if (open == text.size()) break;
    const std::size_t close = closing_bracket(text, open);
    const std::optional<template_error> wrong = close == text.npos
                                                    ? template_error::unclosed_bracket
                                                    : out.add_bracket(text.substr(open + 1, close - open - 1));
    if (wrong) {
      why = {.code = errc::bad_name_template, .expected = static_cast<std::uint64_t>(*wrong), .found = open + 1};
      return out;
    }
    at = close + 1;
  }
  out.makes_folders_ = text.ends_with('/') || !out.keys_.empty() || out.numbered_;
  if (out.is_folder_ && !text.ends_with('/')) out.pieces_.push_back({piece::kind::text, "/"});
  return out;
}

/// Adds what is in a bracket.
std::optional<template_error> file_template::add_bracket(std::string_view name) {
  if (name.empty()) return template_error::no_key;
  if (name == index_mark) {
    pieces_.push_back({piece::kind::index});
    numbered_ = true;
    return std::nullopt;
  }
  failure why;
  const std::vector<metadata_key> keys = parse_keys(name, why);
  if (why) return template_error::unknown_property;
  add_key(keys.front());
  return keys.size() == 1 ? std::nullopt : std::optional(template_error::several_keys);
}

void file_template::add_key(const metadata_key& key) {
  pieces_.push_back({piece::kind::key, {}, keys_.size()});
  keys_.push_back(key);
}

void file_template::add_archive_name() { pieces_.push_back({piece::kind::archive}); }

void file_template::add_numbered_name(std::string_view extension) {
  pieces_.push_back({piece::kind::archive_stem});
  pieces_.push_back({piece::kind::text, std::string(extension)});
  numbered_ = false;  // [index] may be in the name of the folder
  add_index();
}

void file_template::add_name_with_keys(std::span<const metadata_key> keys, std::string_view extension) {
  pieces_.push_back({piece::kind::archive_stem});
  for (const metadata_key& each : keys) {
    pieces_.push_back({piece::kind::text, "_"});
    add_key(each);
  }
  pieces_.push_back({piece::kind::text, std::string(extension)});
}

void file_template::add_part_names(std::span<const metadata_key> keys, std::string_view extension) {
  if (!is_folder_)
    add_index();
  else if (keys.empty())
    add_numbered_name(extension);
  else
    add_name_with_keys(keys, extension);
}

void file_template::add_object_name(std::string_view extension) {
  add_key(metadata_key(message_number));
  pieces_.push_back({piece::kind::text, "_"});
  add_key(metadata_key("@object"));
  pieces_.push_back({piece::kind::text, std::string(extension)});
}

void file_template::add_archive_to_object_name() {
  constexpr std::ptrdiff_t pieces_of_object_name = 4;
  const piece added[] = {{piece::kind::archive_stem}, {piece::kind::text, "_"}};
  pieces_.insert(pieces_.end() - pieces_of_object_name, std::begin(added), std::end(added));
}

void file_template::add_index() {
  if (std::exchange(numbered_, true)) return;
  std::string extension;
  if (!pieces_.empty() && pieces_.back().what == piece::kind::text) {
    std::string& last = pieces_.back().text;
    const std::size_t dot = last.rfind('.'), slash = last.rfind('/');
    const bool hidden = dot == (slash == last.npos ? 0 : slash + 1) && (slash != last.npos || pieces_.size() == 1);
    if (dot != last.npos && (slash == last.npos || dot > slash) && !hidden) {
      extension = last.substr(dot);
      last.resize(dot);
    }
  }
  pieces_.push_back({piece::kind::text, "_"});
  pieces_.push_back({piece::kind::index});
  pieces_.push_back({piece::kind::text, extension});
}

file_template::values file_template::values_in(key_lookup& in, const named_part& of) const {
  values out;
  for (const piece& each : pieces_) {
    if (each.what == piece::kind::text) continue;
    std::optional<std::string>& value = out.emplace_back();
    if (each.what == piece::kind::index)
      value = four_digits(of.index);
    else if (each.what != piece::kind::key)
      value = of.archive;
    else if (keys_[each.key].text() == message_number && !of.message_label.empty())
      value = of.message_label;
    else if (const key_result found = in.find(keys_[each.key]))
      value = found.text();
  }
  return out;
}

std::string file_template::name_of(const values& of) const {
  std::string out;
  auto value = of.begin();
  for (const piece& each : pieces_) {
    if (each.what == piece::kind::text) {
      out += each.text;
      continue;
    }
    if (each.what == piece::kind::archive || each.what == piece::kind::archive_stem)
      out += archive_name(**value, each.what == piece::kind::archive_stem);
    else
      out += *value ? file_name_part(**value) : "unknown";
    ++value;
  }
  return out == "-" && several() ? "./-" : out;  // "-" alone would be standard output
}

std::vector<name_difference> file_template::differences(const values& a, const values& b) const {
  std::vector<name_difference> out;
  std::size_t number = 0;
  for (const piece& each : pieces_) {
    if (each.what == piece::kind::text) continue;
    const auto &one = a[number], &other = b[number];
    ++number;
    if (one == other) continue;
    const std::string part = each.what == piece::kind::index ? std::string(index_mark)
                             : each.what == piece::kind::key ? std::string(keys_[each.key].text())
                                                             : std::string();
    out.push_back({part.empty() ? part : "[" + part + "]", one, other});
  }
  return out;
}

const std::string& file_names::name_for(key_lookup& in, const named_part& of) {
  file_template::values values = template_->values_in(in, of);
  const auto [known, is_new] = values_of_name_.try_emplace(template_->name_of(values), values);
  if (is_new || known->second == values) return known->first;
  throw write_error({.what = output_fault::kind::same_name,
                     .why = {.code = errc::output_conflict},
                     .name = known->first,
                     .differences = template_->differences(known->second, values)});
}

}  // namespace tgmap::edit

namespace tgmap {
inline namespace v0 {

TGMAP_ENUM_NAMES(template_error, 0, "unclosed_bracket", "no_key", "several_keys", "unknown_property")

}  // namespace v0
}  // namespace tgmap
