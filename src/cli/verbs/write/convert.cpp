// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/app/cli_error.hpp"
#include "cli/app/session.hpp"
#include "cli/command/verb.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/decode_error.hpp"
#include "cli/options/decode_limit_options.hpp"
#include "cli/options/pipeline_options.hpp"
#include "cli/output/output_options.hpp"
#include "cli/print/human_numbers.hpp"
#include "cli/print/table.hpp"
#include "cli/transform/rewriting.hpp"
#include "edit/message_conversion.hpp"

namespace tgmap::cli {

namespace {

bool has_code(const failure& why, errc what) { return why.code == make_error_code(what); }

std::string advice_on_storing(const failure& why, const std::string& file, dtype from) {
  const bool wants_doubles = why.expected == static_cast<std::uint64_t>(dtype::float64);
  if (has_code(why, errc::unsupported_dtype) && wants_doubles && edit::can_widen(from))
    return "add --widen to convert the elements to float64, choose another pipeline, or exclude the object with -w";
  if (has_code(why, errc::unsupported_dtype)) return "choose another pipeline, or exclude the object with -w";
  if (has_code(why, errc::unsupported_wire_version)) return "run `tgmap upgrade` first: version 2 has no masks";
  return next_step_for_storing(why, file);
}

/// The stages that an object has and that `changes` does not name.
struct kept_stages {
  std::vector<std::string> options{}, names{};  ///< "--encoding", "encoding simple_packing"

  kept_stages(const descriptor& from, const pipeline_options& changes) {
    if (!changes.encoding && from.encoding != encoding::none) add("--encoding", "encoding simple_packing");
    if (!changes.filter && from.filter != filter::none) add("--filter", "filter shuffle");
    if (!changes.compression && from.compression != compression::none)
      add("--compression", fmt::format("compression {}", to_string_view(from.compression)));
  }

