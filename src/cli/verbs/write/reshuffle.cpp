// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "cli/command/verb.hpp"
#include "cli/output/output_options.hpp"
#include "cli/print/human_numbers.hpp"
#include "cli/print/json.hpp"
#include "cli/transform/rewriting.hpp"
#include "edit/stored_objects.hpp"

namespace tgmap::cli {

namespace {

void report_reshuffled(const rewrite_options& given, const rewrite_result& done, session& run) {
  if (given.json) return run.out.write(json_line(as_json(given, done)));
  // The text of the reference implementation.
  report_output(run, given.output,
                fmt::format("Reshuffled {} message(s) from {} to {}{}", done.selected, given.input, given.output,
                            not_written(given.outputs.dry_run)));
}

void run_reshuffle(const rewrite_options& given, session& run) {
  require_whole_messages(given);
  const auto make = [&](const message& m, const selected_objects&, stored_message& out) {
    out.load(m, on_mismatch::take);
    out.options.index = out.options.hash_list = index_placement::header;
    edit::add_hashes(out);
    return true;
  };
  const auto done = rewrite_archive(given, run, make);
  if (done) report_reshuffled(given, *done, run);
}

}  // namespace

action declare_reshuffle(CLI::App& app, session& run) {
  const auto given = std::make_shared<rewrite_options>();
  app.add_option("INPUT", given->input, "The archive; - is standard input")->required()->type_name("");
  app.add_option("-o,--output", given->output, "The file to write; - is standard output; may be the input")
      ->required()
      ->type_name("OUT");
  add_rewrite_options(app, *given);
  return [given, &run] { run_reshuffle(*given, run); };
}

}  // namespace tgmap::cli
