// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <deque>
#include <memory>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <tgmap/write/writer.hpp>
#include <vector>

#include "cli/app/cli_error.hpp"
#include "cli/app/progress.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/damaged_content.hpp"
#include "cli/input/selection.hpp"
#include "cli/input/selector.hpp"
#include "cli/options/layout_options.hpp"
#include "cli/output/output_options.hpp"
#include "cli/print/human_numbers.hpp"
#include "cli/print/json.hpp"
#include "edit/output/output_set.hpp"
#include "edit/output/output_sink.hpp"
#include "edit/stored_objects.hpp"

namespace tgmap::cli {

namespace {

/// The value that wins if several messages have the same key. With `error`, values must be equal.
enum class merge_strategy : std::uint8_t { first, last, error };

/// A `merged_message` collects objects of many messages for one new message. Payloads are not encoded again.
class merged_message {
 public:
  explicit merged_message(merge_strategy strategy) : strategy_(strategy) {}

  /// Adds an object. Lifetime: borrows from the archive of the message, and from `file`, its name.
  void add(const std::string& file, const message& from, std::size_t j) { objects_.push_back({&file, from, j}); }

  /// Adds message-wide keys of a message. Errors: throws cli_error for a conflict with `merge_strategy::error`;
  /// tgmap::error.
  void add_keys(const cbor_value&);

  std::size_t objects() const noexcept { return objects_.size(); }
  std::size_t messages() const noexcept { return messages_; }  ///< number of calls of `add_keys`

  /// Returns the wire version of the result: 3 if any object has version 3, or if there are no objects.
  int version() const noexcept;

  /// Builds the message. Upgrades objects of version 2 if the result has version 3. A result of version 2 keeps the
  /// provenance of a message with szip objects, which readers need (Spec: §7.4). Either all objects have a hash or
  /// none. `damage` treats objects that get a new hash and do not have the old one. Errors: throws cli_error,
  /// tgmap::error.
  new_message build(damage_check& damage) const;

