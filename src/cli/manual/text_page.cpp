// SPDX-License-Identifier: Apache-2.0
#include "cli/manual/text_page.hpp"

#include <algorithm>
#include <utility>

#include "cli/app/output.hpp"
#include "cli/manual/markdown.hpp"
#include "cli/manual/text_layout.hpp"

namespace tgmap::cli::manual {

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
  for (const std::string& name : CLI::detail::split(names, ','))
    out += (out.empty() ? "`tgmap help " : ", `tgmap help ") + CLI::detail::trim_copy(name) + "`";
  return out;
}

}  // namespace

std::string as_text(const page& what, std::size_t width, const output& to) {
  const emphasis bold = [&to](std::string_view text) { return to.heading(text); };
  text_printer out(width, bold);
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

std::string as_text(const page& what, const output& to) {
  constexpr std::size_t min_width = 40, max_width = 100;
  return as_text(what, std::clamp(window_size().columns, min_width, max_width), to);
}

}  // namespace tgmap::cli::manual
