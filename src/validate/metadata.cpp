// SPDX-License-Identifier: Apache-2.0
#include "validate/metadata.hpp"

#include <algorithm>
#include <vector>

#include "validate/body.hpp"
#include "validate/descriptor_check.hpp"
#include "validate/duplicate_keys.hpp"

namespace tgmap::checks {

namespace {

using enum validation_level;

bool is_metadata(std::uint16_t of) noexcept {
  return of == wire::header_metadata_frame || of == wire::footer_metadata_frame;
}
bool is_index(std::uint16_t of) noexcept { return of == wire::header_index_frame || of == wire::footer_index_frame; }
bool is_hash(std::uint16_t of) noexcept { return of == wire::header_hash_frame || of == wire::footer_hash_frame; }

/// What the checks need of a metadata map (§5.1).
struct sections {
  item base{}, reserved{}, extra{};  ///< may be absent
  std::uint64_t base_count = 0;
  bool more = false;          ///< there are other keys
  bool odd_reserved = false;  ///< some entry's `_reserved_` is not as writers leave it
};

/// `base`, an array of maps; version 2 up to 0.5 called it `payload`, before 0.4 a map.
std::string hold_base(sections& out) {
  if (!out.base) return {};
  if (!out.base.is_array()) return "'base' is no array";
  std::string storage;
  const bool maps = out.base.elements([&](std::uint64_t, item entry) {
    ++out.base_count;
    return entry.is_map() && entry.pairs([&](item key, item value) {
      if (key.text(storage) == "_reserved_") out.odd_reserved = out.odd_reserved || !value.find("tensor");
      return key.is_text();
    });
  });
  return maps ? "" : "an entry of 'base' is no map with text keys";
}

/// A key that stands both at the top level and in `_extra_`; empty: none does.
std::string key_in_two_places(item map, item extra) {
  std::vector<std::string> free;
  std::string storage;
  map.pairs([&](item key, item) {
    const std::string_view name = key.text(storage);
    if (name != "base" && name != "_reserved_" && name != "_extra_") free.emplace_back(name);
    return true;
  });
  std::sort(free.begin(), free.end());
  std::string twice;
  extra.pairs([&](item key, item) {
    const std::string_view name = key.text(storage);
    if (std::binary_search(free.begin(), free.end(), name)) twice = name;
    return twice.empty();
  });
  return twice;
}

/// Sections are maps, and no key is in two places. Returns what is wrong; empty: nothing.
std::string read_metadata(item map, int version, sections& out) {
  out = {};
  if (!map.is_map()) return "it is not a map";
  std::string storage;
  item payload;
  const bool texts = map.pairs([&](item key, item value) {
    const std::string_view name = key.text(storage);
    if (name == "base")
      out.base = value;
    else if (name == "_reserved_")
      out.reserved = value;
    else if (name == "_extra_")
      out.extra = value;
    else
      out.more = true;
    if (name == "payload") payload = value;
    return key.is_text();
  });
  if (!texts) return "a key at its top level is not text";
  if (version == 2) {
    if (!out.base && payload.is_array()) out.base = payload;
    return hold_base(out);
  }
  if (out.reserved && !has_text_keys(out.reserved)) return "'_reserved_' is no map with text keys";
  if (out.extra && !has_text_keys(out.extra)) return "'_extra_' is no map with text keys";
  if (out.more && out.extra)
    if (const std::string twice = key_in_two_places(map, out.extra); !twice.empty())
      return say("key '", twice, "' is both at its top level and in '_extra_'");
  return hold_base(out);
}

class metadata_check {
 public:
  metadata_check(raw_message& raw, const message_parts& parts, const open_options& limits, bool canonical,
                 collector& found, failure& why) noexcept
      : raw_(raw), parts_(parts), limits_(limits), canonical_(canonical), found_(found), why_(why) {}

  void run() {
    for (const frame_part& frame : parts_.frames) {
      if (is_metadata(frame.type)) hold_metadata(frame);
      if (is_index(frame.type)) hold_index(frame);
      if (is_hash(frame.type)) hold_hashes(frame);
      if (why_) return;
    }
    for (const frame_part& frame : parts_.frames) {
      if (frame.type == wire::preceder_frame) hold_preceder(frame);
      if (why_) return;
    }
    if (last_ != nullptr && base_count_ > parts_.objects.size())
      found_.error(
          finding_code::base_count_exceeds_objects, metadata, {.at = last_->at},
          say("metadata base has ", base_count_, " entries but message has ", parts_.objects.size(), " data objects"));
    for (std::size_t i = 0; i < parts_.objects.size() && !why_; ++i)
      if (parts_.objects[i].usable)
        check_descriptor(raw_, parts_.objects[i], i, parts_.version, limits_, canonical_, found_, why_);
    if (odd_reserved_ && !why_) hold_reserved(*last_);
  }

 private:
  /// The item of a body when it is sound; what is wrong becomes a finding.
  bool load(const frame_part& frame, finding_code failed, finding_code odd, std::string_view what, item& out) {
    const body loaded = load_body(raw_, frame.body_at, frame.body_size, limits_, canonical_, why_);
    if (why_) return false;
    if (loaded.too_large) {
      found_.error(finding_code::limit_exceeded, metadata, {.at = frame.at},
                   say(what, " not checked: ", loaded.problem));
      return false;
    }
    if (!loaded.problem.empty()) {
      found_.error(failed, metadata, {.at = frame.at}, say("failed to parse ", what, " CBOR: ", loaded.problem));
      return false;
    }
    if (canonical_ && loaded.report.odd != nullptr)
      found_.warning(odd, metadata, {.at = frame.at},
                     say(what, " CBOR is not canonical: ", loaded.report.odd, " at byte ", loaded.report.odd_at));
    if (!loaded.report.in_order) report_duplicate_keys(loaded.item, what, {.at = frame.at}, found_);
    out = loaded.item;
    return true;
  }

