// SPDX-License-Identifier: Apache-2.0
#include "validate/descriptor_check.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <tgmap/array_view.hpp>

#include "validate/cbor/cbor_body.hpp"
#include "wire/descriptor_keys.hpp"

namespace tgmap::validation {

namespace {

using enum validation_level;

using wire::descriptor_key;

bool read_text(cbor_item value, std::string& out) {
  if (!value.is_text()) return false;
  std::string storage;
  out = value.text(storage);
  return true;
}

bool read_number(cbor_item value, std::uint64_t& out) noexcept {
  const auto number = value.number();
  out = number.value_or(0);
  return number.has_value();
}

bool read_shape(cbor_item value, descriptor_fields& out) {
  out.shape = value;
  out.rank = 0;
  out.elements = 1;
  return value.is_array() && value.for_each_element([&](std::uint64_t, cbor_item extent) {
    const auto n = extent.number();
    if (!n) return false;
    ++out.rank;
    std::uint64_t product = 0;
    if (out.elements)
      out.elements = __builtin_mul_overflow(*out.elements, *n, &product) ? std::nullopt : std::optional(product);
    return true;
  });
}

bool read_strides(cbor_item value, descriptor_fields& out) {
  out.strides = value;
  out.stride_count = 0;
  return value.is_array() && value.for_each_element([&](std::uint64_t, cbor_item stride) {
    ++out.stride_count;
    return stride.number().has_value();
  });
}

bool read_mask(cbor_item value, std::optional<mask_fields>& out) {
  mask_fields mask;
  const auto offset = value.find("offset").number(), length = value.find("length").number();
  if (!read_text(value.find("method"), mask.method) || !offset || !length) return false;
  mask.offset = *offset;
  mask.length = *length;
  out = std::move(mask);
  return true;
}

bool read_masks(cbor_item value, descriptor_fields& out) {
  std::string storage;
  return value.is_map() && value.for_each_pair([&](cbor_item key, cbor_item mask) {
    const std::string_view name = key.text(storage);
    if (name == "nan") return read_mask(mask, out.masks[0]);
    if (name == "inf+") return read_mask(mask, out.masks[1]);
    return name != "inf-" || read_mask(mask, out.masks[2]);
  });
}

class descriptor_reader {
 public:
  descriptor_reader(int version, descriptor_fields& out) : version_(version), out_(out) { out_ = {}; }

  /// Returns the problem; empty if there is none.
  std::string run(cbor_item map) {
    if (!map.is_map()) return "it is not a map";
    map.for_each_pair([&](cbor_item key, cbor_item value) {
      const std::string_view name = key.text(storage_);
      if (!key.is_text())
        problem_ = "a key is not text";
      else if (!read(wire::key_named(name), value) && problem_.empty())
        problem_ = concat("'", key.text(storage_), "' has a value of the wrong kind");
      return problem_.empty();
    });
    if (!problem_.empty()) return problem_;
    static constexpr std::string_view names[] = {"type",     "ndim",   "shape",       "strides",   "dtype",
                                                 "encoding", "filter", "compression", "byte_order"};
    const unsigned count = version_ == 2 ? 9 : 8;  // the byte order is optional in version 3
    for (unsigned i = 0; i < count; ++i)
      if ((seen_ >> i & 1) == 0) return concat("'", names[i], "' is missing");
    return {};
  }

 private:
  bool read(descriptor_key key, cbor_item value) {
    seen_ |= std::uint32_t{1} << static_cast<unsigned>(key);
    switch (key) {
      case descriptor_key::type: out_.has_empty_type = value.text(storage_).empty(); return value.is_text();
      case descriptor_key::ndim: return read_number(value, out_.ndim);
      case descriptor_key::shape: return read_shape(value, out_);
      case descriptor_key::strides: return read_strides(value, out_);
      case descriptor_key::dtype: return value.is_text() && read_dtype(value.text(storage_));
      case descriptor_key::encoding: return read_text(value, out_.encoding);
      case descriptor_key::filter: return read_text(value, out_.filter);
      case descriptor_key::compression: return read_text(value, out_.compression);
      case descriptor_key::byte_order: return value.is_text() && read_order(value.text(storage_));
      case descriptor_key::masks: return read_masks(value, out_);
      case descriptor_key::hash: out_.hash = value; return true;
      default: return true;
    }
  }

  bool read_dtype(std::string_view text) {
    const auto found = dtype_from_name(text);
    if (!found) problem_ = concat("unknown dtype '", text, "'");
    out_.dtype = found.value_or(dtype::uint8);
    return found.has_value();
  }

  bool read_order(std::string_view text) {
    out_.order = text == "big" ? byte_order::big : byte_order::little;
    if (text != "big" && text != "little") problem_ = concat("unknown byte order '", text, "'");
    return problem_.empty();
  }

