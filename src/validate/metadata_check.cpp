// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <vector>

#include "validate/cbor/cbor_body.hpp"
#include "validate/descriptor_check.hpp"
#include "validate/level_checks.hpp"

namespace tgmap::validation {

namespace {

using enum validation_level;

bool is_metadata_frame(std::uint16_t type) noexcept {
  return type == wire::header_metadata_frame || type == wire::footer_metadata_frame;
}
bool is_index_frame(std::uint16_t type) noexcept {
  return type == wire::header_index_frame || type == wire::footer_index_frame;
}
bool is_hash_frame(std::uint16_t type) noexcept {
  return type == wire::header_hash_frame || type == wire::footer_hash_frame;
}

/// Returns true for a map whose keys are all text.
bool has_text_keys(cbor_item map) {
  return map.is_map() && map.for_each_pair([](cbor_item key, cbor_item) { return key.is_text(); });
}

/// The sections of a metadata map. Spec: §5.1.
struct metadata_sections {
  cbor_item base{}, reserved{}, extra{};  ///< may be absent
  std::uint64_t base_count = 0;
  bool has_other_keys = false;        ///< at the top level
  bool has_unusual_reserved = false;  ///< `_reserved_` of an entry has no `tensor`
};

/// Checks that `base` is an array of maps. Returns the problem; empty if there is none.
std::string check_base(metadata_sections& out) {
  if (!out.base) return {};
  if (!out.base.is_array()) return "'base' is no array";
  std::string storage;
  const bool maps = out.base.for_each_element([&](std::uint64_t, cbor_item entry) {
    ++out.base_count;
    return entry.is_map() && entry.for_each_pair([&](cbor_item key, cbor_item value) {
      if (key.text(storage) == "_reserved_")
        out.has_unusual_reserved = out.has_unusual_reserved || !value.find("tensor");
      return key.is_text();
    });
  });
  return maps ? "" : "an entry of 'base' is no map with text keys";
}

/// Returns a key that is both at the top level and in `_extra_`; empty if there is none.
std::string repeated_extra_key(cbor_item map, cbor_item extra) {
  std::vector<std::string> keys;
  std::string storage;
  map.for_each_pair([&](cbor_item key, cbor_item) {
    const std::string_view name = key.text(storage);
    if (name != "base" && name != "_reserved_" && name != "_extra_") keys.emplace_back(name);
    return true;
  });
  std::sort(keys.begin(), keys.end());
  std::string repeated;
  extra.for_each_pair([&](cbor_item key, cbor_item) {
    const std::string_view name = key.text(storage);
    if (std::binary_search(keys.begin(), keys.end(), name)) repeated = name;
    return repeated.empty();
  });
  return repeated;
}

/// Reads the sections of a metadata map. Returns the problem; empty if there is none.
std::string read_metadata(cbor_item map, int version, metadata_sections& out) {
  out = {};
  if (!map.is_map()) return "it is not a map";
  std::string storage;
  cbor_item payload;
  const bool has_texts = map.for_each_pair([&](cbor_item key, cbor_item value) {
    const std::string_view name = key.text(storage);
    if (name == "base")
      out.base = value;
    else if (name == "_reserved_")
      out.reserved = value;
    else if (name == "_extra_")
      out.extra = value;
    else
      out.has_other_keys = true;
    if (name == "payload") payload = value;
    return key.is_text();
  });
  if (!has_texts) return "a key at its top level is not text";
  if (version == 2) {
    // Releases up to 0.5 called `base` `payload`. Before 0.4 that was a map, which is not read.
    if (!out.base && payload.is_array()) out.base = payload;
    return check_base(out);
  }
  if (out.reserved && !has_text_keys(out.reserved)) return "'_reserved_' is no map with text keys";
  if (out.extra && !has_text_keys(out.extra)) return "'_extra_' is no map with text keys";
  if (out.has_other_keys && out.extra)
    if (const std::string repeated = repeated_extra_key(map, out.extra); !repeated.empty())
      return concat("key '", repeated, "' is both at its top level and in '_extra_'");
  return check_base(out);
}

class metadata_check {
 public:
  metadata_check(message_bytes& source, const message_parts& parts, const open_options& limits, bool canonical,
                 message_findings& findings, failure& why) noexcept
      : source_(source), parts_(parts), limits_(limits), canonical_(canonical), findings_(findings), why_(why) {}

