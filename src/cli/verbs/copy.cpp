// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/app/cli_error.hpp"
#include "cli/input/overwrite_check.hpp"
#include "cli/input/selection.hpp"
#include "cli/output/file_template.hpp"
#include "cli/output/message_outputs.hpp"

namespace tgmap::cli {

namespace {

struct copy_options {
  std::vector<std::string> files;  ///< the last one is the output
  selection_options chosen;
  output_options outputs;
  bool json = false;
};

/// Copies what is selected: whole messages, or objects picked out of them.
class message_copier {
 public:
  message_copier(const copy_options& given, const file_template& names, session& run)
      : given_(given), names_(names), file_names_(names), outputs_(given.outputs, run), picked_(outputs_, run) {}

  archive open(const target& what) {
    const bool in_order = given_.chosen.sort.empty();
    if (in_order) picked_.flush();
    return outputs_.open(what, in_order);
  }

  bool take(const target& what, const message& m, key_lookup& keys, std::optional<std::size_t> object) {
    const std::string& to = given_.files.back();
    const std::uint64_t taken = object ? picked_.objects() : outputs_.messages();
    const std::string& name = names_.several() ? file_names_.name_for(keys, taken) : to;
    if (object) {
      picked_.add(what, m, *object, name, names_.several());
    } else {
      picked_.flush();
      outputs_.add(what, m, name, names_.several());
    }
    return outputs_.can_continue();
  }

  void finish(std::string_view wanted) {
    picked_.flush();
    outputs_.finish(given_.files.back(), given_.json, wanted);
  }

 private:
  const copy_options& given_;
  const file_template& names_;
  file_names file_names_;
  message_outputs outputs_;
  object_outputs picked_;
};

void run_copy(const copy_options& given, session& run) {
  if (given.files.size() < 2) throw usage_error("copy needs an archive, and a file to write");
  const std::string& to = given.files.back();
  const std::vector<target> from = parse_targets({given.files.begin(), given.files.end() - 1});
  const file_template names(to);
  if (given.json && is_standard_output(to)) throw usage_error("--json and messages cannot both go to standard output");

  bool harmless = false;
  run.report.guard(to, [&] {
    refuse_to_overwrite_in_place(from, to);
    harmless = true;
  });
  if (!harmless) return;

  message_copier all(given, names, run);
  const auto take = [&](const target& what, const message& m, key_lookup& keys, std::optional<std::size_t> object) {
    return all.take(what, m, keys, object);
  };
  for_each_selected(from, given.chosen, run, take, [&](const target& what) { return all.open(what); });
  const bool objects = given.chosen.objects ||
                       std::any_of(from.begin(), from.end(), [](const target& t) { return t.objects.has_value(); });
  run.report.guard(to, [&] { all.finish(objects ? "object" : "message"); });
}

}  // namespace

action declare_copy(CLI::App& app, session& run) {
  const auto given = std::make_shared<copy_options>();
  app.add_option(
         "FILE", given->files,
         std::string("What to copy: ") + target_forms +
             ", - is standard input. The last FILE is the output: a name, - for standard output, or a name with "
             "keys such as out/[mars.param].tgm for a file per value")
      ->required()
      ->type_name("");
  add_selection(app, given->chosen);
  app.add_flag("--objects", given->chosen.objects,
               "Select objects instead of messages; each message keeps its selected objects");
  add_output_options(app, given->outputs);
  add_dry_run(app, given->outputs);
  app.add_flag("-j,--json", given->json, "Print what was written, one JSON object per file");
  return [given, &run] { run_copy(*given, run); };
}

}  // namespace tgmap::cli
