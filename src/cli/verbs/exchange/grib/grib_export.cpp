// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tgmap/bridge/grib_export.hpp>
#include <utility>
#include <vector>

#include "cli/app/cli_error.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/file_list.hpp"
#include "cli/input/selection.hpp"
#include "cli/input/target.hpp"
#include "cli/options/decode_limit_options.hpp"
#include "cli/output/output_options.hpp"
#include "cli/print/human_numbers.hpp"
#include "cli/print/json.hpp"
#include "cli/verbs/exchange/grib/grib.hpp"
#include "edit/output/output_set.hpp"
#include "edit/output/output_sink.hpp"

namespace tgmap::cli {

namespace {

struct grib_export_options {
  std::vector<std::string> files;  ///< without --output, the last one is the output
  std::string to;
  selection_options chosen;
  output_options output;
  bool json = false;
};

/// Writes objects as GRIB messages. Lifetime: borrows all its arguments.
class grib_output {
 public:
  grib_output(const grib_export_options& given, session& run)
      : given_(given), run_(run), outputs_(outputs_for(given.output, run)), to_(outputs_.open(given.to)) {}

  archive open(const target& what) { return archives_.insert_or_assign(&what, open_archive(what, run_)).first->second; }

  /// Takes an object, for for_each_selected. Goes on after a failure, to report every error.
  bool take(const target& what, const message& m, std::optional<std::size_t> object) {
    refuse_to_overwrite(what, given_.to);
    const std::size_t count = m.size();
    const std::size_t first = object.value_or(0), last = object ? *object + 1 : count;
    for (std::size_t j = first; j < last; ++j) add(what, m, j);
    return true;
  }

  /// Publishes the file and reports it, unless there was a failure.
  void finish() {
    failure why;
    if (!has_failed_) {
      exporter_.finish(why);
      to_.throw_if(why);
      report_written();
    }
    if (has_failed_) return report_unfinished(outputs_, given_.to, run_);
    if (exporter_.objects() == 0)
      return run_.report.failed(given_.to, "no object is selected; nothing was written",
                                "run `tgmap ls` to list the contents");
    to_.finish();
    outputs_.commit();
    if (exporter_.split_fields() != 0)
      run_.report.hint(
          fmt::format("{}: {} of GRIB messages of several fields are messages of their own, because the "
                      "others were not selected in their order",
                      given_.to, count_text(exporter_.split_fields(), "field")));
    if (!given_.json)
      report_output(run_, given_.to,
                    fmt::format("{}: {}, {}, {} bytes{}", given_.to, count_text(exporter_.messages(), "GRIB message"),
                                count_text(exporter_.objects(), "field"), exporter_.bytes_written(),
                                not_written(given_.output.dry_run)));
  }

 private:
  struct waiting_object {
    const target* of;
    std::optional<std::size_t> message;
    std::uint64_t offset;
    std::size_t object;
  };

  void add(const target& what, const message& m, std::size_t j) {
    failure why;
    exporter_.add(archives_.at(&what), m, j, why);
    to_.rethrow_error();
    if (why) {
      has_failed_ = true;
      failure of = failure_in(m, why);
      of.object = j;
      return run_.report.failed(what.file, of);
    }
    waiting_.push_back({&what, m.index(), m.offset(), j});
    report_written();
  }

  /// Prints the objects of the GRIB messages that were just written.
  void report_written() {
    if (!given_.json) return waiting_.clear();
    for (const bridge::written_grib_message& one : exporter_.written()) {
      for (std::size_t field = 0; field < one.objects; ++field) {
        const waiting_object& each = waiting_[field];
        run_.out.write(json_line({{"file", each.of->file},
                                  {"message", or_null(each.message)},
                                  {"object", each.object},
                                  {"output", given_.to},
                                  {"offset", one.offset},
                                  {"bytes", one.bytes},
                                  {"field", field},
                                  {"fields", one.objects}}));
      }
      waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(one.objects));
    }
  }

  const grib_export_options& given_;
  session& run_;
  edit::output_set outputs_;
  edit::output_sink to_;
  bridge::grib_exporter exporter_{to_};
  std::map<const target*, archive> archives_{};
  std::vector<waiting_object> waiting_{};  // of the GRIB message that has not all its fields
  bool has_failed_ = false;
};

void run_grib_export(grib_export_options given, session& run) {
  if (given.to.empty()) {
    if (given.files.size() < 2) throw usage_error("export grib needs an archive, and a GRIB file to write");
    given.to = given.files.back();
    given.files.pop_back();
  }
  if (given.json && is_standard_output(given.to) && !given.output.dry_run)
    throw usage_error("--json and GRIB messages cannot both go to standard output");
  const std::vector<target> from = parse_targets(given.files);
  given.chosen.objects = true;
  run.report.guard(given.to, [&] {
    grib_output output(given, run);
    const auto take = [&](const target& what, const message& m, key_lookup&, std::optional<std::size_t> object) {
      return output.take(what, m, object);
    };
    for_each_selected(from, given.chosen, run, take, [&](const target& what) { return output.open(what); });
    output.finish();
  });
}

}  // namespace

action declare_grib_export(CLI::App& app, session& run) {
  const auto given = std::make_shared<grib_export_options>();
  CLI::Option* const files =
      app.add_option("FILE", given->files,
                     std::string("What to export: ") + target_forms +
                         ", - is standard input. Without --output, the last FILE is the GRIB file to write, - is "
                         "standard output")
          ->required()
          ->type_name("");
  CLI::Option* const to = app.add_option("-o,--output", given->to,
                                         "The GRIB file to write, - is standard output; all FILEs are inputs then")
                              ->type_name("OUT");
  add_file_lists(app, *files, given->files,
                 [to] { return to->count() != 0 ? file_place::all : file_place::before_output; });
  add_selection(app, given->chosen);
  add_decode_limits(app, run, decoding_verb::messages);
  add_output_options(app, given->output);
  add_dry_run(app, given->output);
  app.add_flag("-j,--json", given->json, "Report each object as one JSON object");
  return [given, &run] { run_grib_export(*given, run); };
}

}  // namespace tgmap::cli
