// SPDX-License-Identifier: Apache-2.0
#include "cli/rewrite/key_place.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "cli/app/cli_error.hpp"
#include "core/text/utf8.hpp"

namespace tgmap::cli {

namespace {

/// As the last key of a path, wherever it is: what the reference implementation refuses.
constexpr std::string_view stored_facts[] = {"shape",
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

/// In descriptors also these, which say how payloads are to be read.
constexpr std::string_view reading_facts[] = {
    "byte_order", "masks",    "reference_value", "binary_scale_factor", "decimal_scale_factor", "bits_per_value",
    "zfp_mode",   "zfp_rate", "zfp_precision",   "zfp_tolerance",       "sz3_error_bound_mode", "sz3_error_bound"};

template <std::size_t Count>
bool is_among(std::string_view key, const std::string_view (&keys)[Count]) {
  return std::find(std::begin(keys), std::end(keys), key) != std::end(keys);
}

std::string_view without_element(std::string_view key) { return key.substr(0, key.find('[')); }

std::string_view first_key(std::string_view path) { return without_element(path.substr(0, path.find('.'))); }

std::string_view last_key(std::string_view path) { return without_element(path.substr(path.rfind('.') + 1)); }

/// Takes "base[2]." or "objects.2." away, if that is how `path` begins.
bool take_numbered(std::string_view& path, std::string_view before, std::string_view behind, std::size_t& number) {
  if (!path.starts_with(before)) return false;
  const std::string_view rest = path.substr(before.size());
  std::size_t found = 0;
  const auto [end, why] = std::from_chars(rest.data(), rest.data() + rest.size(), found);
  const std::string_view then = rest.substr(static_cast<std::size_t>(end - rest.data()));
  if (why != std::errc() || !then.starts_with(behind)) return false;
  number = found;
  path = then.substr(behind.size());
  return true;
}

bool take(std::string_view& path, std::string_view before) {
  if (!path.starts_with(before)) return false;
  path.remove_prefix(before.size());
  return true;
}

}  // namespace

key_place key_place::parse(std::string_view text) {
  key_place out{.text = std::string(text)};
  std::string_view path = text;
  if (take_numbered(path, "base[", "].", out.object))
    out.in = part::one_base;
  else if (take_numbered(path, "objects.", ".", out.object))
    out.in = part::descriptor;
  else if (take(path, "extra.") || take(path, "_extra_."))
    out.in = part::extra;
  out.path = path;
  if (path.empty()) throw usage_error("'" + out.text + "' names no key", "write something such as mars.step");

  if (first_key(path) == "_reserved_")
    throw cli_error("'" + out.text + "' cannot be changed: it says who wrote the message, and what",
                    "leave it out of the command");
  const bool descriptor = out.in == part::descriptor;
  if (is_among(last_key(path), stored_facts) ||
      (descriptor && (is_among(first_key(path), stored_facts) || is_among(first_key(path), reading_facts))))
    throw cli_error("'" + out.text + "' cannot be changed: it has the name of what says how elements are stored",
                    "leave it out of the command; `tgmap convert` stores elements in another way");
  return out;
}

void key_place::check_new() const {
  if (!core::is_utf8(path)) throw usage_error("'" + text + "' is no UTF-8", "write it in the encoding of all keys");
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t dot = std::min(path.find('.', begin), path.size());
    if (without_element(std::string_view(path).substr(begin, dot - begin)).empty())
      throw usage_error("'" + text + "' has a key without a name in it", "write names with one dot between");
    begin = dot + 1;
  }
}

}  // namespace tgmap::cli
