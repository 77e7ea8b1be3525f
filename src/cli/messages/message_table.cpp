// SPDX-License-Identifier: Apache-2.0
#include "cli/messages/message_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <tgmap/tools/caption.hpp>
#include <utility>

#include "cli/input/archives.hpp"
#include "cli/print/human_numbers.hpp"
#include "collection/varying_keys.hpp"
#include "core/text/escape.hpp"
#include "core/text/utf8.hpp"

namespace tgmap::cli {

namespace {

void note(ls_row& into, std::string_view remark) { into.notes.append(into.notes.empty() ? "" : ", ").append(remark); }

json message_number(const message& m) {
  const auto index = m.index();
  return index ? json(*index) : json();
}

json masks_of(const descriptor& what) {
  json out = json::array();
  for (const mask& m : what.masks()) out.push_back(to_string_view(m.kind));
  return out;
}

}  // namespace

void add_failure(ls_row& into, const message& in, const failure& why) {
  const std::string text = failure_in(in, why).text();
  into.members["error"] = text;
  note(into, text);
}

ls_row message_row(const message& m) {
  ls_row out;
  out.members = {{"message", message_number(m)}, {"offset", m.offset()},           {"length", m.length()},
                 {"version", m.version()},       {"index_location", nullptr},      {"objects", nullptr},
                 {"streamed", m.is_streamed()},  {"incomplete", m.is_incomplete()}};
  if (m.is_streamed()) note(out, "streamed");
  if (m.is_incomplete()) note(out, "incomplete");
  if (m.version() == 1) {  // only its position is known, which is not an error
    note(out, "version_1");
    return out;
  }

  failure why;
  const index_location location = m.index_location(why);
  if (!why) out.members["index_location"] = to_string_view(location);
  const std::size_t objects = m.size(why);
  if (why)
    add_failure(out, m, why);
  else
    out.members["objects"] = objects;
  return out;
}

ls_row object_row(const message& m, const object& o) {
  ls_row out;
  out.members = {{"message", message_number(m)}, {"object", o.index()}};
  failure unreadable_name;  // an object without readable metadata has a row, too
  const caption words = caption_of(o.metadata(unreadable_name));
  out.members["name"] = words.name_text.empty() ? json() : json(words.name_text);
  out.name = words.name;
  failure why;
  const descriptor what = o.descriptor(why);
  if (!why) {
    out.members.update({{"dtype", to_string_view(what.dtype)},
                        {"shape", to_json(what.shape())},
                        {"encoding", what.encoding_name.view()},
                        {"filter", what.filter_name.view()},
                        {"compression", what.compression_name.view()},
                        {"masks", masks_of(what)},
                        {"byte_order", to_string_view(what.byte_order)},
                        {"strides", to_json(what.strides())},
                        {"in_place", !o.why_not_in_place(what.dtype)}});
  }
  out.members.update({{"offset", o.payload_offset()},
                      {"stored", o.payload_size()},
                      {"payload_and_masks", o.payload_and_masks_size()},
                      {"frame_offset", o.frame().offset()},
                      {"frame_length", o.frame().length()}});
  if (why) add_failure(out, m, why);
  return out;
}

ls_row broken_object_row(const message& m, std::size_t number, const failure& why) {
  ls_row out;
  out.members = {{"message", message_number(m)}, {"object", number}};
  add_failure(out, m, why);
  return out;
}

bool is_broken(const ls_row& r) { return r.members.contains("error"); }

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

void message_table::add(const ls_row& listed, const message& m) {
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
