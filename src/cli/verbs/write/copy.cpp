// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tgmap/message.hpp>

#include "cli/app/cli_error.hpp"
#include "cli/app/session.hpp"
#include "cli/command/verb.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/damaged_content.hpp"
#include "cli/input/file_list.hpp"
#include "cli/input/hash_mismatch.hpp"
#include "cli/input/required_keys.hpp"
#include "cli/input/selection.hpp"
#include "cli/input/selector.hpp"
#include "cli/input/target.hpp"
#include "cli/output/copy_outputs.hpp"
#include "cli/output/name_template.hpp"
#include "cli/output/output_options.hpp"
#include "cli/print/human_numbers.hpp"
#include "edit/output/file_template.hpp"
#include "edit/sound_filter.hpp"

namespace tgmap::cli {

namespace {

constexpr std::uint64_t problems_listed = 10;  // later ones are only counted

struct copy_options {
  std::vector<std::string> files;  ///< the last one is the output
  selection_options chosen;
  output_options outputs;
  bool verify = false, sound = false;
  on_mismatch damaged = on_mismatch::refuse;  ///< metadata of messages of which some objects are copied
  bool json = false;

  edit::sound_rule rule() const {
    return sound ? edit::sound_rule::leave_out : verify ? edit::sound_rule::verify : edit::sound_rule::unchecked;
  }
};

/// Copies the selected messages, or the selected objects of messages.
class message_copier {
 public:
  message_copier(const copy_options& given, const edit::file_template& names, session& run)
      : given_(given),
        names_(names),
        file_names_(names),
        outputs_(given.outputs, run, lookup_for(given.damaged)),
        damage_(given.damaged, run),
        filter_(given.rule()),
        run_(run) {}

  archive open(const target& what) {
    const bool in_order = given_.chosen.sort.empty();
    if (in_order) objects_.flush();
    return outputs_.open(what, in_order);
  }

  bool take(const target& what, const message& m, key_lookup& keys, std::optional<std::size_t> object) {
    const std::uint64_t left_out = filter_.left_out();
    if (const failure why = filter_.check(what.file, m, object)) {
      if (filter_.leaves_out()) return report_damaged(what, m, why, left_out), true;
      run_.report.failed_at(address_text(what.file, m, why), what.file, failure_in(m, why));
      outputs_.refuse();
      return false;
    }
    const std::string& to = given_.files.back();
    const std::uint64_t taken = object ? objects_.objects() : outputs_.messages().messages();
    const std::string& name = names_.several() ? file_names_.name_for(keys, {taken, what.file}) : to;
    if (object) {
      objects_.add(outputs_.source(what), m, *object, name, names_.makes_folders());
    } else {
      objects_.flush();
      outputs_.add(what, m, name, names_.makes_folders());
    }
    return outputs_.can_continue();
  }

  /// Reports and counts messages whose keys or objects cannot be read.
  void leave_out(const target& what, const tally& sum) {
    for (const auto& [m, why] : sum.problems) report_damaged(what, m, why, filter_.left_out());
    if (sum.problem_count != 0) run_.report.mark_damaged();
    filter_.add_unreadable(sum.problem_count);
  }

  void finish(std::string_view wanted) {
    objects_.flush();
    damage_.finish(given_.files.back());
    report_left_out(wanted);
    if (filter_.left_out() != 0 && outputs_.messages().messages() == 0)
      throw cli_error(fmt::format("no {} is left; nothing was written", wanted), "get the input again from its source");
    if (outputs_.commit(given_.files.back(), wanted)) outputs_.report(given_.json);
  }

 private:
  /// Reports what is left out. `before` is the number of those that were left out before it.
  void report_damaged(const target& what, const message& m, const failure& why, std::uint64_t before) const {
    run_.report.mark_damaged();
    if (before < problems_listed)
      run_.report.say(
          fmt::format("{}: left out: {}", address_text(what.file, m, why), text_without_address(failure_in(m, why))));
  }

