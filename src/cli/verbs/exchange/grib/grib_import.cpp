// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <tgmap/bridge/grib_import.hpp>
#include <tgmap/write/writer.hpp>
#include <utility>
#include <vector>

#include "cli/app/cli_error.hpp"
#include "cli/input/file_list.hpp"
#include "cli/output/output_options.hpp"
#include "cli/print/human_numbers.hpp"
#include "cli/print/progress.hpp"
#include "cli/verbs/exchange/grib/grib.hpp"
#include "cli/verbs/exchange/grib/import_report.hpp"
#include "edit/output/output_sink.hpp"

namespace tgmap::cli {

namespace {

constexpr std::array namespaces_of_grib{"ls", "geography", "time", "vertical", "parameter"};

struct grib_import_options {
  std::vector<std::string> files;  ///< without --output, the last one is the output
  std::string to;
  bridge::grib_import_options how;
  bool drops_original = false, is_unchecked = false;
  output_options output;
  bool json = false;
};

/// Returns the words of a comma-separated list. Errors: throws usage_error for an empty word.
std::vector<std::string> words_of(const std::string& option, const std::string& list) {
  std::vector<std::string> out;
  std::size_t begin = 0;
  for (;;) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    if (end == begin) throw usage_error(fmt::format("{} '{}' has an empty name", option, list), "write a,b,c");
    out.push_back(list.substr(begin, end - begin));
    if (end == list.size()) return out;
    begin = end + 1;
  }
}

std::vector<std::string> merge_keys(const std::string& list) {
  std::vector<std::string> out = words_of("--merge", list);
  constexpr std::string_view prefix = "mars.";
  for (std::string& each : out)
    if (each.starts_with(prefix) && each.size() > prefix.size()) each.erase(0, prefix.size());
  return out;
}

std::vector<std::string> checked_namespaces(const std::string& list) {
  std::vector<std::string> out = words_of("--grib-keys", list);
  for (const std::string& each : out)
    if (std::find(namespaces_of_grib.begin(), namespaces_of_grib.end(), each) == namespaces_of_grib.end())
      throw usage_error(fmt::format("--grib-keys '{}' is not a namespace", each),
                        "choose from ls, geography, time, vertical and parameter");
  return out;
}

std::uint64_t total_size(const std::vector<std::string>& files) {
  std::uint64_t out = 0;
  for (const std::string& each : files) {
    std::error_code none;
    const auto size = std::filesystem::file_size(each, none);
    if (!none) out += size;
  }
  return out;
}

std::vector<std::unique_ptr<bridge::grib_file_input>> open_inputs(const std::vector<std::string>& files,
                                                                  bool keeps_pipe) {
  std::vector<std::unique_ptr<bridge::grib_file_input>> out;
  out.reserve(files.size());
  for (const std::string& each : files)
    out.push_back(each == "-" ? std::make_unique<bridge::grib_file_input>(STDIN_FILENO, keeps_pipe)
                              : std::make_unique<bridge::grib_file_input>(std::filesystem::path(each), keeps_pipe));
  return out;
}

void import_inputs(const grib_import_options& given, session& run) {
  std::vector<target> sources;
  for (const std::string& each : given.files)
    sources.push_back({.file = each, .messages = {}, .offset = {}, .objects = {}});
  refuse_to_overwrite_in_place(sources, given.to);

  bridge::grib_import_options how = given.how;
  how.workers = &run.workers();
  const auto inputs = open_inputs(given.files, !how.merge.empty());
  std::vector<bridge::grib_input*> pointers;
  for (const auto& each : inputs) pointers.push_back(each.get());

  edit::output_set outputs = outputs_for(given.output, run);
  edit::output_sink to(outputs.open(given.to));
  writer into(to);
  progress_bar bar(run, "writing " + given.to, total_size(given.files));
  import_report report(given.files, given.to, how.merge, given.json, bar, run);
  failure why;
  const bridge::grib_import_result done = bridge::import_grib(pointers, into, how, report, why);
  to.throw_if(why);
  report.finish();
  if (done.failed_inputs != 0 || report.has_inexact()) return report_unfinished(outputs, given.to, run);
  if (done.fields == 0)
    return run.report.failed(given.to, "no field could be read; nothing was written", "check the inputs");
  to.finish();
  outputs.commit();
  if (!given.json)
    report_output(run, given.to,
                  fmt::format("{}: {}, {}, {} bytes{}; fields: {}", given.to, count_text(into.messages(), "message"),
                              count_text(done.fields, "object"), into.bytes_written(),
                              not_written(given.output.dry_run), report.methods_text()));
}

void run_grib_import(grib_import_options given, session& run) {
  if (given.to.empty()) {
    if (given.files.size() < 2) throw usage_error("import grib needs a GRIB file, and an archive to write");
    given.to = given.files.back();
    given.files.pop_back();
  }
  if (std::count(given.files.begin(), given.files.end(), "-") > 1)
    throw usage_error("standard input can be read only once; save it to a file first");
  if (given.json && is_standard_output(given.to) && !given.output.dry_run)
    throw usage_error("--json and the archive cannot both go to standard output");
  given.how.keep_original = !given.drops_original;
  given.how.check = !given.is_unchecked;
  run.report.guard(given.to, [&] { import_inputs(given, run); });
}

}  // namespace

action declare_grib_import(CLI::App& app, session& run) {
  const auto given = std::make_shared<grib_import_options>();
  CLI::Option* const files =
      app.add_option("FILE", given->files,
                     "GRIB files, - is standard input. Without --output, the last FILE is the archive to write, - is "
                     "standard output")
          ->required()
          ->type_name("");
  CLI::Option* const to =
      app.add_option("-o,--output", given->to, "The archive to write, - is standard output; all FILEs are inputs then")
          ->type_name("OUT");
  add_file_lists(app, *files, given->files,
                 [to] { return to->count() != 0 ? file_place::all : file_place::before_output; });
  app.add_option_function<std::string>(
         "--merge", [given](const std::string& list) { given->how.merge = merge_keys(list); },
         "Fields that differ only in these mars keys become objects of one message: number, or param,levelist. "
         "Default: "
         "a message for each field")
      ->type_name("KEYS");
  app.add_option_function<std::string>(
         "--grib-keys", [given](const std::string& list) { given->how.namespaces = checked_namespaces(list); },
         "Also store these namespaces of ecCodes as grib.NAME, comma-separated: ls, geography, time, vertical, "
         "parameter")
      ->check(offered_words({"ls", "geography", "time", "vertical", "parameter"}))
      ->type_name("NAMES");
  app.add_flag("--no-original", given->drops_original,
               "Do not keep data that cannot be made from the values again; such fields export with other bytes");
  app.add_flag("--no-check", given->is_unchecked, "Do not rebuild and compare each field before it is written");
  app.add_flag("--exact", given->how.exact,
               "Fail unless all values equal, as float64, those that ecCodes decodes; takes as long as decoding");
  add_output_options(app, given->output);
  add_write_index(app, given->output.write_index);
  add_dry_run(app, given->output);
  app.add_flag("-j,--json", given->json, "Report each field as one JSON object");
  return [given, &run] { run_grib_import(*given, run); };
}

}  // namespace tgmap::cli
