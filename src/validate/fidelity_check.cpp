// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "validate/descriptor_check.hpp"
#include "validate/level_checks.hpp"
#include "validate/non_finite.hpp"

namespace tgmap::validation {

namespace {

using enum validation_level;

constexpr std::uint64_t scan_step = 1 << 18;  // bytes; fits into the second level cache

constexpr byte_order native_order = std::endian::native == std::endian::big ? byte_order::big : byte_order::little;

/// The bytes of the elements of an object.
struct element_bytes {
  std::uint64_t offset = 0, size = 0;    ///< in the message, if elements are stored as they are
  std::span<const std::byte> decoded{};  ///< otherwise
  dtype type = dtype::uint8;
  byte_order order = byte_order::little;
};

/// Returns the text of a failure without its offset, which the finding has.
std::string reason_of(const failure& why) {
  return failure{.code = why.code, .expected = why.expected, .found = why.found}.text();
}

/// Returns text such as "filter shuffle, compression zstd".
std::string pipeline_text(const descriptor_fields& fields) {
  std::string out;
  const auto add = [&](std::string_view name, const std::string& codec) {
    if (codec != "none") out += concat(out.empty() ? "" : ", ", name, " ", codec);
  };
  add("encoding", fields.encoding);
  add("filter", fields.filter);
  add("compression", fields.compression);
  return out;
}

/// Returns text such as "masks by roaring, zstd".
std::string mask_methods_text(const descriptor_fields& fields) {
  std::string out;
  for (const auto& mask : fields.masks)
    if (mask && out.find(mask->method) == out.npos) out += concat(out.empty() ? "masks by " : ", ", mask->method);
  return out;
}

class fidelity_check {
 public:
  fidelity_check(message_bytes& source, const tgmap::message& message, int version, const open_options& limits,
                 tensor& decoded, message_findings& findings, failure& why) noexcept
      : source_(source),
        message_(message),
        version_(version),
        limits_(limits),
        decoded_(decoded),
        findings_(findings),
        why_(why) {}

  /// Reads the message as any program does, by its index if it has one. Does not repeat earlier findings.
  void check_message(const message_parts& parts) {
    has_explained_refusals_ = findings_.errors() != 0;
    failure why;
    const std::size_t count = message_.size(why);
    if ((why && is_fatal(why)) || has_explained_refusals_) return;
    if (!why && count == parts.objects.size()) {
      // In `io_mode::read` the archive would keep all metadata.
      if (!source_.archive_keeps_metadata()) check_metadata_reads(count);
      return;
    }
    has_explained_refusals_ = true;
    if (why) return report_refusal({}, "the message cannot be read: ", why);
    report_unreadable({}, concat("readers find ", count, " objects where the frames hold ", parts.objects.size()));
  }

  void check_object(const object_part& part, optional_index number) {
    descriptor_fields fields;
    if (!part.is_usable || !load_descriptor(source_, part, version_, limits_, fields, why_).empty() || why_) return;
    const location where{part.offset, number};
    if (fields.is_plain())
      check_plain_object(part, fields, where);
    else
      check_encoded_object(fields, where);
  }

  /// Adds the findings of level fidelity, which come after those of integrity.
  void finish() {
    for (auto& each : errors_) findings_.error(each.code, fidelity, each.where, std::move(each.text));
  }

  std::uint64_t not_decoded() const noexcept { return not_decoded_; }

 private:
  struct fidelity_error {
    finding_code code;
    location where;
    std::string text;
  };

  void add_error(finding_code code, location where, std::string text) {
    errors_.push_back({code, where, std::move(text)});
  }

  /// Checks elements that are stored as they are, step by step, so that no memory is needed for all of them.
  void check_plain_object(const object_part& part, const descriptor_fields& fields, location where) {
    const std::uint64_t payload = fields.payload_size(part);
    if (!check_size(fields, payload, where) || !check_access(where)) return;
    const auto masks = decode_masks(fields, where);
    if (masks && is_floating(fields.dtype))
      report_unmasked({part.region_offset, payload, {}, fields.dtype, fields.order}, *masks, where);
  }

  /// Checks that the library accepts the object and its descriptor. Its elements are not decoded, so it may exceed the
  /// limit of decoded bytes.
  bool check_access(location where) {
    failure why;
    const object target = object_at(where, why);
    if (!why) static_cast<void>(target.decoded_size(why));
    if (!why || why.code == make_error_code(errc::decoded_limit)) return true;
    if (is_fatal(why)) return false;
    if (!has_explained_refusals_) report_refusal(where, "the object cannot be read: ", why);
    return has_explained_refusals_;
  }