  void fail(finding_code code, const frame_part& frame, std::string_view what, const std::string& problem) {
    found_.error(code, metadata, {.at = frame.at}, say("failed to parse ", what, " CBOR: ", problem));
  }

  void hold_metadata(const frame_part& frame) {
    item map;
    sections parts;
    if (!load(frame, finding_code::metadata_cbor_parse_failed, finding_code::metadata_cbor_non_canonical, "metadata",
              map))
      return;
    const std::string problem = read_metadata(map, parts_.version, parts);
    if (!problem.empty()) return fail(finding_code::metadata_cbor_parse_failed, frame, "metadata", problem);
    last_ = &frame;  // a later one replaces an earlier one
    base_count_ = parts.base_count;
    odd_reserved_ = parts.odd_reserved;
  }

  void hold_index(const frame_part& frame) {
    item map;
    if (!load(frame, finding_code::index_cbor_parse_failed, finding_code::index_non_canonical, "index", map)) return;
    index_lists lists;
    const std::string problem = read_index(map, parts_.version, lists);
    if (!problem.empty()) return fail(finding_code::index_cbor_parse_failed, frame, "index", problem);
    const auto& objects = parts_.objects;
    if (lists.offset_count != objects.size())
      found_.error(finding_code::index_count_mismatch, metadata, {.at = frame.at},
                   say("index offsets.len() ", lists.offset_count, " != actual data object count ", objects.size()));
    lists.offsets.elements([&](std::uint64_t i, item offset) {
      if (i >= objects.size()) return false;
      if (const auto at = offset.number(); at && *at != objects[i].at)
        found_.error(finding_code::index_offset_mismatch, metadata, {frame.at, i},
                     say("index offset[", i, "] = ", *at, " but actual data object frame at ", objects[i].at));
      return true;
    });
    if (parts_.version == 3 || !parts_.streamed)  // early streams of version 2 meant something else
      hold_lengths(frame, lists.lengths);
  }

  void hold_lengths(const frame_part& frame, item lengths) {
    const auto& objects = parts_.objects;
    lengths.elements([&](std::uint64_t i, item length) {
      if (i >= objects.size()) return false;
      if (const auto n = length.number(); n && *n != objects[i].length)
        found_.error(finding_code::index_length_mismatch, metadata, {frame.at, i},
                     say("index length[", i, "] = ", *n, " but actual data object frame has ", objects[i].length));
      return true;
    });
  }

  void hold_hashes(const frame_part& frame) {
    item map;
    if (!load(frame, finding_code::hash_frame_cbor_parse_failed, finding_code::index_non_canonical, "hash frame", map))
      return;
    hash_list list;
    const std::string problem = read_hashes(map, parts_.version, list);
    if (!problem.empty()) return fail(finding_code::hash_frame_cbor_parse_failed, frame, "hash frame", problem);
    if (list.count != parts_.objects.size())
      found_.error(finding_code::hash_frame_count_mismatch, metadata, {.at = frame.at},
                   say("hash frame has ", list.count, " hashes but ", parts_.objects.size(), " data objects"));
  }

  void hold_preceder(const frame_part& frame) {
    item map;
    sections parts;
    if (!load(frame, finding_code::preceder_cbor_parse_failed, finding_code::preceder_cbor_non_canonical,
              "preceder metadata", map))
      return;
    const std::string problem = read_metadata(map, parts_.version, parts);
    if (!problem.empty()) return fail(finding_code::preceder_cbor_parse_failed, frame, "preceder metadata", problem);
    if (parts.base_count != 1)
      found_.error(finding_code::preceder_base_count_wrong, metadata, {.at = frame.at},
                   say("PrecederMetadata base must have exactly 1 entry, got ", parts.base_count));
  }

  /// What writers keep for themselves in each entry. Read anew, for it comes last and rarely.
  void hold_reserved(const frame_part& frame) {
    const body loaded = load_body(raw_, frame.body_at, frame.body_size, limits_, false, why_);
    sections parts;
    if (why_ || !loaded.problem.empty() || !read_metadata(loaded.item, parts_.version, parts).empty()) return;
    parts.base.elements([&](std::uint64_t i, item entry) {
      if (i >= parts_.objects.size()) return false;
      const auto reserved = entry.find("_reserved_");
      const about where{frame.at, i};
      if (reserved && !reserved.is_map())
        found_.error(finding_code::reserved_not_a_map, metadata, where, "base._reserved_ is not a map");
      else if (reserved && !reserved.find("tensor"))
        found_.warning(finding_code::reserved_missing_tensor, metadata, where, "base._reserved_ missing 'tensor' key");
      return true;
    });
  }

  raw_message& raw_;
  const message_parts& parts_;
  const open_options& limits_;
  bool canonical_;
  collector& found_;
  failure& why_;

  const frame_part* last_ = nullptr;
  std::uint64_t base_count_ = 0;
  bool odd_reserved_ = false;
};

}  // namespace

void check_metadata(raw_message& raw, const message_parts& parts, const open_options& limits, bool canonical,
                    collector& found, failure& why) {
  metadata_check(raw, parts, limits, canonical, found, why).run();
}

}  // namespace tgmap::checks
