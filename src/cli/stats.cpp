// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <tgmap/decode/decode_many.hpp>

#include "cli/advice.hpp"
#include "cli/archives.hpp"
#include "cli/chooser.hpp"
#include "cli/escape.hpp"
#include "cli/human.hpp"
#include "cli/selection.hpp"
#include "cli/stats_row.hpp"
#include "cli/verb.hpp"

namespace tgmap::cli {

namespace {

struct stats_options {
  std::vector<std::string> files;
  selection_options chosen;
  bool json = false;
};

/// The objects of one target, handful by handful: decoded by all threads, told of in order.
class measured_objects {
 public:
  measured_objects(const stats_options& given, const target& what, session& run)
      : json_(given.json), file_(what.file), run_(run), rows_(run.out, stats_columns()) {}

  void add(const message& in, const object& one) {
    messages_.push_back(in);
    objects_.push_back(one);
    bytes_ += one.payload_size();
    if (objects_.size() == most_objects || bytes_ >= most_bytes) measure();
  }

  void finish() {
    measure();
    if (!json_) rows_.finish();
    if (undecoded_ != 0)
      run_.report.failed(file_, counted(undecoded_, "object") + " could not be decoded, and the rows say why",
                         next_step(first_, file_));
  }

 private:
  // So few that progress shows between them, and so many that threads seldom wait for the last one.
  static constexpr std::size_t most_objects = 4096;
  static constexpr std::uint64_t most_bytes = std::uint64_t{1} << 28;

  void measure() {
    const decode_many_options how{.decode = {.strides = stride_policy::ignore, .executor = &run_.workers()},
                                  .failures = on_failure::keep_going,
                                  .max_bytes = run_.limits.ahead()};
    decode_each(
        objects_,
        [&](std::size_t i, tensor&& elements, const failure& why) {
          tell(row_of(i, elements, why));
          return true;
        },
        how);
    messages_.clear();
    objects_.clear();
    bytes_ = 0;
  }

  stats_row row_of(std::size_t i, const tensor& elements, const failure& undecoded) {
    stats_row out{.message = messages_[i], .object = objects_[i], .why = undecoded};
    if (!out.why) out.found = statistics::statistics_of(elements, &run_.workers(), out.why);
    if (!out.why) out.masked = masked(out.object, out.why);
    return out;
  }

  static std::uint64_t masked(const object& one, failure& why) {
    std::uint64_t out = 0;
    for (const missing_mask& each : one.masks(why)) out += each.count();
    return out;
  }

  void tell(const stats_row& row) {
    if (row.why && undecoded_++ == 0) first_ = row.why;
    if (!json_) return rows_.row(stats_cells(row));
    json line{{"file", file_}};
    line.update(as_json(row));
    run_.out.write(json_line(line));
  }

  bool json_;
  std::string file_;
  session& run_;
  table rows_;
  std::vector<message> messages_;
  std::vector<object> objects_;
  std::uint64_t bytes_ = 0, undecoded_ = 0;
  failure first_{};
};

void measure(const stats_options& given, const chooser& chosen, const target& what, session& run) {
  const archive from = open_archive(what, run);
  measured_objects objects(given, what, run);
  const auto take = [&](const message& m, key_lookup&, std::optional<std::size_t> object) {
    objects.add(m, m[*object]);
    return true;
  };
  tally sum;
  for_each_message(from, what, run, [&](const message& m) {
    chosen.look_at(what, m, take, sum);
    return true;
  });
  objects.finish();
  chosen.report(what, from, sum, run);
}

void run_stats(const stats_options& given, session& run) {
  const auto targets = parse_targets(given.files);
  const chooser chosen(given.chosen);
  for (const target& t : targets) {
    const bool many = targets.size() > 1 && !given.json;
    if (many) run.out.write(fmt::format("{}{}:\n", &t == &targets.front() ? "" : "\n", escaped(t.file)));
    run.report.guard(t.file, [&] { measure(given, chosen, t, run); });
  }
}

}  // namespace

action declare_stats(CLI::App& app, session& run) {
  const auto given = std::make_shared<stats_options>();
  given->chosen.objects = true;  // statistics are of objects, and so are selections here
  add_targets(app, given->files, target_forms);
  add_where(app, given->chosen);
  add_decode_limits(app, run, decoding_verb::one_object);
  app.add_flag("-j,--json", given->json, "One JSON object an object, each on a line");
  return [given, &run] { run_stats(*given, run); };
}

}  // namespace tgmap::cli
