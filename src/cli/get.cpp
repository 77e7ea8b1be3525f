// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "cli/key_row.hpp"
#include "cli/selection.hpp"

namespace tgmap::cli {

namespace {

struct options {
  std::vector<std::string> files;
  selection chosen;
  std::string keys;
  bool json = false, typed = false;
};

/// The first key that is not there, if any.
const key* first_missing(const std::vector<key>& keys, key_scope& in) {
  for (const key& k : keys)
    if (!in.find(k)) return &k;
  return nullptr;
}

/// Values between blanks.
std::string values_line(const std::vector<key>& keys, key_scope& from) {
  std::string line;
  for (const key& k : keys) {
    if (&k != &keys.front()) line += ' ';
    append_value(from.find(k), line);
  }
  return line + "\n";
}

void run_get(const options& given, session& run) {
  const auto targets = parse_targets(given.files);
  const std::vector<key> keys = parse_keys(given.keys);
  for_each_selected(targets, given.chosen, run, [&](const target& t, const message&, key_scope& from) {
    if (const key* const missing = first_missing(keys, from)) {
      run.report.failed(t.file, "key not found: " + missing->text(), advice_on_key(*missing, from, t.file));
      return false;  // a script that reads values by their place must not go on without one
    }
    run.out.write(given.json ? json_line(key_members(keys, from, given.typed)) : values_line(keys, from));
    return true;
  });
}

}  // namespace

action declare_get(CLI::App& app, session& run) {
  const auto given = std::make_shared<options>();
  add_targets(app, given->files, "FILE, FILE:MESSAGE, FILE:MESSAGE:OBJECT, FILE@OFFSET or FILE@OFFSET:OBJECT");
  app.add_option("-p,--keys", given->keys, "Keys whose values to print, between commas")->required()->type_name("KEYS");
  add_selection(app, given->chosen);
  app.add_flag("--objects", given->chosen.objects, "A line for each object instead of each message");
  app.add_flag("-j,--json", given->json, "One JSON object a line");
  add_typed(app, given->typed);
  return [given, &run] { run_get(*given, run); };
}

}  // namespace tgmap::cli
