// SPDX-License-Identifier: Apache-2.0
#include "validate/descriptor_check.hpp"

#include <algorithm>
#include <array>

#include "validate/body.hpp"
#include "validate/duplicate_keys.hpp"

namespace tgmap::checks {

namespace {

using enum validation_level;

std::string problem_of(const body& loaded, int version, descriptor_facts& out) {
  if (!loaded.problem.empty()) return loaded.problem;
  if (loaded.report.tags) return "a tag, which descriptors must not hold";
  return read_descriptor(loaded.item, version, out);
}

void hold_names(const descriptor_facts& what, about where, collector& found) {
  if (what.encoding != "none" && what.encoding != "simple_packing")
    found.error(finding_code::unknown_encoding, metadata, where, say("unknown encoding '", what.encoding, "'"));
  if (what.filter != "none" && what.filter != "shuffle")
    found.error(finding_code::unknown_filter, metadata, where, say("unknown filter '", what.filter, "'"));
  static constexpr std::array<std::string_view, 9> known{"none", "szip", "zstd", "lz4",    "blosc2",
                                                         "zfp",  "sz3",  "rle",  "roaring"};
  if (std::find(known.begin(), known.end(), what.compression) == known.end())
    found.error(finding_code::unknown_compression, metadata, where,
                say("unknown compression '", what.compression, "'"));
  if (what.type_empty) found.error(finding_code::empty_obj_type, metadata, where, "obj_type is empty");
}

void hold_masks(const descriptor_facts& what, const object_part& object, about where, collector& found) {
  for (const auto& mask : what.masks)
    if (mask && (mask->offset > object.region_size || mask->length > object.region_size - mask->offset))
      found.error(finding_code::mask_out_of_range, metadata, where,
                  say("mask of ", mask->length, " bytes at ", mask->offset, " out of range (payload region is ",
                      object.region_size, " bytes)"));
}

}  // namespace

std::string load_descriptor(raw_message& raw, const object_part& object, int version, const open_options& limits,
                            descriptor_facts& out, failure& why) {
  const body loaded = load_body(raw, object.descriptor_at, object.descriptor_size, limits, false, why);
  return why ? std::string() : problem_of(loaded, version, out);
}

void check_descriptor(raw_message& raw, const object_part& object, optional_index number, int version,
                      const open_options& limits, bool canonical, collector& found, failure& why) {
  const body loaded = load_body(raw, object.descriptor_at, object.descriptor_size, limits, canonical, why);
  if (why) return;
  const about where{object.at, number};
  if (loaded.too_large)
    return found.error(finding_code::limit_exceeded, metadata, where, say("descriptor not checked: ", loaded.problem));
  descriptor_facts what;
  const std::string problem = problem_of(loaded, version, what);
  if (canonical && loaded.problem.empty() && loaded.report.odd != nullptr)
    found.warning(finding_code::descriptor_cbor_non_canonical, metadata, where,
                  say("descriptor CBOR is not canonical: ", loaded.report.odd, " at byte ", loaded.report.odd_at));
  if (loaded.item && !loaded.report.in_order) report_duplicate_keys(loaded.item, "descriptor", where, found);
  if (!problem.empty())
    return found.error(finding_code::descriptor_cbor_parse_failed, metadata, where,
                       say("descriptor CBOR parse failed: ", problem));

  if (what.ndim != what.rank)
    found.error(finding_code::ndim_shape_mismatch, metadata, where,
                say("ndim ", what.ndim, " != shape.len() ", what.rank));
  if (what.strides != what.rank)
    found.error(finding_code::strides_shape_mismatch, metadata, where,
                say("strides.len() ", what.strides, " != shape.len() ", what.rank));
  if (!what.elements) found.error(finding_code::shape_overflow, metadata, where, "shape product overflows u64");
  hold_names(what, where, found);
  hold_masks(what, object, where, found);
}

}  // namespace tgmap::checks
