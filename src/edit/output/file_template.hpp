// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tgmap/query/metadata_key.hpp>
#include <tgmap/tools/copy.hpp>
#include <vector>

#include "core/seeded_hash.hpp"
#include "edit/output/write_error.hpp"

namespace tgmap::edit {

/// The part of a run that gets a file name.
struct named_part {
  std::uint64_t index = 0;           ///< replaces [index], with at least four digits
  std::string_view archive{};        ///< path of its archive
  std::string_view message_label{};  ///< replaces [@message] if the message has no number
};

/// Returns the position of the bracket that closes the one at `begin`, or npos. Keys may hold brackets: [levelist[0]].
std::size_t closing_bracket(std::string_view text, std::size_t begin) noexcept;

/// A `file_template` is a file name with metadata keys in brackets, such as "out/[mars.param]_[mars.step].tgm". Each
/// key is replaced by its value in a message. A value never adds folders and is not expanded again; see
/// `file_name_part`.
///
/// A name that ends with "/", or that of an existing folder, is a folder; each verb adds the names in it. Missing
/// folders are made for names that end with "/" or have brackets, and for no others.
class file_template {
 public:
  file_template() = default;

  /// Parses a template. Errors: bad_name_template (expected = `template_error`, found = column of the bracket, from 1).
  static file_template parse(std::string_view text, failure&);

  /// Returns true if the template can give several names.
  bool several() const noexcept { return !keys_.empty() || numbered() || is_folder(); }
  bool numbered() const noexcept { return numbered_; }  ///< has [index]
  bool is_folder() const noexcept { return is_folder_; }
  bool makes_folders() const noexcept { return makes_folders_; }

  /// The values in a message, in order; nothing for a key that the message does not have.
  using values = std::vector<std::optional<std::string>>;

  /// Returns the values of a message. Errors: throws tgmap::error if the metadata cannot be read.
  values values_in(key_lookup&, const named_part&) const;

  /// Returns the name for these values, never "-". A missing value becomes "unknown".
  std::string name_of(const values&) const;
  std::string name_for(key_lookup& in, const named_part& of) const { return name_of(values_in(in, of)); }

  /// Returns the values that differ.
  std::vector<name_difference> differences(const values&, const values&) const;

  const std::vector<metadata_key>& keys() const noexcept { return keys_; }  ///< those in brackets

  /// Inserts "_[index]" before the extension, unless the template has [index].
  void add_index();

  /// Adds names in a folder, for example of messages of "forecast.tgm": "forecast.tgm", or "forecast_0000.tgm", or with
  /// keys "forecast_2t_12.tgm".
  void add_archive_name();
  void add_numbered_name(std::string_view extension);
  void add_name_with_keys(std::span<const metadata_key>, std::string_view extension);

  /// Completes a template for the parts of an archive: in a folder it adds numbered names, or those with keys; else it
  /// adds an index.
  void add_part_names(std::span<const metadata_key>, std::string_view extension);

  /// Adds MESSAGE_OBJECT and the extension.
  void add_object_name(std::string_view extension);
  /// Puts the name of the archive before the name that add_object_name has added, so that those of several archives
  /// differ.
  void add_archive_to_object_name();

 private:
  struct piece {
    enum class kind : std::uint8_t { text, index, key, archive, archive_stem } what;
    std::string text{};
    std::size_t key = 0;  ///< position in `keys_`
  };
  void add_key(const metadata_key&);
  std::optional<template_error> add_bracket(std::string_view name);

  std::vector<piece> pieces_{};
  std::vector<metadata_key> keys_{};
  bool numbered_ = false, is_folder_ = false, makes_folders_ = false;
};

/// A `file_names` object makes sure that different values never share a file in one run.
class file_names {
 public:
  /// Lifetime: the template must outlive this object.
  explicit file_names(const file_template& of) : template_(&of) {}

  /// Returns the name for a message as file_template does. Errors: throws write_error if messages with other values
  /// have that name; tgmap::error.
  const std::string& name_for(key_lookup&, const named_part&);

 private:
  const file_template* template_;
  core::text_map<file_template::values> values_of_name_{};
};

/// Returns the name of an archive without folder and extension; "stdin" for standard input.
std::string archive_stem(const std::string& path);

/// Makes a value safe as part of a file name. Replaces "/", leading dots and characters that `escaped` would escape by
/// "_", and an empty value by "_". Cuts values after 100 bytes and appends a hash of the whole value, so that different
/// values stay different.
std::string file_name_part(std::string_view value);

}  // namespace tgmap::edit
