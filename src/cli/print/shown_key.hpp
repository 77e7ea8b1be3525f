// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tgmap/query/metadata_key.hpp>
#include <tgmap/write/cbor_value.hpp>
#include <vector>

#include "cli/print/json.hpp"
#include "cli/print/json_stream.hpp"
#include "collection/key_source.hpp"

namespace tgmap::cli {

using archives::key_source;

/// The type in which the value of a key is printed.
enum class shown_type : std::uint8_t {
  stored,    ///< KEY: as in the metadata
  integer,   ///< KEY:i
  floating,  ///< KEY:d
  text,      ///< KEY:s
};

/// The value of a key in the requested type. Lifetime: that of the key_source.
class shown_value {
 public:
  shown_value() noexcept = default;  ///< nothing
  shown_value(const key_result& found, shown_type);

  /// Returns true if the key was found and its value can be printed in that type.
  explicit operator bool() const noexcept { return found_ && fits_; }
  bool is_found() const noexcept { return bool(found_); }
  bool is_converted() const noexcept { return converted_.has_value(); }

  /// Returns the value in that type. Lifetime: also that of this object.
  key_result get() const noexcept { return converted_ ? key_result(converted_->view()) : found_; }

 private:
  key_result found_{};
  std::optional<cbor_value> converted_{};
  bool fits_ = true;
};

/// A `shown_key` is a key of -p with the type in which its value is printed: "mars.step:d".
///
/// Numbers, and text that is a number, can be printed as floating numbers, and as integers if they have no fraction.
/// Every value can be printed as text. A key whose own name ends in ":i", ":d" or ":s" is found under that name first.
class shown_key {
 public:
  /// Errors: usage_error.
  explicit shown_key(const std::string& text);

  const std::string& name() const noexcept { return key_.text(); }  ///< without the type
  bool has_type() const noexcept { return whole_name_.has_value(); }
  const metadata_key& key() const noexcept { return key_; }
  shown_type type() const noexcept { return type_; }

  /// Errors: tgmap::error if the metadata cannot be read.
  shown_value find(const key_source&) const;

 private:
  metadata_key key_{};
  std::optional<metadata_key> whole_name_{};  ///< the key named "mars.step:d"
  shown_type type_ = shown_type::stored;
};

/// Parses a comma-separated list. Errors: usage_error.
std::vector<shown_key> parse_shown_keys(const std::string&);

/// Returns the keys, for a search in the index alone; none if one has a type, since a key may have that name.
std::vector<metadata_key> indexable_keys(const std::vector<shown_key>&);

/// Returns the keys without their types.
std::vector<metadata_key> without_types(const std::vector<shown_key>&);

/// Appends a value to a line, as text that is safe to print.
void append_value(const key_result&, std::string& line);

/// Appends a line of JSON with `file` and the keys that are present: numbers, lists and maps as such. A key named
/// "file" takes the place of the file. Errors: tgmap::error.
void append_json_line(const std::string& file, std::span<const shown_key>, const key_source&, std::string& to);

/// Returns the keys that are present as members for a json_stream. Values of keys without a type are text, or with
/// `typed` as in the metadata.
std::vector<json_stream::member> stream_members(std::span<const shown_key>, key_lookup&, bool typed);

/// Accepts --typed, which scripts may give: JSON of `ls` and `get` is always typed.
void add_typed(CLI::App&);

}  // namespace tgmap::cli
