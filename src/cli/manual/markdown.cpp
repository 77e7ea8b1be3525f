// SPDX-License-Identifier: Apache-2.0
#include "cli/manual/markdown.hpp"

#include <algorithm>

#include "core/text/trim.hpp"

namespace tgmap::cli::manual {

namespace {

/// The cells of "| a | b |". A bar behind a backslash belongs to its cell.
std::vector<std::string> cells(std::string_view line) {
  std::vector<std::string> out;
  line = core::trimmed(line).substr(1);
  for (std::size_t begin = 0, at = 0; at < line.size(); ++at) {
    if (line[at] != '|' || (at > 0 && line[at - 1] == '\\')) continue;
    out.emplace_back(core::trimmed(line.substr(begin, at - begin)));
    begin = at + 1;
  }
  return out;
}

class block_reader {
 public:
  explicit block_reader(std::string_view text) : rest_(text) {}

  blocks read() {
    for (std::string_view line; next(line);) take(line);
    return std::move(out_);
  }

 private:
  bool next(std::string_view& line) {
    if (rest_.empty()) return false;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    return true;
  }

  block& grow(block_kind kind) {
    if (!open_ || out_.back().kind != kind) out_.push_back({kind});
    open_ = true;
    return out_.back();
  }

  void take(std::string_view line) {
    if (line.starts_with("```")) return take_code();
    if (core::trimmed(line).empty()) {
      open_ = false;
    } else if (const std::size_t level = line.find_first_not_of('#'); level != 0 && level != line.npos) {
      open_ = false;
      out_.push_back(heading(static_cast<int>(level), std::string(core::trimmed(line.substr(level)))));
    } else if (line.starts_with("|--") || line.starts_with("|:-")) {
      // the line below the names of the columns
    } else if (line.starts_with('|')) {
      grow(block_kind::table).rows.push_back(cells(line));
    } else if (line.starts_with("- ")) {
      grow(block_kind::list).items.emplace_back(core::trimmed(line.substr(2)));
    } else if (open_ && out_.back().kind == block_kind::list) {
      out_.back().items.back().append(" ").append(core::trimmed(line));
    } else {
      std::string& text = grow(block_kind::paragraph).text;
      text.append(text.empty() ? "" : " ").append(core::trimmed(line));
    }
  }

  void take_code() {
    open_ = false;
    block code{block_kind::code};
    for (std::string_view line; next(line) && !line.starts_with("```");) code.text.append(line).append("\n");
    out_.push_back(std::move(code));
  }

  std::string_view rest_;
  blocks out_;
  bool open_ = false;  ///< the last block may go on
};

bool is_heading(const block& which, int level) { return which.kind == block_kind::heading && which.level <= level; }

}  // namespace

blocks parse_markdown(std::string_view text) { return block_reader(text).read(); }

blocks section(const blocks& all, int level, std::string_view beginning, bool headed) {
  blocks out;
  bool inside = false;
  for (const block& each : all) {
    if (is_heading(each, level)) inside = each.level == level && each.text.starts_with(beginning);
    if (inside && (headed || !is_heading(each, level))) out.push_back(each);
  }
  return out;
}

blocks before_sections(const blocks& all, int level) {
  blocks out;
  for (const block& each : all) {
    if (is_heading(each, level) && each.level == level) break;
    if (!is_heading(each, level)) out.push_back(each);
  }
  return out;
}

}  // namespace tgmap::cli::manual
