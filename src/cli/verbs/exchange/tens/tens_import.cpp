// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <exception>
#include <memory>
#include <tgmap/write/writer.hpp>
#include <tgmap/zio/to_archive.hpp>
#include <utility>

#include "cli/app/cli_error.hpp"
#include "cli/app/heap_limit.hpp"
#include "cli/options/decode_limit_options.hpp"
#include "cli/output/output_options.hpp"
#include "cli/print/human_numbers.hpp"
#include "cli/print/json.hpp"
#include "cli/verbs/exchange/tens/tens.hpp"
#include "edit/output/index_beside.hpp"
#include "edit/output/output_sink.hpp"
#include "zio/bridge/import_memory.hpp"

namespace tgmap::cli {

namespace {

struct tens_import_options {
  std::vector<std::string> files;
  std::string to;
  output_options output;
  bool json = false;
};

/// Appends a message. Errors: throws tgmap::error, write_error.
void import_frame(const frame_file& from, writer& into, const edit::output_sink& to) {
  failure why;
  into.write(zio::to_archive(from.message(), from.format()), why);
  to.throw_if(why);
}

/// Reads all frames, also after a failure, to report every error.
void import_all(const tens_import_options& given, session& run) {
  for (const std::string& file : given.files)
    refuse_to_overwrite({.file = file, .messages = {}, .offset = {}, .objects = {}}, given.to);
  edit::output_set outputs = outputs_for(given.output, run);
  edit::output_sink to(outputs.open(given.to));
  writer into(to);
  bool all_read = true;
  zio::allocate_label_readers();
  for (const std::string& file : given.files) {
    bool is_read = false;
    run.report.guard(file, [&] {
      convert::file_bytes bytes = read_input(file);
      const std::uint64_t size = bytes.bytes().size();
      const std::uint64_t limit = run.limits.max_memory.value_or(zio::import_memory(bytes.bytes()));
      const heap_limit heap(limit);
      try {
        const frame_file from(file, std::move(bytes));
        if (all_read) import_frame(from, into, to);
        is_read = true;
      } catch (const std::exception&) {
        if (!heap.was_reached()) throw;
        throw cli_error(fmt::format("a frame of {} bytes needs more than {} bytes of memory", size, limit),
                        "allow more with --max-memory");
      }
    });
    all_read = all_read && is_read;
  }
  if (!all_read) return report_unfinished(outputs, given.to, run);
  to.finish();
  outputs.commit();

  if (given.json)
    return run.out.write(
        json_line({{"output", given.to}, {"messages", into.messages()}, {"bytes", into.bytes_written()}}));
  report_output(run, given.to,
                fmt::format("{}: {}, {} bytes{}", given.to, count_text(into.messages(), "message"),
                            into.bytes_written(), not_written(given.output.dry_run)));
}

void run_tens_import(const tens_import_options& given, session& run) {
  check_frame_files(given.files);
  if (given.json && is_standard_output(given.to) && !given.output.dry_run)
    throw usage_error("--json and the archive cannot both go to standard output");
  run.report.guard(given.to, [&] { import_all(given, run); });
}

}  // namespace

action declare_tens_import(CLI::App& app, session& run) {
  const auto given = std::make_shared<tens_import_options>();
  add_frame_files(app, given->files);
  app.add_option("-o,--output", given->to, "The archive to write; - is standard output")->required()->type_name("OUT");
  add_max_memory(app, run,
                 "Maximum memory for reading one frame; default: 16 bytes for each byte of it, 160 for each of its "
                 "label, and 256KiB");
  add_output_options(app, given->output);
  add_write_index(app, given->output.write_index);
  add_dry_run(app, given->output);
  app.add_flag("-j,--json", given->json, "Report the output as JSON");
  return [given, &run] { run_tens_import(*given, run); };
}

}  // namespace tgmap::cli
