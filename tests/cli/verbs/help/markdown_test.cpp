// SPDX-License-Identifier: Apache-2.0
// The Markdown of the documentation, printed as text and as roff.
#include <boost/test/unit_test.hpp>
#include <support/shared_data.hpp>

#include "../../process.hpp"
#include "cli/command/command.hpp"
#include "cli/command/option_model.hpp"
#include "manual/markdown.hpp"
#include "manual/page.hpp"

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(manual_pages)

using namespace tgmap::manual;

namespace {

page page_of(const char* markdown) {
  return {.name = "tgmap-x", .summary = "Does x", .usage = "tgmap x", .body = parse_markdown(markdown)};
}

std::string text_of(const char* markdown) {
  const tgmap::cli::output plain;
  return as_text(page_of(markdown), 40, plain.heading_style());
}

std::string roff_of(const char* markdown) {
  const std::string out = as_roff(page_of(markdown), "1.2"), begin = ".SH \"DESCRIPTION\"\n";
  return out.substr(out.find(begin) + begin.size());
}

}  // namespace

BOOST_AUTO_TEST_CASE(inline_marks) {
  std::string all;
  for (const tgmap::manual::styled_text& each : parse_inline("a `b\\|c` **d** [e `f`](g.md#h) 1 * 2 \\| \\` [i] `"))
    all += "<" + std::to_string(static_cast<int>(each.style)) + each.text + ">";
  BOOST_TEST(all == "<0a ><1b|c><0 ><2d><0 e ><1f><0 1 * 2 | ` [i] `>");
  for (const std::string plain : {"a", "`x` *y* [z](w) \\ |", "**"}) {
    const auto back = parse_inline(escape_markdown(plain));
    BOOST_TEST_REQUIRE(back.size() == 1u);
    BOOST_TEST(back[0].text == plain);
  }
}

BOOST_AUTO_TEST_CASE(text_is_wrapped_and_aligned) {
  BOOST_TEST(
      text_of("one two three four five six seven eight nine ten\neleven\n\n- a list whose item is longer than the "
              "line\n- two\n\n## Head\n\n```console\n$ x  y\n\n  z\n```\n") ==
      "Does x\n\nUsage: tgmap x\n\n  one two three four five six seven\n  eight nine ten eleven\n\n"
      "  - a list whose item is longer than the\n    line\n  - two\n\nHead\n    $ x  y\n\n      z\n");
  BOOST_TEST(text_of("| a | bb |\n|---|---|\n| `long-word` | explained at some length here |\n| x\\|y | - |\n") ==
             "Does x\n\nUsage: tgmap x\n\n  a          bb\n  long-word  explained at some length\n"
             "             here\n  x|y        -\n");
}

BOOST_AUTO_TEST_CASE(code_is_not_broken) {
  BOOST_TEST(text_of("aaaaaaaaaa bbbbbbbbbb cccccccccc `dd ee ff`, gg")
                 .ends_with("  aaaaaaaaaa bbbbbbbbbb cccccccccc\n  `dd ee ff`, gg\n"));
}

BOOST_AUTO_TEST_CASE(roff_is_escaped) {
  BOOST_TEST(roff_text(".x -y\\n 'z' \"q\" ~^`", false) == "\\&.x -y\\(rsn \\(aqz\\(aq \\(dqq\\(dq \\(ti\\(ha\\(ga");
  BOOST_TEST(roff_text("--io -", true) == "\\-\\-io \\-");
  BOOST_TEST(roff_text("\u00a7 \u2014 \U0001f600", false) == "\\[u00A7] \\[u2014] \\[u1F600]");
  BOOST_TEST(roff_of(".a 'b' `--c`\n\n- d\n\n```\n.e\n'f\n```\n\n| `g` | h |\n|---|---|\n| i | j |\n") ==
             ".PP\n\\&.a \\(aqb\\(aq \\fB\\-\\-c\\fR\n.IP \\(bu 2\nd\n"
             ".PP\n.RS 4\n.nf\n\\&.e\n\\(aqf\n.fi\n.RE\n.TP\ni\nj\n");
}

BOOST_AUTO_TEST_CASE(sections) {
  const blocks all = parse_markdown("# T\n\nintro\n\n## A one\n\na\n\n### deep\n\nb\n\n## B\n\nc\n");
  BOOST_TEST(before_sections(all, 2).size() == 1u);
  BOOST_TEST(section(all, 2, "A", false).size() == 3u);
  BOOST_TEST(section(all, 2, "A", true).size() == 4u);
  BOOST_TEST(section(all, 3, "deep", false).size() == 1u);
  BOOST_TEST(section(all, 2, "C", true).empty());
}

/// Checks every installed page with groff and man.
BOOST_AUTO_TEST_CASE(pages_are_well_formed) {
  const temporary_directory files;
  tgmap::cli::session run;
  tgmap::cli::command command(run);
  const auto pages = all_pages(tgmap::cli::model_of(command.app()));
  BOOST_TEST(pages.size() >= 18u);
  for (const page& each : pages) files.file(each.name + "." + std::to_string(each.section), as_roff(each, "1.2"));
  const std::string there = "cd '" + files.path().string() + "' && ";
  for (const std::string line : {"groff -ww -man -Tutf8 -z", "man --warnings -E UTF-8 -l"}) {
    if (shell("command -v " + line.substr(0, line.find(' '))).status != 0) {
      say_skipped(line, "not installed");
      continue;
    }
    const outcome seen = shell(there + "for page in *; do " + line + " $page >/dev/null || exit 1; done");
    BOOST_TEST(seen.status == 0, line);
    BOOST_TEST(seen.err == "", line);
  }
}

BOOST_AUTO_TEST_SUITE_END()
