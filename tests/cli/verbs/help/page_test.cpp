// SPDX-License-Identifier: Apache-2.0
// The manual: every verb has a page, its examples work, and help and man pages are well formed.
#include <boost/algorithm/string/predicate.hpp>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <support/shared_data.hpp>

#include "../../process.hpp"
#include "../../samples.hpp"
#include "cli/command/command.hpp"
#include "cli/command/option_model.hpp"
#include "manual/page.hpp"

using namespace tgmap_test;
namespace manual = tgmap::manual;

BOOST_AUTO_TEST_SUITE(manuals)

namespace {

std::vector<manual::page> pages() {
  tgmap::cli::session run;
  tgmap::cli::command command(run);
  return manual::all_pages(tgmap::cli::model_of(command.app()));
}

/// Returns the blocks of a page below a heading.
manual::blocks below(const manual::page& of, const std::string& heading) {
  manual::blocks out;
  bool inside = false;
  for (const manual::block& each : of.body) {
    if (each.kind == manual::block_kind::heading)
      inside = each.text == heading;
    else if (inside)
      out.push_back(each);
  }
  return out;
}

/// Returns the archive of the examples: messages with a field, its latitudes and its longitudes, which all have
/// mars.param and mars.step.
bytes example_archive() {
  bytes out;
  for (const int step : {0, 6, 12}) {
    const bytes mars = cbor::map({cbor::key("date", cbor::integer(20260101)), cbor::key("step", cbor::integer(step)),
                                  cbor::key("param", cbor::text("2t"))});
    const auto named = [&](const char* name) {
      return cbor::map({cbor::key("mars", mars), cbor::key("name", cbor::text(name))});
    };
    const object_spec field = numbers_object<float>("float32", {271, 272, 273});
    out += message({.objects = {field, field, field}, .base = {named("t"), named("latitude"), named("longitude")}});
  }
  return out;
}

std::vector<std::string> commands_in(const std::string& code) {
  std::vector<std::string> out;
  std::istringstream lines(code);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("$ "))
      out.push_back(line.substr(2));
    else if (!out.empty() && out.back().ends_with('\\'))
      out.back() += "\n" + line;
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_page_of_a_command_has_a_description_and_examples) {
  std::size_t seen = 0;
  for (const manual::page& page : pages()) {
    BOOST_TEST_CONTEXT(page.name) {
      BOOST_TEST(!page.summary.empty());
      BOOST_TEST(!page.see_also.empty());
      BOOST_TEST_REQUIRE(!page.body.empty());
      if (page.usage.empty()) continue;
      ++seen;
      BOOST_TEST((page.body.front().kind == manual::block_kind::paragraph), "docs/manual/ has no description of it");
      const manual::blocks examples = below(page, "Examples");
      BOOST_TEST(examples.size() >= 4u);  // two, each with an explanation before it
      for (std::size_t i = 0; i < examples.size(); ++i)
        BOOST_TEST((examples[i].kind == (i % 2 == 0 ? manual::block_kind::paragraph : manual::block_kind::code)));
      BOOST_TEST(below(page, "Exit status").size() == 1u);
      BOOST_TEST(below(page, "Options").size() == 1u);
    }
  }
  BOOST_TEST(seen >= 12u);
}

BOOST_AUTO_TEST_CASE(see_also_names_pages) {
  const auto all = pages();
  for (const manual::page& page : all) {
    std::istringstream names(page.see_also);
    for (std::string name; std::getline(names >> std::ws, name, ',');) {
      const std::string wanted = manual::man_reference(name);
      const bool there = std::any_of(all.begin(), all.end(), [&](const manual::page& other) {
        return other.name + "(" + std::to_string(other.section) + ")" == wanted;
      });
      BOOST_TEST(there, page.name << " refers to " << name);
    }
  }
}

