// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <memory>

#include "cli/command/verb.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/file_list.hpp"
#include "cli/input/required_keys.hpp"
#include "cli/input/target.hpp"
#include "cli/messages/print_selected.hpp"
#include "cli/print/json.hpp"

namespace tgmap::cli {

namespace {

struct count_options {
  std::vector<std::string> files;
  selection_options chosen;
  bool json = false;
};

/// Counts messages by a scan, without reading them.
selected_count count_all(const target& what, session& run) {
  const archive from = open_archive(what, run);
  scan_all(from, what, run);
  report_damage(from, what.file, run);
  return {.count = from.scan_progress().messages, .trust = used_trust(from)};
}

void run_count(const count_options& given, session& run) {
  const auto targets = parse_targets(given.files);
  const bool everything = given.chosen.compiled().selects_all() && !given.chosen.objects;
  require_keys({}, targets, given.chosen, run);
  std::uint64_t all = 0;
  for (const target& t : targets)
    run.report.guard(t.file, [&] {
      selected_count here;
      if (everything && t.whole_file()) {
        here = count_all(t, run);
      } else if (t.whole_file()) {
        here = count_selected(t, given.chosen, run);
      } else {
        selection_options left = given.chosen;
        left.limit -= all;
        std::atomic<std::uint64_t> counted = 0;
        print_selected({t}, left, run, [&](const target&, const key_source&, std::string&) { ++counted; });
        here.count = counted;
      }
      here.count = std::min(here.count, given.chosen.limit - all);
      all += here.count;
      if (!given.json) return;
      json line{{"file", t.file}, {"count", here.count}};
      if (here.trust) line["trust"] = to_string_view(*here.trust);
      run.out.write(json_line(line));
    });
  if (!given.json) run.out.write(fmt::format("{}\n", all));
}

}  // namespace

action declare_count(CLI::App& app, session& run) {
  const auto given = std::make_shared<count_options>();
  add_targets(app, given->files, target_forms);
  add_selection(app, given->chosen);
  app.add_flag("--objects", given->chosen.objects, "Count objects instead of messages");
  app.add_flag("-j,--json", given->json, "Print one JSON object per file, one per line");
  return [given, &run] { run_count(*given, run); };
}

}  // namespace tgmap::cli
