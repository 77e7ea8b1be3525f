// SPDX-License-Identifier: Apache-2.0
#include "cli/options/assignments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <optional>
#include <utility>

#include "cli/app/cli_error.hpp"
#include "cli/options/json_to_cbor.hpp"
#include "cli/print/json.hpp"
#include "core/text/parse_number.hpp"
#include "core/text/utf8.hpp"

namespace tgmap::cli {

namespace {

constexpr std::array<std::pair<std::string_view, assigned_type>, 6> suffixes{{{"i", assigned_type::integer},
                                                                              {"d", assigned_type::floating},
                                                                              {"s", assigned_type::text},
                                                                              {"b", assigned_type::boolean},
                                                                              {"null", assigned_type::null},
                                                                              {"j", assigned_type::json}}};

std::optional<assigned_type> type_of(std::string_view suffix) {
  for (const auto& [name, type] : suffixes)
    if (name == suffix) return type;
  return std::nullopt;
}

/// Parses one argument of -s.
class assignment_reader {
 public:
  explicit assignment_reader(std::string_view text) : text_(text) {}

  std::vector<assignment> all() {
    std::vector<assignment> out;
    do {
      out.push_back(next());
    } while (more_);
    return out;
  }

 private:
  assignment next() {
    const std::size_t begin = at_;
    const std::string name = until("=,");
    const bool has_value = at_ < text_.size() && text_[at_] == '=';
    assignment out = named(name, begin);
    if (out.type == assigned_type::null) {
      if (has_value) refuse(at_, "null takes no value", "write KEY:null");
    } else if (!has_value) {
      refuse(begin, fmt::format("'{}' has no value", name), "write KEY=VALUE, and \\, for a comma in a value");
    } else {
      ++at_;
      out.value = out.type == assigned_type::json ? rest() : until(",");
    }
    more_ = at_ < text_.size();
    ++at_;
    return out;
  }

  assignment named(const std::string& name, std::size_t begin) const {
    const std::size_t colon = name.rfind(':');
    assignment out{.key = name.substr(0, colon)};
    if (colon != name.npos) {
      const auto type = type_of(std::string_view(name).substr(colon + 1));
      if (!type)
        refuse(begin, fmt::format("'{}' is not a type", name.substr(colon)),
               "use :i :d :s :b :null or :j; a key with a colon needs one of them");
      out.type = *type;
    }
    if (out.key.empty()) refuse(begin, "a key is missing", "write KEY=VALUE");
    return out;
  }

  /// Reads up to one of `ends`, or to the end of the argument.
  std::string until(std::string_view ends) {
    std::string out;
    for (; at_ < text_.size() && ends.find(text_[at_]) == ends.npos; ++at_) {
      const bool escape =
          text_[at_] == '\\' && at_ + 1 < text_.size() && (text_[at_ + 1] == ',' || text_[at_ + 1] == '\\');
      if (escape) ++at_;
      out += text_[at_];
    }
    return out;
  }

  std::string rest() { return std::string(text_.substr(std::exchange(at_, text_.size()))); }

  [[noreturn]] void refuse(std::size_t at, const std::string& what, const std::string& next_step) const {
    throw usage_error(fmt::format("{}, at column {} of '{}'", what, at + 1, text_), next_step);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool more_ = false;
};

[[noreturn]] void refuse_value(const assignment& of, const char* wanted) {
  throw usage_error(fmt::format("'{}' for {} is not {}", of.value, of.key, wanted),
                    "correct it, or write " + of.key + ":s=… to store it as text");
}

cbor_value integer(const assignment& of) {
  if (const auto number = core::parse_number<std::int64_t>(of.value)) return *number;
  if (const auto number = core::parse_number<std::uint64_t>(of.value)) return *number;
  refuse_value(of, "an integer of 64 bits");
}

cbor_value floating(const assignment& of) {
  if (const auto number = core::parse_number<double>(of.value)) return *number;
  refuse_value(of, "a number");
}

cbor_value boolean(const assignment& of) {
  if (of.value == "true" || of.value == "false") return of.value == "true";
  refuse_value(of, "true or false");
}

cbor_value well_formed_text(const assignment& of) {
  if (core::is_utf8(of.value)) return std::string_view(of.value);
  throw usage_error(fmt::format("the value for {} is not UTF-8", of.key), "write it in UTF-8");
}

/// Keeps texts whose digits would change, such as times (0600) and versions (1.10).
cbor_value number_or_text(const assignment& of) {
  const bool starts_as_number = !of.value.empty() && of.value.find_first_not_of("0123456789.-+e") == std::string::npos;
  if (!starts_as_number) return well_formed_text(of);
  if (const auto number = core::parse_number<std::int64_t>(of.value); number && fmt::to_string(*number) == of.value)
    return *number;
  if (const auto number = core::parse_number<std::uint64_t>(of.value); number && fmt::to_string(*number) == of.value)
    return *number;
  if (const auto number = core::parse_number<double>(of.value); number && ascii_json(*number) == of.value)
    return *number;
  return well_formed_text(of);
}

}  // namespace

std::vector<assignment> parse_assignments(std::string_view text) { return assignment_reader(text).all(); }

cbor_value assigned_value(const assignment& of, assigned_type default_type) {
  switch (of.type == assigned_type::unspecified ? default_type : of.type) {
    case assigned_type::integer: return integer(of);
    case assigned_type::floating: return floating(of);
    case assigned_type::boolean: return boolean(of);
    case assigned_type::null: return {};
    case assigned_type::json: return json_to_cbor(of.value, of.key);
    case assigned_type::unspecified: return number_or_text(of);
    default: return well_formed_text(of);
  }
}

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
