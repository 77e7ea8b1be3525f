// SPDX-License-Identifier: Apache-2.0
#include "picture/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <initializer_list>
#include <string_view>

namespace tgmap::picture {

namespace {

/// The first of these variables that is set to something.
std::string first_of(std::initializer_list<const char*> names) {
  for (const char* const name : names)
    if (const char* const found = std::getenv(name); found != nullptr && *found != '\0') return found;
  return {};
}

}  // namespace

environment environment::current() {
  return {.term = first_of({"TERM"}),
          .colorterm = first_of({"COLORTERM"}),
          .locale = first_of({"LC_ALL", "LC_CTYPE", "LANG"})};
}

colour_depth colours_for(bool wanted, const environment& around) {
  if (!wanted) return colour_depth::none;
  const bool promised = around.colorterm == "truecolor" || around.colorterm == "24bit" ||
                        std::string_view(around.term).ends_with("-direct");
  return promised ? colour_depth::truecolour : colour_depth::indexed;
}

bool speaks_unicode(const environment& around) {
  std::string name = around.locale;
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return name.empty() || name.find("UTF-8") != name.npos || name.find("UTF8") != name.npos;
}

std::string colour_sequence(colour c, colour_depth depth, bool of_text) {
  const int what = of_text ? 38 : 48;
  switch (depth) {
    case colour_depth::truecolour: return fmt::format("\x1b[{};2;{};{};{}m", what, c.red, c.green, c.blue);
    case colour_depth::indexed: return fmt::format("\x1b[{};5;{}m", what, nearest_indexed(c));
    default: return {};
  }
}

}  // namespace tgmap::picture
