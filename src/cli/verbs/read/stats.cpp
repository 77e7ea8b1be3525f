// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <tgmap/message.hpp>
#include <tgmap/tools/caption.hpp>
#include <type_traits>
#include <vector>

#include "cli/app/cli_error.hpp"
#include "cli/command/verb.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/file_list.hpp"
#include "cli/input/hash_mismatch.hpp"
#include "cli/input/selection.hpp"
#include "cli/input/selector.hpp"
#include "cli/input/target.hpp"
#include "cli/options/decode_limit_options.hpp"
#include "cli/print/human_numbers.hpp"
#include "cli/print/json.hpp"
#include "cli/print/table.hpp"
#include "core/text/escape.hpp"
#include "edit/decode_failure.hpp"
#include "reports/statistics_json.hpp"

namespace tgmap::cli {

namespace {

using statistics::exact_number;
using statistics::object_statistics;

/// Returns the shortest digits that identify the number within its dtype.
std::string digits_of(const exact_number& number, dtype of) {
  return std::visit(
      [&](auto x) -> std::string {
        if constexpr (std::is_same_v<decltype(x), std::monostate>) {
          return "-";
        } else if constexpr (std::is_same_v<decltype(x), double>) {
          const bool narrow = of == dtype::float16 || of == dtype::bfloat16 || of == dtype::float32;
          return narrow ? fmt::format("{}", static_cast<float>(x)) : fmt::format("{}", x);
        } else {
          return std::to_string(x);
        }
      },
      number);
}

std::string digits_of(double x) { return std::isnan(x) ? "-" : fmt::format("{:.9g}", x); }

std::vector<table::column> stats_columns() {
  using side = table::align;
  return {{"message", side::right}, {"object", side::right},   {"name", side::left},    {"dtype", side::left},
          {"shape", side::left},    {"elements", side::right}, {"masked", side::right}, {"nan", side::right},
          {"inf+", side::right},    {"inf-", side::right},     {"min", side::right},    {"max", side::right},
          {"mean", side::right},    {"std", side::right},      {"notes", side::left}};
}

std::vector<std::string> stats_cells(const object_statistics& row) {
  const auto index = row.message.index();
  failure unread;
  const descriptor what = row.object.descriptor(unread);
  const std::string name = caption_of(row.object).name;
  std::vector<std::string> out{index ? std::to_string(*index) : "-", std::to_string(row.object.index()),
                               name.empty() ? "-" : name, unread ? "-" : std::string(tgmap::to_string_view(what.dtype)),
                               unread ? "-" : fmt::format("[{}]", fmt::join(what.shape(), ", "))};
  if (row.why) {
    out.resize(stats_columns().size(), "-");
    out.back() = core::escaped(edit::decode_failure_text(row.object, row.why));
    return out;
  }
  const auto& found = row.found;
  for (const std::uint64_t count :
       {found.elements, row.masked, found.nan, found.positive_infinities, found.negative_infinities})
    out.push_back(std::to_string(count));
  for (const exact_number& end : {found.min, found.max}) out.push_back(digits_of(end, what.dtype));
  out.push_back(digits_of(found.mean));
  out.push_back(digits_of(found.standard_deviation));
  out.emplace_back();
  return out;
}

struct stats_options {
  std::vector<std::string> files;
  selection_options chosen;
  bool json = false, verify = false;
};

/// Prints the statistics of the objects of one target.
class statistics_printer {
 public:
  statistics_printer(const stats_options& given, const target& what, edit::hash_check& hashes, session& run)
      : given_(given), file_(what.file), hashes_(hashes), run_(run), rows_(run.out, stats_columns()) {}

  void print(const object_statistics& row) {
    if (given_.verify) hashes_.count(file_, row.object);
    if (is_hash_mismatch(row.why))
      run_.report.failed_at(address_text(file_, row.message, row.object.index()), file_, row.why);
    else if (row.why && failed_objects_++ == 0)
      first_failure_ = row.why;
    if (!given_.json) return rows_.row(stats_cells(row));
    json line{{"file", file_}};
    line.update(reports::to_json(row));
    run_.out.write(json_line(line));
  }

  void finish() {
    if (!given_.json) rows_.finish();
    if (failed_objects_ != 0)
      run_.report.failed(file_,
                         count_text(failed_objects_, "object") + " could not be decoded; see the notes of these rows",
                         next_step(first_failure_, file_));
  }

 private:
  const stats_options& given_;
  std::string file_;
  edit::hash_check& hashes_;
  session& run_;
  table rows_;
  std::uint64_t failed_objects_ = 0;
  failure first_failure_{};
};

void measure(const stats_options& given, const selector& chosen, const target& what, edit::hash_check& hashes,
             session& run) {
  const archive from = open_archive(what, run);
  statistics_printer rows(given, what, hashes, run);
  statistics::object_measurement objects(
      {.executor = &run.workers(), .verify = given.verify, .max_bytes = run.limits.read_ahead_bytes()},
      [&](const object_statistics& each) { rows.print(each); });
  const auto take = [&](const message& m, key_lookup&, std::optional<std::size_t> object) {
    objects.add(m, m[*object]);
    return true;
  };
  const tally sum = chosen.visit_all(what, from, run, take);
  objects.finish();
  rows.finish();
  chosen.report(what, from, sum, run);
}

void run_stats(const stats_options& given, session& run) {
  const auto targets = parse_targets(given.files);
  const selector chosen(given.chosen);
  if (given.verify) use_no_index(run);
  edit::hash_check hashes;
  for (const target& t : targets) {
    const bool many = targets.size() > 1 && !given.json;
    if (many) run.out.write(fmt::format("{}{}:\n", &t == &targets.front() ? "" : "\n", core::escaped(t.file)));
    run.report.guard(t.file, [&] { measure(given, chosen, t, hashes, run); });
  }
  report_unverified(hashes, run);
}

}  // namespace

action declare_stats(CLI::App& app, session& run) {
  const auto given = std::make_shared<stats_options>();
  given->chosen.objects = true;  // selections apply to objects here
  add_targets(app, given->files, target_forms);
  add_where(app, given->chosen);
  add_decode_limits(app, run, decoding_verb::one_object);
  add_verify(app, given->verify, "of each object");
  app.add_flag("-j,--json", given->json, "Print one JSON object per object, one per line");
  return [given, &run] { run_stats(*given, run); };
}

}  // namespace tgmap::cli
