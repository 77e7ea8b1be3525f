// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tgmap/archive.hpp>
#include <vector>

#include "cli/app/cli_error.hpp"
#include "cli/app/session.hpp"
#include "cli/app/verb.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/target.hpp"
#include "cli/print/human_numbers.hpp"
#include "cli/print/json.hpp"
#include "cli/survey/archive_survey.hpp"
#include "cli/verbs/examine/du.hpp"
#include "core/text/escape.hpp"

namespace tgmap::cli {

namespace {

/// The facts about one archive.
struct summary {
  std::string file;
  std::uint64_t size = 0;
  std::uint64_t messages = 0;
  std::uint64_t objects = 0;              ///< objects of readable messages
  std::map<int, std::uint64_t> versions;  ///< messages of each wire version
  std::optional<int> first_version;
  std::uint64_t streamed = 0;
  std::uint64_t incomplete = 0;
  std::vector<gap> gaps;
  std::optional<tgmap::incomplete_tail> tail;
  std::vector<failure> unreadable;   ///< messages with unreadable objects
  std::optional<disk_usage> codecs;  ///< with --codecs
  std::optional<archive_survey> survey;
  std::string io_mode;
  std::string io_reason;
  double elapsed_ms = 0;

  std::uint64_t version_1() const;
};

void count(const message& m, summary& into) {
  ++into.messages;
  ++into.versions[m.version()];
  if (!into.first_version) into.first_version = m.version();
  if (m.is_streamed()) ++into.streamed;
  if (m.is_incomplete()) ++into.incomplete;
  if (m.version() == 1) return;  // its objects cannot be read, which is not an error

  failure why;
  const std::size_t objects = m.size(why);
  into.objects += objects;
  for (std::size_t j = 0; into.codecs && j < objects && !why; ++j) {
    const object one = m.at(j, why);
    if (!why) add_usage(m, one, nullptr, *into.codecs);
  }
  if (why) into.unreadable.push_back(failure_in(m, why));
  if (!into.codecs) return;
  into.unreadable.insert(into.unreadable.end(), into.codecs->problems.begin(), into.codecs->problems.end());
  into.codecs->problems.clear();
}

std::uint64_t summary::version_1() const {
  const auto found = versions.find(1);
  return found == versions.end() ? 0 : found->second;
}

/// Reads every message of the target's archive; with `codecs` also every descriptor, with `keys` also the keys of a
/// sample. Errors: tgmap::error.
summary summarise(const target& from, bool codecs, bool keys, session& run) {
  const auto start = std::chrono::steady_clock::now();
  const archive opened = open_archive(from, run);
  scan_all(opened, from, run);

  summary out;
  out.file = from.file;
  if (codecs) out.codecs.emplace();
  out.size = opened.size_bytes();
  if (keys) out.survey.emplace(opened.size());
  for (const message& m : opened) {
    count(m, out);
    if (keys) out.survey->add(m);
  }
  out.gaps = opened.gaps();
  out.tail = opened.incomplete_tail();
  out.io_mode = opened.mode() == tgmap::io_mode::map ? "map" : "read";
  out.io_reason = opened.mode_reason();
  const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
  out.elapsed_ms = elapsed.count();
  return out;
}

struct info_options {
  std::vector<std::string> files;
  bool json = false, page = false, codecs = false;
};

constexpr std::size_t damage_shown = 10;  // of each kind, at a terminal and in error messages

json as_json(const summary& s) {
  json versions = json::object(), gaps = json::array(), errors = json::array();
  for (const auto& [version, messages] : s.versions) versions[std::to_string(version)] = messages;
  for (const gap& g : s.gaps) gaps.push_back(to_json(g));
  for (const failure& f : s.unreadable)
    errors.push_back({{"offset", f.offset}, {"message", f.message ? json(*f.message) : json()}, {"error", f.text()}});
  json out{{"file", s.file},
           {"size", s.size},
           {"messages", s.messages},
           {"objects", s.objects},
           {"versions", versions},
           {"version_1", s.version_1()},
           {"streamed", s.streamed},
           {"incomplete", s.incomplete},
           {"gaps", gaps},
           {"incomplete_tail", to_json(s.tail)},
           {"errors", errors},
           {"io_mode", s.io_mode},
           {"io_reason", s.io_reason},
           {"elapsed_ms", s.elapsed_ms}};
  if (s.survey) out["content"] = s.survey->as_json();
  if (!s.codecs) return out;
  json codecs = json::object();
  for (const auto& [name, part] : s.codecs->codecs) add_member(codecs, name, as_json(part));
  out["decoded"] = as_json(s.codecs->objects);
  out["codecs"] = std::move(codecs);
  return out;
}

/// Returns "28 objects, 1361 bytes stored, 2722 decoded, ratio 2.00"; the ratio covers objects of known decoded size.
std::string share_text(const object_share& of) {
  const auto ratio = of.ratio();
  std::string out = fmt::format("{}, {} bytes stored", count_text(of.count, "object"), of.bytes);
  if (!ratio && of.bytes != 0) return out + ", decoded unknown";
  out += fmt::format(", {} decoded", of.decoded);
  return ratio ? out + fmt::format(", ratio {:.2f}", *ratio) : out;
}

/// Prints a line for each codec, and one for all if there are several.
void add_codecs(const summary& s, const std::function<void(std::string_view, const std::string&)>& line,
                std::string_view one, std::string_view all) {
  if (!s.codecs) return;
  for (const auto& [name, part] : s.codecs->codecs) line(one, core::escaped(name) + ": " + share_text(part));
  if (s.codecs->codecs.size() > 1) line(all, share_text(s.codecs->objects));
}

std::string range_text(std::uint64_t begin, std::uint64_t end, const failure& reason) {
  return fmt::format("[{}, {}) {}", begin, end, core::escaped(reason.text()));
}

/// Returns the lines of the reference implementation, followed by damage, for programs.
std::string as_lines(const summary& s) {
  std::string out =
      fmt::format("File: {}\n  Messages: {}\n  Size: {} bytes\n", core::escaped(s.file), s.messages, s.size);
  const auto line = [&](std::string_view name, const auto& value) { out += fmt::format("  {}: {}\n", name, value); };
  if (s.first_version) line("Version", *s.first_version);
  if (s.version_1() != 0) line("Not readable", fmt::format("{} (version_1)", s.version_1()));
  if (s.incomplete != 0) line("Incomplete", s.incomplete);
  add_codecs(s, line, "Codec", "Decoded");
  for (const gap& g : s.gaps) line("Gap", range_text(g.begin, g.end, g.cause));
  if (s.tail) line("Incomplete tail", range_text(s.tail->begin, s.tail->end, s.tail->cause));
  return out + "\n";
}

/// Returns the page for people at a terminal.
std::string as_page(const summary& s, const output& out) {
  std::string page = out.heading(core::escaped(s.file)) + "\n";
  const auto line = [&](std::string_view name, const std::string& value) {
    page += fmt::format("  {:<10}{}\n", name, value);
  };
  line("size", human_size(s.size));
  std::string messages = std::to_string(s.messages);
  for (const auto& [version, number] : s.versions) messages += fmt::format(", {} of version {}", number, version);
  if (s.streamed != 0) messages += fmt::format(", {} streamed", s.streamed);
  if (s.incomplete != 0) messages += fmt::format(", {} incomplete", s.incomplete);
  line("messages", messages);
  line("objects", std::to_string(s.objects));
  add_codecs(s, line, "codec", "decoded");
  if (s.survey)
    for (const auto& [name, text] : s.survey->lines(window_size().columns - 12, !s.codecs)) line(name, text);
  if (s.version_1() != 0)
    line("version_1", count_text(s.version_1(), "message") + " with known position, but unreadable");
  for (std::size_t i = 0; i < std::min(s.gaps.size(), damage_shown); ++i)
    line("gap", range_text(s.gaps[i].begin, s.gaps[i].end, s.gaps[i].cause));
  if (s.gaps.size() > damage_shown) line("gaps", fmt::format("{} more", s.gaps.size() - damage_shown));
  if (s.tail) line("tail", range_text(s.tail->begin, s.tail->end, s.tail->cause));
  line("access", fmt::format("{} ({})", s.io_mode == "map" ? "mapped" : "read", s.io_reason));
  line("read in", human_time(s.elapsed_ms));
  return page + "\n";
}

void report_damage(const summary& s, reporter& report) {
  const std::size_t shown = std::min(s.unreadable.size(), damage_shown);
  for (const failure& why : std::span(s.unreadable).first(shown)) report.failed(s.file, why);
  if (s.unreadable.size() > shown)
    report.failed(s.file, fmt::format("{} more messages cannot be read", s.unreadable.size() - shown),
                  fmt::format("run `tgmap ls {}` to see each", s.file));
  if (!s.gaps.empty() || s.tail) report.mark_damaged();
}

void run_info(const info_options& given, session& run) {
  use_no_index(run);  // it says which bytes are damaged
  const auto targets = parse_targets(given.files);
  for (const target& t : targets)
    if (!t.whole_file()) throw usage_error("info takes whole files; for one message use `tgmap ls`");

  for (const target& t : targets)
    run.report.guard(t.file, [&] {
      const bool page = !given.json && (run.out.is_terminal() || given.page);
      const summary s = summarise(t, given.codecs, given.json || page, run);
      run.out.write(given.json ? json_line(as_json(s)) : page ? as_page(s, run.out) : as_lines(s));
      report_damage(s, run.report);
    });
}

}  // namespace

action declare_info(CLI::App& app, session& run) {
  const auto given = std::make_shared<info_options>();
  add_targets(app, given->files, "Archives");
  app.add_flag("--long", given->page, "Print the page that a terminal gets, not the short form for scripts");
  app.add_flag("--codecs", given->codecs, "Also print codecs, stored and decoded sizes; reads all descriptors");
  app.add_flag("-j,--json", given->json, "Print one JSON object per file, one per line");
  return [given, &run] { run_info(*given, run); };
}

}  // namespace tgmap::cli
