// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <deque>
#include <memory>
#include <new>
#include <set>

#include "cli/app/cli_error.hpp"
#include "cli/app/progress.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/overwrite_check.hpp"
#include "cli/input/selection.hpp"
#include "cli/input/selector.hpp"
#include "cli/options/layout_options.hpp"
#include "cli/output/output_options.hpp"
#include "cli/output/output_set.hpp"
#include "cli/output/output_sink.hpp"
#include "cli/print/human_numbers.hpp"
#include "cli/print/json.hpp"
#include "cli/transform/merged_message.hpp"

namespace tgmap::cli {

namespace {

struct merge_options {
  std::vector<std::string> files;
  std::string output, strategy = "first";
  selection_options chosen;
  output_options outputs;
  bool reproducible = false, json = false;
};

merge_strategy strategy_from(const std::string& strategy) {
  return strategy == "last"    ? merge_strategy::last
         : strategy == "error" ? merge_strategy::error
                               : merge_strategy::first;
}

void leave_out(const target& of, const message& m, session& run) {
  run.report.hint(fmt::format("{}: left out the incomplete message at offset {}", of.file, m.offset()));
  run.report.mark_damaged();
}

/// Adds what is selected of one archive. Lifetime: the archive must live until everything is written.
void gather(const target& what, const archive& from, const selector& chosen, merged_message& into, session& run) {
  tally sum;
  for_each_message(from, what, run, [&](const message& m) {
    bool first = true;
    const auto take = [&](const message&, key_lookup&, std::optional<std::size_t> object) {
      const bool is_first = std::exchange(first, false);
      if (m.is_incomplete()) {
        if (is_first) leave_out(what, m, run);
        return true;
      }
      if (is_first) into.add_keys(m);
      if (object) return into.add(m, *object), true;
      for (std::size_t j = 0, count = m.size(); j < count; ++j) into.add(m, j);
      return true;
    };
    chosen.look_at(what, m, take, sum);
    return true;
  });
  chosen.report(what, from, sum, run);
}

/// Returns the bytes of all object frames, most of what will be written.
std::uint64_t frames_of(const new_message& made) {
  std::uint64_t out = 0;
  for (const auto& each : made.objects) {
    const stored_object& one = std::get<stored_object>(each);
    out += one.source ? one.source->frame().length() : one.payload_and_masks.size();
  }
  return out;
}

/// Forwards to an output_sink and updates a progress bar.
class progress_sink final : public sink {
 public:
  progress_sink(output_sink& to, progress_bar& bar) : to_(&to), bar_(&bar), begin_(to.bytes_written()) {}
  using sink::write;
  failure write(std::span<const std::span<const std::byte>> pieces) noexcept override try {
    const failure why = to_->write(pieces);
    bar_->update(to_->bytes_written() - begin_);
    return why;
  } catch (const std::bad_alloc&) {
    return {.code = errc::out_of_memory};
  }
  std::uint64_t bytes_written() const noexcept override { return to_->bytes_written(); }

 private:
  output_sink* to_;
  progress_bar* bar_;
  std::uint64_t begin_;
};

void put(const merged_message& all, const merge_options& given, output_set::output& file, session& run) {
  write_options how{.version = all.version()};
  if (given.reproducible) how.provenance = provenance::reproducible();
  const new_message made = all.build();
  progress_bar bar(run, "writing " + given.output, frames_of(made));
  output_sink to(file);
  progress_sink through(to, bar);
  failure why;
  writer(through, how).write(made, why);
  to.rethrow_error();
  if (why) throw error(why);
  to.flush();
}

void tell_of_merged(const merged_message& all, const merge_options& given, std::uint64_t bytes, session& run) {
  std::set<std::string> files;
  for (const std::string& each : given.files) files.insert(parse_target(each).file);
  if (given.json)
    return run.out.write(json_line({{"output", given.output},
                                    {"files", files.size()},
                                    {"objects", all.objects()},
                                    {"version", all.version()},
                                    {"bytes", bytes}}));
  // The text of the reference implementation.
  report_output(run, given.output,
                fmt::format("Merged {} objects from {} file(s) into {} (strategy: {}){}", all.objects(), files.size(),
                            given.output, given.strategy, not_written(given.outputs.dry_run)));
}

void run_merge(const merge_options& given, session& run) {
  if (given.json && is_standard_output(given.output))
    throw usage_error("--json and the message cannot both go to standard output");
  check_source_date();
  const std::vector<target> targets = parse_targets(given.files);
  const selector chosen(given.chosen);
  std::deque<archive> archives;
  merged_message all(strategy_from(given.strategy));
  for (const target& each : targets)
    run.report.guard(each.file,
                     [&] { gather(each, archives.emplace_back(open_archive(each, run)), chosen, all, run); });
  if (run.report.status() == exit_status::failed)
    return run.report.hint(given.output + ": nothing was written because of the error above");
  run.report.guard(given.output, [&] {
    if (all.messages() == 0)
      throw cli_error("no message is selected; nothing was written", "run `tgmap ls` to list the contents");
    refuse_to_overwrite_in_place(targets, given.output);
    output_set outputs(given.outputs, run);
    output_set::output& file = outputs.open(given.output);
    put(all, given, file, run);
    if (!given.outputs.dry_run) outputs.commit();
    tell_of_merged(all, given, file.bytes_written(), run);
  });
}

}  // namespace

action declare_merge(CLI::App& app, session& run) {
  const auto given = std::make_shared<merge_options>();
  add_targets(app, given->files, target_forms);
  app.add_option("-o,--output", given->output, "The file to write; - is standard output; may be an input")
      ->required()
      ->type_name("OUT");
  app.add_option("-s,--strategy", given->strategy,
                 "If message-wide values differ: keep the first or the last, or fail with an error")
      ->check(CLI::IsMember({"first", "last", "error"}))
      ->type_name("WHICH");
  add_where(app, given->chosen);
  app.add_flag("--objects", given->chosen.objects, "Select objects instead of messages");
  app.add_flag("--reproducible", given->reproducible, "Write no time and uuid: the same input gives the same bytes");
  add_output_options(app, given->outputs);
  add_dry_run(app, given->outputs);
  app.add_flag("-j,--json", given->json, "Print what was written, as one JSON object");
  return [given, &run] { run_merge(*given, run); };
}

}  // namespace tgmap::cli