 private:
  void add(std::string option, std::string name) {
    options.push_back(std::move(option));
    names.push_back(std::move(name));
  }
};

/// Returns the error for an object whose elements cannot be stored.
cli_error storing_error(const failure& why, const descriptor& from, const std::string& place,
                        const pipeline_options& changes, const std::string& file) {
  if (has_code(why, errc::unsupported_sample_bits) && from.dtype == dtype::bitmask)
    return {place + "szip cannot compress a bitmask, whose elements are single bits",
            "choose another --compression, or exclude the object with -w"};
  const kept_stages kept(from, changes);
  const bool is_combination = has_code(why, errc::bad_combination) || has_code(why, errc::unsupported_sample_bits);
  if (!is_combination || kept.names.empty()) return {place + why.text(), advice_on_storing(why, file, from.dtype)};
  return {fmt::format("{}{}; the object keeps {}", place, why.text(), fmt::join(kept.names, " and ")),
          fmt::format("add {} to change that, or exclude the object with -w", fmt::join(kept.options, " and "))};
}

/// Returns the error for an object that cannot be converted.
cli_error conversion_error(const edit::conversion_fault& of, const message& in, const pipeline_options& changes,
                           const std::string& file) {
  using kind = edit::conversion_fault::kind;
  const std::string place = location_text(in, of.object) + ": ";
  switch (of.what) {
    case kind::decode: {
      const std::string name = fmt::format("{}@{}:{}", file, in.offset(), of.object);
      const cli_error reason = decode_error(in[of.object], of.why, name, file);
      return {place + reason.what(), reason.next_step()};
    }
    case kind::packing:
      return {place + "its elements would change, because they cannot be packed again as they were",
              "add --encoding none, or exclude the object with -w"};
    case kind::finite:
      return {fmt::format("{}{} would become infinite or NaN", place, count_text(of.elements, "finite element")),
              "choose another pipeline, or exclude the object with -w"};
    default: return storing_error(of.why, of.descriptor, place, changes, file);
  }
}

struct convert_options {
  rewrite_options where;
  pipeline_options pipeline;
  bool widen = false;
};

json as_json(const convert_options& given, const edit::conversion_result& of) {
  json out{{"output", given.where.output},
           {"message", or_null(of.message)},
           {"offset", of.offset},
           {"object", of.object},
           {"dtype", to_string_view(of.to)},
           {"shape", of.shape},
           {"bytes", of.bytes},
           {"before", of.before},
           {"after", of.after},
           {"ratio", or_null(of.ratio())},
           {"differing", 0},
           {"error", 0.0},
           {"relative_error", 0.0}};
  if (of.from != of.to) out["was"] = to_string_view(of.from);
  if (of.as_stored) out["as_stored"] = true;
  if (!of.differences) return out;
  out["differing"] = of.differences->differing;
  out["error"] = or_null(of.absolute_error());
  out["relative_error"] = or_null(of.relative_error());
  if (of.differences->not_finite != 0) out["not_finite"] = of.differences->not_finite;
  return out;
}

void print_rows(const std::vector<edit::conversion_result>& all, session& run) {
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
  for (const edit::conversion_result& each : all)
    rows.row({each.message ? std::to_string(*each.message) : fmt::format("@{}", each.offset),
              std::to_string(each.object), std::string(to_string_view(each.to)),
              fmt::format("[{}]", fmt::join(each.shape, ", ")), std::to_string(each.before), std::to_string(each.after),
              each.ratio() ? fmt::format("{:.2f}", *each.ratio()) : "-", fmt::format("{:.3g}", each.absolute_error()),
              fmt::format("{:.3g}", each.relative_error())});
  rows.finish();
}

/// Reports objects whose strides repeat or skip elements.
void report_strides(const convert_options& given, const std::vector<edit::conversion_result>& all, session& run) {
  const auto count = std::ranges::count_if(all, &edit::conversion_result::as_stored);
  if (count != 0)
    run.report.hint(fmt::format("{}: {} with strides of no dense layout; their elements were taken in stored order",
                                given.where.output, count_text(static_cast<std::uint64_t>(count), "object")));
}

void report_conversions(const convert_options& given, const rewrite_result& done,
                        const std::vector<edit::conversion_result>& all, session& run) {
  if (given.where.json) {
    for (const edit::conversion_result& each : all) run.out.write(json_line(as_json(given, each)));
    if (all.empty()) run.report.hint(given.where.output + ": no object is selected; all messages are unchanged");
    return;
  }
  std::uint64_t before = 0, after = 0;
  for (const edit::conversion_result& each : all) {
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

bool is_any_given(const CLI::App& app, std::initializer_list<const char*> options) {
  return std::ranges::any_of(options, [&app](const char* name) {
    for (const CLI::App* at = &app; at != nullptr; at = at->get_parent())
      if (const CLI::Option* found = at->get_option_no_throw(name); found != nullptr && found->count() != 0)
        return true;
    return false;
  });
}

void run_convert(const convert_options& given, const CLI::App& app, session& run) {
  const bool mask_methods = is_any_given(
      app, {"--nan-mask-method", "--pos-inf-mask-method", "--neg-inf-mask-method", "--small-mask-threshold"});
  const tgmap::pipeline made = make_pipeline(given.pipeline, run);
  if (!mask_methods && !is_any_given(app, {"--encoding", "--filter", "--compression", "--allow-nan", "--allow-inf"}))
    throw usage_error("no option says what to change",
                      "add --encoding, --filter or --compression; `none` for each stores elements unencoded");
  const std::string file = parse_target(given.where.input).file;
  edit::message_conversion how(
      {.change = [&](const tgmap::pipeline& from) { return change_pipeline(from, given.pipeline); },
       .changes_encoding = given.pipeline.encoding.has_value(),
       .changes_compression = given.pipeline.compression.has_value(),
       .missing = made.missing,
       .mask_methods = mask_methods,
       .widen = given.widen,
       .damaged = given.where.damaged},
      run.decoders());
  const auto make = [&](const message& m, const selected_objects& which, stored_message& out) {
    out.load(m, on_mismatch::take);
    if (const auto fault = how.convert(m, which.numbers, out))
      throw conversion_error(*fault, m, given.pipeline, file).in_object(fault->object);
    return true;
  };
  const auto done = rewrite_archive(given.where, run, make);
  if (!done) return;
  report_strides(given, how.results(), run);
  report_conversions(given, *done, how.results(), run);
}

}  // namespace

action declare_convert(CLI::App& app, session& run) {
  const auto given = std::make_shared<convert_options>();
  given->where.chosen.objects = true;  // selections apply to objects here
  add_input_and_output(app, given->where, "its numbers, like -w, select the objects to convert");
  add_pipeline_options(app, given->pipeline, run);
  app.add_flag("--widen", given->widen, "Convert other numbers to float64 if packing, zfp or sz3 require it")
      ->group("Storing");
  add_decode_limits(app, run, decoding_verb::pairs);
  add_rewrite_options(app, given->where);
  return [given, &app, &run] { run_convert(*given, app, run); };
}

}  // namespace tgmap::cli
