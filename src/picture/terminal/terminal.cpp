// SPDX-License-Identifier: Apache-2.0
#include "picture/terminal/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <initializer_list>
#include <map>
#include <string_view>

#include "core/text/utf8.hpp"

namespace tgmap::picture {

namespace {

/// Returns the value of the first variable that is not empty.
std::string first_set(std::initializer_list<const char*> names) {
  for (const char* const name : names)
    if (const char* const found = std::getenv(name); found != nullptr && *found != '\0') return found;
  return {};
}

struct line_characters {
  const char *vertical, *left_mark, *corner, *horizontal, *lower_mark;
};
constexpr line_characters unicode_lines{"│", "┤", "└", "─", "┬"};
constexpr line_characters ascii_lines{"|", "+", "+", "-", "+"};

/// Returns the index of the character that a position from 0 to 1 falls into.
std::size_t character_at(double position, std::size_t size) {
  const double at = std::floor(position * static_cast<double>(size));
  return static_cast<std::size_t>(std::clamp(at, 0.0, static_cast<double>(size - 1)));
}

/// Returns the labels by line.
std::map<std::size_t, std::string> labels_by_line(const std::vector<tick>& ticks, std::size_t lines) {
  std::map<std::size_t, std::string> out;
  for (const tick& t : ticks) out.emplace(character_at(t.position, lines), t.label);
  return out;
}

/// Returns the line of ticks and the line of labels below the picture.
std::string axis_below(const std::vector<tick>& ticks, std::size_t width, std::size_t left,
                       const line_characters& style) {
  std::vector<tick> sorted = ticks;
  std::sort(sorted.begin(), sorted.end(), [](const tick& a, const tick& b) { return a.position < b.position; });

  std::vector<bool> has_tick(width);
  std::string labels;
  std::size_t used = 0;  // columns of `labels` in use
  const std::size_t end = left + width;
  for (const tick& t : sorted) {
    const std::size_t at = left + character_at(t.position, width), size = width_of(t.label);
    const std::size_t begin = std::min(at - std::min(at, size / 2), end - std::min(end, size));
    if ((used != 0 && begin < used + 1) || size > end) continue;
    labels.append(begin - used, ' ').append(t.label);
    used = begin + size;
    has_tick[at - left] = true;
  }
  std::string axis;
  for (std::size_t i = 0; i < width; ++i) axis += has_tick[i] ? style.lower_mark : style.horizontal;
  return axis + "\n" + labels + "\n";
}

}  // namespace

environment environment::current() {
  return {.term = first_set({"TERM"}),
          .colorterm = first_set({"COLORTERM"}),
          .locale = first_set({"LC_ALL", "LC_CTYPE", "LANG"})};
}

colour_depth choose_colour_depth(bool wanted, const environment& from) {
  if (!wanted) return colour_depth::none;
  const bool announced =
      from.colorterm == "truecolor" || from.colorterm == "24bit" || std::string_view(from.term).ends_with("-direct");
  return announced ? colour_depth::truecolour : colour_depth::indexed;
}

bool supports_unicode(const environment& from) {
  std::string name = from.locale;
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return name.empty() || name.find("UTF-8") != name.npos || name.find("UTF8") != name.npos;
}

std::string colour_sequence(colour c, colour_depth depth, bool of_text) {
  const int code = of_text ? 38 : 48;
  switch (depth) {
    case colour_depth::truecolour: return fmt::format("\x1b[{};2;{};{};{}m", code, c.red, c.green, c.blue);
    case colour_depth::indexed: return fmt::format("\x1b[{};5;{}m", code, nearest_indexed(c));
    default: return {};
  }
}

std::size_t width_of(std::string_view text) noexcept { return core::code_point_count(text); }

std::size_t width_of(const std::vector<tick>& ticks) noexcept {
  std::size_t out = 0;
  for (const tick& t : ticks) out = std::max(out, width_of(t.label));
  return out;
}

std::size_t frame_width(const std::vector<tick>& vertical) noexcept { return width_of(vertical) + 2; }

std::string draw_frame(const std::vector<std::string>& lines, std::size_t width, const std::vector<tick>& vertical,
                       const std::vector<tick>& horizontal, bool unicode) {
  const line_characters& style = unicode ? unicode_lines : ascii_lines;
  const std::size_t labels = width_of(vertical);
  const auto label_of = labels_by_line(vertical, std::max<std::size_t>(lines.size(), 1));
  std::string out;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto found = label_of.find(i);
    const std::string label = found == label_of.end() ? "" : found->second;
    out.append(labels - width_of(label), ' ').append(label).append(" ");
    out.append(found == label_of.end() ? style.vertical : style.left_mark).append(lines[i]).append("\n");
  }
  out.append(labels + 1, ' ').append(style.corner);
  return out + axis_below(horizontal, width, labels + 2, style);
}

}  // namespace tgmap::picture
