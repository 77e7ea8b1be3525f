// SPDX-License-Identifier: Apache-2.0
#include "picture/frame.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace tgmap::picture {

namespace {

struct strokes {
  const char *vertical, *left_mark, *corner, *horizontal, *lower_mark;
};
constexpr strokes lines_of_unicode{"│", "┤", "└", "─", "┬"};
constexpr strokes lines_of_ascii{"|", "+", "+", "-", "+"};

/// The character of `size` that a place from 0 to 1 falls into.
std::size_t character_at(double place, std::size_t size) {
  const double at = std::floor(place * static_cast<double>(size));
  return static_cast<std::size_t>(std::clamp(at, 0.0, static_cast<double>(size - 1)));
}

/// Marks by line, no two on neighbouring lines where there are many.
std::map<std::size_t, std::string> by_line(const std::vector<mark>& marks, std::size_t lines) {
  std::map<std::size_t, std::string> out;
  for (const mark& m : marks) out.emplace(character_at(m.place, lines), m.label);
  return out;
}

/// The line of marks and the line of labels below the picture.
std::string below(const std::vector<mark>& marks, std::size_t width, std::size_t left, const strokes& with) {
  std::vector<mark> sorted = marks;
  std::sort(sorted.begin(), sorted.end(), [](const mark& a, const mark& b) { return a.place < b.place; });

  std::vector<bool> marked(width);
  std::string labels;
  std::size_t used = 0;  // columns of `labels`, from the left edge of the picture's frame
  const std::size_t end = left + width;
  for (const mark& m : sorted) {
    const std::size_t at = left + character_at(m.place, width), size = width_of(m.label);
    const std::size_t begin = std::min(at - std::min(at, size / 2), end - std::min(end, size));
    if ((used != 0 && begin < used + 1) || size > end) continue;
    labels.append(begin - used, ' ').append(m.label);
    used = begin + size;
    marked[at - left] = true;
  }
  std::string axis;
  for (std::size_t i = 0; i < width; ++i) axis += marked[i] ? with.lower_mark : with.horizontal;
  return axis + "\n" + labels + "\n";
}

}  // namespace

std::size_t width_of(std::string_view text) noexcept {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::size_t width_of(const std::vector<mark>& marks) noexcept {
  std::size_t out = 0;
  for (const mark& m : marks) out = std::max(out, width_of(m.label));
  return out;
}

std::size_t frame_width(const std::vector<mark>& vertical) noexcept { return width_of(vertical) + 2; }

std::string framed(const std::vector<std::string>& lines, std::size_t width, const std::vector<mark>& vertical,
                   const std::vector<mark>& horizontal, bool unicode) {
  const strokes& with = unicode ? lines_of_unicode : lines_of_ascii;
  const std::size_t labels = width_of(vertical);
  const auto marked = by_line(vertical, std::max<std::size_t>(lines.size(), 1));
  std::string out;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto found = marked.find(i);
    const std::string label = found == marked.end() ? "" : found->second;
    out.append(labels - width_of(label), ' ').append(label).append(" ");
    out.append(found == marked.end() ? with.vertical : with.left_mark).append(lines[i]).append("\n");
  }
  out.append(labels + 1, ' ').append(with.corner);
  return out + below(horizontal, width, labels + 2, with);
}

}  // namespace tgmap::picture
