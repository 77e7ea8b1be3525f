// SPDX-License-Identifier: Apache-2.0
#include "reports/access_json.hpp"

namespace tgmap::reports {

namespace {

json listed_json(const access_report& what) {
  json out = to_json(what.index);
  if (what.index.is_used) {
    out["lists_message"] = what.is_message_listed;
    out["lists_object"] = what.is_object_listed;
  }
  return out;
}

json step_json(const access_step& of, bool counted) {
  json ranges = json::array();
  for (const archive_range& each : of.ranges)
    if (each.begin != each.end) ranges.push_back({{"begin", each.begin}, {"end", each.end}});
  return {{"step", to_string_view(of.stage)},
          {"nanoseconds", of.cost.nanoseconds},
          {"reads", counted ? json(of.cost.reads) : json()},
          {"bytes_read", counted ? json(of.cost.bytes_read) : json()},
          {"minor_faults", of.cost.minor_faults},
          {"major_faults", of.cost.major_faults},
          {"pages", of.pages},
          {"cached", or_null(of.cached)},
          {"ranges", ranges}};
}

void add_object(json& to, const access_report& what) {
  const descriptor& of = *what.descriptor;
  to["object"] = *what.object;
  to["dtype"] = to_string_view(of.dtype);
  to["shape"] = to_json(of.shape());
  to["encoding"] = of.encoding_name.view();
  to["filter"] = of.filter_name.view();
  to["compression"] = of.compression_name.view();
  to["payload_offset"] = what.payload.begin;
  to["stored"] = what.payload.end - what.payload.begin;
  to["decoded"] = or_null(what.decoded_size);
  to["in_place"] = !what.why_not_in_place;
  to["reason"] = what.why_not_in_place ? json(what.why_not_in_place.text()) : json();
  json& obstacles = to["obstacles"] = json::array();
  for (const access_obstacle& each : what.obstacles)
    obstacles.push_back({{"code", to_string_view(each.code)},
                         {"codec", or_null(each.codec.view())},
                         {"bytes_in", each.bytes_in},
                         {"bytes_out", or_null(each.bytes_out)}});
}

}  // namespace

json to_json(const index_status& index) {
  json out{{"used", index.is_used}, {"current", index.is_current}};
  if (index.is_used) {
    out["trust"] = to_string_view(index.trust);
    out["messages"] = index.messages;
    out["covered_bytes"] = index.covered_bytes;
  } else {
    out["reason"] = index.refusal ? json(index.refusal.text()) : json();
  }
  return out;
}

json to_json(const std::string& file, const access_report& what) {
  const message_position& message = what.message;
  json out{{"file", file},
           {"message", or_null(message.index())},
           {"message_offset", message.offset()},
           {"message_length", message.length()},
           {"version", message.version()},
           {"objects", what.objects},
           {"index_location", to_string_view(what.index_location)},
           {"route", to_string_view(what.route)},
           {"index", listed_json(what)},
           {"io_mode", to_string_view(what.mode)},
           {"io_reason", what.mode_reason}};
  if (what.object && what.descriptor) add_object(out, what);
  json& steps = out["steps"] = json::array();
  for (const access_step& each : what.steps) steps.push_back(step_json(each, what.has_read_counts));
  return out;
}

index_coverage::index_coverage(const archive& in, const indexed_selection& known)
    : index(in.index_status()),
      selected(known.count(index_answer::yes)),
      not_selected(known.count(index_answer::no)),
      unknown(known.count(index_answer::unknown)),
      bytes_after(in.size_bytes() - (index.is_current ? index.covered_bytes : 0)),
      keys_without_column(known.missing_keys()) {}

json to_json(const std::string& file, const index_coverage& what, std::string_view selection, bool of_objects) {
  return {{"file", file},
          {"selection", selection},
          {"of", of_objects ? "objects" : "messages"},
          {"index", to_json(what.index)},
          {"selected", what.selected},
          {"not_selected", what.not_selected},
          {"unknown", what.unknown},
          {"bytes_after_index", what.bytes_after},
          {"keys_without_column", what.keys_without_column}};
}

}  // namespace tgmap::reports
