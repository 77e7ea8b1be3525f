// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>

#include "cli/app/cli_error.hpp"
#include "cli/command/verb.hpp"
#include "cli/input/array_inputs.hpp"
#include "cli/input/file_list.hpp"
#include "cli/options/decode_limit_options.hpp"
#include "cli/options/layout_options.hpp"
#include "cli/options/metadata_options.hpp"
#include "cli/options/pipeline_options.hpp"
#include "cli/output/array_builder.hpp"
#include "cli/output/output_options.hpp"
#include "cli/print/human_numbers.hpp"
#include "cli/print/json.hpp"
#include "cli/print/progress.hpp"
#include "edit/output/output_sink.hpp"

namespace tgmap::cli {

namespace {

struct create_options {
  std::string to;
  std::vector<std::string> from{};
  array_options arrays{};
  metadata_options metadata{};
  pipeline_options pipeline{};
  layout_options layout{};
  bool separate = false, stream = false;
  output_options output{};
  bool json = false;
};

void check_create(const create_options& given) {
  if (names_arrays(given.to))  // `create *.npy` would overwrite the first array
    throw usage_error(fmt::format("OUT must be an archive, but '{}' has the name of an array", given.to),
                      "name the archive to write before the arrays");
  check_array_options(given.arrays);
  if (std::count(given.from.begin(), given.from.end(), "-") > 1)
    throw usage_error("standard input can be read only once; save it to a file first");
  if (given.stream && given.layout.index == index_placement::header)
    throw usage_error("a stream has its index after the objects", "leave out --index header or --stream");
  if (given.json && is_standard_output(given.to) && !given.output.dry_run)
    throw usage_error("--json and the archive cannot both go to standard output");
}

std::vector<target> as_targets(const std::vector<std::string>& names) {
  std::vector<target> out;
  out.reserve(names.size());
  for (const std::string& each : names) out.push_back({.file = each, .messages = {}, .offset = {}, .objects = {}});
  return out;
}

std::uint64_t size_of(const std::vector<std::string>& files) {
  std::uint64_t out = 0;
  for (const std::string& each : files) {
    std::error_code none;
    const auto size = std::filesystem::file_size(each, none);
    if (!none) out += size;
  }
  return out;
}

void report_created(const array_builder& arrays, const create_options& given, session& run) {
  const edit::message_builder& builder = arrays.objects();
  if (builder.widened() != 0) run.report.hint(given.to + ": " + arrays.widened_text());
  if (!given.json)
    return report_output(run, given.to,
                         fmt::format("{}: {}, {}, {} bytes{}", given.to, count_text(builder.messages(), "message"),
                                     count_text(builder.built().size(), "object"), builder.written(),
                                     given.output.dry_run ? ", not written" : ""));
  for (std::size_t i = 0; i < builder.built().size(); ++i) {
    const edit::built_object& each = builder.built()[i];
    const array_builder::array_name& from = arrays.names()[i];
    json line{{"output", given.to},
              {"message", each.message},
              {"object", each.object},
              {"file", from.file},
              {"dtype", to_string_view(each.dtype)},
              {"shape", each.shape},
              {"bytes", each.bytes}};
    if (each.stored) line["stored"] = *each.stored;
    if (!from.member.empty()) line["member"] = from.member;
    run.out.write(json_line(line));
  }
}

bool add_with_progress(const create_options& given, array_builder& to, session& run) {
  progress_bar bar(run, "writing " + given.to, size_of(given.from));
  return to.add_all(given.from, given.arrays, run, bar.callback());
}

void run_create(const create_options& given, session& run) {
  check_create(given);
  const edit::message_plan plan{
      .separate = given.separate, .stream = given.stream, .layout = make_layout(given.layout)};
  const pipeline how = make_pipeline(given.pipeline, run);
  run.report.guard(given.to, [&] {
    const edit::new_metadata metadata = make_metadata(given.metadata);
    refuse_to_overwrite_in_place(as_targets(given.from), given.to);
    edit::output_set outputs = outputs_for(given.output, run);
    edit::output_sink to(outputs.open(given.to));
    array_builder builder(to, plan, how, metadata, &to);
    if (!add_with_progress(given, builder, run)) return report_unfinished(outputs, given.to, run);
    to.finish();
    outputs.commit();
    report_created(builder, given, run);
  });
}

}  // namespace

action declare_create(CLI::App& app, session& run) {
  const auto given = std::make_shared<create_options>();
  app.add_option("OUT", given->to, "The archive to write; - is standard output")->required()->type_name("");
  CLI::Option* const files =
      app.add_option("FILE", given->from,
                     "Arrays to store: .npy and .npz files, or raw bytes with --shape; - is standard input")
          ->required()
          ->type_name("");
  add_file_lists(app, *files, given->from);
  app.add_flag("--separate", given->separate, "Write one message per array");
  add_array_options(app, given->arrays);
  add_decode_limits(app, run, decoding_verb::inputs);
  add_metadata_options(app, given->metadata);
  add_pipeline_options(app, given->pipeline, run);
  app.add_flag("--stream", given->stream, "Write a streamed message: index after the objects, less memory")
      ->group("Layout");
  add_layout_options(app, given->layout);
  add_output_options(app, given->output);
  add_write_index(app, given->output.write_index);
  add_dry_run(app, given->output);
  app.add_flag("-j,--json", given->json, "Print what was written, one JSON object per object");
  return [given, &run] { run_create(*given, run); };
}

}  // namespace tgmap::cli
