// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string_view>
#include <tgmap/tools/disk_usage.hpp>

#include "cli/app/cli_error.hpp"
#include "cli/command/verb.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/file_list.hpp"
#include "cli/input/required_keys.hpp"
#include "cli/input/selection.hpp"
#include "cli/input/selector.hpp"
#include "cli/input/target.hpp"
#include "cli/print/json.hpp"
#include "cli/print/table.hpp"
#include "core/text/escape.hpp"
#include "reports/survey_json.hpp"

namespace tgmap::cli {

namespace {

struct du_options {
  std::vector<std::string> files;
  std::string key;
  selection_options chosen;
  bool json = false;
};

template <class Share>
using shares = std::map<std::string, Share>;

/// The rows of one target.
class usage_table {
 public:
  usage_table(std::uint64_t all, output& out)
      : all_(all),
        rows_(out, {{"by", side::left},
                    {"bytes", side::right},
                    {"share", side::right},
                    {"count", side::right},
                    {"decoded", side::right},
                    {"ratio", side::right},
                    {"what", side::left}}) {}

  void add(std::string_view by, const std::string& what, const part_usage& part) { add(by, what, part, {}, {}); }
  void add(std::string_view by, const std::string& what, const object_usage& part) {
    const auto ratio = part.ratio();
    add(by, what, part, std::to_string(part.decoded), ratio ? fmt::format("{:.2f}", *ratio) : "");
  }
  template <class Share>
  void add_all(std::string_view by, const shares<Share>& of) {
    for (const auto& [name, part] : reports::ranked(of)) add(by, name, part);
  }

  void finish() {
    rows_.row({"total", std::to_string(all_), "", "", "", "", ""});
    rows_.finish();
  }

 private:
  using side = table::align;

  void add(std::string_view by, const std::string& what, const part_usage& part, std::string decoded,
           std::string ratio) {
    const double percent = all_ == 0 ? 0 : 100 * static_cast<double>(part.bytes) / static_cast<double>(all_);
    rows_.row({core::escaped(by), std::to_string(part.bytes), fmt::format("{:.1f}%", percent),
               std::to_string(part.count), std::move(decoded), std::move(ratio), core::escaped(what)});
  }

  std::uint64_t all_;
  table rows_;
};

void print_table(const disk_usage& used, const du_options& given, output& out) {
  usage_table rows(reports::total_bytes(used.parts), out);
  rows.add_all("part", used.parts);
  rows.add("object", "payload and masks", used.objects);
  rows.add_all("dtype", used.dtypes);
  rows.add_all("codec", used.codecs);
  if (!given.key.empty()) rows.add_all(given.key, used.by_value);
  rows.finish();
}

void measure(const du_options& given, const selector& chosen, const metadata_key* by, const target& what,
             session& run) {
  const archive from = open_archive(what, run, object_lookup::walk);
  disk_usage used;
  const auto take = [&](const message& m, key_lookup&, std::optional<std::size_t> object) {
    object ? used.add(m, m[*object], by) : used.add(m, by);
    return true;
  };
  const bool everything = given.chosen.clauses.empty() && !given.chosen.objects;
  tally sum;
  if (everything && !what.objects)
    for_each_message(from, what, run, [&](const message& m) {
      used.add(m, by);  // also counts messages that cannot be read
      ++sum.seen;
      ++sum.taken;
      return true;
    });
  else
    sum = chosen.visit_all(what, from, run, take);
  if (everything && what.whole_file()) used.add_damage(from);
  if (given.json)
    run.out.write(json_line(reports::to_json(what.file, used, given.key)));
  else
    print_table(used, given, run.out);
  for (const failure& why : used.problems) run.report.failed(what.file, why);
  if (everything && has_known_damage(from))
    run.report.mark_damaged();  // the rows show it
  else
    chosen.report(what, from, sum, run);
}

void run_du(const du_options& given, session& run) {
  const auto targets = parse_targets(given.files);
  const std::vector<metadata_key> keys = given.key.empty() ? std::vector<metadata_key>() : parse_keys(given.key);
  if (keys.size() > 1) throw usage_error("--by takes one key");
  const metadata_key* const by = keys.empty() ? nullptr : keys.data();
  require_keys({{.option = "--by", .keys = keys, .of_objects = true}}, targets, given.chosen, run, object_lookup::walk);
  const selector chosen(given.chosen);
  if (given.chosen.clauses.empty() && !given.chosen.objects) use_no_index(run);  // the parts add up to the archive
  for (const target& t : targets) {
    const bool many = targets.size() > 1 && !given.json;
    if (many) run.out.write(fmt::format("{}{}:\n", &t == &targets.front() ? "" : "\n", core::escaped(t.file)));
    run.report.guard(t.file, [&] { measure(given, chosen, by, t, run); });
  }
}

}  // namespace

action declare_du(CLI::App& app, session& run) {
  const auto given = std::make_shared<du_options>();
  add_targets(app, given->files, target_forms);
  app.add_option("--by", given->key, "Also group objects by this key, or a property such as dtype or @message")
      ->check(non_empty_keys())
      ->type_name("KEY");
  add_where(app, given->chosen);
  app.add_flag("--objects", given->chosen.objects, "Select objects instead of messages, and count only them");
  app.add_flag("-j,--json", given->json, "Print one JSON object per target, one per line");
  return [given, &run] { run_du(*given, run); };
}

}  // namespace tgmap::cli