  void check_encoded_object(const descriptor_fields& fields, location where) {
    if (!fields.elements) return;  // reported as an error of the descriptor
    failure why;
    const object target = object_at(where, why);
    if (why) return report_lookup_failure(why, where);
    target.decode_into(decoded_, {.restore_missing = false, .strides = stride_policy::ignore}, why);
    if (why) return report_decode_failure(why, fields, where);
    check_block_offsets(target, where);
    const auto masks = decode_masks(fields, where);
    if (masks && is_floating(fields.dtype))
      report_unmasked({0, decoded_.bytes().size(), decoded_.bytes(), fields.dtype, native_order}, *masks, where);
  }

  /// Reads the metadata of the message and of each object, and the hash list, through the library.
  void check_metadata_reads(std::size_t objects) {
    failure why;
    location where{};
    static_cast<void>(message_.metadata(why));
    if (!why) static_cast<void>(message_.hash_list(why));
    for (std::size_t j = 0; j < objects && !why; ++j) {
      where.object = j;
      static_cast<void>(message_.base(j, why));
    }
    if (why && !is_fatal(why)) report_refusal(where, "metadata cannot be read: ", why);
  }

  /// Checks `szip_block_offsets`. With wrong ones, a part of the object decodes to other values than the whole.
  void check_block_offsets(const object& target, location where) {
    failure why;
    target.verify_block_offsets(why);
    if (!why || is_fatal(why)) return;
    if (why.code != make_error_code(errc::bad_parameter))
      return note_not_decoded(where, concat("offsets: ", reason_of(why)));
    add_error(finding_code::wrong_block_offsets, where,
              concat("szip_block_offsets: interval ", why.found, " does not begin where it says"));
  }

  /// Checks the size of elements that are stored as they are.
  bool check_size(const descriptor_fields& fields, std::uint64_t payload, location where) {
    const auto fail = [&](std::string text) {
      add_error(finding_code::decoded_size_mismatch, where, std::move(text));
      return false;
    };
    if (!fields.elements) return fail("shape product overflows, cannot verify decoded size");
    const auto expected = size_bytes(fields.dtype, *fields.elements);
    if (!expected) return fail("expected decoded size overflows usize");
    if (*expected == payload) return true;
    return fail(concat("decoded size ", payload, " != expected ", *expected, " (shape ", shape_text(fields.shape),
                       ", dtype ", to_string_view(fields.dtype), ")"));
  }

  /// Returns the object from the library. Errors: also bad_index if its frame is not the one in the order of the file.
  object object_at(location where, failure& why) const {
    const object out = message_.at(static_cast<std::size_t>(*where.object), why);
    if (!why && out.frame().offset_in_message() != where.offset) why = {.code = errc::bad_index};
    return out;
  }

  /// Returns the masks; nothing if they cannot be decoded, which is reported.
  std::optional<std::vector<missing_mask>> decode_masks(const descriptor_fields& fields, location where) {
    std::vector<missing_mask> out;
    if (!fields.has_masks()) return out;
    failure why;
    const object target = object_at(where, why);
    if (why) {
      report_lookup_failure(why, where);
      return std::nullopt;
    }
    out = target.masks(why);
    if (!why) return out;
    if (is_fatal(why)) return std::nullopt;
    switch (static_cast<errc>(why.code.value())) {
      case errc::codec_absent:
      case errc::codec_forbidden:
      case errc::decoded_limit:
      case errc::out_of_memory: note_not_decoded(where, concat(mask_methods_text(fields), ": ", reason_of(why))); break;
      default: report_mask_failure(why, where);
    }
    return std::nullopt;
  }

  /// Reports the first NaN or infinity that no mask marks.
  void report_unmasked(const element_bytes& elements, const std::vector<missing_mask>& masks, location where) {
    for (std::uint64_t done = 0; done < elements.size;) {
      const std::uint64_t n = std::min(scan_step, elements.size - done);  // all element sizes divide a step
      const auto bytes = elements.decoded.empty()
                             ? source_.load(elements.offset + done, n, why_)
                             : elements.decoded.subspan(static_cast<std::size_t>(done), static_cast<std::size_t>(n));
      if (why_) return;
      const std::uint64_t first = done / element_size(elements.type);
      for (auto found = find_non_finite(bytes, elements.type, elements.order); found;
           found = find_non_finite(bytes, elements.type, elements.order, found->index + 1)) {
        const auto marks = [&](const missing_mask& mask) { return mask[first + found->index]; };
        if (std::none_of(masks.begin(), masks.end(), marks))
          return report_non_finite(first + found->index, *found, elements.type, where);
      }
      done += n;
    }
  }

