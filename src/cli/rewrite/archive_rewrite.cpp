// SPDX-License-Identifier: Apache-2.0
#include "cli/rewrite/archive_rewrite.hpp"

#include <fmt/format.h>

#include "cli/app/cli_error.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/overwrite_check.hpp"
#include "cli/input/selector.hpp"
#include "cli/outputs/output_set.hpp"
#include "cli/outputs/tell_of_output.hpp"
#include "cli/print/human_numbers.hpp"
#include "cli/rewrite/addressed.hpp"
#include "cli/rewrite/rewritten_output.hpp"

namespace tgmap::cli {

namespace {

constexpr std::uint64_t problems_enough = 10;  // to be told of: there will be no output

/// One run over one archive.
class rewriting {
 public:
  rewriting(const rewrite_options& given, session& run, const message_rewriter& make, object_lookup lookup)
      : given_(given),
        run_(run),
        make_(make),
        what_(parse_target(given.input)),
        chosen_(given.chosen),
        outputs_(given.outputs, run),
        source_(what_, run, lookup) {}

  rewritten write() {
    const archive from = source_.from();
    addressed which(from, what_, run_);
    output_set::output& file = outputs_.at(given_.output);
    rewritten_output to(source_, file);

    target everything = what_;
    everything.messages.reset();
    everything.offset.reset();
    everything.objects.reset();
    for_each_message(from, everything, run_, [&](const message& m) {
      const bool meant = which.next_is(m);
      if (given_.keep_damage) to.copy(behind_, m.offset() - behind_);
      behind_ = m.offset() + m.length();
      ++out_.messages;
      if (meant && !m.is_incomplete() && remade(m, to))
        ++out_.changed;
      else if (!m.is_incomplete() || given_.keep_damage)
        to.copy(m.offset(), m.length());
      else
        leave_out(m);
      return sum_.problem_count < problems_enough;
    });
    if (given_.keep_damage) to.copy(behind_, from.size_bytes() - behind_);
    chosen_.report(what_, from, sum_, run_);
    to.finish();
    out_.bytes = file.bytes();
    finish(file);
    return out_;
  }

 private:
  bool remade(const message& m, rewritten_output& to) {
    selected_.whole = false;
    selected_.numbers.clear();
    const auto take = [&](const message&, key_lookup&, std::optional<std::size_t> object) {
      object ? selected_.numbers.push_back(*object) : void(selected_.whole = true);
      return true;
    };
    chosen_.look_at(what_, m, take, sum_);
    if (!selected_.whole && selected_.numbers.empty()) return false;
    ++out_.selected;
    try {
      if (!make_(m, selected_, parts_)) return false;
      to.write(parts_);
      return true;
    } catch (const error& why) {
      if (why.details().code == make_error_code(errc::unsupported_wire_version))
        throw cli_error(failure_in(m, why.details()).text(), "run `tgmap upgrade` first");
      sum_.add_problem(m, why.details());
      return false;
    }
  }

  void leave_out(const message& m) {
    --out_.messages;
    run_.report.hint(fmt::format("{}: the message at offset {} has no end and is left out", what_.file, m.offset()));
    run_.report.mark_damaged();
  }

  void finish(output_set::output& file) {
    if (run_.report.status() == exit_status::failed)
      return run_.report.hint(given_.output + ": nothing is written, for what failed before");
    if (out_.messages == 0)
      throw cli_error("there is no message in it, and nothing is written",
                      fmt::format("run `tgmap validate {}` to see what is wrong with it", what_.file));
    if (given_.examine && !given_.outputs.dry_run) given_.examine(source_.from(), file.descriptor());
    if (!given_.outputs.dry_run) outputs_.commit();
    out_.done = true;
  }

  const rewrite_options& given_;
  session& run_;
  const message_rewriter& make_;
  const target what_;
  const selector chosen_;
  output_set outputs_;
  const copy_source source_;
  rewritten out_{};
  tally sum_{};
  selected_objects selected_{};
  message_parts parts_{};
  std::uint64_t behind_ = 0;  ///< the end of the last message
};

}  // namespace

void add_input_and_output(CLI::App& app, rewrite_options& into, const std::string& numbers) {
  app.add_option("INPUT", into.input, "The archive, - is standard input; " + numbers)->required()->type_name("");
  app.add_option("OUTPUT", into.output, "The file to write, - is standard output; it may be the input")
      ->required()
      ->type_name("");
}

void add_take_damaged(CLI::App& app, damaged_objects& into) {
  app.add_flag_callback(
      "--take-damaged", [&into] { into = damaged_objects::take; },
      "Take objects whose hash does not match as they are, and give them a new one");
}

void add_rewrite_options(CLI::App& app, rewrite_options& into) {
  add_where(app, into.chosen);
  app.add_flag("--keep-damage", into.keep_damage, "Copy bytes that belong to no message, too, where they are");
  add_output_options(app, into.outputs);
  add_dry_run(app, into.outputs);
  app.add_flag("-j,--json", into.json, "Tell what was written, as one JSON object");
}

void refuse_objects(const rewrite_options& given) {
  if (parse_target(given.input).objects)
    throw usage_error("messages are changed whole; leave the objects out of the address");
}

rewritten rewrite_archive(const rewrite_options& given, session& run, const message_rewriter& make,
                          object_lookup lookup) {
  if (given.json && names_standard_output(given.output))
    throw usage_error("--json and messages cannot both go to standard output");
  rewritten out;
  const target input = parse_target(given.input);
  run.report.guard(input.file, [&] {
    refuse_to_overwrite_in_place({input}, given.output);
    out = rewriting(given, run, make, lookup).write();
  });
  return out;
}

json as_json(const rewrite_options& given, const rewritten& done) {
  return {{"output", given.output}, {"messages", done.messages}, {"changed", done.changed}, {"bytes", done.bytes}};
}

void rewrite_and_tell(const rewrite_options& given, session& run, const message_rewriter& make, object_lookup lookup) {
  const rewritten done = rewrite_archive(given, run, make, lookup);
  if (!done.done) return;
  if (given.json) return run.out.write(json_line(as_json(given, done)));
  tell_of_output(
      run, given.output,
      fmt::format("{}: {}, {} of them changed, {} bytes{}", given.output, count_text(done.messages, "message"),
                  done.changed, done.bytes, not_written(given.outputs.dry_run)));
}

}  // namespace tgmap::cli
