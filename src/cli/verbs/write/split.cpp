// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <tgmap/write/writer.hpp>

#include "cli/app/cli_error.hpp"
#include "cli/command/verb.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/copy_input.hpp"
#include "cli/input/damaged_content.hpp"
#include "cli/input/required_keys.hpp"
#include "cli/input/selection.hpp"
#include "cli/options/option_checks.hpp"
#include "cli/output/copy_outputs.hpp"
#include "cli/output/name_template.hpp"
#include "cli/output/output_options.hpp"
#include "cli/print/human_numbers.hpp"
#include "cli/print/json.hpp"
#include "core/seeded_hash.hpp"
#include "edit/output/file_template.hpp"
#include "edit/output/output_set.hpp"
#include "edit/output/output_sink.hpp"
#include "edit/output/range_copier.hpp"

namespace tgmap::cli {

namespace {

constexpr const char* nothing_written = ": nothing was written because of the error above";

struct split_options {
  std::string from, to, keys;
  std::uint64_t count = 0, bytes = 0;  ///< 0: not given
  selection_options chosen;
  output_options outputs;
  on_mismatch damaged = on_mismatch::refuse;  ///< content of messages that are divided
  bool json = false;
};

/// Writes each object as a message in its own file.
class object_splitter {
 public:
  object_splitter(const target& from, const edit::file_template& names, const output_options& how, on_mismatch damaged,
                  session& run)
      : names_(names),
        makes_folders_(names.makes_folders()),
        archive_(from.file),
        how_(how),
        run_(run),
        source_(from, run, lookup_for(damaged)),
        damage_(damaged, run),
        outputs_(outputs_for(how, run)) {}

  archive from() const { return source_.opened(); }

  bool take(const target& what, const message& m, key_lookup& keys) {
    if (m.is_incomplete()) {
      report_incomplete(m, what.file, run_);
    } else if (m.size() < 2) {
      edit::output_set::output& to = next_file(keys);
      copier_.copy(source_.source(), m.offset(), m.length(), to);
      copier_.finish();
      add_to_report(to);
    } else {
      damage_.load(archive_, m, parts_);
      for (std::size_t j = 0; j < parts_.content.objects.size(); ++j) put(m, j);
    }
    return run_.report.status() != exit_status::failed;
  }

  void finish(const std::string& file, bool as_json) {
    if (run_.report.status() == exit_status::failed) return run_.report.hint(file + nothing_written);
    if (count_ == 0)
      throw cli_error("no message is selected; nothing was written", "run `tgmap ls` to list the contents");
    damage_.finish(archive_);
    outputs_.commit();
    // The text of the reference implementation.
    run_.out.write(as_json ? report_ : fmt::format("Split into {} message(s){}\n", count_, not_written(how_.dry_run)));
  }

 private:
  edit::output_set::output& next_file(key_lookup& keys) {
    return outputs_.open_distinct(names_.name_for(keys, {count_++, archive_}), makes_folders_);
  }

  void put(const message& m, std::size_t j) {
    key_lookup keys(m, m[j]);
    edit::output_set::output& to = next_file(keys);
    new_message one;
    one.objects.push_back(std::move(parts_.content.objects[j]));
    one.extra = parts_.content.extra;
    one.provenance = parts_.content.provenance;
    edit::output_sink sink(to);
    failure why;
    writer(sink, parts_.options).write(one, why);
    sink.throw_if(why);
    sink.finish();
    add_to_report(to);
  }

  void add_to_report(const edit::output_set::output& file) {
    report_ += json_line({{"output", file.name()}, {"messages", 1}, {"bytes", file.bytes_written()}});
  }

  edit::file_names names_;
  bool makes_folders_;
  std::string archive_;
  const output_options& how_;
  session& run_;
  const copy_input source_;
  damage_check damage_;
  edit::output_set outputs_;
  edit::range_copier copier_{};
  stored_message parts_{};
  std::uint64_t count_ = 0;
  std::string report_{};
};

/// Writes every object of the selected messages to a file, as a message with the message-wide keys. Objects are not
/// decoded; messages with fewer than two objects are copied byte for byte.
void split_objects(const target& from, const edit::file_template& names, const split_options& given, session& run) {
  std::optional<object_splitter> splitter;
  run.report.guard(from.file, [&] { splitter.emplace(from, names, given.outputs, given.damaged, run); });
  if (!splitter) return run.report.hint(given.to + nothing_written);
  const auto take = [&](const target& what, const message& m, key_lookup& keys, auto) {
    return splitter->take(what, m, keys);
  };
  for_each_selected({from}, given.chosen, run, take, [&](const target&) { return splitter->from(); });
  run.report.guard(given.to, [&] { splitter->finish(given.to, given.json); });
}

/// Assigns a file number to each message, from 0 in order of first use.
class file_divider {
 public:
  explicit file_divider(const split_options& given)
      : count_(given.count),
        bytes_(given.bytes),
        keys_(given.keys.empty() ? std::vector<metadata_key>() : parse_keys(given.keys)) {}

