// SPDX-License-Identifier: Apache-2.0
#include "cli/transform/editable_key.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "cli/app/cli_error.hpp"
#include "core/text/utf8.hpp"

namespace tgmap::cli {

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

}  // namespace

editable_key editable_key::parse(std::string_view text) {
  editable_key out{.text = std::string(text)};
  std::string_view path = text;
  if (remove_numbered_prefix(path, "base[", "].", out.object))
    out.in = part::one_base;
  else if (remove_numbered_prefix(path, "objects.", ".", out.object))
    out.in = part::descriptor;
  else if (remove_prefix(path, "extra.") || remove_prefix(path, "_extra_."))
    out.in = part::extra;
  out.path = path;
  if (path.empty()) throw usage_error("'" + out.text + "' does not name a key", "write a key such as mars.step");

  if (first_key(path) == "_reserved_")
    throw cli_error("'" + out.text + "' cannot be changed: it records the origin of the message",
                    "remove it from the command");
  const bool descriptor = out.in == part::descriptor;
  if (contains(last_key(path), storage_keys) ||
      (descriptor && (contains(first_key(path), storage_keys) || contains(first_key(path), descriptor_keys))))
    throw cli_error("'" + out.text + "' cannot be changed: keys with this name describe how elements are stored",
                    "remove it from the command; to store elements in another way, use `tgmap convert`");
  return out;
}

void editable_key::check_new() const {
  if (!core::is_utf8(path)) throw usage_error("'" + text + "' is not UTF-8", "keys must be UTF-8");
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t dot = std::min(path.find('.', begin), path.size());
    if (without_element(std::string_view(path).substr(begin, dot - begin)).empty())
      throw usage_error("'" + text + "' contains an empty key", "separate the names by single dots");
    begin = dot + 1;
  }
}

}  // namespace tgmap::cli
