// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <tgmap/tools/explain.hpp>
#include <tgmap/tools/self_test.hpp>

#include "cli/app/cli_error.hpp"
#include "cli/command/verb.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/file_list.hpp"
#include "cli/input/selection.hpp"
#include "cli/input/target.hpp"
#include "cli/print/json.hpp"
#include "cli/verbs/examine/explain/explain_selection.hpp"
#include "cli/verbs/examine/explain/print_access.hpp"
#include "core/text/escape.hpp"
#include "reports/access_json.hpp"

namespace tgmap::cli {

namespace {

struct explain_options {
  std::vector<std::string> files;
  std::string lookup = "index";
  selection_options chosen{};
  bool json = false;

  open_options opening(const session& run) const {
    return {.io = run.io,
            .damage = on_damage::skip,
            .lookup = lookup == "walk" ? object_lookup::walk : object_lookup::index,
            .index = run.index,
            .index_cache = run.index_cache};
  }
};

/// Explains the sample message first, since code is slower when it runs for the first time.
void warm_up(const open_options& how) {
  const int file = ::memfd_create("tgmap", MFD_CLOEXEC);
  if (file < 0) return;
  failure ignored;
  if (write_all(file, sample_message()))
    explain_access(fmt::format("/proc/self/fd/{}", file), {.message = 0, .object = 0}, how, ignored);
  ::close(file);
}

access_target access_target_of(const target& t) {
  if (t.file == "-") throw usage_error("explain cannot read standard input; name a file");
  if (!t.one_message() || (t.objects && !t.objects->single))
    throw usage_error("explain takes one message or object, such as " + t.file + ":0 or " + t.file + ":0:0");
  access_target out{.offset = t.offset};
  if (t.messages) out.message = t.messages->begin.value_or(0);
  if (t.objects) out.object = t.objects->begin;
  return out;
}

bool is_index_error(const failure& why) {
  return why.code.category() == category() && why.code.value() >= static_cast<int>(errc::bad_index) &&
         why.code.value() <= static_cast<int>(errc::index_length_mismatch);
}

/// Returns the target of the only message of a file.
target only_message(const target& file, session& run) {
  const archive in = open_archive(file, run);
  failure why;
  if (static_cast<void>(in.at(1, why)); why.code != make_error_code(errc::out_of_range))
    throw cli_error("has several messages",
                    "name a message or an object, for example " + file.file + ":0 or " + file.file + ":0:0");
  target out = file;
  out.messages = number_range{.begin = 0};
  return out;
}

void explain_target(const explain_options& given, const target& named, session& run) {
  failure why;
  const target t = named.whole_file() && named.file != "-" ? only_message(named, run) : named;
  const open_options how = given.opening(run);
  const access_report what = explain_access(t.file, access_target_of(t), how, why);
  if (why && is_index_error(why) && how.lookup == object_lookup::index)
    return run.report.failed(address_of(t.file, why), why.message ? text_without_address(why) : why.text(),
                             "add --lookup walk to find the objects without the index");
  if (why) return run.report.failed(t.file, why);
  if (given.json)
    run.out.write(json_line(reports::to_json(t.file, what)));
  else
    print_access(what, run.out);
  if (what.is_damaged) report_damage(t.file, run);
}

/// Refuses targets that cannot be explained, before anything is printed.
void check_targets(const explain_options& given, const std::vector<target>& targets) {
  const bool explains_selection = !given.chosen.clauses.empty();
  if (given.chosen.objects && !explains_selection) throw usage_error("--objects goes with --where");
  for (const target& t : targets) {
    if (explains_selection && !t.whole_file())
      throw usage_error("explain takes a whole file with --where, such as " + t.file);
    if (!explains_selection && (!t.whole_file() || t.file == "-")) access_target_of(t);
  }
}

void run_explain(const explain_options& given, session& run) {
  const auto targets = parse_targets(given.files);
  check_targets(given, targets);
  const selection wanted = given.chosen.compiled();
  if (wanted.selects_all()) warm_up(given.opening(run));
  for (const target& t : targets) {
    const bool many = targets.size() > 1 && !given.json;
    if (many) run.out.write(fmt::format("{}{}:\n", &t == &targets.front() ? "" : "\n", core::escaped(t.file)));
    run.report.guard(t.file, [&] {
      if (wanted.selects_all()) return explain_target(given, t, run);
      explain_selection(t, wanted, given.chosen, given.json, run);
    });
  }
}

}  // namespace

action declare_explain(CLI::App& app, session& run) {
  const auto given = std::make_shared<explain_options>();
  CLI::Option* const files =
      app.add_option("FILE", given->files, "FILE:MESSAGE, FILE:MESSAGE:OBJECT, FILE@OFFSET or FILE@OFFSET:OBJECT")
          ->required()
          ->type_name("");
  add_file_lists(app, *files, given->files);
  app.add_option("--lookup", given->lookup, "How to find objects: by the index if there is one, or frame by frame")
      ->check(CLI::IsMember({"index", "walk"}))
      ->type_name("WAY");
  add_where(app, given->chosen);
  app.add_flag("--objects", given->chosen.objects, "With --where: explain a selection of objects instead of messages");
  app.add_flag("-j,--json", given->json, "Print one JSON object per target, one per line");
  return [given, &run] { run_explain(*given, run); };
}

}  // namespace tgmap::cli
