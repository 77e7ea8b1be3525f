// SPDX-License-Identifier: Apache-2.0
// What a terminal can show, as far as the environment tells.
#pragma once

#include <cstdint>
#include <string>

#include "picture/colour_map.hpp"

namespace tgmap::picture {

enum class colour_depth : std::uint8_t { none, indexed, truecolour };

/// Variables of the environment; empty where they are not set.
struct environment {
  std::string term, colorterm;
  std::string locale;  ///< the first of LC_ALL, LC_CTYPE and LANG that says something

  static environment current();
};

/// 24 bits where COLORTERM or TERM promises them, else 256 colours. `wanted`: colours may be written at all.
colour_depth colours_for(bool wanted, const environment&);

/// Whether characters beyond ASCII may be used: unless a locale is set that is not UTF-8.
bool speaks_unicode(const environment&);

/// The sequence that sets what is written (`of_text`) or what lies behind it; empty without colours.
std::string colour_sequence(colour, colour_depth, bool of_text);

inline constexpr const char* colours_off = "\x1b[0m";

}  // namespace tgmap::picture
