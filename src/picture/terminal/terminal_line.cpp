// SPDX-License-Identifier: Apache-2.0
#include "picture/terminal/terminal_line.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/text/utf8.hpp"

namespace tgmap::picture {

namespace {

constexpr std::size_t label_room = 11;  // rare labels such as "-1.23457e+08" take room from the picture

/// A `dot_grid` is a bitmap that is read in characters.
class dot_grid {
 public:
  dot_grid(std::size_t across, std::size_t down) : across_(across), down_(down), set_(across * down) {}

  void vertical(std::size_t x, std::size_t from, std::size_t to) {
    for (std::size_t y = std::min(from, to); y <= std::max(from, to) && y < down_; ++y) set_[y * across_ + x] = true;
  }

  /// Draws a straight line without gaps between its columns.
  void line(std::size_t x0, std::size_t y0, std::size_t x1, std::size_t y1) {
    const auto y_at = [&](double x) {
      const double part = x1 == x0 ? 0 : (x - static_cast<double>(x0)) / static_cast<double>(x1 - x0);
      return static_cast<std::size_t>(std::lround(std::lerp(static_cast<double>(y0), static_cast<double>(y1), part)));
    };
    for (std::size_t x = x0; x <= x1; ++x) {
      const double at = static_cast<double>(x);
      vertical(x, y_at(std::max(at - 0.5, static_cast<double>(x0))), y_at(std::min(at + 0.5, static_cast<double>(x1))));
    }
  }

  bool at(std::size_t x, std::size_t y) const { return x < across_ && y < down_ && set_[y * across_ + x]; }

 private:
  std::size_t across_, down_;
  std::vector<bool> set_;
};

/// Returns the braille character of a cell: U+2800 and a bit for each dot.
std::string braille(const dot_grid& from, std::size_t column, std::size_t row) {
  constexpr std::array<std::array<unsigned, 2>, 4> bits{{{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}};
  unsigned code = 0x2800;
  for (std::size_t y = 0; y < 4; ++y)
    for (std::size_t x = 0; x < 2; ++x)
      if (from.at(2 * column + x, 4 * row + y)) code |= bits[y][x];
  if (code == 0x2800) return " ";
  std::string out;
  core::append_utf8(out, code);
  return out;
}

}  // namespace

terminal_line::terminal_line(axis along, const terminal_style& style)
    : axis_(std::move(along)), style_(style), dots_across_(style.unicode ? 2 : 1), dots_down_(style.unicode ? 4 : 1) {
  width_ = std::max<std::size_t>(style.columns, label_room + 12) - label_room - 2;
  height_ = std::max<std::size_t>(style.rows, frame_height + 3) - frame_height;
}

std::string terminal_line::draw(const line_cells& cells, const scale& values, const caption&) const {
  auto vertical = make_ticks(values, std::clamp<std::size_t>(height_ / 3, 2, 9));
  for (tick& t : vertical) t.position = 1 - t.position;
  const std::size_t needed = frame_width(vertical), room = label_room + 2;
  const std::size_t width = needed > room ? width_ - std::min(width_ - 1, needed - room) : width_;

  const std::size_t across = width * dots_across_, down = height_ * dots_down_;
  const auto columns = cells.columns();
  const auto y_of = [&](double number) {
    return static_cast<std::size_t>(std::lround((1 - values(number)) * static_cast<double>(down - 1)));
  };
  const auto x_of = [&](std::size_t i) {
    if (axis_.is_reversed()) i = columns.size() - 1 - i;
    return std::min(across - 1, (2 * i + 1) * across / (2 * columns.size()));
  };
  dot_grid dots(across, down);
  const line_cells::column* before = nullptr;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto& c = columns[i];
    const bool is_shown = !c.is_empty() && !std::isnan(values(c.min));
    if (is_shown) dots.vertical(x_of(i), y_of(c.min), y_of(c.max));
    if (is_shown && before != nullptr) {
      std::size_t x0 = x_of(i - 1), y0 = y_of(before->mean()), x1 = x_of(i), y1 = y_of(c.mean());
      if (x0 > x1) std::swap(x0, x1), std::swap(y0, y1);
      dots.line(x0, y0, x1, y1);
    }
    before = is_shown ? &c : nullptr;
  }

  std::vector<std::string> lines(height_);
  for (std::size_t row = 0; row < height_; ++row)
    for (std::size_t column = 0; column < width; ++column)
      lines[row] += style_.unicode ? braille(dots, column, row) : dots.at(column, row) ? "*" : " ";
  if (style_.colours != colour_depth::none) {
    const std::string start = colour_sequence({64, 170, 220}, style_.colours, true);
    for (std::string& line : lines) line.insert(0, start).append(reset_sequence);
  }
  const auto horizontal = make_ticks(axis_, std::clamp<std::size_t>(width / 8, 2, 10), style_.unicode);
  return draw_frame(lines, width, vertical, horizontal, style_.unicode);
}

}  // namespace tgmap::picture
