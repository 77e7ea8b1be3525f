// SPDX-License-Identifier: Apache-2.0
#include "cli/print/table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/text/utf8.hpp"

namespace tgmap::cli {

namespace {

constexpr std::size_t block = 1000;  // rows
constexpr std::size_t block_bytes = 1 << 20;
constexpr std::size_t max_width = 60;  // wider cells do not widen their column

/// Counts code points, which is close enough for escaped names.
std::size_t width(std::string_view text) { return core::code_point_count(text); }

std::string tabbed(const std::vector<std::string>& cells) { return fmt::format("{}\n", fmt::join(cells, "\t")); }

}  // namespace

table::table(output& out, std::vector<column> columns, bool aligned)
    : out_(&out), aligned_(aligned), columns_(std::move(columns)) {
  for (const column& c : columns_) widths_.push_back(c.name.size());
}

void table::row(std::vector<std::string> cells) {
  if (!aligned_) {
    finish();
    return out_->write(tabbed(cells));
  }
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    widths_[c] = std::max(widths_[c], std::min(width(cells[c]), max_width));
    waiting_bytes_ += cells[c].size();
  }
  waiting_.push_back(std::move(cells));
  if (waiting_.size() == block || waiting_bytes_ >= block_bytes) finish();
}

void table::finish() {
  if (!header_written_) {
    std::vector<std::string> names;
    for (const column& c : columns_) names.emplace_back(c.name);
    out_->write(aligned_ ? out_->heading(line(names)) + "\n" : tabbed(names));
    header_written_ = true;
  }
  for (const auto& cells : waiting_) out_->write(line(cells) + "\n");
  waiting_.clear();
  waiting_bytes_ = 0;
}

std::string table::line(const std::vector<std::string>& cells) const {
  std::string out;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const std::size_t wide = width(cells[c]);
    const std::string padding(wide < widths_[c] ? widths_[c] - wide : 0, ' ');
    const bool last = c + 1 == columns_.size();
    if (columns_[c].side == align::right) out += padding;
    out += cells[c];
    if (columns_[c].side == align::left && !last) out += padding;
    if (!last) out += "  ";
  }
  out.erase(out.find_last_not_of(' ') + 1);
  return out;
}

}  // namespace tgmap::cli
