// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "cli/app/cli_error.hpp"
#include "cli/input/archives.hpp"
#include "cli/print/progress.hpp"
#include "cli/verbs/index/index.hpp"

namespace tgmap::cli {

namespace {

struct index_create_options {
  index_targets targets;
  output_options output;
  std::vector<std::string> keys;
  bool only_keys = false;
};

/// Allows that an index is replaced, but no other file.
void require_replaceable(const std::string& index) {
  failure why;
  describe_index(index, why);
  if (!why || why.code.category() == std::system_category() || why.code == make_error_code(errc::index_damaged) ||
      why.code == make_error_code(errc::unknown_index_version))
    return;
  throw cli_error("exists, and is not an index", "choose another file with --index, or remove it first", index);
}

void create(const index_create_options& given, const std::string& file, session& run) {
  const archive from = open_archive({.file = file}, run);
  std::string index;
  index_summary made;
  {
    progress_bar bar(run, file, from.size_bytes());
    const index_options options{
        .progress = bar.callback(), .keys = given.keys, .default_keys = !given.only_keys, .executor = &run.workers()};
    if (run.index_cache) {
      cached_index out = create_cached_index(from, options);
      if (out.path.empty()) throw cli_error("has no messages; there is nothing to index", "wait for its writer");
      index = out.path.string();
      made = std::move(out.summary);
    } else {
      index = find_index(given.targets, run, file);
      require_replaceable(index);
      made = write_index(index, given.output, run,
                         [&](sink& to, failure& why) { return create_index(from, to, options, why); });
    }
  }
  print_summary(given.targets, run, {.file = file, .index = index, .state = "created", .is_current = made.is_stamped},
                made);
  print_columns(given.targets, made.columns, run.out);
  report_rest(run, file, from, made);
  report_unstamped(run, file, made);
}

/// Says which key cannot have a column.
void create_or_name_key(const index_create_options& given, const std::string& file, session& run) try {
  create(given, file, run);
} catch (const error& why) {
  if (why.code() != make_error_code(errc::bad_key)) throw;
  throw usage_error("--key '" + given.keys.at(static_cast<std::size_t>(why.details().found)) +
                        "': there can be no column of this key",
                    "name a key of metadata, such as mars.param, without brackets, @ and extra.");
}

}  // namespace

action declare_index_create(CLI::App& app, session& run) {
  const auto given = std::make_shared<index_create_options>();
  add_index_targets(app, run, given->targets);
  app.add_option("-k,--key", given->keys,
                 "Make a column of this key, too, whatever values it has; several times for several keys")
      ->allow_extra_args(false)
      ->type_name("KEY");
  app.add_flag("--only-keys", given->only_keys, "Make columns of the keys of --key alone");
  app.add_flag("--no-sync", given->output.no_sync, "Do not wait until the index is on the disk");
  return [given, &run] {
    for_each_archive(given->targets, run, [&](const std::string& file) { create_or_name_key(*given, file, run); });
  };
}

}  // namespace tgmap::cli
