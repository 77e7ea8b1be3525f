// SPDX-License-Identifier: Apache-2.0
#include "cli/input/required_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <iterator>

#include "cli/app/cli_error.hpp"
#include "cli/app/file_kind.hpp"
#include "cli/app/session.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/selection.hpp"
#include "cli/input/selector.hpp"
#include "cli/print/progress.hpp"
#include "collection/key_search.hpp"

namespace tgmap::cli {

std::string missing_key_advice(const metadata_key& missing, const std::string& near, std::string_view file) {
  if (missing.text().starts_with('@'))
    return "it is a property of objects: add --objects, or name one, FILE:MESSAGE:OBJECT";
  if (!near.empty()) return "did you mean '" + near + "'?";
  return fmt::format("run `tgmap ls -p {} {}` to see which messages have it", missing.text(), file);
}

std::string absent_key_advice(const metadata_key& absent, const std::string& near, std::string_view file) {
  if (near.empty() && !absent.text().starts_with('@')) return fmt::format("run `tgmap dump {}` to see all keys", file);
  return missing_key_advice(absent, near, file);
}

namespace {

/// Opens an archive. Standard input can be read only once, so the verb gets the same archive later.
archive open_for_search(const target& what, session& run, object_lookup lookup) {
  archive out = open_any_file(what, run, lookup);
  if (what.file == "-") run.standard_input = out;
  if (!what.offset) require_archive(out);
  return out;
}

/// Looks for keys in what is selected. Returns false if there was nothing to look in, or if something cannot be read,
/// which the verb reports.
bool look_for(archives::key_search& keys, bool of_objects, const std::vector<target>& all,
              const selection_options& chosen, session& run, object_lookup lookup) try {
  const selector selected(chosen);
  for (const target& what : all) {
    if (keys.is_complete()) return true;
    const archive in = open_for_search(what, run, lookup);
    progress_bar bar(run, what.file, in.size_bytes());
    keys.look_in_selected(selected, what, in, of_objects, bar.callback());
    if (keys.has_failed()) return false;
    if (keys.is_cut()) break;
  }
  return !of_objects || keys.any_objects();
} catch (const usage_error&) {
  throw;
} catch (const std::exception&) {
  return false;
}

const char* kind_of(const std::vector<target>& all, const selection_options& chosen) {
  const bool objects = chosen.objects || std::any_of(all.begin(), all.end(), [](const target& t) { return t.objects; });
  return objects ? "object" : "message";
}

std::vector<metadata_key> sort_keys_of(const selection_options& chosen) {
  std::vector<metadata_key> out;
  for (sort_column& each : chosen.order()) out.push_back(std::move(each.key));
  return out;
}

}  // namespace

void require_keys(std::vector<option_keys> all, const std::vector<target>& in, const selection_options& chosen,
                  session& run, object_lookup lookup) {
  all.insert(all.begin(), {.option = "--sort", .keys = sort_keys_of(chosen)});
  std::vector<metadata_key> keys;
  bool of_objects = false;
  for (const option_keys& each : all) {
    std::copy_if(each.keys.begin(), each.keys.end(), std::back_inserter(keys),
                 [](const metadata_key& key) { return key.text() != "@message"; });
    of_objects = of_objects || each.of_objects;
  }
  if (keys.empty()) return;
  archives::key_search search(keys);
  if (!look_for(search, of_objects, in, chosen, run, lookup)) return;
  for (const metadata_key& absent : search.missing())
    for (const option_keys& each : all)
      if (std::any_of(each.keys.begin(), each.keys.end(), [&](const auto& key) { return key.text() == absent.text(); }))
        throw usage_error(
            fmt::format("{}: no selected {} has the key '{}'", each.option, kind_of(in, chosen), absent.text()),
            absent_key_advice(absent, search.nearest(absent), in.front().file));
}

std::vector<std::string> find_absent_keys(const std::vector<metadata_key>& keys, const std::vector<target>& in,
                                          const selection_options& chosen, session& run, object_lookup lookup) {
  std::vector<std::string> out;
  if (!run.report.has_hints()) return out;
  archives::key_search search(keys, key_check::max_collected);
  if (!look_for(search, false, in, chosen, run, lookup)) return out;
  const std::string where = search.is_cut() ? fmt::format("none of the first {} messages", key_check::max_collected)
                                            : fmt::format("no selected {}", kind_of(in, chosen));
  for (const metadata_key& absent : search.missing())
    out.push_back(fmt::format("{} has the key '{}'; {}", where, absent.text(),
                              absent_key_advice(absent, search.nearest(absent), in.front().file)));
  return out;
}

}  // namespace tgmap::cli
