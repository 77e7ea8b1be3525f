// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "cli/tens/frame_files.hpp"
#include "cli/tens/frame_json.hpp"
#include "cli/tens/frame_text.hpp"
#include "cli/tens/verbs.hpp"

namespace tgmap::cli {

namespace {

struct tens_show_options {
  std::vector<std::string> files;
  bool json = false;
};

void run_tens_show(const tens_show_options& given, session& run) {
  check_frame_files(given.files);
  bool first = true;
  for (const std::string& file : given.files)
    run.report.guard(file, [&] {
      const frame_input from(file);
      const frame_description all(from);
      if (given.json) {
        run.out.write(json_line(frame_json(file, all)));
      } else {
        if (!std::exchange(first, false)) run.out.write("\n");
        write_frame_text(file, all, run.out);
      }
      for (const frame_description::fault& each : all.faults)
        run.report.failed(file, each.text(), next_step_of_frame(each.why, file));
    });
}

}  // namespace

action declare_tens_show(CLI::App& app, session& run) {
  const auto given = std::make_shared<tens_show_options>();
  add_frame_files(app, given->files);
  app.add_flag("-j,--json", given->json, "One JSON object a line, for each frame");
  return [given, &run] { run_tens_show(*given, run); };
}

}  // namespace tgmap::cli
