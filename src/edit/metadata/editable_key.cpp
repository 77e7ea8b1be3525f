// SPDX-License-Identifier: Apache-2.0
#include "edit/metadata/editable_key.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "core/text/enum_table.hpp"
#include "core/text/utf8.hpp"

namespace tgmap {

namespace edit {

namespace {

/// Keys that describe stored elements. Like the reference implementation, refuses them as the last key of any path.
constexpr std::string_view storage_keys[] = {"shape",
                                             "strides",
                                             "dtype",
                                             "ndim",
                                             "type",
                                             "encoding",
                                             "filter",
                                             "compression",
                                             "hash",
                                             "szip_rsi",
                                             "szip_block_size",
                                             "szip_flags",
                                             "szip_block_offsets",
                                             "sp_reference_value",
                                             "sp_binary_scale_factor",
                                             "sp_decimal_scale_factor",
                                             "sp_bits_per_value",
                                             "shuffle_element_size"};

/// Further such keys, only refused in descriptors.
constexpr std::string_view descriptor_keys[] = {
    "byte_order", "masks",    "reference_value", "binary_scale_factor", "decimal_scale_factor", "bits_per_value",
    "zfp_mode",   "zfp_rate", "zfp_precision",   "zfp_tolerance",       "sz3_error_bound_mode", "sz3_error_bound"};

template <std::size_t Count>
bool contains(std::string_view key, const std::string_view (&keys)[Count]) {
  return std::find(std::begin(keys), std::end(keys), key) != std::end(keys);
}

std::string_view without_element(std::string_view key) { return key.substr(0, key.find('[')); }

std::string_view first_key(std::string_view path) { return without_element(path.substr(0, path.find('.'))); }

std::string_view last_key(std::string_view path) { return without_element(path.substr(path.rfind('.') + 1)); }

/// Removes a numbered prefix such as "base[2]." or "objects.2." from `path`. Returns false if there is none.
bool remove_numbered_prefix(std::string_view& path, std::string_view before, std::string_view after,
                            std::size_t& number) {
  if (!path.starts_with(before)) return false;
  const std::string_view rest = path.substr(before.size());
  std::size_t found = 0;
  const auto [end, why] = std::from_chars(rest.data(), rest.data() + rest.size(), found);
  const std::string_view tail = rest.substr(static_cast<std::size_t>(end - rest.data()));
  if (why != std::errc() || !tail.starts_with(after)) return false;
  number = found;
  path = tail.substr(after.size());
  return true;
}

bool remove_prefix(std::string_view& path, std::string_view prefix) {
  if (!path.starts_with(prefix)) return false;
  path.remove_prefix(prefix.size());
  return true;
}

const char* phrase_of(edit_error what) noexcept {
  switch (what) {
    case edit_error::no_key: return "the text names no key";
    case edit_error::empty_name: return "a name in the new key is empty";
    case edit_error::not_utf8: return "the new key is not UTF-8";
    case edit_error::origin: return "the key records the origin of the message";
    case edit_error::storage: return "the key describes how elements are stored";
    case edit_error::other_map: return "the new name is in another map";
    case edit_error::same_key: return "the new name is the old one";
    case edit_error::existing_key: return "the new name exists already";
    case edit_error::no_object: return "the message has no such object";
    case edit_error::no_element: break;
  }
  return "the key leads to no place in the metadata";
}

}  // namespace

failure edit_failure(edit_error what, std::uint64_t found) noexcept {
  return {
      .code = errc::bad_key, .expected = static_cast<std::uint64_t>(what), .found = found, .argument = phrase_of(what)};
}

editable_key editable_key::parse(std::string_view text, failure& why) {
  why = {};
  editable_key out;
  std::string_view path = text;
  if (remove_numbered_prefix(path, "base[", "].", out.object))
    out.in = part::one_base;
  else if (remove_numbered_prefix(path, "objects.", ".", out.object))
    out.in = part::descriptor;
  else if (remove_prefix(path, "extra.") || remove_prefix(path, "_extra_."))
    out.in = part::extra;
  out.path = path;
  const bool descriptor = out.in == part::descriptor;
  if (path.empty())
    why = edit_failure(edit_error::no_key);
  else if (first_key(path) == "_reserved_")
    why = edit_failure(edit_error::origin);
  else if (contains(last_key(path), storage_keys) ||
           (descriptor && (contains(first_key(path), storage_keys) || contains(first_key(path), descriptor_keys))))
    why = edit_failure(edit_error::storage);
  return out;
}

editable_key editable_key::parse_new(std::string_view text, failure& why) {
  editable_key out = parse(text, why);
  if (why) return out;
  const std::string_view path = out.path;
  if (!core::is_utf8(path)) why = edit_failure(edit_error::not_utf8);
  for (std::size_t begin = 0; begin <= path.size() && !why;) {
    const std::size_t dot = std::min(path.find('.', begin), path.size());
    if (without_element(path.substr(begin, dot - begin)).empty()) why = edit_failure(edit_error::empty_name);
    begin = dot + 1;
  }
  return out;
}

}  // namespace edit

inline namespace v0 {

TGMAP_ENUM_NAMES(edit_error, 1, "no_key", "empty_name", "not_utf8", "origin", "storage", "other_map", "same_key",
                 "existing_key", "no_object", "no_element")

}  // namespace v0
}  // namespace tgmap