  void run() {
    for (const frame_part& frame : parts_.frames) {
      if (is_metadata_frame(frame.type)) check_metadata_frame(frame);
      if (is_index_frame(frame.type)) check_index_frame(frame);
      if (is_hash_frame(frame.type)) check_hash_frame(frame);
      if (why_) return;
    }
    for (const frame_part& frame : parts_.frames) {
      if (frame.type == wire::preceder_frame) check_preceder(frame);
      if (why_) return;
    }
    if (metadata_frame_ != nullptr && base_count_ > parts_.objects.size())
      findings_.error(finding_code::base_count_exceeds_objects, metadata, {.offset = metadata_frame_->offset},
                      concat("metadata base has ", base_count_, " entries but message has ", parts_.objects.size(),
                             " data objects"));
    for (std::size_t i = 0; i < parts_.objects.size() && !why_; ++i)
      if (parts_.objects[i].is_usable)
        check_descriptor(source_, parts_.objects[i], i, parts_.version, limits_, canonical_, findings_, why_);
    if (has_unusual_reserved_ && !why_) check_reserved(*metadata_frame_);
  }

 private:
  /// Loads the body of a frame, and reports problems of its CBOR. Returns false if there is no sound item.
  bool load(const frame_part& frame, finding_code parse_failed, finding_code non_canonical, std::string_view name,
            cbor_item& out) {
    const cbor_body loaded = load_cbor(source_, frame.body_offset, frame.body_size, limits_, canonical_, why_);
    if (why_) return false;
    if (loaded.is_too_large) {
      findings_.error(finding_code::limit_exceeded, metadata, {.offset = frame.offset},
                      concat(name, " not checked: ", loaded.problem));
      return false;
    }
    if (!loaded.problem.empty()) {
      findings_.error(parse_failed, metadata, {.offset = frame.offset},
                      concat("failed to parse ", name, " CBOR: ", loaded.problem));
      return false;
    }
    if (canonical_ && loaded.report.not_canonical != nullptr)
      findings_.warning(non_canonical, metadata, {.offset = frame.offset},
                        concat(name, " CBOR is not canonical: ", loaded.report.not_canonical, " at byte ",
                               loaded.report.not_canonical_at));
    if (!loaded.report.is_sorted) report_duplicate_keys(loaded.root, name, {.offset = frame.offset}, findings_);
    out = loaded.root;
    return true;
  }

  void fail(finding_code code, const frame_part& frame, std::string_view name, const std::string& problem) {
    findings_.error(code, metadata, {.offset = frame.offset}, concat("failed to parse ", name, " CBOR: ", problem));
  }

  void check_metadata_frame(const frame_part& frame) {
    cbor_item map;
    metadata_sections sections;
    if (!load(frame, finding_code::metadata_cbor_parse_failed, finding_code::metadata_cbor_non_canonical, "metadata",
              map))
      return;
    const std::string problem = read_metadata(map, parts_.version, sections);
    if (!problem.empty()) return fail(finding_code::metadata_cbor_parse_failed, frame, "metadata", problem);
    metadata_frame_ = &frame;  // the last one counts
    base_count_ = sections.base_count;
    has_unusual_reserved_ = sections.has_unusual_reserved;
  }

