// SPDX-License-Identifier: Apache-2.0
#include "manual/markdown.hpp"

#include <algorithm>
#include <utility>

#include "core/text/trim.hpp"

namespace tgmap::manual {

namespace {

constexpr std::string_view marks = "\\`*[]|";

class inline_parser {
 public:
  explicit inline_parser(std::string_view text) : rest_(text) {}

  std::vector<styled_text> read() {
    while (!rest_.empty())
      if (!code() && !strong() && !link()) character();
    return std::move(out_);
  }

 private:
  void add(text_style style, std::string_view text) {
    if (out_.empty() || out_.back().style != style || style != text_style::plain) out_.push_back({style, {}});
    out_.back().text += text;
  }

  /// Removes a text between two equal marks. Returns false if the rest does not begin with such a text.
  bool between(std::string_view mark, std::string_view& inner) {
    if (!rest_.starts_with(mark)) return false;
    const std::size_t end = rest_.find(mark, mark.size());
    if (end == rest_.npos || end == mark.size()) return false;
    inner = rest_.substr(mark.size(), end - mark.size());
    rest_.remove_prefix(end + mark.size());
    return true;
  }

  bool code() {
    std::string_view inner;
    if (!between("``", inner) && !between("`", inner)) return false;
    std::string text;
    for (std::size_t i = 0; i < inner.size(); ++i)  // in table cells, bars are escaped even in code
      if (!inner.substr(i).starts_with("\\|")) text += inner[i];
    add(text_style::code, text);
    return true;
  }

  bool strong() {
    std::string_view inner;
    if (!between("**", inner)) return false;
    add(text_style::strong, inner);
    return true;
  }

  bool link() {
    if (!rest_.starts_with('[')) return false;
    const std::size_t middle = rest_.find("](");
    if (middle == rest_.npos || rest_.substr(1, middle - 1).find_first_of("[]") != rest_.npos) return false;
    const std::size_t end = rest_.find(')', middle);
    if (end == rest_.npos) return false;
    for (const styled_text& each : inline_parser(rest_.substr(1, middle - 1)).read()) add(each.style, each.text);
    rest_.remove_prefix(end + 1);
    return true;
  }

  void character() {
    if (rest_.size() > 1 && rest_[0] == '\\' && marks.find(rest_[1]) != marks.npos) rest_.remove_prefix(1);
    add(text_style::plain, rest_.substr(0, 1));
    rest_.remove_prefix(1);
  }

  std::string_view rest_;
  std::vector<styled_text> out_;
};

/// Returns the cells of "| a | b |". A bar after a backslash belongs to its cell.
std::vector<std::string> parse_row(std::string_view line) {
  std::vector<std::string> out;
  line = core::trimmed(line).substr(1);
  for (std::size_t begin = 0, at = 0; at < line.size(); ++at) {
    if (line[at] != '|' || (at > 0 && line[at - 1] == '\\')) continue;
    out.emplace_back(core::trimmed(line.substr(begin, at - begin)));
    begin = at + 1;
  }
  return out;
}

class block_parser {
 public:
  explicit block_parser(std::string_view text) : rest_(text) {}

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
      // the line below the header
    } else if (line.starts_with('|')) {
      grow(block_kind::table).rows.push_back(parse_row(line));
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
  bool open_ = false;  ///< the next line may continue the last block
};

bool is_heading(const block& which, int level) { return which.kind == block_kind::heading && which.level <= level; }

}  // namespace

std::vector<styled_text> parse_inline(std::string_view text) { return inline_parser(text).read(); }

std::string escape_markdown(std::string_view plain) {
  std::string out;
  for (const char c : plain) {
    if (marks.find(c) != marks.npos) out += '\\';
    out += c;
  }
  return out;
}

blocks parse_markdown(std::string_view text) { return block_parser(text).read(); }

blocks section(const blocks& all, int level, std::string_view prefix, bool with_headings) {
  blocks out;
  bool inside = false;
  for (const block& each : all) {
    if (is_heading(each, level)) inside = each.level == level && each.text.starts_with(prefix);
    if (inside && (with_headings || !is_heading(each, level))) out.push_back(each);
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

}  // namespace tgmap::manual
