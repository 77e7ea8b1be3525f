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

/// Calls the library, and says which key of the options cannot have a column.
template <class Make>
auto made_by(Make&& make, const index_options& options, failure& why) {
  auto out = make(why);
  if (why.code == make_error_code(errc::bad_key))
    throw usage_error(
        "--key '" + options.keys.at(static_cast<std::size_t>(why.found)) + "': there can be no column of this key",
        "name a key of metadata, such as mars.param, without brackets, @ and extra.");
  return out;
}

/// Writes the index to the cache folder, and returns its path.
std::string write_cached_index(const archive& from, const index_options& options, index_summary& made) {
  failure why;
  cached_index out = made_by([&](failure& failed) { return create_cached_index(from, options, failed); }, options, why);
  if (why) throw error(why);
  if (out.path.empty()) throw cli_error("has no messages; there is nothing to index", "wait for its writer");
  made = std::move(out.summary);
  return out.path.string();
}

void create(const index_create_options& given, const std::string& file, session& run) {
  const archive from = open_archive(whole_archive(file), run);
  std::string index;
  index_summary made;
  {
    progress_bar bar(run, file, from.size_bytes());
    const index_options options{.progress = [&](std::uint64_t done) { bar.update(done); },
                                .keys = given.keys,
                                .default_keys = !given.only_keys,
                                .executor = &run.workers()};
    if (run.index_cache) {
      index = write_cached_index(from, options, made);
    } else {
      index = find_index(given.targets, run, file);
      require_replaceable(index);
      made = write_index(index, given.output, run, [&](sink& to, failure& why) {
        return made_by([&](failure& failed) { return create_index(from, to, options, failed); }, options, why);
      });
    }
  }
  print_summary(given.targets, run, {.file = file, .index = index, .state = "created", .is_current = made.is_stamped},
                made);
  print_columns(given.targets, made.columns, run.out);
  report_rest(run, file, from, made);
  report_unstamped(run, file, made);
}

void run_create(const index_create_options& given, session& run) {
  check_index_targets(given.targets, run);
  run.index = index_use::none;
  for (const std::string& file : given.targets.files) run.report.guard(file, [&] { create(given, file, run); });
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
  return [given, &run] { run_create(*given, run); };
}

}  // namespace tgmap::cli
