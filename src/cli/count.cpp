// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "cli/json.hpp"
#include "cli/selection.hpp"

namespace tgmap::cli {

namespace {

struct options {
  std::vector<std::string> files;
  selection chosen;
  bool json = false;
};

void run_count(const options& given, session& run) {
  const auto targets = parse_targets(given.files);
  const where wanted = given.chosen.compiled();
  std::uint64_t all = 0;
  for (const target& t : targets)
    run.report.guard(t.file, [&] {
      std::uint64_t here = 0;
      for_each_selected(t, wanted, given.chosen.objects, run, [&](const message&, key_scope&) {
        ++here;
        return true;
      });
      all += here;
      if (given.json) run.out.write(json_line({{"file", t.file}, {"count", here}}));
    });
  if (!given.json) run.out.write(fmt::format("{}\n", all));
}

}  // namespace

action declare_count(CLI::App& app, session& run) {
  const auto given = std::make_shared<options>();
  add_targets(app, given->files, "FILE, FILE:MESSAGE, FILE:MESSAGE:OBJECT, FILE@OFFSET or FILE@OFFSET:OBJECT");
  add_selection(app, given->chosen);
  app.add_flag("--objects", given->chosen.objects, "Count objects instead of messages");
  app.add_flag("-j,--json", given->json, "One JSON object a file, each on a line");
  add_io_option(app, run);
  return [given, &run] { run_count(*given, run); };
}

}  // namespace tgmap::cli
