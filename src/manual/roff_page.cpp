// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <algorithm>

#include "core/text/utf8.hpp"
#include "manual/markdown.hpp"
#include "manual/page.hpp"

namespace tgmap::manual {

namespace {

constexpr std::size_t table_width = 72;

std::string unchanged(std::string_view text) { return std::string(text); }

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](char c) { return c >= 'a' && c <= 'z' ? c - 32 : c; });
  return text;
}

/// Formats an argument of a request.
std::string quoted_argument(std::string_view text) { return "\"" + roff_text(text, false) + "\""; }

std::string inline_text(std::string_view marked) {
  std::string out;
  for (const styled_text& each : parse_inline(marked)) {
    const std::string text = roff_text(each.text, each.style == text_style::code);
    out += each.style == text_style::plain ? text : "\\fB" + text + "\\fR";
  }
  return out;
}

class roff_printer {
 public:
  void print(const block& what) {
    switch (what.kind) {
      case block_kind::heading: return heading(what);
      case block_kind::paragraph: return line(".PP"), line(inline_text(what.text));
      case block_kind::list:
        for (const std::string& item : what.items) line(".IP \\(bu 2"), line(inline_text(item));
        return;
      case block_kind::code: return verbatim(what.text);
      case block_kind::table: return table(what);
    }
  }

  void heading(const block& what) {
    std::string plain;
    for (const styled_text& each : parse_inline(what.text)) plain += each.text;
    line(what.level > 2 ? ".SS " + quoted_argument(plain) : ".SH " + quoted_argument(upper(plain)));
  }

  void line(const std::string& text) { out_ += text + "\n"; }
  std::string take() { return std::move(out_); }

 private:
  void verbatim(std::string_view text) {
    line(".PP\n.RS 4\n.nf");
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      line(roff_text(text.substr(at, end - at), true));
      at = end + 1;
    }
    line(".fi\n.RE");
  }

  /// Formats two columns as terms and descriptions. Wider tables would need a preprocessor and become verbatim text.
  void table(const block& what) {
    if (what.rows.front().size() != 2) {
      std::string lines;
      for (const std::string& each : table_lines(what, table_width, unchanged)) lines += each + "\n";
      return verbatim(lines);
    }
    for (const auto& row : what.rows)
      if (!what.has_header || &row != &what.rows.front())
        line(".TP\n" + inline_text(row[0]) + "\n" + inline_text(row[1]));
  }

  std::string out_;
};

/// "tgmap-ls(1), tgmap-where(7)".
std::string references(const std::string& names) {
  std::string out;
  for (const std::string_view name : parts_of(names, ',')) {
    const std::string full = man_reference(name);
    const std::size_t bracket = full.find('(');
    out +=
        (out.empty() ? "" : ", ") + ("\\fB" + roff_text(full.substr(0, bracket), true)) + "\\fR" + full.substr(bracket);
  }
  return out;
}

}  // namespace

std::string roff_text(std::string_view text, bool code) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto [character, size] = core::first_code_point(text.substr(at));  // our own text is valid UTF-8
    at += size;
    switch (character) {
      case '\\': out += "\\(rs"; break;
      case '-': out += code ? "\\-" : "-"; break;
      case '\'': out += "\\(aq"; break;
      case '"': out += "\\(dq"; break;
      case '`': out += "\\(ga"; break;
      case '^': out += "\\(ha"; break;
      case '~': out += "\\(ti"; break;
      case '.': out += out.empty() ? "\\&." : "."; break;  // roff takes a line with a leading dot for a request
      default:
        out += character < 0x80 ? std::string(1, static_cast<char>(character)) : fmt::format("\\[u{:04X}]", character);
    }
  }
  return out;
}

std::string as_roff(const page& what, std::string_view version) {
  roff_printer out;
  out.line(fmt::format(".TH {} {} \"\" {} {}", quoted_argument(upper(what.name)), what.section,
                       quoted_argument("tgmap " + std::string(version)), quoted_argument("Manual of tgmap")));
  out.line(".nh\n.ad l");
  out.print(heading(2, "Name"));
  out.line(roff_text(what.name, true) + " \\- " + roff_text(what.summary, false));
  if (!what.usage.empty()) {
    out.print(heading(2, "Synopsis"));
    out.line("\\fB" + roff_text(what.usage, true) + "\\fR");
  }
  if (!what.body.empty() && what.body.front().kind != block_kind::heading) out.print(heading(2, "Description"));
  for (const block& each : what.body) out.print(each);
  if (!what.see_also.empty()) {
    out.print(heading(2, "See also"));
    out.line(references(what.see_also));
  }
  return out.take();
}

}  // namespace tgmap::manual
