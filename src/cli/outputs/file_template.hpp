// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tgmap/query/metadata_key.hpp>
#include <unordered_map>
#include <vector>

namespace tgmap::cli {

/// A name for files with keys in brackets, "out/[mars.param]_[mars.step].tgm", each of which stands for its value in a
/// message. A value never changes the folder, nor is it read for keys again: see safe_in_file_name.
class file_template {
 public:
  /// Throws usage_error: a bracket that is not closed, or holds no key.
  explicit file_template(std::string_view text);

  /// There are keys in it: it may stand for several files.
  bool several() const noexcept { return !keys_.empty() || numbered(); }
  bool numbered() const noexcept { return numbered_; }  ///< [index] is in it

  /// What its keys and [index] stand for in a message, in their order; nothing for a key that the message does not
  /// have.
  using values = std::vector<std::optional<std::string>>;

  /// The values of a message. `index` is what [index] stands for, four digits at least. Throws tgmap::error when its
  /// metadata cannot be read.
  values values_in(key_lookup&, std::uint64_t index) const;

  /// The name for these values, never "-"; what is not there is "unknown".
  std::string name_of(const values&) const;
  std::string name_for(key_lookup& in, std::uint64_t index) const { return name_of(values_in(in, index)); }

  /// How two lists of values differ, for people: "[k] is 'x/y' in some and 'x_y' in others".
  std::string difference(const values&, const values&) const;

  /// Puts [index] in where there is none: "_[index]" before the extension.
  void add_index();

 private:
  struct piece {
    enum class kind : std::uint8_t { text, index, key } what;
    std::string text{};  ///< as it is
    std::size_t key = 0;
  };
  std::vector<piece> pieces_{};
  std::vector<metadata_key> keys_{};
  bool numbered_ = false;
};

/// The names that a template gives in one run. Values that differ never share a file.
class file_names {
 public:
  /// The template must live longer.
  explicit file_names(const file_template& of) : of_(&of) {}

  /// The name for a message, as file_template has it. Throws cli_error: other values have it; tgmap::error.
  const std::string& name_for(key_lookup&, std::uint64_t index);

 private:
  const file_template* of_;
  std::unordered_map<std::string, file_template::values> given_{};
};

/// A value as part of a file's name: "/", what `escaped` would escape and dots in front become "_", nothing becomes
/// "_"; what is longer than 100 bytes is cut and a digest of all of it follows, so that different values stay
/// different.
std::string safe_in_file_name(std::string_view value);

}  // namespace tgmap::cli
