// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <new>
#include <string>
#include <tgmap/tools/validate.hpp>
#include <vector>

#include "cli/app/cli_error.hpp"
#include "cli/app/file_kind.hpp"
#include "cli/command/verb.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/file_list.hpp"
#include "cli/input/target.hpp"
#include "cli/options/decode_limit_options.hpp"
#include "cli/verbs/examine/validation_report.hpp"

namespace tgmap::cli {

namespace {

struct validate_flags {
  std::vector<std::string> files;
  bool quick = false, checksum = false, full = false;
  bool json = false, offsets = false;
  validate_options how;
};

/// Reports an empty file, and one of another kind. JSON has the verdict of the reference implementation, which accepts
/// an empty file.
void report_kind(const archive& opened, const target& t, session& run) {
  if (opened.size_bytes() == 0)
    run.report.failed(t.file, "is empty: there is no message to validate", "get the file again from its source");
  else
    require_archive(opened);
}

void validate_lines(const target& t, const validate_flags& given, session& run) {
  const archive opened = open_any_file(t, run);
  text_report to(t, opened.size_bytes(), given.offsets, run);
  failure why;
  const validation_result found = validate(opened, given.how, to, why);
  if (why) {
    to.flush();
    return run.report.failed(t.file, why);
  }
  if (opened.size_bytes() != 0) to.finish(found);
  if (!found.is_sound()) run.report.mark_failed();
  report_kind(opened, t, run);
}

void validate_json(const target& t, const validate_flags& given, bool& first, session& run) {
  json_report to(t.file, first, given.offsets, run);
  first = false;
  failure why;
  validation_result found;
  archive opened;
  try {
    opened = open_any_file(t, run);
    found = validate(opened, given.how, to, why);
  } catch (const error& unopened) {
    why = unopened.details();
  } catch (const std::bad_alloc&) {
    why = {.code = errc::out_of_memory};
  }
  to.finish(found, why);
  if (why) return run.report.failed(t.file, why);
  if (!found.is_sound()) run.report.mark_failed();
  report_kind(opened, t, run);
}

void run_validate(validate_flags& given, session& run) {
  use_no_index(run);
  given.how.executor = &run.decoders();
  given.how.max_decoded = run.limits.total();
  const auto targets = parse_targets(given.files);
  for (const target& t : targets)
    if (!t.whole_file()) throw usage_error("validate takes whole files");
  given.how.mode = given.quick      ? validation_mode::quick
                   : given.checksum ? validation_mode::checksum
                   : given.full     ? validation_mode::full
                                    : validation_mode::standard;
  bool first = true;
  if (given.json) run.out.write("[");
  for (const target& t : targets)
    run.report.guard(t.file, [&] {
      if (given.json)
        validate_json(t, given, first, run);
      else
        validate_lines(t, given, run);
    });
  if (given.json) run.out.write(first ? "]\n" : "\n]\n");
}

}  // namespace

action declare_validate(CLI::App& app, session& run) {
  const auto given = std::make_shared<validate_flags>();
  add_targets(app, given->files, "Archives");
  auto* const quick = app.add_flag("--quick", given->quick, "Check only the structure");
  auto* const checksum = app.add_flag("--checksum", given->checksum, "Check only hashes")->excludes(quick);
  app.add_flag("--full", given->full, "Also check values; decodes everything")->excludes(quick)->excludes(checksum);
  app.add_flag("--canonical", given->how.check_canonical, "Warn about CBOR that is not in deterministic form");
  add_decode_limits(app, run, decoding_verb::one_object);
  add_max_total(app, run);
  app.add_flag("--offsets", given->offsets, "Also print the offset of each finding in the archive");
  app.add_flag("-j,--json", given->json, "Print one JSON array with an element per file");
  return [given, &run] { run_validate(*given, run); };
}

}  // namespace tgmap::cli
