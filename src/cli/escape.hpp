// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tgmap::cli {

/// A character of a text, and how many bytes it takes there.
struct character {
  std::uint32_t code = 0;
  std::size_t bytes = 0;  ///< 0: no well-formed UTF-8
};

/// The first character of a text that is not empty (Unicode, table 3-7: no overlong forms, no surrogates).
character first_character(std::string_view) noexcept;

/// All of it is well-formed UTF-8.
bool is_text(std::string_view) noexcept;

/// What makes a terminal do something else than showing a character: controls; and what makes it show another text than
/// there is: marks, embeddings, overrides and isolates of the bidirectional algorithm, separators of lines, the byte
/// order mark.
bool is_control(std::uint32_t code) noexcept;
bool is_deceptive(std::uint32_t code) noexcept;

/// Text out of a file, safe to print: characters that control a terminal or turn the direction of writing, and bytes
/// that are no UTF-8, are written as \n, \x1b, \u{202e}. Everything else stays as it is.
std::string escaped(std::string_view);

}  // namespace tgmap::cli
