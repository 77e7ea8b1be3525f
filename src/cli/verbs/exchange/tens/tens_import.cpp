// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <memory>
#include <span>
#include <tgmap/write/writer.hpp>
#include <tgmap/zio/label.hpp>
#include <tgmap/zio/tens.hpp>
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

namespace tgmap::cli {

namespace {

struct tens_import_options {
  std::vector<std::string> files;
  std::string to;
  output_options output;
  bool json = false;
};

/// Returns the size of the first part of a frame, which has the label; at most that of the frame.
std::uint64_t label_size(std::span<const std::byte> frame) {
  constexpr std::size_t long_size = 5;  // 0xff and four bytes, big endian
  if (frame.empty() || (frame[0] == std::byte{0xff} && frame.size() < long_size)) return frame.size();
  std::uint64_t out = std::to_integer<std::uint64_t>(frame[0]);
  if (frame[0] == std::byte{0xff}) {
    out = 0;
    for (const std::byte each : frame.subspan(1, long_size - 1)) out = out << 8 | std::to_integer<std::uint64_t>(each);
  }
  return std::min<std::uint64_t>(out, frame.size());
}

/// Returns the maximum memory for a frame. A tensor is described by at least 40 bytes of the label, and takes up to 4
/// KiB as an object.
std::uint64_t memory_limit(std::span<const std::byte> frame, const session& run) {
  constexpr std::uint64_t per_byte = 16, per_label_byte = 160, base = std::uint64_t{1} << 18;
  return run.limits.max_memory.value_or(per_byte * frame.size() + per_label_byte * label_size(frame) + base);
}

/// Lets the label parsers allocate their reusable buffers, so that the first frame is not charged for them.
void preallocate_label_parsers() {
  const zio::message sample{.form = zio::tens_form, .label = "{}" + std::string(4096, ' ')};
  static_cast<void>(zio::tens::of(sample));
  static_cast<void>(zio::read_label(sample.label));
}

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
  preallocate_label_parsers();
  for (const std::string& file : given.files) {
    bool is_read = false;
    run.report.guard(file, [&] {
      input_bytes bytes = read_input(file);
      const std::uint64_t size = bytes.bytes().size(), limit = memory_limit(bytes.bytes(), run);
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
