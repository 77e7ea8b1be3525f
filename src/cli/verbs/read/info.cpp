// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tgmap/archive.hpp>
#include <tgmap/tools/survey.hpp>
#include <vector>

#include "cli/app/cli_error.hpp"
#include "cli/app/session.hpp"
#include "cli/command/verb.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/file_list.hpp"
#include "cli/input/target.hpp"
#include "cli/print/content_lines.hpp"
#include "cli/print/human_numbers.hpp"
#include "cli/print/json.hpp"
#include "cli/print/progress.hpp"
#include "core/text/escape.hpp"
#include "reports/survey_json.hpp"

namespace tgmap::cli {

namespace {

using summary = reports::archive_summary;

/// Reads every message of the target's archive; with `codecs` also every descriptor, with `keys` also the keys of a
/// sample. Errors: tgmap::error.
summary summarise(const target& from, bool codecs, bool keys, session& run) {
  const auto start = std::chrono::steady_clock::now();
  const archive opened = open_archive(from, run);
  progress_bar bar(run, from.file, opened.size_bytes());
  summary out;
  static_cast<archive_survey&>(out) = survey(opened, {.content = keys, .usage = codecs, .progress = bar.callback()});
  out.file = from.file;
  if (out.messages != 0) out.first_version = opened[0].version();
  out.io_mode = to_string_view(opened.mode());
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

/// Returns "28 objects, 1361 bytes stored, 2722 decoded, ratio 2.00"; the ratio covers objects of known decoded size.
std::string share_text(const object_usage& of) {
  const auto ratio = of.ratio();
  std::string out = fmt::format("{}, {} bytes stored", count_text(of.count, "object"), of.bytes);
  if (!ratio && of.bytes != 0) return out + ", decoded unknown";
  out += fmt::format(", {} decoded", of.decoded);
  return ratio ? out + fmt::format(", ratio {:.2f}", *ratio) : out;
}

/// Prints a line for each codec, and one for all if there are several.
void add_codecs(const summary& s, const std::function<void(std::string_view, const std::string&)>& line,
                std::string_view one, std::string_view all) {
  if (!s.usage) return;
  for (const auto& [name, part] : s.usage->codecs) line(one, core::escaped(name) + ": " + share_text(part));
  if (s.usage->codecs.size() > 1) line(all, share_text(s.usage->objects));
}

std::string range_text(std::uint64_t begin, std::uint64_t end, const failure& reason) {
  return fmt::format("[{}, {}) {}", begin, end, core::escaped(reason.text()));
}

/// Returns the lines of the reference implementation, followed by damage, for programs.
std::string as_lines(const summary& s) {
  std::string out =
      fmt::format("File: {}\n  Messages: {}\n  Size: {} bytes\n", core::escaped(s.file), s.messages, s.size_bytes);
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
  line("size", human_size(s.size_bytes));
  std::string messages = std::to_string(s.messages);
  for (const auto& [version, number] : s.versions) messages += fmt::format(", {} of version {}", number, version);
  if (s.streamed != 0) messages += fmt::format(", {} streamed", s.streamed);
  if (s.incomplete != 0) messages += fmt::format(", {} incomplete", s.incomplete);
  line("messages", messages);
  line("objects", std::to_string(s.objects));
  add_codecs(s, line, "codec", "decoded");
  if (s.content)
    for (const auto& [name, text] : content_lines(*s.content, window_size().columns - 12, !s.usage)) line(name, text);
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
      run.out.write(given.json ? json_line(reports::to_json(s)) : page ? as_page(s, run.out) : as_lines(s));
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
