// SPDX-License-Identifier: Apache-2.0
#include "cli/options/common_options.hpp"

#include "cli/options/option_checks.hpp"
#include "cli/options/pipeline_options.hpp"

namespace tgmap::cli {

void add_common_options(CLI::App& app, session& run) {
  add_choice<io_mode>(app, "--io", "How archives are read", by_name({io_mode::automatic, io_mode::map, io_mode::read}),
                      [&run](io_mode mode) { run.io = mode; })
      ->group("Common");
  app.add_flag_callback(
         "--no-index", [&run] { run.index = index_use::none; }, "Scan archives, also where an index is beside them")
      ->group("Common");
  app.add_flag_callback(
         "--index-cache", [&run] { run.index_cache = true; }, "Use indexes in the cache folder, too")
      ->group("Common");
  app.add_option(
         "--trust-index-of", run.trust_index_of,
         "Use indexes of these users, too: names, or group:NAME, comma-separated. Default: $TGMAP_TRUST_INDEX_OF")
      ->type_name("USERS")
      ->group("Common");
  app.add_option("--threads", run.threads, "Number of threads; 0: one per core")
      ->envname("TENSOGRAM_THREADS")
      ->check(integer_from(0))
      ->type_name("N")
      ->group("Common");
  add_choice<color_choice>(
      app, "--color", "Print colours and bold text",
      {{"auto", color_choice::automatic}, {"always", color_choice::always}, {"never", color_choice::never}},
      [&run](color_choice color) { run.out.set_color(color); })
      ->group("Common");
  app.add_flag_callback(
         "--no-progress", [&run] { run.progress = false; }, "Show no progress bar")
      ->group("Common");
  app.add_flag_callback(
         "-q,--quiet", [&run] { run.quiet(); }, "Print results and errors only, without hints and progress")
      ->group("Common");

  // Scripts written for the reference implementation set these for any verb. They affect written data only.
  add_missing_flags(app, run.missing, "");
}

}  // namespace tgmap::cli
