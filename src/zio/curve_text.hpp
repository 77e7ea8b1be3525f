// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tgmap {
inline namespace v0 {
namespace zio {

inline constexpr std::size_t curve_key_characters = 40;

/// Whether it is 40 characters of Z85.
bool is_curve_key(std::string_view) noexcept;

/// What stands in the file of a key.
struct curve_text {
  std::string public_key{}, secret_key{};  ///< of a certificate; empty where it has none
  std::string bare{};                      ///< of a file that is one line
};

/// Reads a certificate (ZPL: names and values by lines, sections by indentation, # begins a comment) or one line.
curve_text parse_curve_text(std::string_view);

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