  std::uint64_t file_for(const message& m, key_lookup& in) {
    if (!keys_.empty()) return file_for_keys(in);
    if (files_begun_ == 0 || !room_for(m)) {
      ++files_begun_;
      messages_in_file_ = bytes_in_file_ = 0;
    }
    ++messages_in_file_;
    bytes_in_file_ += m.length();
    return files_begun_ - 1;
  }

 private:
  bool room_for(const message& m) const {
    return count_ != 0 ? messages_in_file_ < count_ : bytes_in_file_ <= bytes_ && m.length() <= bytes_ - bytes_in_file_;
  }

  std::uint64_t file_for_keys(key_lookup& in) {
    return files_.emplace(group_key(keys_, in), files_.size()).first->second;
  }

  std::uint64_t count_, bytes_;
  std::vector<metadata_key> keys_;
  core::text_map<std::uint64_t> files_{};
  std::uint64_t files_begun_ = 0, messages_in_file_ = 0, bytes_in_file_ = 0;
};

/// Returns the names of the files: in a folder, the archive's name with a number, or with the values of --by.
edit::file_template split_names(const split_options& given) {
  constexpr std::string_view extension = ".tgm";
  edit::file_template out = parse_template(given.to);
  if (!out.is_folder())
    out.add_index();
  else if (given.keys.empty())
    out.add_numbered_name(extension);
  else
    out.add_name_with_keys(parse_keys(given.keys), extension);
  return out;
}

void run_split(const split_options& given, session& run) {
  const target from = parse_target(given.from);
  if (from.objects) throw usage_error("split takes whole messages; leave the objects out of the address");
  if (is_standard_output(given.to))
    throw usage_error("split writes several files", "name them with -o, or use `tgmap copy FILE -`");
  const edit::file_template names = split_names(given);
  const bool objects = given.count == 0 && given.bytes == 0 && given.keys.empty();
  const auto by = given.keys.empty() ? std::vector<metadata_key>() : parse_keys(given.keys);
  require_keys({{.option = "--by", .keys = by},
                {.option = fmt::format("'{}'", given.to), .keys = names.keys(), .of_objects = objects}},
               {from}, given.chosen, run);
  if (objects) return split_objects(from, names, given, run);
  file_divider divide(given);
  std::vector<std::string> files;  // named after the first message of each
  edit::file_names given_names(names);

  copy_outputs outputs(given.outputs, run);
  const auto open = [&](const target& what) { return outputs.open(what, true); };
  const auto take = [&](const target& what, const message& m, key_lookup& keys, auto) {
    const std::uint64_t number = divide.file_for(m, keys);
    if (number == files.size()) files.push_back(given_names.name_for(keys, {number, from.file}));
    outputs.add(what, m, files[static_cast<std::size_t>(number)], names.makes_folders());
    return outputs.can_continue();
  };
  for_each_selected({from}, given.chosen, run, take, open);
  run.report.guard(given.to, [&] { outputs.finish(given.to, given.json); });
}

}  // namespace

action declare_split(CLI::App& app, session& run) {
  const auto given = std::make_shared<split_options>();
  given->outputs.takes_folder = true;
  app.add_option("FILE", given->from, "FILE, or some of its messages such as FILE:2..5; - is standard input")
      ->required()
      ->type_name("");
  app.add_option(
         "-o,--output", given->to,
         "Names of the files: [index] is their number from 0000, by default before the extension; [KEY] is a value "
         "of the first message; out/ is a folder for names such as FILE_0000.tgm")
      ->required()
      ->type_name("NAME");
  const auto count = app.add_option("--count", given->count, "Number of messages in each file")
                         ->check(integer_from(1))
                         ->type_name("N");
  const auto size = app.add_option("--size", given->bytes,
                                   "Maximum size of each file, such as 64MiB; a larger message gets its own file")
                        ->transform(size_in_bytes())
                        ->type_name("BYTES")
                        ->excludes(count);
  app.add_option("--by", given->keys, "Write one file per value of these keys, comma-separated")
      ->check(non_empty_keys())
      ->type_name("KEYS")
      ->excludes(count)
      ->excludes(size);
  add_where(app, given->chosen);
  add_take_damaged(app, given->damaged,
                   "With an object in each file: accept metadata and indexes whose hash does not match");
  add_output_options(app, given->outputs);
  add_write_index(app, given->outputs.write_index);
  add_dry_run(app, given->outputs);
  app.add_flag("-j,--json", given->json, "Print what was written, one JSON object per file");
  return [given, &run] { run_split(*given, run); };
}

}  // namespace tgmap::cli
