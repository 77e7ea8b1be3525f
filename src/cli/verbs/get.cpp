// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "cli/app/cli_error.hpp"
#include "cli/input/selected_lines.hpp"
#include "cli/print/key_row.hpp"

namespace tgmap::cli {

namespace {

struct get_options {
  std::vector<std::string> files;
  selection_options chosen;
  std::string keys;
  bool json = false, typed = false;
};

/// Appends the values, separated by blanks. Returns the first key that is missing, or null.
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
  print_selected(targets, given.chosen, run, [&](const target& t, key_lookup& from, std::string& to) {
    const std::size_t begin = to.size();
    // Scripts read values by position, so a missing one is an error.
    if (const metadata_key* const missing = add_values(keys, from, to))
      throw cli_error("key not found: " + missing->text(), missing_key_advice(*missing, from, t.file));
    if (given.json) to.replace(begin, to.npos, json_line(key_members(keys, from, given.typed)));
    if (!given.json) to += '\n';
  });
}

}  // namespace

action declare_get(CLI::App& app, session& run) {
  const auto given = std::make_shared<get_options>();
  add_targets(app, given->files, target_forms, false);
  app.add_option("-p,--keys", given->keys, "Keys to print, comma-separated")->required()->type_name("KEYS");
  add_selection(app, given->chosen);
  app.add_flag("--objects", given->chosen.objects, "Print one line per object instead of per message");
  app.add_flag("-j,--json", given->json, "Print one JSON object per line");
  add_typed(app, given->typed);
  return [given, &run] { run_get(*given, run); };
}

}  // namespace tgmap::cli
