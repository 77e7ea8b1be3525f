// SPDX-License-Identifier: Apache-2.0
#include "cli/ls_keys.hpp"

#include "cli/escape.hpp"
#include "cli/key_row.hpp"
#include "cli/table.hpp"

namespace tgmap::cli {

namespace {

constexpr std::string_view missing = "N/A";

/// Adds the value of one key, or what stands for none.
void append_cell(const key& k, key_scope& from, std::string& line) {
  if (const key_value found = from.find(k))
    append_value(found, line);
  else
    line += missing;
}

/// The lines that scripts read.
class tabbed {
 public:
  tabbed(const std::vector<key>& keys, output& out) : keys_(keys), out_(out) {
    for (const key& k : keys_)
      line_.append(line_.empty() && &k == &keys_.front() ? "" : "\t").append(escaped(k.text()));
    out_.write(line_ + "\n");
  }

  void add(key_scope& from) {
    line_.clear();
    for (const key& k : keys_) {
      if (&k != &keys_.front()) line_ += '\t';
      append_cell(k, from, line_);
    }
    line_ += '\n';
    out_.write(line_);
  }

 private:
  const std::vector<key>& keys_;
  output& out_;
  std::string line_;
};

/// The table that people read.
class aligned {
 public:
  aligned(const std::vector<key>& keys, output& out) : keys_(keys), names_(names_of(keys)), table_(out, columns()) {}

  void add(key_scope& from) {
    std::vector<std::string> cells(keys_.size());
    for (std::size_t i = 0; i < keys_.size(); ++i) append_cell(keys_[i], from, cells[i]);
    table_.row(std::move(cells));
  }

  void finish() { table_.finish(); }

 private:
  static std::vector<std::string> names_of(const std::vector<key>& keys) {
    std::vector<std::string> out;
    out.reserve(keys.size());
    for (const key& k : keys) out.push_back(escaped(k.text()));
    return out;
  }

  std::vector<table::column> columns() const {
    std::vector<table::column> out;
    out.reserve(names_.size());
    for (const std::string& name : names_) out.push_back({name});
    return out;
  }

  const std::vector<key>& keys_;
  std::vector<std::string> names_;
  table table_;
};

}  // namespace

void list_keys(const std::vector<target>& targets, const key_listing& given, const selection& chosen, session& run) {
  const std::vector<key> keys = parse_keys(given.keys);
  const auto each = [&](auto&& add) {
    for_each_selected(targets, chosen, run, [&](const target&, const message&, key_scope& from) {
      add(from);
      return true;
    });
  };

  if (given.json) return each([&](key_scope& from) { run.out.write(json_line(key_members(keys, from, given.typed))); });
  if (run.out.terminal()) {
    aligned rows(keys, run.out);
    each([&](key_scope& from) { rows.add(from); });
    return rows.finish();
  }
  static_cast<void>(chosen.compiled());  // what cannot be read is refused before the header
  tabbed rows(keys, run.out);
  each([&](key_scope& from) { rows.add(from); });
}

}  // namespace tgmap::cli