BOOST_AUTO_TEST_CASE(examples_work) {
  const temporary_directory files;
  files.file("forecast.tgm", example_archive());
  for (const char* name : {"analysis.tgm", "surface.tgm", "levels.tgm", "streamed.tgm", "old.tgm"})
    files.file(name, example_archive());
  if (!has_zeromq_or_skip("examples of tens") || !has_simdjson_or_skip("examples of constant")) return;
  files.file("table.json", read_file(test_data() / "constants/table.json"));
  files.file("matrix.json", read_file(test_data() / "constants/matrix.json"));
  files.file("detector.frame", read_file(test_data() / "tens/plain.frame"));
  for (const char* name : {"era5.grib", "day1.grib", "day2.grib"})
    files.file(name, read_file(test_data() / "grib/simple_16.grib"));
  const bool knows_grib =
      run({"import", "grib", (files / "era5.grib").string(), (files / "era5.tgm").string()}).status == 0;
  if (!knows_grib) say_skipped("examples of import and export", "ecCodes is missing; install libeccodes0");
  const std::string place = "cd '" + files.path().string() +
                            "' && export HOME=$PWD/home && mkdir -p home/.zfunc home/.config/fish/completions bin && "
                            "ln -sf \"$TGMAP\" bin/tgmap && PATH=$PWD/bin:$PATH && ";
  std::size_t tried = 0;
  for (const manual::page& page : pages()) {
    if (page.usage.empty()) continue;
    // These two wait for another program.
    if (page.name.ends_with("recv") || page.name.ends_with("send")) continue;
    if (!knows_grib && (page.name.starts_with("tgmap-import") || page.name.starts_with("tgmap-export"))) continue;
    if (page.name.ends_with("cube") && !has_python_or_skip("examples of cube")) continue;
    for (const manual::block& each : below(page, "Examples")) {
      if (each.kind != manual::block_kind::code) continue;
      for (const std::string& line : commands_in(each.text)) {
        files.file("example", line + "\n");
        const outcome seen = shell(place + "exec bash example");
        BOOST_TEST(seen.status == 0, line << ": " << seen.err);
        // The archive of the test has the keys of the examples, but not all of their values.
        const bool selects_nothing = seen.err.find(": nothing is selected: no ") != std::string::npos &&
                                     seen.err.find(" matches '") != std::string::npos;
        BOOST_TEST((seen.err.empty() || selects_nothing), line << ": " << seen.err);
        ++tried;
      }
    }
  }
  BOOST_TEST(tried > 25u);
}

BOOST_AUTO_TEST_CASE(help_and_flags_print_the_same_page) {
  for (const char* verb : {"ls", "extract", "help", "completion"}) {
    const outcome by_flag = run({verb, "--help"}), by_help = run({"help", verb});
    BOOST_TEST(by_flag.status == 0);
    BOOST_TEST(by_flag.out == by_help.out);
    BOOST_TEST(by_flag.err == "");
  }
  BOOST_TEST(run({"help"}).out == run({"--help"}).out);
  if (has_zeromq_or_skip("help of tens")) {
    const outcome by_flag = run({"tens", "show", "--help"});
    BOOST_TEST(by_flag.out.starts_with(
        "Show frames: headers, label, tensors and parts\n\nUsage: tgmap tens show [OPTIONS] FRAME"));
    BOOST_TEST(by_flag.out == run({"help", "tens", "show"}).out);
    BOOST_TEST(by_flag.out == run({"help", "tens-show"}).out);
    BOOST_TEST(run({"help", "tens"}).out.find("\nVerbs\n  show ") != std::string::npos);
  }
  const std::string out = run({"ls", "-h"}).out;
  BOOST_TEST(out.starts_with("List messages or objects, one per row\n\nUsage: tgmap ls [OPTIONS] FILE...\n\n"));
  for (const char* part :
       {"\nOptions\n  FILE ", "  -w, --where WHERE  Select by", "\nExamples\n", "\n    $ tgmap ls forecast.tgm\n",
        "\nExit status\n  0  everything was done\n", "\nSee also\n"})
    BOOST_TEST(out.find(part) != std::string::npos, part << " is not in\n" << out);
}

BOOST_AUTO_TEST_CASE(lines_of_all_pages_fit_80_columns) {
  tgmap::cli::session run;
  for (const manual::page& page : pages()) {
    std::istringstream lines(manual::as_text(page, 80, run.out.heading_style()));
    for (std::string line; std::getline(lines, line);) {
      const auto width = std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xc0) != 0x80; });
      BOOST_TEST(width <= 80, page.name << ": " << line);
      BOOST_TEST(!line.ends_with(' '), page.name << ": " << line);
    }
  }
}

BOOST_AUTO_TEST_CASE(help_of_every_verb_and_its_examples_fit_80_columns) {
  tgmap::cli::session run_of_verbs;
  tgmap::cli::command command(run_of_verbs);
  std::vector<std::vector<std::string>> calls{{"--help"}, {"help"}};
  for (const auto& verb : tgmap::cli::verbs_of(command.app())) {
    calls.push_back({verb.name, "--help"});
    for (const auto& below : verb.verbs) calls.push_back({verb.name, below.name, "--help"});
  }
  BOOST_TEST(calls.size() > 30u);
  for (const auto& call : calls) {
    const outcome seen = run(call);
    BOOST_TEST(seen.status == 0, call.front());
    std::istringstream lines(seen.out);
    for (std::string line; std::getline(lines, line);) {
      const auto width = std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xc0) != 0x80; });
      BOOST_TEST(width <= 80, call.front() << ": " << line);
    }
  }
}

