// SPDX-License-Identifier: Apache-2.0
#include "picture/terminal_map.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "picture/ink_table.hpp"

namespace tgmap::picture {

namespace {

constexpr std::string_view ramp = ".:-=+*#%@";
constexpr double least_side = 24;       // small maps are magnified, by whole numbers, to about this many cells
constexpr std::size_t narrow_side = 8;  // and thin ones are not drawn thinner, whatever their shape

char ramp_at(double t) {
  const auto last = static_cast<double>(ramp.size() - 1);
  return ramp[static_cast<std::size_t>(std::lround(std::clamp(t, 0.0, 1.0) * last))];
}

/// Cells along one side of so many elements, which are magnified or reduced.
std::size_t side(double elements, double fit, std::size_t most) {
  const double wanted = std::clamp(std::round(elements * fit), 1.0, static_cast<double>(most));
  const double thin = fit < 1 ? std::min({static_cast<double>(narrow_side), elements, static_cast<double>(most)}) : 1;
  return static_cast<std::size_t>(std::max(wanted, std::floor(thin)));
}

std::size_t vertical_labels(std::size_t lines) { return std::clamp<std::size_t>(lines / 3, 2, 9); }

}  // namespace

terminal_map::terminal_map(axis rows, axis columns, const terminal_style& style)
    : vertical_(std::move(rows)),
      horizontal_(std::move(columns)),
      style_(style),
      cells_a_line_(style.unicode && style.colours != colour_depth::none ? 2 : 1) {
  const std::size_t around = frame_height + 1;
  const std::size_t lines = std::max<std::size_t>(style.rows, around + 2) - around;
  vertical_marks_ = marks_of(vertical_, vertical_labels(lines), style.unicode);
  const std::size_t left = frame_width(vertical_marks_);
  const std::size_t room = std::max<std::size_t>(style.columns, left + 10) - left;

  // A character is twice as high as wide, and so is a cell that takes all of one.
  const double height = static_cast<double>(vertical_.size), width = static_cast<double>(horizontal_.size);
  const double wide = cells_a_line_ == 2 ? 1 : 2;
  const auto most_rows = lines * cells_a_line_;
  const double magnify = std::max(1.0, std::ceil(least_side / std::max(height, width)));
  double fit = std::min({static_cast<double>(room) / (width * wide), static_cast<double>(most_rows) / height, magnify});
  if (fit > 1) fit = std::floor(fit);  // all elements equally large
  columns_ = side(width * wide, fit, room);
  rows_ = side(height, fit, most_rows);
  const std::size_t drawn = (rows_ + cells_a_line_ - 1) / cells_a_line_;
  vertical_marks_ = marks_of(vertical_, vertical_labels(drawn), style.unicode);
  horizontal_marks_ = marks_of(horizontal_, std::clamp<std::size_t>(columns_ / 8, 2, 10), style.unicode);
}

/// One drawing of the cells.
class terminal_map::painter {
 public:
  painter(const terminal_map& plan, const map_cells& cells, const std::optional<scale>& values, const colour_map& map)
      : plan_(plan), values_(values), inks_(map, plan.style_.colours), grid_(plan.rows_ * plan.columns_) {
    for (std::size_t r = 0; r < plan.rows_; ++r)
      for (std::size_t c = 0; c < plan.columns_; ++c) {
        const std::size_t row = plan.vertical_.turned() ? plan.rows_ - 1 - r : r;
        const std::size_t column = plan.horizontal_.turned() ? plan.columns_ - 1 - c : c;
        const double x = cells.at(row * cells.rows() / plan.rows_, column * cells.columns() / plan.columns_);
        grid_[r * plan.columns_ + c] = ink_of(x, r + c);
      }
  }

  std::string line(std::size_t number) const {
    std::string out;
    ink text_before = nothing, back_before = nothing;
    for (std::size_t c = 0; c < plan_.columns_; ++c) {
      const std::size_t row = number * plan_.cells_a_line_;
      const ink upper = at(row, c);
      if (!coloured()) {
        out += upper >= missing_dark ? '?' : ramp_of(upper);
      } else if (plan_.cells_a_line_ == 1) {
        if (upper != std::exchange(back_before, upper)) out += inks_.back(upper);
        out += ' ';
      } else {
        if (upper != std::exchange(text_before, upper)) out += inks_.text(upper);
        // Below the last row there is nothing: the terminal's own colour.
        const ink lower = row + 1 < plan_.rows_ ? at(row + 1, c) : nothing;
        if (lower != std::exchange(back_before, lower)) out += inks_.back(lower);
        out += "▀";
      }
    }
    return coloured() ? out + colours_off : out;
  }

  std::string legend(const std::string& unit) const {
    std::string out = values_ ? bar(unit) : "";
    if (std::none_of(grid_.begin(), grid_.end(), [](ink i) { return i >= missing_dark; })) return out;
    out += out.empty() ? "" : "   ";
    return out + (coloured() ? inks_.back(missing_dark) + " " + inks_.back(missing_light) + " " + colours_off : "?") +
           (values_ && values_->logarithmic() ? " missing or not above 0" : " missing");
  }

 private:
  static constexpr ink nothing = UINT16_MAX;

  bool coloured() const noexcept { return plan_.style_.colours != colour_depth::none; }
  ink at(std::size_t row, std::size_t column) const { return grid_[row * plan_.columns_ + column]; }
  static char ramp_of(ink i) { return ramp_at(static_cast<double>(i) / static_cast<double>(colour_map::size - 1)); }

  ink ink_of(double x, std::size_t place) const {
    const double t = values_ ? (*values_)(x) : std::nan("");
    if (std::isnan(t)) return place % 2 == 0 ? missing_dark : missing_light;
    return static_cast<ink>(colour_map::number(t));
  }

  std::string bar(const std::string& unit) const {
    const std::string least = number_text(values_->least()), greatest = number_text(values_->greatest());
    const std::size_t taken = width_of(least) + width_of(greatest) + 3;
    const std::size_t size =
        std::clamp<std::size_t>(plan_.columns_, taken + 8, std::max<std::size_t>(60, taken + 8)) - taken;
    std::string out = least + " ";
    for (std::size_t i = 0; i < size; ++i) {
      const double t = (static_cast<double>(i) + 0.5) / static_cast<double>(size);
      if (coloured())
        out += inks_.back(static_cast<ink>(colour_map::number(t))) + " ";
      else
        out += ramp_at(t);
    }
    out += (coloured() ? colours_off : "") + (" " + greatest);
    if (!unit.empty()) out += " " + unit;
    return values_->logarithmic() ? out + ", logarithmic" : out;
  }

  const terminal_map& plan_;
  const std::optional<scale>& values_;
  ink_table inks_;
  std::vector<ink> grid_;
};

std::string terminal_map::draw(const map_cells& cells, const std::optional<scale>& colours, const colour_map& map,
                               const picture_words& say) const {
  const painter paint(*this, cells, colours, map);
  std::vector<std::string> lines;
  for (std::size_t n = 0; n * cells_a_line_ < rows_; ++n) lines.push_back(paint.line(n));
  return framed(lines, columns_, vertical_marks_, horizontal_marks_, style_.unicode) +
         std::string(frame_width(vertical_marks_), ' ') + paint.legend(say.unit) + "\n";
}

}  // namespace tgmap::picture
