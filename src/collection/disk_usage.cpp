// SPDX-License-Identifier: Apache-2.0
// Counts the bytes of archives by their use.
#include <tgmap/tools/disk_usage.hpp>

#include <string_view>

#include "edit/message_failure.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

constexpr std::uint64_t preamble = 24;
constexpr std::size_t max_problems_kept = 10;

void add_problem(const message& m, const failure& why, disk_usage& out) {
  if (out.problems.size() < max_problems_kept) out.problems.push_back(edit::failure_in(m, why));
}

std::string_view part_of(frame_type type) {
  switch (type) {
    case frame_type::header_metadata:
    case frame_type::footer_metadata: return "metadata";
    case frame_type::header_index:
    case frame_type::footer_index: return "index";
    case frame_type::header_hash:
    case frame_type::footer_hash: return "hashes";
    case frame_type::preceder: return "preceder";
    default: return "unknown frame";
  }
}

std::string value_text(const message& m, const object& o, const metadata_key& by) {
  failure why;
  key_lookup keys(m, o);
  const key_result found = keys.find(by, why);
  return found ? found.text() : why ? "unreadable" : "N/A";
}

/// Adds the frames of a message. Returns their end, relative to the message.
std::uint64_t add_frames(const message& m, const metadata_key* by, disk_usage& out) {
  std::uint64_t at = preamble;
  std::size_t objects = 0;
  failure why;
  frame_range range = m.frames(why);
  for (frame f; !why && range.next(f, why);) {
    const std::uint64_t around = f.length() - f.body_size();
    if (f.padding() > 0) out.parts["padding"].add(f.padding());
    out.parts["frame header and tail"].add(around);
    at = f.offset_in_message() + f.length();
    if (!f.is_object()) {
      out.parts[std::string(part_of(f.type()))].add(f.body_size());
      continue;
    }
    failure broken;
    const tgmap::object o = m.at(objects++, broken);
    if (broken) {
      add_problem(m, broken, out);
      out.parts["unreadable"].add(f.body_size());
      continue;
    }
    out.parts["descriptor"].add(f.body_size() - o.payload_and_masks_size());
    out.add(m, o, by);
  }
  if (why) add_problem(m, why, out);
  return at;
}

}  // namespace

std::string codecs_of(const descriptor& what) {
  std::string out;
  for (const short_name* const each : {&what.encoding_name, &what.filter_name, &what.compression_name})
    if (each->view() != "none") out.append(out.empty() ? "" : "+").append(each->view());
  return out.empty() ? "none" : out;
}

void disk_usage::add(const message& m, const object& o, const metadata_key* by) {
  parts["payload"].add(o.payload_size());
  if (o.payload_and_masks_size() > o.payload_size()) parts["masks"].add(o.payload_and_masks_size() - o.payload_size());
  failure why, unknown;
  const descriptor what = o.descriptor(why);
  if (why) add_problem(m, why, *this);
  const std::uint64_t size = o.decoded_size(unknown);
  const auto decoded = unknown ? std::nullopt : std::optional(size);
  objects.add(o.payload_and_masks_size(), decoded);
  dtypes[why ? "unreadable" : std::string(to_string_view(what.dtype))].add(o.payload_and_masks_size(), decoded);
  codecs[why ? "unreadable" : codecs_of(what)].add(o.payload_and_masks_size(), decoded);
  if (by != nullptr) by_value[value_text(m, o, *by)].add(o.payload_and_masks_size(), decoded);
}

void disk_usage::add(const message& m, const metadata_key* by) {
  if (m.version() == 1) return parts["version 1 message"].add(m.length());
  const std::uint64_t postamble = m.is_incomplete() ? 0 : m.version() == 2 ? 16 : 24;
  parts["preamble and postamble"].add(preamble + postamble);
  const std::uint64_t seen = add_frames(m, by, *this) + postamble;
  if (seen >= m.length()) return;
  // Up to seven zeros may follow the last frame; more bytes were not readable.
  parts[m.length() - seen < 8 ? "padding" : "unreadable"].add(m.length() - seen);
}

void disk_usage::add_damage(const archive& from) {
  for (const gap& each : from.gaps()) parts["gap"].add(each.end - each.begin);
  if (const auto tail = from.incomplete_tail()) parts["incomplete tail"].add(tail->end - tail->begin);
}

}  // namespace v0
}  // namespace tgmap
