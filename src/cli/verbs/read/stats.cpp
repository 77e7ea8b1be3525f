// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <tgmap/decode/decode_many.hpp>
#include <tgmap/message.hpp>
#include <tgmap/tools/caption.hpp>
#include <type_traits>
#include <vector>

#include "cli/app/cli_error.hpp"
#include "cli/command/verb.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/elements.hpp"
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
#include "statistics/element_statistics.hpp"

namespace tgmap::cli {

namespace {

/// An object and the statistics of its elements.
struct stats_row {
  tgmap::message message;
  tgmap::object object;
  statistics::element_statistics found{};
  std::uint64_t masked = 0;  ///< masked elements
  failure why{};             ///< set if the elements could not be decoded; `found` is then empty
};

using statistics::exact_number;

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

json exact_json(const exact_number& number) {
  return std::visit(
      [](auto x) -> json {
        if constexpr (std::is_same_v<decltype(x), std::monostate>)
          return nullptr;
        else
          return x;
      },
      number);
}

std::string digits_of(double x) { return std::isnan(x) ? "-" : fmt::format("{:.9g}", x); }

json or_null(double x) { return std::isfinite(x) ? json(x) : json(); }

json or_null(const std::string& text) { return text.empty() ? json() : json(text); }

caption caption_of_object(const object& one) {
  failure none;  // an object without metadata has statistics, too
  return caption_of(one.metadata(none));
}

std::vector<table::column> stats_columns() {
  using side = table::align;
  return {{"message", side::right}, {"object", side::right},   {"name", side::left},    {"dtype", side::left},
          {"shape", side::left},    {"elements", side::right}, {"masked", side::right}, {"nan", side::right},
          {"inf+", side::right},    {"inf-", side::right},     {"min", side::right},    {"max", side::right},
          {"mean", side::right},    {"std", side::right},      {"notes", side::left}};
}

std::vector<std::string> stats_cells(const stats_row& row) {
  const auto index = row.message.index();
  failure unread;
  const descriptor what = row.object.descriptor(unread);
  const std::string name = caption_of_object(row.object).name;
  std::vector<std::string> out{index ? std::to_string(*index) : "-", std::to_string(row.object.index()),
                               name.empty() ? "-" : name, unread ? "-" : std::string(tgmap::to_string_view(what.dtype)),
                               unread ? "-" : fmt::format("[{}]", fmt::join(what.shape(), ", "))};
  if (row.why) {
    out.resize(stats_columns().size(), "-");
    out.back() = core::escaped(decode_failure_text(row.object, row.why));
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

/// Returns the JSON of a row without its file; integers are exact.
json as_json(const stats_row& row) {
  const auto index = row.message.index();
  const caption words = caption_of_object(row.object);
  json out{{"message", index ? json(*index) : json()},
           {"object", row.object.index()},
           {"name", or_null(words.name_text)},
           {"units", or_null(words.unit_text)}};
  failure unread;
  const descriptor what = row.object.descriptor(unread);
  if (!unread)
    out.update({{"dtype", to_string_view(what.dtype)},
                {"shape", to_json(what.shape())},
                {"encoding", what.encoding_name.view()},
                {"filter", what.filter_name.view()},
                {"compression", what.compression_name.view()}});
  if (row.why) {
    out["error"] = decode_failure_text(row.object, row.why);
    return out;
  }
  const auto& found = row.found;
  out.update({{"elements", found.elements},
              {"finite", found.finite_count()},
              {"masked", row.masked},
              {"nan", found.nan},
              {"inf+", found.positive_infinities},
              {"inf-", found.negative_infinities},
              {"min", exact_json(found.min)},
              {"max", exact_json(found.max)},
              {"mean", or_null(found.mean)},
              {"std", or_null(found.standard_deviation)}});
  return out;
}

struct stats_options {
  std::vector<std::string> files;
  selection_options chosen;
  bool json = false, verify = false;
};

/// Decodes the objects of one target in batches by all threads, and prints their statistics in order.
class statistics_printer {
 public:
  statistics_printer(const stats_options& given, const target& what, edit::hash_check& hashes, session& run)
      : json_(given.json),
        verify_(given.verify),
        file_(what.file),
        hashes_(hashes),
        run_(run),
        rows_(run.out, stats_columns()) {}

  void add(const message& in, const object& one) {
    messages_.push_back(in);
    objects_.push_back(one);
    bytes_ += one.payload_size();
    if (objects_.size() == batch_objects || bytes_ >= batch_bytes) measure();
  }

  void finish() {
    measure();
    if (!json_) rows_.finish();
    if (failed_objects_ != 0)
      run_.report.failed(file_,
                         count_text(failed_objects_, "object") + " could not be decoded; see the notes of these rows",
                         next_step(first_failure_, file_));
  }

 private:
  // Small enough to show results early, large enough that threads seldom wait for the last object.
  static constexpr std::size_t batch_objects = 4096;
  static constexpr std::uint64_t batch_bytes = std::uint64_t{1} << 28;

  void measure() {
    const decode_many_options how{
        .decode = {.strides = stride_policy::ignore, .executor = &run_.workers(), .verify = verify_},
        .failures = on_failure::keep_going,
        .max_bytes = run_.limits.read_ahead_bytes()};
    decode_each(
        objects_,
        [&](std::size_t i, tensor&& elements, const failure& why) {
          print(row_of(i, elements, why));
          return true;
        },
        how);
    messages_.clear();
    objects_.clear();
    bytes_ = 0;
  }

  stats_row row_of(std::size_t i, const tensor& elements, const failure& decode_failure) {
    stats_row out{.message = messages_[i], .object = objects_[i], .why = decode_failure};
    if (verify_) hashes_.count(file_, out.object);
    if (!out.why) out.found = statistics::compute_statistics(elements, &run_.workers(), out.why);
    if (!out.why) out.masked = masked(out.object, out.why);
    return out;
  }

  static std::uint64_t masked(const object& one, failure& why) {
    std::uint64_t out = 0;
    for (const missing_mask& each : one.masks(why)) out += each.count();
    return out;
  }

  void print(const stats_row& row) {
    if (is_hash_mismatch(row.why))
      run_.report.failed_at(address_text(file_, row.message, row.object.index()), file_, row.why);
    else if (row.why && failed_objects_++ == 0)
      first_failure_ = row.why;
    if (!json_) return rows_.row(stats_cells(row));
    json line{{"file", file_}};
    line.update(as_json(row));
    run_.out.write(json_line(line));
  }

  bool json_, verify_;
  std::string file_;
  edit::hash_check& hashes_;
  session& run_;
  table rows_;
  std::vector<message> messages_;
  std::vector<object> objects_;
  std::uint64_t bytes_ = 0, failed_objects_ = 0;
  failure first_failure_{};
};

void measure(const stats_options& given, const selector& chosen, const target& what, edit::hash_check& hashes,
             session& run) {
  const archive from = open_archive(what, run);
  statistics_printer objects(given, what, hashes, run);
  const auto take = [&](const message& m, key_lookup&, std::optional<std::size_t> object) {
    objects.add(m, m[*object]);
    return true;
  };
  const tally sum = chosen.visit_all(what, from, run, take);
  objects.finish();
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
