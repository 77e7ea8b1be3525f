// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tgmap/keys.hpp>
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

  /// The name for a message. `index` is what [index] stands for, four digits at least; a key that it has not is
  /// "unknown". Throws tgmap::error when its metadata cannot be read.
  std::string name_for(key_scope&, std::uint64_t index) const;

  /// Puts [index] in where there is none: "_[index]" before the extension.
  void add_index();

 private:
  struct piece {
    enum class kind : std::uint8_t { text, index, key } what;
    std::string text{};  ///< as it is
    std::size_t key = 0;
  };
  std::vector<piece> pieces_{};
  std::vector<key> keys_{};
  bool numbered_ = false;
};

/// A value as part of a file's name: "/", what `escaped` would escape and dots in front become "_", nothing becomes
/// "_"; what is longer than 100 bytes is cut and a digest of all of it follows, so that different values stay
/// different.
std::string safe_in_file_name(std::string_view value);

}  // namespace tgmap::cli