  /// Prints how many were left out, and how many have no hash.
  void report_left_out(std::string_view wanted) const {
    report_unverified(filter_.hashes(), run_);
    if (filter_.left_out() == 0) return;
    std::string causes;
    if (filter_.mismatches() != 0) causes = fmt::format("{} with a hash that does not match", filter_.mismatches());
    if (filter_.unreadable() != 0)
      causes += fmt::format("{}{} that cannot be read", causes.empty() ? "" : ", ", filter_.unreadable());
    run_.report.say(
        fmt::format("{}: {} left out: {}", given_.files.back(), count_text(filter_.left_out(), wanted), causes));
  }

  const copy_options& given_;
  const edit::file_template& names_;
  edit::file_names file_names_;
  copy_outputs outputs_;
  damage_check damage_;  ///< of metadata, which gets a new hash
  edit::object_outputs objects_{
      outputs_.messages(),
      {.damage = [this](const copy_source& of, const message& m,
                        const failure& why) { damage_.accept(of.name, m, why); },
       .left_out = [this](const copy_source& of, const message& m) { report_incomplete(m, of.name, run_); },
       .guard = [this](const copy_source& of,
                       const std::function<void()>& work) { run_.report.guard(of.name, work); }}};
  edit::sound_filter filter_;
  session& run_;
};

void run_copy(const copy_options& given, session& run) {
  if (given.files.size() < 2) throw usage_error("copy needs an archive, and a file to write");
  const std::string& to = given.files.back();
  const std::vector<target> from = parse_targets({given.files.begin(), given.files.end() - 1});
  edit::file_template names = parse_template(to);
  if (names.is_folder()) names.add_archive_name();
  if (given.json && is_standard_output(to)) throw usage_error("--json and messages cannot both go to standard output");

  bool is_safe = false;
  run.report.guard(to, [&] {
    refuse_to_overwrite_in_place(from, to);
    is_safe = true;
  });
  if (!is_safe) return;

  require_keys({{.option = fmt::format("'{}'", to), .keys = names.keys()}}, from, given.chosen, run);
  message_copier copier(given, names, run);
  const auto take = [&](const target& what, const message& m, key_lookup& keys, std::optional<std::size_t> object) {
    return copier.take(what, m, keys, object);
  };
  const auto leave_out = [&](const target& what, const tally& sum) { copier.leave_out(what, sum); };
  for_each_selected(
      from, given.chosen, run, take, [&](const target& what) { return copier.open(what); },
      given.sound ? problem_callback(leave_out) : problem_callback());
  const bool objects = given.chosen.objects ||
                       std::any_of(from.begin(), from.end(), [](const target& t) { return t.objects.has_value(); });
  run.report.guard(to, [&] { copier.finish(objects ? "object" : "message"); });
}

}  // namespace

action declare_copy(CLI::App& app, session& run) {
  const auto given = std::make_shared<copy_options>();
  given->outputs.takes_folder = true;
  CLI::Option* const files =
      app.add_option("FILE", given->files,
                     std::string("What to copy: ") + target_forms +
                         ", - is standard input. The last FILE is the output: a name, - for standard output, a name "
                         "with keys such "
                         "as out/[mars.param].tgm for a file per value, or a folder, out/, for a file per archive")
          ->required()
          ->type_name("");
  add_file_lists(app, *files, given->files, file_place::before_output);
  add_selection(app, given->chosen);
  app.add_flag("--objects", given->chosen.objects,
               "Select objects instead of messages; each message keeps its selected objects");
  const auto verify = add_verify(app, given->verify, "of each message or object, and write nothing if any differs");
  const auto sound =
      app.add_flag("--sound", given->sound,
                   "Leave out messages, or objects, that cannot be read or whose hashes do not match the bytes");
  add_take_damaged(app, given->damaged,
                   "With some objects of a message: accept metadata and indexes whose hash does not match")
      ->excludes(verify)
      ->excludes(sound);
  add_output_options(app, given->outputs);
  add_write_index(app, given->outputs.write_index);
  add_dry_run(app, given->outputs);
  app.add_flag("-j,--json", given->json, "Print what was written, one JSON object per file");
  return [given, &run] { run_copy(*given, run); };
}

}  // namespace tgmap::cli