  void check_index_frame(const frame_part& frame) {
    cbor_item map;
    if (!load(frame, finding_code::index_cbor_parse_failed, finding_code::index_non_canonical, "index", map)) return;
    index_lists lists;
    const std::string problem = read_index(map, parts_.version, lists);
    if (!problem.empty()) return fail(finding_code::index_cbor_parse_failed, frame, "index", problem);
    const auto& objects = parts_.objects;
    if (lists.offset_count != objects.size())
      findings_.error(
          finding_code::index_count_mismatch, metadata, {.offset = frame.offset},
          concat("index offsets.len() ", lists.offset_count, " != actual data object count ", objects.size()));
    lists.offsets.for_each_element([&](std::uint64_t i, cbor_item offset) {
      if (i >= objects.size()) return false;
      if (const auto at = offset.number(); at && *at != objects[i].offset)
        findings_.error(
            finding_code::index_offset_mismatch, metadata, {frame.offset, i},
            concat("index offset[", i, "] = ", *at, " but actual data object frame at ", objects[i].offset));
      return true;
    });
    if (parts_.version == 3 || !parts_.is_streamed)  // early streams of version 2 list the sizes of payloads
      check_lengths(frame, lists.lengths);
  }

  void check_lengths(const frame_part& frame, cbor_item lengths) {
    const auto& objects = parts_.objects;
    lengths.for_each_element([&](std::uint64_t i, cbor_item length) {
      if (i >= objects.size()) return false;
      if (const auto n = length.number(); n && *n != objects[i].length)
        findings_.error(
            finding_code::index_length_mismatch, metadata, {frame.offset, i},
            concat("index length[", i, "] = ", *n, " but actual data object frame has ", objects[i].length));
      return true;
    });
  }

  void check_hash_frame(const frame_part& frame) {
    cbor_item map;
    if (!load(frame, finding_code::hash_frame_cbor_parse_failed, finding_code::index_non_canonical, "hash frame", map))
      return;
    hash_list list;
    const std::string problem = read_hash_list(map, parts_.version, list);
    if (!problem.empty()) return fail(finding_code::hash_frame_cbor_parse_failed, frame, "hash frame", problem);
    if (list.count != parts_.objects.size())
      findings_.error(finding_code::hash_frame_count_mismatch, metadata, {.offset = frame.offset},
                      concat("hash frame has ", list.count, " hashes but ", parts_.objects.size(), " data objects"));
  }

  void check_preceder(const frame_part& frame) {
    cbor_item map;
    metadata_sections sections;
    if (!load(frame, finding_code::preceder_cbor_parse_failed, finding_code::preceder_cbor_non_canonical,
              "preceder metadata", map))
      return;
    const std::string problem = read_metadata(map, parts_.version, sections);
    if (!problem.empty()) return fail(finding_code::preceder_cbor_parse_failed, frame, "preceder metadata", problem);
    if (sections.base_count != 1)
      findings_.error(finding_code::preceder_base_count_wrong, metadata, {.offset = frame.offset},
                      concat("PrecederMetadata base must have exactly 1 entry, got ", sections.base_count));
  }

  /// Checks `_reserved_` of each entry of `base`. Loads the frame again, which is rare: its findings come last.
  void check_reserved(const frame_part& frame) {
    const cbor_body loaded = load_cbor(source_, frame.body_offset, frame.body_size, limits_, false, why_);
    metadata_sections sections;
    if (why_ || !loaded.problem.empty() || !read_metadata(loaded.root, parts_.version, sections).empty()) return;
    sections.base.for_each_element([&](std::uint64_t i, cbor_item entry) {
      if (i >= parts_.objects.size()) return false;
      const auto reserved = entry.find("_reserved_");
      const location where{frame.offset, i};
      if (reserved && !reserved.is_map())
        findings_.error(finding_code::reserved_not_a_map, metadata, where, "base._reserved_ is not a map");
      else if (reserved && !reserved.find("tensor"))
        findings_.warning(finding_code::reserved_missing_tensor, metadata, where,
                          "base._reserved_ missing 'tensor' key");
      return true;
    });
  }

  message_bytes& source_;
  const message_parts& parts_;
  const open_options& limits_;
  bool canonical_;
  message_findings& findings_;
  failure& why_;

  const frame_part* metadata_frame_ = nullptr;
  std::uint64_t base_count_ = 0;
  bool has_unusual_reserved_ = false;
};

}  // namespace

void check_metadata(message_bytes& source, const message_parts& parts, const open_options& limits, bool canonical,
                    message_findings& findings, failure& why) {
  metadata_check(source, parts, limits, canonical, findings, why).run();
}

}  // namespace tgmap::validation
