// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <exception>
#include <memory>
#include <tgmap/write/writer.hpp>
#include <tgmap/zio/label.hpp>
#include <tgmap/zio/tens.hpp>
#include <tgmap/zio/to_archive.hpp>
#include <utility>

#include "cli/app/cli_error.hpp"
#include "cli/app/heap_limit.hpp"
#include "cli/input/overwrite_check.hpp"
#include "cli/outputs/output_sink.hpp"
#include "cli/outputs/tell_of_output.hpp"
#include "cli/print/human_numbers.hpp"
#include "cli/print/json.hpp"
#include "cli/tens/frame_files.hpp"
#include "cli/tens/frame_input.hpp"
#include "cli/tens/verbs.hpp"

namespace tgmap::cli {

namespace {

struct tens_import_options {
  std::vector<std::string> files;
  std::string to;
  output_options output;
  bool json = false;
};

/// Bytes of memory that a frame of that size may take.
std::uint64_t most_memory(std::uint64_t frame, const session& run) {
  constexpr std::uint64_t for_each_byte = 16, always = std::uint64_t{1} << 16;
  return run.limits.max_memory.value_or(for_each_byte * frame + always);
}

/// The readers of labels keep their buffers from frame to frame: those for a usual label are no frame's own.
void warm_label_readers() {
  const zio::message usual{.form = zio::tens_form, .label = "{}" + std::string(4096, ' ')};
  static_cast<void>(zio::tens::of(usual));
  static_cast<void>(zio::read_label(usual.label));
}

/// One message behind the others. Throws tgmap::error; file_error of what is written.
void import_frame(const frame_input& from, writer& into, const output_sink& to) {
  failure why;
  into.write(zio::to_archive(from.message(), from.spelling()), why);
  if (!why) return;
  to.rethrow_problem();
  throw error(why);
}

/// Every frame is looked at, also where one before it is none.
void import_all(const tens_import_options& given, session& run) {
  for (const std::string& file : given.files)
    refuse_to_overwrite({.file = file, .messages = {}, .offset = {}, .objects = {}}, given.to);
  output_set outputs(given.output, run);
  output_sink to(outputs.at(given.to));
  writer into(to);
  bool fine = true;
  warm_label_readers();
  for (const std::string& file : given.files) {
    bool taken = false;
    run.report.guard(file, [&] {
      input_bytes bytes = input_bytes::read(file);
      const std::uint64_t size = bytes.bytes().size(), most = most_memory(size, run);
      const heap_limit within(most);
      try {
        const frame_input from(file, std::move(bytes));
        if (fine) import_frame(from, into, to);
        taken = true;
      } catch (const std::exception&) {
        if (!within.was_reached()) throw;
        throw cli_error(fmt::format("takes more than {} bytes of memory, of {} bytes of frame", most, size),
                        "allow more with --max-memory");
      }
    });
    fine = fine && taken;
  }
  if (!fine) return run.report.hint(given.to + ": not written");
  to.flush();
  if (!given.output.dry_run) outputs.commit();

  if (given.json)
    return run.out.write(
        json_line({{"output", given.to}, {"messages", into.messages()}, {"bytes", into.bytes_written()}}));
  tell_of_output(run, given.to,
                 fmt::format("{}: {}, {} bytes{}", given.to, count_text(into.messages(), "message"),
                             into.bytes_written(), not_written(given.output.dry_run)));
}

void run_tens_import(const tens_import_options& given, session& run) {
  check_frame_files(given.files);
  if (given.json && names_standard_output(given.to) && !given.output.dry_run)
    throw usage_error("--json and the archive cannot both go to standard output");
  run.report.guard(given.to, [&] { import_all(given, run); });
}

}  // namespace

action declare_tens_import(CLI::App& app, session& run) {
  const auto given = std::make_shared<tens_import_options>();
  add_frame_files(app, given->files);
  app.add_option("-o,--output", given->to, "The archive to write; - is standard output")->required()->type_name("OUT");
  add_max_memory(app, run, "Bytes of memory that a frame may take; unless given 16 for each of its bytes, and 64KiB");
  add_output_options(app, given->output);
  add_dry_run(app, given->output);
  app.add_flag("-j,--json", given->json, "Tell what was written, as JSON");
  return [given, &run] { run_tens_import(*given, run); };
}

}  // namespace tgmap::cli