  int version_;
  descriptor_fields& out_;
  std::uint32_t seen_ = 0;
  std::string storage_, problem_;
};

/// Reads the fields of a loaded descriptor. Returns the problem; empty if there is none.
std::string read_fields(const cbor_body& loaded, int version, descriptor_fields& out) {
  if (!loaded.problem.empty()) return loaded.problem;
  if (loaded.report.has_tags) return "a tag, which descriptors must not hold";
  return descriptor_reader(version, out).run(loaded.root);
}

void check_names(const descriptor_fields& fields, location where, message_findings& findings) {
  if (fields.encoding != "none" && fields.encoding != "simple_packing")
    findings.error(finding_code::unknown_encoding, metadata, where, concat("unknown encoding '", fields.encoding, "'"));
  if (fields.filter != "none" && fields.filter != "shuffle")
    findings.error(finding_code::unknown_filter, metadata, where, concat("unknown filter '", fields.filter, "'"));
  static constexpr std::array<std::string_view, 9> known{"none", "szip", "zstd", "lz4",    "blosc2",
                                                         "zfp",  "sz3",  "rle",  "roaring"};
  if (std::find(known.begin(), known.end(), fields.compression) == known.end())
    findings.error(finding_code::unknown_compression, metadata, where,
                   concat("unknown compression '", fields.compression, "'"));
  if (fields.has_empty_type) findings.error(finding_code::empty_obj_type, metadata, where, "obj_type is empty");
}

void check_masks(const descriptor_fields& fields, const object_part& object, location where,
                 message_findings& findings) {
  for (const auto& mask : fields.masks)
    if (mask && (mask->offset > object.region_size || mask->length > object.region_size - mask->offset))
      findings.error(finding_code::mask_out_of_range, metadata, where,
                     concat("mask of ", mask->length, " bytes at ", mask->offset, " out of range (payload region is ",
                            object.region_size, " bytes)"));
}

/// Returns true if the strides are dense in bytes but not in elements.
bool has_strides_in_bytes(const descriptor_fields& fields) {
  if (fields.rank > max_rank || fields.stride_count != fields.rank || !fields.elements) return false;
  std::array<std::uint64_t, max_rank> extents{};
  std::array<std::int64_t, max_rank> numbers{}, dense{};
  const auto rank = static_cast<std::size_t>(fields.rank);
  fields.shape.for_each_element([&](std::uint64_t d, cbor_item extent) {
    if (d >= rank) return false;  // the bytes may have changed since they were counted
    extents[d] = extent.number().value_or(0);
    return true;
  });
  fields.strides.for_each_element([&](std::uint64_t d, cbor_item stride) {
    if (d >= rank) return false;
    numbers[d] = static_cast<std::int64_t>(std::min<std::uint64_t>(stride.number().value_or(0), INT64_MAX));
    return true;
  });
  const auto shape = std::span(extents).first(rank);
  const auto strides = std::span(numbers).first(rank);
  const auto out = std::span(dense).first(rank);
  return !dense_strides(shape, strides, out) && dense_strides(shape, strides, element_size(fields.dtype), out);
}

}  // namespace

std::string shape_text(cbor_item shape) {
  std::string out;
  shape.for_each_element([&](std::uint64_t, cbor_item extent) {
    out += concat(out.empty() ? "" : ", ", extent.number().value_or(0));
    return true;
  });
  return concat("[", out, "]");
}

std::string load_descriptor(message_bytes& source, const object_part& object, int version, const open_options& limits,
                            descriptor_fields& out, failure& why) {
  const cbor_body loaded = load_cbor(source, object.descriptor_offset, object.descriptor_size, limits, false, why);
  return why ? std::string() : read_fields(loaded, version, out);
}

void check_descriptor(message_bytes& source, const object_part& object, optional_index number, int version,
                      const open_options& limits, bool canonical, message_findings& findings, failure& why) {
  const cbor_body loaded = load_cbor(source, object.descriptor_offset, object.descriptor_size, limits, canonical, why);
  if (why) return;
  const location where{object.offset, number};
  if (loaded.is_too_large)
    return findings.error(finding_code::limit_exceeded, metadata, where,
                          concat("descriptor not checked: ", loaded.problem));
  descriptor_fields fields;
  const std::string problem = read_fields(loaded, version, fields);
  if (canonical && loaded.problem.empty() && loaded.report.not_canonical != nullptr)
    findings.warning(finding_code::descriptor_cbor_non_canonical, metadata, where,
                     concat("descriptor CBOR is not canonical: ", loaded.report.not_canonical, " at byte ",
                            loaded.report.not_canonical_at));
  if (loaded.root && !loaded.report.is_sorted) report_duplicate_keys(loaded.root, "descriptor", where, findings);
  if (!problem.empty())
    return findings.error(finding_code::descriptor_cbor_parse_failed, metadata, where,
                          concat("descriptor CBOR parse failed: ", problem));

  if (fields.ndim != fields.rank)
    findings.error(finding_code::ndim_shape_mismatch, metadata, where,
                   concat("ndim ", fields.ndim, " != shape.len() ", fields.rank));
  if (fields.stride_count != fields.rank)
    findings.error(finding_code::strides_shape_mismatch, metadata, where,
                   concat("strides.len() ", fields.stride_count, " != shape.len() ", fields.rank));
  if (has_strides_in_bytes(fields))
    findings.warning(finding_code::strides_in_bytes, metadata, where,
                     concat("strides ", shape_text(fields.strides), " count bytes, not elements of ",
                            element_size(fields.dtype), " bytes; they are divided"));
  if (!fields.elements) findings.error(finding_code::shape_overflow, metadata, where, "shape product overflows u64");
  check_names(fields, where, findings);
  check_masks(fields, object, where, findings);
}

}  // namespace tgmap::validation
