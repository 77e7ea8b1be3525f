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

namespace tgmap::cli {

namespace {

/// A `sound_filter` checks messages and objects before they are copied. A damaged one ends the run, or is left out and
/// counted.
class sound_filter {
 public:
  enum class mode : std::uint8_t { off, verify, leave_out };

  sound_filter(mode how, session& run) : mode_(how), run_(run) {}

  bool leaves_out() const noexcept { return mode_ == mode::leave_out; }

  enum class verdict : std::uint8_t { copy, leave_out, stop };
  /// Checks a message, or one object of it, and reports a problem.
  verdict check(const target&, const message&, std::optional<std::size_t> object);

  /// Counts and reports messages whose keys or objects cannot be read.
  void leave_out(const target&, const tally&);

  std::uint64_t left_out() const noexcept { return mismatches_ + unreadable_; }

  /// Prints how many were left out, and how many have no hash. `what` is "message" or "object".
  void report(const std::string& output, std::string_view what) const;

 private:
  void report(const target&, const message&, const failure&);

  const mode mode_;
  session& run_;
  edit::hash_check hashes_;
  std::uint64_t mismatches_ = 0, unreadable_ = 0;
};

constexpr std::uint64_t problems_listed = 10;  // later ones are only counted

sound_filter::verdict sound_filter::check(const target& what, const message& m, std::optional<std::size_t> object) {
  if (mode_ == mode::off || m.is_incomplete()) return verdict::copy;  // incomplete messages are reported elsewhere
  failure why = object ? hashes_.check(what.file, m, *object) : hashes_.check(what.file, m);
  if (!why && leaves_out()) why = edit::check_readable(m, object);
  if (!why) return verdict::copy;
  if (object && !is_hash_mismatch(why)) why.object = *object;
  if (!leaves_out()) {
    run_.report.failed_at(address_text(what.file, m, why), what.file, failure_in(m, why));
    return verdict::stop;
  }
  report(what, m, why);
  ++(is_hash_mismatch(why) ? mismatches_ : unreadable_);
  return verdict::leave_out;
}

void sound_filter::report(const target& what, const message& m, const failure& why) {
  run_.report.mark_damaged();
  if (left_out() < problems_listed)
    run_.report.say(
        fmt::format("{}: left out: {}", address_text(what.file, m, why), text_without_address(failure_in(m, why))));
}

void sound_filter::leave_out(const target& what, const tally& sum) {
  for (const auto& [m, why] : sum.problems) report(what, m, why);
  if (sum.problem_count != 0) run_.report.mark_damaged();
  unreadable_ += sum.problem_count;
}

void sound_filter::report(const std::string& output, std::string_view what) const {
  report_unverified(hashes_, run_);
  if (left_out() == 0) return;
  std::string causes;
  if (mismatches_ != 0) causes = fmt::format("{} with a hash that does not match", mismatches_);
  if (unreadable_ != 0) causes += fmt::format("{}{} that cannot be read", causes.empty() ? "" : ", ", unreadable_);
  run_.report.say(fmt::format("{}: {} left out: {}", output, count_text(left_out(), what), causes));
}

struct copy_options {
  std::vector<std::string> files;  ///< the last one is the output
  selection_options chosen;
  output_options outputs;
  bool verify = false, sound = false;
  on_mismatch damaged = on_mismatch::refuse;  ///< metadata of messages of which some objects are copied
  bool json = false;

  sound_filter::mode filter() const {
    return sound ? sound_filter::mode::leave_out : verify ? sound_filter::mode::verify : sound_filter::mode::off;
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
        filter_(given.filter(), run),
        run_(run) {}

  archive open(const target& what) {
    const bool in_order = given_.chosen.sort.empty();
    if (in_order) objects_.flush();
    return outputs_.open(what, in_order);
  }

  bool take(const target& what, const message& m, key_lookup& keys, std::optional<std::size_t> object) {
    switch (filter_.check(what, m, object)) {
      case sound_filter::verdict::copy: break;
      case sound_filter::verdict::leave_out: return true;
      case sound_filter::verdict::stop: outputs_.refuse(); return false;
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

  sound_filter& filter() noexcept { return filter_; }

  void finish(std::string_view wanted) {
    objects_.flush();
    damage_.finish(given_.files.back());
    filter_.report(given_.files.back(), wanted);
    if (filter_.left_out() != 0 && outputs_.messages().messages() == 0)
      throw cli_error(fmt::format("no {} is left; nothing was written", wanted), "get the input again from its source");
    outputs_.finish(given_.files.back(), given_.json, wanted);
  }

 private:
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
  sound_filter filter_;
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
  const auto leave_out = [&](const target& what, const tally& sum) { copier.filter().leave_out(what, sum); };
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
