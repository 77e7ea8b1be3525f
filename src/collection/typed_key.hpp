// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tgmap/error.hpp>
#include <tgmap/query/metadata_key.hpp>
#include <tgmap/write/cbor_value.hpp>
#include <vector>

#include "collection/key_source.hpp"

namespace tgmap::archives {

/// The type in which the value of a key is wanted.
enum class key_type : std::uint8_t {
  stored,    ///< KEY: as in the metadata
  integer,   ///< KEY:i
  floating,  ///< KEY:d
  text,      ///< KEY:s
};

/// The value of a key in the wanted type. Lifetime: that of the key_source.
class typed_value {
 public:
  typed_value() noexcept = default;  ///< nothing
  typed_value(const key_result& found, key_type);

  /// Returns true if the key was found and its value has that type, or can be converted to it.
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

/// A `typed_key` is a key with the type in which its value is wanted: "mars.step:d".
///
/// Numbers, and text that is a number, become floating numbers, and integers if they have no fraction. Every value
/// becomes text. A key whose own name ends in ":i", ":d" or ":s" is found under that name first.
class typed_key {
 public:
  /// Errors: those of metadata_key::parse (`expected`: the size of the text without the type).
  static typed_key parse(std::string_view text, failure&);

  const std::string& name() const noexcept { return key_.text(); }  ///< without the type
  bool has_type() const noexcept { return whole_name_.has_value(); }
  const metadata_key& key() const noexcept { return key_; }
  key_type type() const noexcept { return type_; }

  /// Errors: throws tgmap::error if the metadata cannot be read.
  typed_value find(const key_source&) const;

 private:
  metadata_key key_{};
  std::optional<metadata_key> whole_name_{};  ///< the key named "mars.step:d"
  key_type type_ = key_type::stored;
};

/// Returns the keys without their types.
std::vector<metadata_key> without_types(const std::vector<typed_key>&);

/// Returns the keys, for a search in the index alone; none if one has a type, since a key may have that name.
std::vector<metadata_key> indexable_keys(const std::vector<typed_key>&);

/// A key that was found, and its value.
struct named_value {
  const typed_key* key;
  typed_value value;
};

/// Returns the keys that are found and have the wanted type, in order. Of keys with one name the last one counts, in
/// the place of the first.
std::vector<named_value> find_values(const std::vector<typed_key>&, const key_source&);

/// Appends a value as text that is safe to print: as `key_result::text` with escapes; those of lists and maps are JSON.
void append_escaped(const key_result&, std::string& to);

}  // namespace tgmap::archives
