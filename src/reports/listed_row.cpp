// SPDX-License-Identifier: Apache-2.0
#include "reports/listed_row.hpp"

#include <string_view>
#include <tgmap/tools/caption.hpp>

#include "edit/message_failure.hpp"

namespace tgmap::reports {

namespace {

void note(listed_row& into, std::string_view remark) {
  into.notes.append(into.notes.empty() ? "" : ", ").append(remark);
}

json masks_of(const descriptor& what) {
  json out = json::array();
  for (const mask& m : what.masks()) out.push_back(to_string_view(m.kind));
  return out;
}

}  // namespace

void add_failure(listed_row& into, const message& in, const failure& why) {
  const std::string text = edit::failure_in(in, why).text();
  into.members["error"] = text;
  note(into, text);
}

listed_row message_row(const message& m) {
  listed_row out;
  out.members = {{"message", or_null(m.index())}, {"offset", m.offset()},           {"length", m.length()},
                 {"version", m.version()},        {"index_location", nullptr},      {"objects", nullptr},
                 {"streamed", m.is_streamed()},   {"incomplete", m.is_incomplete()}};
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

listed_row object_row(const message& m, const object& o) {
  listed_row out;
  out.members = {{"message", or_null(m.index())}, {"object", o.index()}};
  const caption words = caption_of(o);
  out.members["name"] = or_null(words.name_text);
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

listed_row broken_object_row(const message& m, std::size_t number, const failure& why) {
  listed_row out;
  out.members = {{"message", or_null(m.index())}, {"object", number}};
  add_failure(out, m, why);
  return out;
}

bool is_broken(const listed_row& r) { return r.members.contains("error"); }

}  // namespace tgmap::reports
