// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>

#include "cli/complaint.hpp"
#include "cli/escape.hpp"
#include "cli/human.hpp"
#include "cli/json.hpp"
#include "cli/summary.hpp"
#include "cli/verb.hpp"

namespace tgmap::cli {

namespace {

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
  if (!s.codecs) return out;
  json codecs = json::object();
  for (const auto& [name, part] : s.codecs->codecs) add_member(codecs, name, as_json(part));
  out["decoded"] = as_json(s.codecs->objects);
  out["codecs"] = std::move(codecs);
  return out;
}

/// "28 objects, 1361 bytes stored, 2722 decoded, ratio 2.00"; the ratio is of those whose decoded size is known.
std::string share_text(const object_share& of) {
  const auto ratio = of.ratio();
  std::string out = fmt::format("{}, {} bytes stored", counted(of.count, "object"), of.bytes);
  if (!ratio && of.bytes != 0) return out + ", decoded unknown";
  out += fmt::format(", {} decoded", of.decoded);
  return ratio ? out + fmt::format(", ratio {:.2f}", *ratio) : out;
}

/// Of each codec, and of all of them together where there are several.
void add_codecs(const summary& s, const std::function<void(std::string_view, const std::string&)>& line,
                std::string_view one, std::string_view all) {
  if (!s.codecs) return;
  for (const auto& [name, part] : s.codecs->codecs) line(one, escaped(name) + ": " + share_text(part));
  if (s.codecs->codecs.size() > 1) line(all, share_text(s.codecs->objects));
}

std::string passage_text(std::uint64_t begin, std::uint64_t end, const failure& reason) {
  return fmt::format("[{}, {}) {}", begin, end, escaped(reason.text()));
}

/// For programs that read the reference implementation's lines: those, and behind them what is damaged.
std::string as_lines(const summary& s) {
  std::string out = fmt::format("File: {}\n  Messages: {}\n  Size: {} bytes\n", escaped(s.file), s.messages, s.size);
  const auto line = [&](std::string_view name, const auto& value) { out += fmt::format("  {}: {}\n", name, value); };
  if (s.first_version) line("Version", *s.first_version);
  if (s.version_1() != 0) line("Not readable", fmt::format("{} (version_1)", s.version_1()));
  if (s.incomplete != 0) line("Incomplete", s.incomplete);
  add_codecs(s, line, "Codec", "Decoded");
  for (const gap& g : s.gaps) line("Gap", passage_text(g.begin, g.end, g.cause));
  if (s.tail) line("Incomplete tail", passage_text(s.tail->begin, s.tail->end, s.tail->cause));
  return out + "\n";
}

/// For people at a terminal.
std::string as_page(const summary& s, const output& out) {
  std::string page = out.heading(escaped(s.file)) + "\n";
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
  if (s.version_1() != 0) line("version_1", counted(s.version_1(), "message") + " known by place only, not readable");
  for (std::size_t i = 0; i < std::min(s.gaps.size(), damage_shown); ++i)
    line("gap", passage_text(s.gaps[i].begin, s.gaps[i].end, s.gaps[i].cause));
  if (s.gaps.size() > damage_shown) line("gaps", fmt::format("{} more", s.gaps.size() - damage_shown));
  if (s.tail) line("incomplete_tail", passage_text(s.tail->begin, s.tail->end, s.tail->cause));
  line("access", fmt::format("{} ({})", s.io_mode == "map" ? "mapped" : "read", s.io_reason));
  line("looked at", "in " + human_time(s.elapsed_ms));
  return page + "\n";
}

void report_damage(const summary& s, reporter& report) {
  const std::size_t shown = std::min(s.unreadable.size(), damage_shown);
  for (const failure& why : std::span(s.unreadable).first(shown)) report.failed(s.file, why);
  if (s.unreadable.size() > shown)
    report.failed(s.file, fmt::format("{} more messages cannot be read", s.unreadable.size() - shown),
                  fmt::format("run `tgmap ls {}` to see each", s.file));
  if (!s.gaps.empty() || s.tail) report.damaged();
}

void run_info(const info_options& given, session& run) {
  const auto targets = parse_targets(given.files);
  for (const target& t : targets)
    if (!t.whole_file()) throw usage_error("info is about whole files; for one message use `tgmap ls`");

  for (const target& t : targets)
    run.report.guard(t.file, [&] {
      const summary s = summarise(t, given.codecs, run);
      if (given.json)
        run.out.write(json_line(as_json(s)));
      else
        run.out.write(run.out.terminal() || given.page ? as_page(s, run.out) : as_lines(s));
      report_damage(s, run.report);
    });
}

}  // namespace

action declare_info(CLI::App& app, session& run) {
  const auto given = std::make_shared<info_options>();
  add_targets(app, given->files, "Archives", false);
  app.add_flag("--long", given->page, "All of it, as at a terminal; to a pipe only what scripts expect goes");
  app.add_flag("--codecs", given->codecs, "Codecs of the objects too, and sizes stored and decoded: reads descriptors");
  app.add_flag("-j,--json", given->json, "One JSON object a file, each on a line");
  return [given, &run] { run_info(*given, run); };
}

}  // namespace tgmap::cli
