// SPDX-License-Identifier: Apache-2.0
#include "cli/transform/rewriting.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <stop_token>
#include <tgmap/archive.hpp>
#include <utility>
#include <vector>

#include "cli/app/cli_error.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/copy_input.hpp"
#include "cli/input/damaged_content.hpp"
#include "cli/input/selector.hpp"
#include "cli/output/output_options.hpp"
#include "cli/print/human_numbers.hpp"
#include "cli/print/progress.hpp"
#include "edit/archive_rewrite.hpp"

namespace tgmap::cli {

namespace {

constexpr std::uint64_t max_problems = 10;  // the output fails after the first one

/// Returns the numbers of the messages that an address names. Errors: throws tgmap::error; cli_error if it names no
/// message.
number_bounds find_numbers(const archive& from, const target& what, session& run) {
  if (what.one_message()) static_cast<void>(find_message(from, what));
  progress_bar bar(run, what.file, from.size_bytes());
  return archives::message_numbers(from, what, bar.callback());
}

/// One run over one archive.
class rewriting {
 public:
  rewriting(const rewrite_options& given, session& run, const message_rewriter& rewrite, object_lookup lookup)
      : given_(given),
        run_(run),
        rewrite_(rewrite),
        input_(parse_target(given.input)),
        chosen_(given.chosen),
        search_(chosen_.search_without_index(input_)),
        outputs_(outputs_for(given.outputs, run)),
        source_(input_, run, lookup == object_lookup::walk ? lookup : lookup_for(given.damaged)),
        damage_(given.damaged, run) {}

  /// Returns nothing if the output was not written, which is reported.
  std::optional<rewrite_result> write() {
    const archive& from = source_.opened();
    const number_bounds numbers = find_numbers(from, input_, run_);
    edit::output_set::output& file = outputs_.open(given_.output);
    const auto change = [&](const message& m, stored_message& out, failure&) {
      const bool is_named =
          input_.offset ? m.offset() == *input_.offset : *m.index() >= numbers.begin && *m.index() < numbers.end;
      const bool is_changed = is_named && this->change(m, out);
      if (counts_.problem_count >= max_problems) stop_.request_stop();
      return is_changed;
    };
    rewrite_result out = rewrite_into(file, change);
    out.selected = selected_count_;
    chosen_.report(input_, from, counts_, run_);
    damage_.finish(input_.file);
    if (run_.report.status() == exit_status::failed)
      return report_unfinished(outputs_, given_.output, run_), std::nullopt;
    if (out.messages == 0)
      throw cli_error("the file has no messages; nothing was written",
                      fmt::format("run `tgmap validate {}` to see what is wrong with it", input_.file));
    if (given_.verify_output && !given_.outputs.dry_run) given_.verify_output(from, file.descriptor());
    outputs_.commit();
    return out;
  }

 private:
  rewrite_result rewrite_into(edit::output_set::output& file, const message_change& change) {
    progress_bar bar(run_, input_.file, source_.opened().size_bytes());
    failure why;  // reported by `failed`
    return edit::rewrite_archive(
        source_.source(), file, change,
        {.damaged = given_.damaged,
         .keep_gaps = given_.keep_damage,
         .damage = [&](const message& m, const failure& why) { damage_.accept(input_.file, m, why); },
         .failed = [&](const message& m, const failure& why) { return add_problem(m, why); },
         .left_out = [&](const message& m) { report_incomplete(m, input_.file, run_); },
         .progress = bar.callback(),
         .stop = stop_.get_token()},
        why);
  }

  /// Makes the new form of a message. Returns false if the message is not selected or does not change.
  bool change(const message& m, stored_message& out) {
    selected_.whole = false;
    selected_.numbers.clear();
    const auto take = [&](const message&, key_lookup&, std::optional<std::size_t> object) {
      object ? selected_.numbers.push_back(*object) : void(selected_.whole = true);
      return true;
    };
    selector::visit(input_, m, search_, take, counts_);
    if (!selected_.whole && selected_.numbers.empty()) return false;
    ++selected_count_;
    try {
      if (auto matching = selected_.whole && given_.narrows ? chosen_.matching_objects(m) : std::nullopt) {
        selected_.whole = false;
        selected_.numbers = std::move(*matching);
      }
      return rewrite_(m, selected_, out);
    } catch (const cli_error& why) {
      if (!why.file().empty()) throw;
      throw cli_error(why.what(), why.next_step(), address_text(input_.file, m, why.object()));
    }
  }

  bool add_problem(const message& m, const failure& why) {
    if (why.code == make_error_code(errc::unsupported_wire_version))
      throw cli_error(failure_in(m, why).text(), "run `tgmap upgrade` first", address_text(input_.file, m));
    counts_.add_problem(m, why);
    return counts_.problem_count < max_problems;
  }

  const rewrite_options& given_;
  session& run_;
  const message_rewriter& rewrite_;
  const target input_;
  const selector chosen_;
  const selection_search search_;
  edit::output_set outputs_;
  const copy_input source_;
  damage_check damage_;
  tally counts_{};
  std::stop_source stop_{};
  selected_objects selected_{};
  std::uint64_t selected_count_ = 0;
};

}  // namespace

void add_input_and_output(CLI::App& app, rewrite_options& into, const std::string& numbers) {
  app.add_option("INPUT", into.input, "The archive, - is standard input; " + numbers)->required()->type_name("");
  app.add_option("OUTPUT", into.output, "The file to write, - is standard output; it may be the input")
      ->required()
      ->type_name("");
}

void add_rewrite_options(CLI::App& app, rewrite_options& into, const std::string& take_damaged) {
  add_where(app, into.chosen);
  app.add_flag("--keep-damage", into.keep_damage, "Also copy bytes that belong to no message");
  CLI::Option* const take = add_take_damaged(app, into.damaged);
  if (!take_damaged.empty()) take->description(take_damaged);
  add_output_options(app, into.outputs);
  add_write_index(app, into.outputs.write_index);
  add_dry_run(app, into.outputs);
  app.add_flag("-j,--json", into.json, "Report the output as one JSON object");
}

void require_whole_messages(const rewrite_options& given) {
  if (parse_target(given.input).objects)
    throw usage_error("this verb changes whole messages; remove the objects from the address");
}

std::optional<rewrite_result> rewrite_archive(const rewrite_options& given, session& run,
                                              const message_rewriter& rewrite, object_lookup lookup) {
  if (given.json && is_standard_output(given.output))
    throw usage_error("--json and messages cannot both go to standard output");
  std::optional<rewrite_result> out;
  const target input = parse_target(given.input);
  run.report.guard(input.file, [&] {
    refuse_to_overwrite_in_place({input}, given.output);
    out = rewriting(given, run, rewrite, lookup).write();
  });
  return out;
}

json as_json(const rewrite_options& given, const rewrite_result& done) {
  return {{"output", given.output}, {"messages", done.messages}, {"changed", done.changed}, {"bytes", done.bytes}};
}

void rewrite_and_report(const rewrite_options& given, session& run, const message_rewriter& rewrite,
                        object_lookup lookup) {
  const auto done = rewrite_archive(given, run, rewrite, lookup);
  if (!done) return;
  if (given.json) return run.out.write(json_line(as_json(given, *done)));
  report_output(
      run, given.output,
      fmt::format("{}: {}, {} of them changed, {} bytes{}", given.output, count_text(done->messages, "message"),
                  done->changed, done->bytes, not_written(given.outputs.dry_run)));
}

}  // namespace tgmap::cli
