// SPDX-License-Identifier: Apache-2.0
#include "cli/messages/message_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "cli/input/archives.hpp"
#include "cli/print/human_numbers.hpp"
#include "collection/varying_keys.hpp"
#include "core/text/escape.hpp"
#include "core/text/utf8.hpp"

namespace tgmap::cli {

listed_row damage_row(std::string_view kind, const gap& g) {
  return {{{std::string(kind), to_json(g)}}, g.cause.text()};
}

namespace {

constexpr std::size_t max_surveyed = 1000;   // messages
constexpr std::size_t max_layout_keys = 12;  // with offset and layout
constexpr std::size_t max_shape = 24;        // bytes of a shape

/// Returns a text, shortened, and "…" if there are others; "-" for none.
std::string short_text(const std::string& text, bool has_others) {
  if (text.empty()) return "-";
  return (text.size() > max_shape ? text.substr(0, max_shape - 1) + "…" : text) + (has_others ? ", …" : "");
}

std::string plain(const json& members, std::string_view name) {
  const auto found = members.find(name);
  if (found == members.end() || found->is_null()) return "-";
  return found->is_string() ? core::escaped(found->get_ref<const std::string&>()) : found->dump();
}

bool is_number(std::string_view column) {
  return column == "message" || column == "objects" || column == "size" || column == "offset" || column == "length" ||
         column == "version";
}

}  // namespace

void message_table::add(const listed_row& listed, const message& m) {
  row out{.listed = listed, .source = m};
  out.size = short_size(m.length());
  if (const auto arrays = archives::arrays_of(m)) {
    out.dtypes = short_text(std::string(to_string_view(arrays->dtype)), arrays->dtypes_differ);
    out.shapes = short_text(fmt::format("[{}]", fmt::join(arrays->shape, ", ")), arrays->shapes_differ);
  }
  add(std::move(out));
}

void message_table::add_damage(std::string_view kind, const gap& g) {
  row out;
  out.listed.members = {{"message", kind}, {"offset", g.begin}, {"length", g.end - g.begin}};
  out.listed.notes = with_layout_ ? g.cause.text() : fmt::format("[{}, {}) {}", g.begin, g.end, g.cause.text());
  out.size = short_size(g.end - g.begin);
  add(std::move(out));
}

void message_table::add(row&& next) {
  if (table_) return print(next);
  waiting_.push_back(std::move(next));
  if (waiting_.size() == max_surveyed) choose_columns();
}

void message_table::finish() {
  if (!table_) choose_columns();
  table_->finish();
}

void message_table::choose_columns() {
  archives::varying_keys survey;
  bool several = false;
  for (const row& each : waiting_) {
    if (each.source) survey.add(*each.source);
    several = several || (each.source && plain(each.listed.members, "objects") != "1");
  }
  std::vector<std::string_view> after{"dtype", "shape"};
  if (several || with_layout_) after.emplace_back("objects");
  if (with_layout_)
    after.insert(after.end(), {"offset", "length", "version", "index_location"});
  else
    after.emplace_back("size");
  after.emplace_back("notes");

  keys_ = with_layout_ ? survey.best(SIZE_MAX, max_layout_keys) : survey.best(width_for_keys(after), SIZE_MAX);
  for (const std::string& each : keys_) names_.push_back(core::escaped(each));
  std::vector<table::column> columns{{"message", table::align::right}};
  for (const std::string& each : names_) columns.push_back({each});
  for (const std::string_view each : after)
    columns.push_back({each, is_number(each) ? table::align::right : table::align::left});
  table_.emplace(*out_, std::move(columns));
  for (const row& each : waiting_) print(each);
  waiting_.clear();
}

/// Returns the width that the fixed columns leave to keys. Notes may go beyond the edge.
std::size_t message_table::width_for_keys(const std::vector<std::string_view>& fixed) const {
  std::size_t used = 0;
  const auto add_column = [&](std::string_view name, bool whole) {
    std::size_t width = name.size();
    for (const row& each : waiting_)
      if (whole) width = std::max(width, core::code_point_count(cell(each, name)));
    used += width + 2;
  };
  add_column("message", true);
  for (const std::string_view each : fixed) add_column(each, each != "notes");
  used -= 2;
  const std::size_t columns = window_size().columns;
  return columns > used ? columns - used : 0;
}

std::string message_table::cell(const row& of, std::string_view column) const {
  if (column == "dtype") return of.dtypes;
  if (column == "shape") return of.shapes;
  if (column == "size") return of.size;
  if (column == "notes") return core::escaped(of.listed.notes);
  return plain(of.listed.members, column);
}

void message_table::print(const row& next) {
  std::vector<std::string> cells{cell(next, "message")};
  std::vector<std::string> values(keys_.size());
  if (next.source) values = archives::values_of_objects(*next.source, keys_);
  for (std::string& each : values) cells.push_back(each.empty() ? "-" : std::move(each));
  const auto& columns = table_->columns();
  for (std::size_t i = cells.size(); i < columns.size(); ++i) cells.push_back(cell(next, columns[i].name));
  table_->row(std::move(cells));
}

}  // namespace tgmap::cli
