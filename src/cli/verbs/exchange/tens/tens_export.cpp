// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tgmap/zio/from_archive.hpp>
#include <vector>

#include "cli/app/cli_error.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/file_list.hpp"
#include "cli/input/required_keys.hpp"
#include "cli/input/selection.hpp"
#include "cli/input/target.hpp"
#include "cli/options/decode_limit_options.hpp"
#include "cli/options/option_checks.hpp"
#include "cli/output/name_template.hpp"
#include "cli/output/output_options.hpp"
#include "cli/print/human_numbers.hpp"
#include "cli/print/json.hpp"
#include "cli/verbs/exchange/tens/tens.hpp"
#include "edit/output/output_set.hpp"
#include "edit/output/output_sink.hpp"

namespace tgmap::cli {

namespace {

/// The headers of the frames. Absent values are as recorded, or as from_archive() chooses them.
struct frame_options {
  zio::from_archive_options how{};
  std::optional<zio::level> level{};
  std::optional<std::string> form{};
  std::optional<std::uint64_t> origin{}, granule{};
  std::optional<std::uint64_t> seqno{};  ///< of the first frame
};

struct tens_export_options {
  std::vector<std::string> files;
  std::string to;
  selection_options chosen;
  frame_options frames;
  output_options output;
  bool json = false;
};

/// Writes messages of archives to files, one frame each. Lifetime: borrows all its arguments.
class frame_outputs {
 public:
  frame_outputs(const tens_export_options& given, const edit::file_template& names, session& run)
      : given_(given), names_(names), run_(run), outputs_(outputs_for(given.output, run)) {}

  archive open(const target& what) { return archives_.insert_or_assign(&what, open_archive(what, run_)).first->second; }

  /// Takes a message, for for_each_selected. Errors: throws usage_error for a second message if there is only one file.
  bool take(const target& what, const message& m, key_lookup& keys) {
    const located_message one{&what, m};
    if (names_.several()) {
      run_.report.guard(what.file, [&] { write(one, names_.name_for(keys, {written_.size(), what.file})); });
      return !has_failed();
    }
    if (only_)
      throw usage_error(
          "several messages need -o with [index], for example 'f_[index].frame'; or name one message, "
          "for example " +
              what.file + ":0",
          "a frame holds one message");
    only_ = one;
    return true;
  }

  /// Publishes the files and reports them, unless there was a failure.
  void finish() {
    if (only_ && !has_failed()) run_.report.guard(only_->of->file, [&] { write(*only_, given_.to); });
    if (has_failed()) return run_.report.hint(given_.to + ": nothing was written because of the error above");
    if (written_.empty())
      return run_.report.failed(given_.to, "no message is selected; nothing was written",
                                "run `tgmap ls` to list the contents");
    outputs_.commit();
    report();
  }

 private:
  struct located_message {
    const target* of;
    tgmap::message message;
  };
  struct written_frame {
    const target* of;
    std::optional<std::size_t> message;
    std::string name;
    std::uint64_t bytes, bytes_copied;
  };

  bool has_failed() const { return run_.report.status() == exit_status::failed; }

  static void throw_if(const failure& why, const tgmap::message& in) {
    if (!why) return;
    if (const auto reason = label_error(why))
      throw cli_error(location_text(in) + ": " + reason->what(), reason->next_step());
    throw error(failure_in(in, why));
  }

  zio::from_archive_result make_frame(const located_message& one) const {
    const frame_options& options = given_.frames;
    failure why;
    zio::from_archive_options how = options.how;
    how.max_copied = run_.limits.message_bytes();
    zio::from_archive_result out = zio::from_archive(archives_.at(one.of), one.message, how, why);
    throw_if(why, one.message);
    zio::message& m = out.message;
    m.level = options.level.value_or(m.level);
    if (options.form) m.form = zio::form(*options.form);
    m.origin = options.origin.value_or(m.origin);
    m.granule = options.granule.value_or(m.granule);
    if (options.seqno) m.seqno = *options.seqno + written_.size();
    return out;
  }

  void write(const located_message& one, const std::string& name) {
    refuse_to_overwrite(*one.of, name);
    const zio::from_archive_result frame = make_frame(one);
    edit::output_set::output& file = outputs_.open(name, names_.makes_folders());
    if (!used_.insert(&file).second)
      throw usage_error(fmt::format("two messages would be written to '{}'; add [index] to -o", name),
                        "a frame holds one message");
    edit::guarded_sink to(file);
    failure why;
    zio::encode(frame.message, frame.format, to, why);
    to.rethrow_error();
    throw_if(why, one.message);
    to.finish();
    written_.push_back({one.of, one.message.index(), name, file.bytes_written(), frame.bytes_copied});
  }

