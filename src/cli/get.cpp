// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "cli/complaint.hpp"
#include "cli/key_row.hpp"
#include "cli/selected_lines.hpp"

namespace tgmap::cli {

namespace {

struct get_options {
  std::vector<std::string> files;
  selection_options chosen;
  std::string keys;
  bool json = false, typed = false;
};

/// Puts the values between blanks, up to the first key that is not there; returns that.
const metadata_key* add_values(const std::vector<metadata_key>& keys, key_lookup& from, std::string& line) {
  for (const metadata_key& k : keys) {
    const key_result found = from.find(k);
    if (!found) return &k;
    if (&k != &keys.front()) line += ' ';
    append_value(found, line);
  }
  return nullptr;
}

void run_get(const get_options& given, session& run) {
  const auto targets = parse_targets(given.files);
  const std::vector<metadata_key> keys = parse_keys(given.keys);
  write_selected(targets, given.chosen, run, [&](const target& t, key_lookup& from, std::string& to) {
    const std::size_t begin = to.size();
    // A script that reads values by their place must not go on without one.
    if (const metadata_key* const missing = add_values(keys, from, to))
      throw complaint("key not found: " + missing->text(), advice_on_key(*missing, from, t.file));
    if (given.json) to.replace(begin, to.npos, json_line(key_members(keys, from, given.typed)));
    if (!given.json) to += '\n';
  });
}

}  // namespace

action declare_get(CLI::App& app, session& run) {
  const auto given = std::make_shared<get_options>();
  add_targets(app, given->files, target_forms, false);
  app.add_option("-p,--keys", given->keys, "Keys whose values to print, between commas")->required()->type_name("KEYS");
  add_selection(app, given->chosen);
  app.add_flag("--objects", given->chosen.objects, "A line for each object instead of each message");
  app.add_flag("-j,--json", given->json, "One JSON object a line");
  add_typed(app, given->typed);
  return [given, &run] { run_get(*given, run); };
}

}  // namespace tgmap::cli
