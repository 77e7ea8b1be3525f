// SPDX-License-Identifier: Apache-2.0
#include "cli/common_options.hpp"

#include "cli/choice.hpp"
#include "cli/missing_flags.hpp"
#include "cli/number_checks.hpp"

namespace tgmap::cli {

void add_common_options(CLI::App& app, session& run) {
  add_choice<io_mode>(app, "--io", "How bytes are reached",
                      {{"automatic", io_mode::automatic}, {"map", io_mode::map}, {"read", io_mode::read}},
                      [&run](io_mode mode) { run.io = mode; })
      ->group("Common");
  app.add_option("--threads", run.threads, "Threads that work at once; 0: one for each core")
      ->envname("TENSOGRAM_THREADS")
      ->check(whole_number_from(0))
      ->type_name("N")
      ->group("Common");
  add_choice<color_choice>(
      app, "--color", "Colours and bold text",
      {{"auto", color_choice::automatic}, {"always", color_choice::always}, {"never", color_choice::never}},
      [&run](color_choice color) { run.out.set_color(color); })
      ->group("Common");
  app.add_flag_callback(
         "--no-progress", [&run] { run.progress = false; }, "No bar while work takes long")
      ->group("Common");
  app.add_flag_callback(
         "-q,--quiet", [&run] { run.quiet(); }, "No hints and no progress: results and errors alone")
      ->group("Common");

  // Scripts written for the reference implementation set these around any verb. They concern what is written.
  add_missing_flags(app, run.missing, "");
}

}  // namespace tgmap::cli
