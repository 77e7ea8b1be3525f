// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/read/ls_keys.hpp"

#include <string_view>
#include <utility>

#include "cli/app/session.hpp"
#include "cli/input/required_keys.hpp"
#include "cli/messages/print_selected.hpp"
#include "cli/messages/shown_key.hpp"
#include "cli/print/table.hpp"
#include "core/text/escape.hpp"
#include "core/text/split.hpp"

namespace tgmap::cli {

namespace {

constexpr std::string_view missing = "N/A";

/// Appends the value of a key, or N/A.
void append_cell(const typed_key& k, const key_source& from, std::string& line) {
  if (const archives::typed_value found = k.find(from))
    archives::append_escaped(found.get(), line);
  else
    line += missing;
}

std::string header_of(const std::vector<typed_key>& keys) {
  std::string out;
  for (const typed_key& k : keys) out.append(&k == &keys.front() ? "" : "\t").append(core::escaped(k.name()));
  return out + "\n";
}

/// Appends a tab-separated line, as the reference implementation prints it.
void append_line(const std::vector<typed_key>& keys, const key_source& from, std::string& to) {
  for (const typed_key& k : keys) {
    if (&k != &keys.front()) to += '\t';
    append_cell(k, from, to);
  }
  to += '\n';
}

/// The aligned table for a terminal.
class key_table {
 public:
  /// `names_files`: the first column has the file of each row.
  key_table(const std::vector<typed_key>& keys, bool names_files, output& out)
      : keys_(keys), names_files_(names_files), names_(names_of(keys)), table_(out, columns()) {}

  /// Writes the cells of a row, with tabs between them, which escaped text has not.
  void write(const std::string& file, const key_source& from, std::string& to) const {
    if (names_files_) to.append(core::escaped(file)).append("\t");
    append_line(keys_, from, to);
  }

  /// Adds rows that were written.
  void add(std::string_view lines) {
    if (lines.empty()) return;
    lines.remove_suffix(1);
    for (const std::string_view line : core::split(lines, '\n')) {
      const std::vector<std::string_view> cells = core::split(line, '\t');
      table_.row({cells.begin(), cells.end()});
    }
  }

  void finish() { table_.finish(); }

 private:
  static std::vector<std::string> names_of(const std::vector<typed_key>& keys) {
    std::vector<std::string> out;
    out.reserve(keys.size());
    for (const typed_key& k : keys) out.push_back(core::escaped(k.name()));
    return out;
  }

  std::vector<table::column> columns() const {
    std::vector<table::column> out;
    if (names_files_) out.push_back({"file"});
    for (const std::string& name : names_) out.push_back({name});
    return out;
  }

  const std::vector<typed_key>& keys_;
  bool names_files_;
  std::vector<std::string> names_;
  table table_;
};

}  // namespace

void list_keys(const std::vector<target>& targets, const std::string& names, bool as_json,
               const selection_options& chosen, session& run) {
  const std::vector<typed_key> keys = parse_typed_keys(names);
  const std::vector<std::string> hints = find_absent_keys(archives::without_types(keys), targets, chosen, run);
  if (as_json) {
    const auto write = [&](const target& t, const key_source& from, std::string& to) {
      append_json_line(t.file, keys, from, to);
    };
    print_selected(targets, chosen, run, write, archives::indexable_keys(keys));
  } else if (run.out.is_terminal()) {
    key_table rows(keys, targets.size() > 1, run.out);
    const auto write = [&](const target& t, const key_source& from, std::string& to) { rows.write(t.file, from, to); };
    print_selected(targets, chosen, run, write, archives::indexable_keys(keys), {},
                   [&](const auto& lines) { rows.add(lines); });
    rows.finish();
  } else {
    static_cast<void>(chosen.compiled());  // reports a mistake before the header is printed
    run.out.write(header_of(keys));
    const auto write = [&](const target&, const key_source& from, std::string& to) { append_line(keys, from, to); };
    print_selected(targets, chosen, run, write, archives::indexable_keys(keys));
  }
  for (const std::string& each : hints) run.report.hint(each);
}

}  // namespace tgmap::cli
