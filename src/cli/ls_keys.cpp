// SPDX-License-Identifier: Apache-2.0
#include "cli/ls_keys.hpp"

#include "cli/escape.hpp"
#include "cli/key_row.hpp"
#include "cli/selected_lines.hpp"
#include "cli/table.hpp"

namespace tgmap::cli {

namespace {

constexpr std::string_view missing = "N/A";

/// Adds the value of one key, or what stands for none.
void append_cell(const metadata_key& k, key_lookup& from, std::string& line) {
  if (const key_result found = from.find(k))
    append_value(found, line);
  else
    line += missing;
}

std::string header_of(const std::vector<metadata_key>& keys) {
  std::string out;
  for (const metadata_key& k : keys) out.append(&k == &keys.front() ? "" : "\t").append(escaped(k.text()));
  return out + "\n";
}

/// A line that scripts read.
void append_line(const std::vector<metadata_key>& keys, key_lookup& from, std::string& to) {
  for (const metadata_key& k : keys) {
    if (&k != &keys.front()) to += '\t';
    append_cell(k, from, to);
  }
  to += '\n';
}

/// The table that people read.
class aligned {
 public:
  aligned(const std::vector<metadata_key>& keys, output& out)
      : keys_(keys), names_(names_of(keys)), table_(out, columns()) {}

  void add(key_lookup& from) {
    std::vector<std::string> cells(keys_.size());
    for (std::size_t i = 0; i < keys_.size(); ++i) append_cell(keys_[i], from, cells[i]);
    table_.row(std::move(cells));
  }

  void finish() { table_.finish(); }

 private:
  static std::vector<std::string> names_of(const std::vector<metadata_key>& keys) {
    std::vector<std::string> out;
    out.reserve(keys.size());
    for (const metadata_key& k : keys) out.push_back(escaped(k.text()));
    return out;
  }

  std::vector<table::column> columns() const {
    std::vector<table::column> out;
    out.reserve(names_.size());
    for (const std::string& name : names_) out.push_back({name});
    return out;
  }

  const std::vector<metadata_key>& keys_;
  std::vector<std::string> names_;
  table table_;
};

}  // namespace

void list_keys(const std::vector<target>& targets, const key_listing& given, const selection_options& chosen,
               session& run) {
  const std::vector<metadata_key> keys = parse_keys(given.keys);
  if (given.json)
    return write_selected(targets, chosen, run, [&](const target&, key_lookup& from, std::string& to) {
      to += json_line(key_members(keys, from, given.typed));
    });
  if (run.out.terminal()) {
    aligned rows(keys, run.out);
    for_each_selected(targets, chosen, run,
                      [&](const target&, const message&, key_lookup& from, auto) { return rows.add(from), true; });
    return rows.finish();
  }
  static_cast<void>(chosen.compiled());  // what cannot be read is refused before the header
  run.out.write(header_of(keys));
  write_selected(targets, chosen, run,
                 [&](const target&, key_lookup& from, std::string& to) { append_line(keys, from, to); });
}

}  // namespace tgmap::cli
