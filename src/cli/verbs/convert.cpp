// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "cli/app/cli_error.hpp"
#include "cli/app/verb.hpp"
#include "cli/options/pipeline_options.hpp"
#include "cli/output/output_file.hpp"
#include "cli/output/output_options.hpp"
#include "cli/print/human_numbers.hpp"
#include "cli/print/table.hpp"
#include "cli/transform/archive_rewrite.hpp"
#include "cli/transform/message_conversion.hpp"

namespace tgmap::cli {

namespace {

struct convert_options {
  rewrite_options where;
  pipeline_options pipeline;
  damaged_objects damaged = damaged_objects::refuse;
  bool widen = false;
};

json finite_or_null(double x) { return std::isfinite(x) ? json(x) : json(); }

std::optional<double> ratio(const conversion_result& of) {
  if (of.after == 0) return std::nullopt;
  return static_cast<double>(of.before) / static_cast<double>(of.after);
}

json as_json(const convert_options& given, const conversion_result& of) {
  json out{{"output", given.where.output},
           {"message", of.message ? json(*of.message) : json()},
           {"offset", of.offset},
           {"object", of.object},
           {"dtype", to_string_view(of.to)},
           {"shape", of.shape},
           {"bytes", of.bytes},
           {"before", of.before},
           {"after", of.after},
           {"ratio", ratio(of) ? json(*ratio(of)) : json()},
           {"differing", 0},
           {"error", 0.0},
           {"relative_error", 0.0}};
  if (of.from != of.to) out["was"] = to_string_view(of.from);
  if (of.as_stored) out["as_stored"] = true;
  if (!of.differences) return out;
  out["differing"] = of.differences->differing;
  out["error"] = finite_or_null(of.differences->largest);
  out["relative_error"] = finite_or_null(of.differences->largest_relative);
  return out;
}

std::string error_text(const conversion_result& of, double value_difference::*which) {
  return of.differences ? fmt::format("{:.3g}", (*of.differences).*which) : "0";
}

void print_rows(const std::vector<conversion_result>& all, session& run) {
  constexpr auto right = table::align::right;
  table rows(run.out, {{"message", right},
                       {"object", right},
                       {"dtype"},
                       {"shape"},
                       {"before", right},
                       {"after", right},
                       {"ratio", right},
                       {"error", right},
                       {"relative", right}});
  for (const conversion_result& each : all)
    rows.row({each.message ? std::to_string(*each.message) : fmt::format("@{}", each.offset),
              std::to_string(each.object), std::string(to_string_view(each.to)),
              fmt::format("[{}]", fmt::join(each.shape, ", ")), std::to_string(each.before), std::to_string(each.after),
              ratio(each) ? fmt::format("{:.2f}", *ratio(each)) : "-", error_text(each, &value_difference::largest),
              error_text(each, &value_difference::largest_relative)});
  rows.finish();
}

/// Reports objects whose strides repeat or skip elements.
void tell_of_strides(const convert_options& given, const std::vector<conversion_result>& all, session& run) {
  const auto count = std::ranges::count_if(all, &conversion_result::as_stored);
  if (count != 0)
    run.report.hint(fmt::format("{}: {} with strides of no dense layout; their elements were taken in stored order",
                                given.where.output, count_text(static_cast<std::uint64_t>(count), "object")));
}

void tell(const convert_options& given, const rewrite_result& done, const std::vector<conversion_result>& all,
          session& run) {
  if (given.where.json) {
    for (const conversion_result& each : all) run.out.write(json_line(as_json(given, each)));
    if (all.empty()) run.report.hint(given.where.output + ": no object is selected; all messages are unchanged");
    return;
  }
  std::uint64_t before = 0, after = 0;
  for (const conversion_result& each : all) {
    before += each.before;
    after += each.after;
  }
  const std::string line =
      fmt::format("{}: {}, {} bytes; {} converted, {} stored as {}{}", given.where.output,
                  count_text(done.messages, "message"), done.bytes, count_text(all.size(), "object"),
                  short_size(before), short_size(after), not_written(given.where.outputs.dry_run));
  if (!all.empty() && !is_standard_output(given.where.output)) print_rows(all, run);
  report_output(run, given.where.output, line);
}

void run_convert(const convert_options& given, session& run) {
  message_conversion how({.file = parse_target(given.where.input).file,
                          .pipeline = make_pipeline(given.pipeline, run),
                          .widen = given.widen,
                          .damaged = given.damaged},
                         run);
  const auto make = [&](const message& m, const selected_objects& which, stored_message& out) {
    out.load(m);
    how.convert(m, which.numbers, out);
    return true;
  };
  const rewrite_result done = rewrite_archive(given.where, run, make);
  if (!done.done) return;
  tell_of_strides(given, how.results(), run);
  tell(given, done, how.results(), run);
}

}  // namespace

action declare_convert(CLI::App& app, session& run) {
  const auto given = std::make_shared<convert_options>();
  given->where.chosen.objects = true;  // selections apply to objects here
  add_input_and_output(app, given->where, "its numbers, like -w, select the objects to convert");
  add_pipeline_options(app, given->pipeline, run);
  app.add_flag("--widen", given->widen, "Convert other numbers to float64 if packing, zfp or sz3 require it")
      ->group("Storing");
  add_take_damaged(app, given->damaged);
  add_decode_limits(app, run, decoding_verb::pairs);
  add_rewrite_options(app, given->where);
  return [given, &run] { run_convert(*given, run); };
}

}  // namespace tgmap::cli