  void report_non_finite(std::uint64_t element, const non_finite_element& found, dtype type, location where) {
    const bool is_nan = found.kind == non_finite::nan;
    const bool is_complex = type == dtype::complex64 || type == dtype::complex128;
    const std::string_view component = !is_complex            ? ""
                                       : found.component == 0 ? "real component, "
                                                              : "imaginary component, ";
    add_error(is_nan ? finding_code::nan_detected : finding_code::inf_detected, where,
              concat("unexpected ", is_nan ? "NaN" : "Inf", " at element ", element, " (", component,
                     "not recorded in mask)"));
  }

  /// Returns true if the archive cannot be read any more, which ends the check.
  bool is_fatal(const failure& why) {
    const bool is_damage = why.code.category() == category() && why.code != condition::io &&
                           why.code != make_error_code(errc::file_shrank);
    if (is_damage) return false;
    why_ = why;
    return true;
  }

  void report_lookup_failure(const failure& why, location where) {
    if (is_fatal(why)) return;
    if (why.code == make_error_code(errc::mask_out_of_range)) return report_mask_failure(why, where);
    if (!has_explained_refusals_) return report_refusal(where, "the object cannot be read: ", why);
    note_not_decoded(where, concat("the object is not found by its index: ", reason_of(why)));
  }

  void report_decode_failure(const failure& why, const descriptor_fields& fields, location where) {
    if (is_fatal(why)) return;
    switch (static_cast<errc>(why.code.value())) {
      case errc::unknown_codec:
      case errc::bad_parameter:
      case errc::bad_combination:
        return findings_.error(finding_code::pipeline_config_failed, integrity, where,
                               concat("cannot build pipeline config: ", pipeline_text(fields), ": ", reason_of(why)));
      case errc::codec_failed:
      case errc::decoded_size_mismatch:
        return findings_.error(finding_code::decode_pipeline_failed, integrity, where,
                               concat("decode pipeline failed: ", pipeline_text(fields), ": ", reason_of(why)));
      case errc::codec_forbidden: break;
      default:
        if (why.code != condition::limit && why.code != condition::unsupported)
          return report_refusal(where, "the object cannot be read: ", why);
    }
    note_not_decoded(where, concat(pipeline_text(fields), ": ", reason_of(why)));
  }

  void report_mask_failure(const failure& why, location where) {
    add_error(finding_code::decode_object_failed, where, concat("bitmask decode failed: ", reason_of(why)));
  }

  /// Reports a failure of the library: an error, or a note if another build or a higher limit could read the bytes.
  void report_refusal(location where, std::string_view subject, const failure& why) {
    if (why.code == condition::limit || why.code == condition::unsupported)
      return note_not_decoded(where, reason_of(why));
    report_unreadable(where, concat(subject, reason_of(why)));
  }

  void report_unreadable(location where, std::string text) {
    add_error(finding_code::unreadable, where, std::move(text));
  }

  void note_not_decoded(location where, const std::string& reason) {
    ++not_decoded_;
    findings_.note(finding_code::not_decoded, fidelity, where, concat("values not checked: ", reason));
  }

  message_bytes& source_;
  const tgmap::message& message_;
  int version_;
  const open_options& limits_;
  tensor& decoded_;
  message_findings& findings_;
  failure& why_;
  bool has_explained_refusals_ = false;  ///< an earlier finding explains why objects cannot be read
  std::vector<fidelity_error> errors_;
  std::uint64_t not_decoded_ = 0;
};

}  // namespace

std::uint64_t check_fidelity(message_bytes& source, const tgmap::message& message, const message_parts& parts,
                             const open_options& limits, tensor& decoded, message_findings& findings, failure& why) {
  fidelity_check check(source, message, parts.version, limits, decoded, findings, why);
  check.check_message(parts);
  for (std::size_t i = 0; i < parts.objects.size() && !why; ++i) check.check_object(parts.objects[i], i);
  check.finish();
  return check.not_decoded();
}

}  // namespace tgmap::validation
