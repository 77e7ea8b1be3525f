// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cli/app/cli_error.hpp"
#include "cli/command/verb.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/damaged_content.hpp"
#include "cli/input/required_keys.hpp"
#include "cli/input/selection.hpp"
#include "cli/options/option_checks.hpp"
#include "cli/output/copy_outputs.hpp"
#include "cli/output/name_template.hpp"
#include "cli/output/output_options.hpp"
#include "cli/print/human_numbers.hpp"
#include "edit/output/file_divider.hpp"
#include "edit/output/file_template.hpp"

namespace tgmap::cli {

namespace {

struct split_options {
  std::string from, to, keys;
  std::uint64_t count = 0, bytes = 0;  ///< 0: not given
  selection_options chosen;
  output_options outputs;
  on_mismatch damaged = on_mismatch::refuse;  ///< content of messages that are divided
  bool json = false;
};

/// Writes every object of the selected messages to a file, as a message with the message-wide keys. Objects are not
/// decoded; messages with fewer than two objects are copied byte for byte.
void split_objects(const target& from, const edit::file_template& names, const split_options& given, session& run) {
  copy_outputs outputs(given.outputs, run, lookup_for(given.damaged));
  damage_check damage(given.damaged, run);
  edit::object_outputs objects(
      outputs.messages(),
      {.damage = [&](const copy_source& of, const message& m, const failure& why) { damage.accept(of.name, m, why); }});
  edit::file_names given_names(names);
  std::uint64_t count = 0;
  const auto name = [&](key_lookup& keys) -> const std::string& {
    return given_names.name_for(keys, {count++, from.file});
  };
  const auto take = [&](const target& what, const message& m, key_lookup& keys, auto) {
    if (m.is_incomplete())
      report_incomplete(m, what.file, run);
    else
      objects.add_each(outputs.source(what), m, keys, name, names.makes_folders());
    return outputs.can_continue();
  };
  for_each_selected({from}, given.chosen, run, take, [&](const target& what) { return outputs.open(what, true); });
  run.report.guard(from.file, [&] { outputs.messages().finish(); });
  run.report.guard(given.to, [&] {
    if (outputs.can_continue()) damage.finish(from.file);
    if (!outputs.commit(given.to)) return;
    if (given.json) return outputs.report(true);
    // The text of the reference implementation.
    run.out.write(fmt::format("Split into {} message(s){}\n", count, not_written(given.outputs.dry_run)));
  });
}

void run_split(const split_options& given, session& run) {
  const target from = parse_target(given.from);
  if (from.objects) throw usage_error("split takes whole messages; leave the objects out of the address");
  if (is_standard_output(given.to))
    throw usage_error("split writes several files", "name them with -o, or use `tgmap copy FILE -`");
  edit::file_template names = parse_template(given.to);
  const auto by = given.keys.empty() ? std::vector<metadata_key>() : parse_keys(given.keys);
  names.add_part_names(by, ".tgm");
  const bool objects = given.count == 0 && given.bytes == 0 && given.keys.empty();
  require_keys({{.option = "--by", .keys = by},
                {.option = fmt::format("'{}'", given.to), .keys = names.keys(), .of_objects = objects}},
               {from}, given.chosen, run);
  if (objects) return split_objects(from, names, given, run);
  edit::file_divider divide({.messages = given.count, .bytes = given.bytes, .keys = by});
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
  run.report.guard(given.to, [&] {
    if (outputs.commit(given.to)) outputs.report(given.json);
  });
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