  void report() const {
    for (const written_frame& each : written_) {
      if (given_.json)
        run_.out.write(json_line({{"file", each.of->file},
                                  {"message", or_null(each.message)},
                                  {"output", each.name},
                                  {"bytes", each.bytes},
                                  {"bytes_copied", each.bytes_copied}}));
      else
        report_output(run_, each.name,
                      fmt::format("{}: {} bytes{}", each.name, each.bytes, not_written(given_.output.dry_run)));
    }
  }

  const tens_export_options& given_;
  const edit::file_template& names_;
  session& run_;
  edit::output_set outputs_;
  std::map<const target*, archive> archives_{};
  std::optional<located_message> only_{};  ///< written at the end, since standard output cannot be undone
  std::set<const edit::output_set::output*> used_{};
  std::vector<written_frame> written_{};
};

void run_tens_export(const tens_export_options& given, session& run) {
  const std::vector<target> from = whole_messages(given.files);
  edit::file_template names = parse_template(given.to);
  if (names.is_folder()) names.add_numbered_name(".frame");
  if (given.json && is_standard_output(given.to) && !given.output.dry_run)
    throw usage_error("--json and the frame cannot both go to standard output");

  require_keys({{.option = fmt::format("'{}'", given.to), .keys = names.keys()}}, from, given.chosen, run);

  frame_outputs outputs(given, names, run);
  const auto take = [&](const target& what, const message& m, key_lookup& keys, auto) {
    return outputs.take(what, m, keys);
  };
  for_each_selected(from, given.chosen, run, take, [&](const target& what) { return outputs.open(what); });
  run.report.guard(given.to, [&] { outputs.finish(); });
}

void add_header_option(CLI::App& app, const std::string& name, std::optional<std::uint64_t>& into,
                       const std::string& description) {
  app.add_option(name, into, description)->check(integer_from(0))->type_name("N");
}

}  // namespace

action declare_tens_export(CLI::App& app, session& run) {
  const auto given = std::make_shared<tens_export_options>();
  given->output.takes_folder = true;
  add_targets(app, given->files, "FILE:MESSAGE, FILE@OFFSET, ranges of messages such as FILE:2..5, or FILE for all");
  app.add_option("-o,--output", given->to,
                 "The file to write, - is standard output; several messages need a name with [index] or with keys in "
                 "brackets, or a folder, out/")
      ->required()
      ->type_name("OUT");
  add_selection(app, given->chosen);
  frame_options& frames = given->frames;
  app.add_flag("--encoded", frames.how.keep_encoded,
               "Keep encoded objects as they are stored, for readers that know .tgm encodings");
  app.add_flag("--raw-words", frames.how.raw_words,
               "Write elements without a TENS type, such as bfloat16, as unsigned integers of their size");
  app.add_option_function<unsigned>(
         "--level", [&frames](unsigned n) { frames.level = static_cast<zio::level>(n); }, "Level of the frame, 0 to 8")
      ->check(CLI::Range(0U, 8U).description(""))
      ->check(offered_words({"0", "1", "2", "3", "4", "5", "6", "7", "8"}))
      ->type_name("N");
  app.add_option("--form", frames.form, "Form of the frame, at most four bytes: TENS, FLOW or another one")
      ->check(CLI::Validator(
          [](std::string& text) {
            return text.size() > 4 ? "'" + text + "' is longer than four bytes" : std::string();
          },
          ""))
      ->check(offered_words({"TENS", "FLOW"}))
      ->type_name("FORM");
  add_header_option(app, "--origin", frames.origin, "Number of the sender");
  add_header_option(app, "--granule", frames.granule, "Time in microseconds since 1970");
  add_header_option(app, "--seqno", frames.seqno, "Sequence number of the first frame; following frames count up");
  add_decode_limits(app, run, decoding_verb::messages);
  add_output_options(app, given->output);
  add_dry_run(app, given->output);
  app.add_flag("-j,--json", given->json, "Report the output as one JSON object for each frame");
  return [given, &run] { run_tens_export(*given, run); };
}

}  // namespace tgmap::cli
