// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/archives.hpp"
#include "cli/chooser.hpp"
#include "cli/complaint.hpp"
#include "cli/escape.hpp"
#include "cli/json.hpp"
#include "cli/selection.hpp"
#include "cli/table.hpp"
#include "cli/usage.hpp"
#include "cli/verb.hpp"

namespace tgmap::cli {

namespace {

struct du_options {
  std::vector<std::string> files;
  std::string key;
  selection chosen;
  bool json = false;
};

using shares = std::map<std::string, share>;

/// The largest first.
std::vector<std::pair<std::string, share>> ranked(const shares& of) {
  std::vector<std::pair<std::string, share>> out(of.begin(), of.end());
  std::stable_sort(out.begin(), out.end(),
                   [](const auto& a, const auto& b) { return a.second.bytes > b.second.bytes; });
  return out;
}

std::uint64_t total(const shares& of) {
  std::uint64_t out = 0;
  for (const auto& [name, part] : of) out += part.bytes;
  return out;
}

json as_json(const shares& of) {
  json out = json::object();
  for (const auto& [name, part] : ranked(of)) out[name] = {{"count", part.count}, {"bytes", part.bytes}};
  return out;
}

void print_json(const std::string& file, const usage& used, const du_options& given, output& out) {
  json line{{"file", file},
            {"bytes", total(used.parts)},
            {"parts", as_json(used.parts)},
            {"dtypes", as_json(used.dtypes)},
            {"codecs", as_json(used.codecs)}};
  if (!given.key.empty()) line["keys"] = {{given.key, as_json(used.keys)}};
  out.write(json_line(line));
}

void print_table(const usage& used, const du_options& given, output& out) {
  using side = table::align;
  table rows(out, {{"by", side::left},
                   {"bytes", side::right},
                   {"share", side::right},
                   {"count", side::right},
                   {"what", side::left}});
  const std::uint64_t all = total(used.parts);
  const auto add = [&](std::string_view by, const shares& of) {
    for (const auto& [name, part] : ranked(of)) {
      const double percent = all == 0 ? 0 : 100 * static_cast<double>(part.bytes) / static_cast<double>(all);
      rows.row({escaped(by), std::to_string(part.bytes), fmt::format("{:.1f}%", percent), std::to_string(part.count),
                escaped(name)});
    }
  };
  add("part", used.parts);
  add("dtype", used.dtypes);
  add("codec", used.codecs);
  if (!given.key.empty()) add(given.key, used.keys);
  rows.row({"total", std::to_string(all), "", "", ""});
  rows.finish();
}

void measure(const du_options& given, const chooser& chosen, const key* by, const target& what, session& run) {
  const archive from = open_archive(what, run, object_lookup::walk);
  usage used;
  const auto take = [&](const message& m, key_scope&, std::optional<std::size_t> object) {
    object ? add_usage(m, m[*object], by, used) : add_usage(m, by, used);
    return true;
  };
  const bool everything = given.chosen.clauses.empty() && !given.chosen.objects;
  tally sum;
  for_each_message(from, what, run, [&](const message& m) {
    if (everything && !what.objects)
      add_usage(m, by, used);  // what can be told of one that cannot be read, too
    else
      chosen.look_at(what, m, take, sum);
    return true;
  });
  if (everything && what.whole_file()) add_damage(from, used);
  if (given.json)
    print_json(what.file, used, given, run.out);
  else
    print_table(used, given, run.out);
  for (const failure& why : used.problems) run.report.failed(what.file, why);
  if (everything && damage_known(from))
    run.report.damaged();  // its parts tell
  else
    chosen.report(what, from, sum, run);
}

void run_du(const du_options& given, session& run) {
  const auto targets = parse_targets(given.files);
  const std::vector<key> keys = given.key.empty() ? std::vector<key>() : parse_keys(given.key);
  if (keys.size() > 1) throw usage_error("--by takes one key");
  const key* const by = keys.empty() ? nullptr : keys.data();
  const chooser chosen(given.chosen);
  for (const target& t : targets) {
    const bool many = targets.size() > 1 && !given.json;
    if (many) run.out.write(fmt::format("{}{}:\n", &t == &targets.front() ? "" : "\n", escaped(t.file)));
    run.report.guard(t.file, [&] { measure(given, chosen, by, t, run); });
  }
}

}  // namespace

action declare_du(CLI::App& app, session& run) {
  const auto given = std::make_shared<du_options>();
  add_targets(app, given->files, target_forms);
  app.add_option("--by", given->key, "Also by what objects have under this key, a fact such as dtype or @message too")
      ->type_name("KEY");
  add_where(app, given->chosen);
  app.add_flag("--objects", given->chosen.objects, "Select objects instead of messages: without what is around them");
  app.add_flag("-j,--json", given->json, "One JSON object a target, each on a line");
  return [given, &run] { run_du(*given, run); };
}

}  // namespace tgmap::cli