BOOST_AUTO_TEST_CASE(help_that_is_named_is_there) {
  std::string texts;
  tgmap::cli::session run_of_pages;
  for (const manual::page& page : pages()) texts += manual::as_text(page, 80, run_of_pages.out.heading_style());
  // Errors name help, too.
  const auto sources = std::filesystem::path(__FILE__).parent_path() / "../../../../src/cli";
  for (const auto& each : std::filesystem::recursive_directory_iterator(sources))
    if (each.path().extension() == ".cpp") texts += read_file(each.path());
  for (const auto& each : std::filesystem::directory_iterator(sources / "../../docs"))
    if (each.path().extension() == ".md") texts += read_file(each.path());
  std::set<std::string> named;
  const std::regex reference("`tgmap\\s+help\\s+([a-z][a-z-]*(?: [a-z-]+)?)`");
  for (std::sregex_iterator at(texts.begin(), texts.end(), reference), end; at != end; ++at) named.insert((*at)[1]);
  BOOST_TEST(named.count("where") == 1u);
  BOOST_TEST(named.count("keys") == 1u);
  for (const std::string& each : named) {
    if (each.starts_with("tens") && !has_zeromq_or_skip("help " + each)) continue;
    std::vector<std::string> call{"help"};
    std::istringstream names(each);
    for (std::string name; names >> name;) call.push_back(name);
    const outcome seen = run(call);
    BOOST_TEST(seen.status == 0, each << ": " << seen.err);
  }
}

BOOST_AUTO_TEST_CASE(sections_that_help_names_are_there) {
  tgmap::cli::session run_of_pages;
  std::map<std::string, std::set<std::string>> headings;
  std::size_t named = 0;
  for (const manual::page& page : pages())
    for (const manual::block& each : page.body)
      if (each.kind == manual::block_kind::heading) headings[page.name].insert(each.text);
  for (const manual::page& page : pages()) {
    if (page.usage.empty()) continue;
    std::string text = manual::as_text(page, 80, run_of_pages.out.heading_style());
    text = std::regex_replace(text, std::regex("\\s+"), " ");
    const std::regex reference("options under ([A-Z][a-z]+)");
    for (std::sregex_iterator at(text.begin(), text.end(), reference), end; at != end; ++at, ++named)
      BOOST_TEST(headings[page.name].count((*at)[1]) == 1u, page.name << ": " << (*at)[1]);
  }
  BOOST_TEST(named >= 2u);
  for (const char* const page : {"tgmap-create", "tgmap-append", "tgmap-convert"})
    BOOST_TEST(headings[page].count("Storing") == 1u, page);
  BOOST_TEST(headings["tgmap-create"].count("Layout") == 1u);
}

BOOST_AUTO_TEST_CASE(headings_are_bold_at_a_terminal) {
  const outcome seen = run_at_terminal({"help", "ls"});
  BOOST_TEST(seen.out.find("\x1b[1mExamples\x1b[0m\n") != std::string::npos);
  BOOST_TEST(seen.out.find('`') == std::string::npos, seen.out);
}

BOOST_AUTO_TEST_CASE(unknown_pages_are_usage_errors) {
  const outcome near = run({"help", "lss"});
  BOOST_TEST(near.status == 2);
  BOOST_TEST(near.err.starts_with("tgmap: there is no verb or topic 'lss'; did you mean 'ls'?"), near.err);
  BOOST_TEST(run({"help", "valid"}).err.find("did you mean 'validate'?") != std::string::npos);
  BOOST_TEST(run({"help", "exitcodes"}).err.find("did you mean 'exit-codes'?") != std::string::npos);
  BOOST_TEST(run({"help", "xyzzy"}).err.find("did you mean") == std::string::npos);
  BOOST_TEST(run({"help", "__complete"}).status == 2);
}

BOOST_AUTO_TEST_CASE(topics_are_the_documentation) {
  for (const manual::topic& each : manual::topics())
    BOOST_TEST(!manual::document_text(each.document).empty(), each.name);
  BOOST_TEST(run({"help", "where"}).out.find("condition = KEY ( \"=\" | \"!=\" ) value") != std::string::npos);
  BOOST_TEST(run({"help", "keys"}).out.find("@streamed") != std::string::npos);
  BOOST_TEST(run({"help", "format"}).out.find("39277777") != std::string::npos);
  BOOST_TEST(run({"help", "targets"}).out.find("FILE@OFFSET:OBJECT") != std::string::npos);
  BOOST_TEST(run({"help", "environment"}).out.find("NO_COLOR") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