 private:
  struct origin {
    const std::string* file;
    message from;
    std::size_t object;
  };
  merge_strategy strategy_;
  std::vector<origin> objects_{};
  cbor_value extra_ = cbor_value::map();
  std::size_t messages_ = 0;
};

void merged_message::add_keys(const cbor_value& added) {
  ++messages_;
  if (strategy_ == merge_strategy::last) return extra_.update(added);
  if (strategy_ == merge_strategy::error)
    added.view().visit([&](cbor_view key, cbor_view value) {
      const auto name = key.get<std::string_view>().value_or(std::string_view());
      const auto existing = extra_.view().find(name);
      if (existing && !std::ranges::equal(existing->bytes(), value.bytes()))
        throw cli_error("conflicting values for key '" + std::string(name) + "'",
                        "use --strategy first or last to resolve");
      return true;
    });
  cbor_value joined = added;
  joined.update(extra_);
  extra_ = std::move(joined);
}

int merged_message::version() const noexcept {
  const auto is_version_3 = [](const origin& each) { return each.from.version() == 3; };
  return objects_.empty() || std::any_of(objects_.begin(), objects_.end(), is_version_3) ? 3 : 2;
}

new_message merged_message::build(damage_check& damage) const {
  new_message out;
  out.extra = extra_;
  out.objects.reserve(objects_.size());
  const int wire = version();
  // Readers only trust the hashes of a message if every object has one.
  const auto has_hash = [wire](const origin& each) {
    return each.from.version() != wire || each.from[each.object].stored_hash().has_value();
  };
  const bool hashes = std::any_of(objects_.begin(), objects_.end(), has_hash);
  for (const origin& each : objects_) {
    if (each.from.version() != wire) {
      std::vector<failure> found;
      static_cast<void>(edit::check_hash(each.from[each.object], on_mismatch::take, found));
      for (const failure& mismatch : found) damage.accept(*each.file, each.from, mismatch);
    }
    // Its keys and payload were compared already.
    stored_object one = stored_object::of(each.from, each.object, wire, on_mismatch::take);
    const bool szip = wire == 2 && one.source && one.source->descriptor().compression == compression::szip;
    if (szip && !out.provenance) out.provenance = cbor_value::copy(each.from.provenance());
    if (hashes && !has_hash(each)) edit::unpack_frame(one);
    out.objects.emplace_back(std::move(one));
  }
  return out;
}

struct merge_options {
  std::vector<std::string> files;
  std::string output, strategy = "first";
  selection_options chosen;
  output_options outputs;
  on_mismatch damaged = on_mismatch::refuse;
  bool reproducible = false, json = false;
};

merge_strategy strategy_from(const std::string& strategy) {
  return strategy == "last"    ? merge_strategy::last
         : strategy == "error" ? merge_strategy::error
                               : merge_strategy::first;
}

/// Adds the selected objects and keys of one archive. Lifetime: the archive must live until everything is written.
void collect_objects(const target& what, const archive& from, const selector& chosen, merged_message& into,
                     damage_check& damage, session& run) {
  std::optional<std::uint64_t> last;  // offset of the message that was visited last
  stored_message frames;
  const auto take = [&](const message& m, key_lookup&, std::optional<std::size_t> object) {
    const bool is_first = std::exchange(last, m.offset()) != m.offset();
    if (m.is_incomplete()) {
      if (is_first) report_incomplete(m, what.file, run);
      return true;
    }
    if (is_first) {
      damage.load(what.file, m, {}, frames);
      into.add_keys(frames.content.extra);
    }
    if (object) return into.add(what.file, m, *object), true;
    for (std::size_t j = 0, count = m.size(); j < count; ++j) into.add(what.file, m, j);
    return true;
  };
  const tally sum = chosen.visit_all(what, from, run, take);
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
  progress_sink(edit::output_sink& to, progress_bar& bar) : to_(&to), bar_(&bar), begin_(to.bytes_written()) {}
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
  edit::output_sink* to_;
  progress_bar* bar_;
  std::uint64_t begin_;
};

void write_merged(const merged_message& all, const merge_options& given, edit::output_set::output& file,
                  damage_check& damage, session& run) {
  write_options how{.version = all.version()};
  if (given.reproducible) how.provenance = provenance::reproducible();
  const new_message made = all.build(damage);
  progress_bar bar(run, "writing " + given.output, frames_of(made));
  edit::output_sink to(file);
  progress_sink through(to, bar);
  failure why;
  writer(through, how).write(made, why);
  to.throw_if(why);
  to.finish();
}

void report_merged(const merged_message& all, const merge_options& given, std::uint64_t bytes, session& run) {
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
  damage_check damage(given.damaged, run);
  for (const target& each : targets)
    run.report.guard(each.file, [&] {
      collect_objects(each, archives.emplace_back(open_archive(each, run, lookup_for(given.damaged))), chosen, all,
                      damage, run);
    });
  if (run.report.status() == exit_status::failed)
    return run.report.hint(given.output + ": nothing was written because of the error above");
  run.report.guard(given.output, [&] {
    if (all.messages() == 0)
      throw cli_error("no message is selected; nothing was written", "run `tgmap ls` to list the contents");
    refuse_to_overwrite_in_place(targets, given.output);
    edit::output_set outputs = outputs_for(given.outputs, run);
    edit::output_set::output& file = outputs.open(given.output);
    write_merged(all, given, file, damage, run);
    damage.finish(given.output);
    outputs.commit();
    report_merged(all, given, file.bytes_written(), run);
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
  add_take_damaged(app, given->damaged);
  app.add_flag("--reproducible", given->reproducible, "Write no time and uuid: the same input gives the same bytes");
  add_output_options(app, given->outputs);
  add_write_index(app, given->outputs.write_index);
  add_dry_run(app, given->outputs);
  app.add_flag("-j,--json", given->json, "Print what was written, as one JSON object");
  return [given, &run] { run_merge(*given, run); };
}

}  // namespace tgmap::cli
