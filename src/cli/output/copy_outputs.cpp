// SPDX-License-Identifier: Apache-2.0
#include "cli/output/copy_outputs.hpp"

#include <fmt/format.h>

#include "cli/input/archives.hpp"
#include "cli/print/human_numbers.hpp"
#include "cli/print/json.hpp"

namespace tgmap::cli {

copy_outputs::copy_outputs(const output_options& options, session& run, object_lookup lookup)
    : dry_run_(options.dry_run), run_(run), lookup_(lookup), outputs_(outputs_for(options, run)) {}

archive copy_outputs::open(const target& what, bool in_order) {
  if (in_order) {
    messages_.finish();
    sources_.clear();
  }
  return (sources_[&what] = std::make_unique<copy_input>(what, run_, lookup_))->opened();
}

void copy_outputs::add(const target& from, const message& m, const std::string& name, bool make_folders) {
  if (m.is_incomplete()) return report_incomplete(m, from.file, run_);
  messages_.add(source(from), m, messages_.file_number(name, make_folders));
}

bool copy_outputs::commit(const std::string& name, std::string_view wanted) {
  if (!can_continue()) return report_unfinished(outputs_, name, run_), false;
  if (messages_.messages() == 0) {
    run_.report.failed(name, fmt::format("no {} is selected; nothing was written", wanted),
                       fmt::format("run `tgmap ls{}` to list the contents", wanted == "object" ? " --objects" : ""));
    return false;
  }
  messages_.finish();
  outputs_.commit();
  return true;
}

void copy_outputs::report(bool as_json) const {
  for (const copied_file& each : messages_.files()) {
    const std::string file = each.path.string();
    if (as_json)
      run_.out.write(json_line({{"output", file}, {"messages", each.messages}, {"bytes", each.bytes}}));
    else
      report_output(run_, file,
                    fmt::format("{}: {}, {} bytes{}", file, count_text(each.messages, "message"), each.bytes,
                                not_written(dry_run_)));
  }
}

}  // namespace tgmap::cli
