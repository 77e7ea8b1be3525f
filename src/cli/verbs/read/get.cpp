// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "cli/app/cli_error.hpp"
#include "cli/command/verb.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/file_list.hpp"
#include "cli/input/hash_mismatch.hpp"
#include "cli/input/required_keys.hpp"
#include "cli/input/target.hpp"
#include "cli/messages/print_selected.hpp"
#include "cli/messages/shown_key.hpp"
#include "core/text/escape.hpp"
#include "core/text/utf8.hpp"

namespace tgmap::cli {

namespace {

struct get_options {
  std::vector<std::string> files;
  selection_options chosen;
  std::string keys;
  bool json = false, verify = false;
};

/// Throws the error for a key that is missing or cannot be printed in its type. Scripts read values by position.
[[noreturn]] void refuse(const typed_key& k, const archives::typed_value& found, const key_source& from,
                         const target& t) {
  if (!found.is_found())
    throw cli_error("key not found: " + k.name(),
                    missing_key_advice(k.key(), from.nearest_key(k.key().text()), t.file));
  constexpr std::size_t max_shown = 40;
  const std::string value = from.find(k.key()).text();
  throw cli_error(
      fmt::format("{} is not {}: '{}'", k.name(), k.type() == archives::key_type::integer ? "an integer" : "a number",
                  value.substr(0, core::code_point_begin(value, max_shown))),
      fmt::format("leave out the type, or write {}:s", k.name()));
}

/// Appends the values, separated by blanks.
void add_values(const std::vector<typed_key>& keys, const key_source& from, const target& t, std::string& line) {
  for (const typed_key& k : keys) {
    const archives::typed_value found = k.find(from);
    if (!found) refuse(k, found, from, t);
    if (&k != &keys.front()) line += ' ';
    archives::append_escaped(found.get(), line);
  }
}

void run_get(const get_options& given, session& run) {
  const auto targets = parse_targets(given.files);
  const std::vector<typed_key> keys = parse_typed_keys(given.keys);
  if (given.verify) use_no_index(run);
  require_keys({}, targets, given.chosen, run);
  edit::hash_check hashes;
  const auto verify = [&](const target& t, const message& m, std::optional<std::size_t> object) {
    return object ? hashes.check(t.file, m, *object) : hashes.check(t.file, m);
  };
  const bool names_files = targets.size() > 1 && !given.json && run.out.is_terminal();
  const auto write = [&](const target& t, const key_source& from, std::string& to) {
    if (names_files) to += core::escaped(t.file) + ": ";
    const std::size_t begin = to.size();
    add_values(keys, from, t, to);
    if (!given.json) return void(to += '\n');
    to.resize(begin);  // every key is there
    append_json_line(t.file, keys, from, to);
  };
  print_selected(targets, given.chosen, run, write, archives::indexable_keys(keys),
                 given.verify ? line_check(verify) : line_check());
  report_unverified(hashes, run);
}

}  // namespace

action declare_get(CLI::App& app, session& run) {
  const auto given = std::make_shared<get_options>();
  add_targets(app, given->files, target_forms);
  app.add_option("-p,--keys", given->keys, "Keys to print, comma-separated; KEY:i, KEY:d and KEY:s set the type")
      ->required()
      ->type_name("KEYS");
  add_selection(app, given->chosen);
  app.add_flag("--objects", given->chosen.objects, "Print one line per object instead of per message");
  app.add_flag("-j,--json", given->json, "Print one JSON object per line");
  add_typed(app);
  add_verify(app, given->verify, "of each message that is printed, or object, and leave out those that differ");
  return [given, &run] { run_get(*given, run); };
}

}  // namespace tgmap::cli
