// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "cli/app/cli_error.hpp"
#include "cli/options/option_checks.hpp"
#include "cli/tens/frame_outputs.hpp"
#include "cli/tens/verbs.hpp"

namespace tgmap::cli {

namespace {

struct tens_export_options {
  std::vector<std::string> files;
  std::string to;
  selection_options chosen;
  frame_options frames;
  output_options output;
  bool json = false;
};

void run_tens_export(const tens_export_options& given, session& run) {
  const std::vector<target> from = whole_messages(given.files);
  const file_template names(given.to);
  if (given.json && names_standard_output(given.to) && !given.output.dry_run)
    throw usage_error("--json and the frame cannot both go to standard output");

  frame_outputs outputs(names, given.to, given.frames, given.output, run);
  const auto take = [&](const target& what, const message& m, key_lookup& keys, auto) {
    return outputs.take(what, m, keys);
  };
  for_each_selected(from, given.chosen, run, take, [&](const target& what) { return outputs.open(what); });
  run.report.guard(given.to, [&] { outputs.finish(given.json); });
}

/// Adds an option whose number replaces what is there.
void add_number(CLI::App& app, const std::string& name, std::optional<std::uint64_t>& into, const std::string& about) {
  app.add_option(name, into, about)->check(integer_from(0))->type_name("N");
}

}  // namespace

action declare_tens_export(CLI::App& app, session& run) {
  const auto given = std::make_shared<tens_export_options>();
  add_targets(app, given->files, "FILE:MESSAGE, FILE@OFFSET, ranges of messages such as FILE:2..5, or FILE for all");
  app.add_option("-o,--output", given->to,
                 "The file to write, - is standard output; for several messages a name with [index], or with keys in "
                 "brackets")
      ->required()
      ->type_name("OUT");
  add_selection(app, given->chosen);
  frame_options& frames = given->frames;
  app.add_flag("--encoded", frames.how.keep_encoded,
               "Encoded objects as the bytes that are stored, for those who know .tgm");
  app.add_flag("--raw-words", frames.how.raw_words,
               "Elements that TENS has no word for, such as bfloat16, as unsigned words of their width");
  app.add_option_function<unsigned>(
         "--level", [&frames](unsigned n) { frames.level = static_cast<zio::level>(n); }, "Level of the frame, 0 to 8")
      ->check(CLI::Range(0U, 8U))
      ->type_name("N");
  app.add_option("--form", frames.form, "Form of the frame, at most four bytes: TENS, FLOW, or another")
      ->check(CLI::Validator(
          [](std::string& text) {
            return text.size() > 4 ? "'" + text + "' is longer than four bytes" : std::string();
          },
          ""))
      ->type_name("FORM");
  add_number(app, "--origin", frames.origin, "Who sends it");
  add_number(app, "--granule", frames.granule, "When, in microseconds since 1970");
  add_number(app, "--seqno", frames.seqno, "Which; of several frames the first one's, each of the others has one more");
  add_decode_limits(app, run, decoding_verb::messages);
  add_output_options(app, given->output);
  add_dry_run(app, given->output);
  app.add_flag("-j,--json", given->json, "Tell what was written, one JSON object for each frame");
  return [given, &run] { run_tens_export(*given, run); };
}

}  // namespace tgmap::cli
