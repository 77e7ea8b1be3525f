// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "core/text/utf8.hpp"
#include "manual/markdown.hpp"
#include "manual/page.hpp"

namespace tgmap::manual {

namespace {

/// Splits marked text into pieces that must not be broken.
std::vector<printed_line> split_words(std::string_view marked, const emphasis& bold) {
  const std::vector<styled_text> pieces = parse_inline(marked);
  const bool only_code = pieces.size() == 1;
  std::vector<printed_line> out;
  bool begun = false;
  const auto add = [&](const std::string& text, std::size_t width) {
    if (!begun) out.emplace_back();
    begun = true;
    out.back().text += text;
    out.back().width += width;
  };
  for (const styled_text& piece : pieces) {
    if (piece.style == text_style::code) {
      const std::string shown = bold(piece.text);
      const bool ticks = shown == piece.text && !only_code;
      add(ticks ? "`" + piece.text + "`" : shown, core::code_point_count(piece.text) + (ticks ? 2 : 0));
      continue;
    }
    for (std::size_t at = 0; at < piece.text.size();) {
      const std::size_t end = std::min(piece.text.find(' ', at), piece.text.size());
      const std::string word = piece.text.substr(at, end - at);
      if (!word.empty()) add(piece.style == text_style::strong ? bold(word) : word, core::code_point_count(word));
      if (end < piece.text.size()) begun = false;
      at = end + 1;
    }
  }
  return out;
}

}  // namespace

std::vector<printed_line> wrap(std::string_view marked, std::size_t width, const emphasis& bold) {
  std::vector<printed_line> out(1);
  for (const printed_line& word : split_words(marked, bold)) {
    if (out.back().width != 0 && out.back().width + 1 + word.width > width) out.emplace_back();
    const bool first = out.back().width == 0;
    out.back().text += (first ? "" : " ") + word.text;
    out.back().width += (first ? 0 : 1) + word.width;
  }
  return out;
}

namespace {

constexpr std::size_t column_gap = 2;

using cell = std::vector<printed_line>;

struct column {
  std::size_t width = 0, min_width = 0;  ///< the longest word must fit
};

std::vector<column> measure_columns(const block& what, std::size_t width, const emphasis& bold) {
  std::vector<column> out;
  for (const auto& row : what.rows) {
    out.resize(std::max(out.size(), row.size()));
    for (std::size_t c = 0; c < row.size(); ++c) {
      out[c].width = std::max(out[c].width, wrap(row[c], SIZE_MAX / 2, bold).front().width);
      for (const printed_line& word : wrap(row[c], 1, bold)) out[c].min_width = std::max(out[c].min_width, word.width);
    }
  }
  std::size_t total = out.empty() ? 0 : (out.size() - 1) * column_gap;
  for (const column& each : out) total += each.width;
  for (; total > width; --total) {
    const auto shrinkable_width = [](const column& of) { return of.width > of.min_width ? of.width : 0; };
    const auto widest = std::max_element(out.begin(), out.end(), [&](const auto& a, const auto& b) {
      return shrinkable_width(a) < shrinkable_width(b);
    });
    if (shrinkable_width(*widest) == 0) break;
    --widest->width;
  }
  return out;
}

std::string format_line(const std::vector<cell>& cells, std::size_t n, const std::vector<column>& columns) {
  std::string out;
  std::size_t spaces = 0;  // before the next visible text
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const printed_line here = n < cells[c].size() ? cells[c][n] : printed_line{};
    if (here.width != 0) out.append(std::exchange(spaces, 0), ' ').append(here.text);
    spaces += column_gap + columns[c].width - std::min(columns[c].width, here.width);
  }
  return out;
}

}  // namespace

std::vector<std::string> table_lines(const block& what, std::size_t width, const emphasis& bold) {
  const std::vector<column> columns = measure_columns(what, width, bold);
  std::vector<std::string> out;
  for (const auto& row : what.rows) {
    const bool is_header = what.has_header && &row == &what.rows.front();
    std::vector<cell> cells;
    std::size_t height = 1;
    for (std::size_t c = 0; c < row.size(); ++c) {
      cells.push_back(wrap(is_header ? "**" + row[c] + "**" : row[c], columns[c].width, bold));
      height = std::max(height, cells.back().size());
    }
    for (std::size_t n = 0; n < height; ++n) out.push_back(format_line(cells, n, columns));
  }
  return out;
}

namespace {

class text_printer {
 public:
  text_printer(std::size_t width, emphasis bold) : width_(width), bold_(std::move(bold)) {}

  void print(const block& what) {
    switch (what.kind) {
      case block_kind::heading: return heading(what);
      case block_kind::paragraph: return lines(wrap(what.text, width_ - indent, bold_), indent);
      case block_kind::list: return list(what);
      case block_kind::code: return code(what);
      case block_kind::table: return table(what);
    }
  }

  void line(std::string_view text, std::size_t at) {
    if (!text.empty()) out_.append(at, ' ').append(text);
    out_ += '\n';
  }

  std::string take() { return std::move(out_); }

  static constexpr std::size_t indent = 2;

 private:
  void gap() {
    if (!out_.empty() && !out_.ends_with("\n\n") && !after_heading_) out_ += '\n';
    after_heading_ = false;
  }

  void heading(const block& what) {
    gap();
    std::string plain;
    for (const styled_text& each : parse_inline(what.text)) plain += each.text;
    line(bold_(plain), what.level > 2 ? indent : 0);
    after_heading_ = true;
  }

  void lines(const std::vector<printed_line>& all, std::size_t at) {
    gap();
    for (const printed_line& each : all) line(each.text, at);
  }

  void list(const block& what) {
    gap();
    for (const std::string& item : what.items) {
      bool first = true;
      for (const printed_line& each : wrap(item, width_ - indent - 2, bold_)) {
        line((first ? "- " : "  ") + each.text, indent);
        first = false;
      }
    }
  }

  void code(const block& what) {
    gap();
    for (std::size_t at = 0; at < what.text.size();) {
      const std::size_t end = what.text.find('\n', at);
      line(what.text.substr(at, end - at), indent + 2);
      at = end + 1;
    }
  }

  void table(const block& what) {
    gap();
    for (const std::string& each : table_lines(what, width_ - indent, bold_)) line(each, indent);
  }

  std::size_t width_;
  emphasis bold_;
  std::string out_;
  bool after_heading_ = false;
};

/// Returns the commands for other pages: "tgmap help ls, tgmap help where".
std::string help_commands(const std::string& names) {
  std::string out;
  for (const std::string_view name : parts_of(names, ','))
    out += (out.empty() ? "`tgmap help " : ", `tgmap help ") + std::string(name) + "`";
  return out;
}

}  // namespace

std::string as_text(const page& what, std::size_t columns, const emphasis& bold) {
  constexpr std::size_t min_width = 40, max_width = 100;
  text_printer out(std::clamp(columns, min_width, max_width), bold);
  out.line(what.summary, 0);
  if (!what.usage.empty()) {
    out.line("", 0);
    out.line(bold("Usage") + ": " + what.usage, 0);
  }
  for (const block& each : what.body) out.print(each);
  if (!what.see_also.empty()) {
    out.print(heading(2, "See also"));
    out.print(paragraph(help_commands(what.see_also)));
  }
  return out.take();
}

}  // namespace tgmap::manual
