// SPDX-License-Identifier: Apache-2.0
#include "validate/fidelity.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "validate/descriptor_check.hpp"
#include "validate/non_finite.hpp"

namespace tgmap::checks {

namespace {

using enum validation_level;

constexpr std::uint64_t piece = 1 << 18;  // stays in the second level cache

/// Where the elements of an object are looked for.
struct element_source {
  std::uint64_t at = 0, size = 0;        ///< in the message, of elements stored as they are
  std::span<const std::byte> decoded{};  ///< of all others
  dtype type = dtype::uint8;
  byte_order order = byte_order::little;
};

constexpr byte_order native_order = std::endian::native == std::endian::big ? byte_order::big : byte_order::little;

/// The failure without its place, which a finding has anyway.
std::string reason_of(const failure& why) {
  return failure{.code = why.code, .expected = why.expected, .found = why.found}.text();
}

class fidelity_check {
 public:
  fidelity_check(raw_message& raw, const tgmap::message& message, int version, const open_options& limits,
                 tensor& memory, collector& found, failure& why) noexcept
      : raw_(raw), message_(message), version_(version), limits_(limits), memory_(memory), found_(found), why_(why) {}

  /// The message is read as any program reads it, by its index where it has one. What was found already is not said
  /// again.
  void hold_message(const message_parts& parts) {
    told_ = found_.errors() != 0;
    failure why;
    const std::size_t count = message_.size(why);
    if ((why && ends(why)) || told_) return;
    if (!why && count == parts.objects.size()) {
      if (!raw_.archive_keeps_metadata()) hold_metadata(count);
      return;
    }
    told_ = true;
    if (why) return refuse({}, "the message cannot be read: ", why);
    complain_of_reading({}, say("readers find ", count, " objects where the frames hold ", parts.objects.size()));
  }

  void hold(const object_part& object, optional_index number) {
    descriptor_facts what;
    if (!object.usable || !load_descriptor(raw_, object, version_, limits_, what, why_).empty() || why_) return;
    const about where{object.at, number};
    if (what.raw())
      hold_raw(object, what, where);
    else
      hold_encoded(what, where);
  }

  /// What belongs behind everything that decoding found.
  void finish() {
    for (auto& each : later_) found_.error(each.code, fidelity, each.where, std::move(each.text));
  }

  std::uint64_t not_decoded() const noexcept { return not_decoded_; }

 private:
  struct delayed {
    finding_code code;
    about where;
    std::string text;
  };

  /// Elements that lie there as they are: looked at by pieces, so that no memory is needed for them.
  void hold_raw(const object_part& object, const descriptor_facts& what, about where) {
    std::uint64_t payload = object.region_size;
    for (const auto& mask : what.masks)
      if (mask) payload = std::min(payload, mask->offset);
    if (!right_size(what, payload, where) || !can_be_reached(where)) return;
    const auto masks = masks_of(what, where);
    if (masks && is_floating(what.dtype)) scan({object.region_at, payload, {}, what.dtype, what.order}, *masks, where);
  }

  /// Whether readers take the object and its descriptor. Its elements need no memory: what it comes to is no matter.
  bool can_be_reached(about where) {
    failure why;
    const object one = object_at(where, why);
    if (!why) static_cast<void>(one.decoded_size(why));
    if (!why || why.code == make_error_code(errc::decoded_limit)) return true;
    if (ends(why)) return false;
    if (!told_) refuse(where, "the object cannot be read: ", why);
    return told_;
  }

  void hold_encoded(const descriptor_facts& what, about where) {
    if (!what.elements) return;  // known of its descriptor
    failure why;
    const object one = object_at(where, why);
    if (why) return complain_of_reaching(why, where);
    one.decode_into(memory_, {.restore_missing = false, .strides = stride_policy::ignore}, why);
    if (why) return complain_of_decoding(why, what, where);
    check_offsets(one, where);
    const auto masks = masks_of(what, where);
    if (masks && is_floating(what.dtype))
      scan({0, memory_.bytes().size(), memory_.bytes(), what.dtype, native_order}, *masks, where);
  }

  /// Metadata of the message and of each object, and the list of digests. (Without a mapping the archive would hold
  /// what is read of them.)
  void hold_metadata(std::size_t objects) {
    failure why;
    about where{};
    static_cast<void>(message_.metadata(why));
    if (!why) static_cast<void>(message_.hash_list(why));
    for (std::size_t j = 0; j < objects && !why; ++j) {
      where.object = j;
      static_cast<void>(message_.base(j, why));
    }
    if (why && !ends(why)) refuse(where, "metadata cannot be read: ", why);
  }

  /// Readers that believe wrong places read other values in parts than as a whole.
  void check_offsets(const object& one, about where) {
    failure why;
    one.verify_block_offsets(why);
    if (!why || ends(why)) return;
    if (why.code != make_error_code(errc::bad_parameter)) return leave(where, say("offsets: ", reason_of(why)));
    later_.push_back({finding_code::wrong_block_offsets, where,
                      say("szip_block_offsets: interval ", why.found, " does not begin where it says")});
  }

  /// The object as the library gives it, which must be the one that the walk came to.
  object object_at(about where, failure& why) const {
    const object out = message_.at(static_cast<std::size_t>(*where.object), why);
    if (!why && out.frame().offset_in_message() != where.at) why = {.code = errc::bad_index};
    return out;
  }

  /// Whether it is the archive that cannot be read any more: that ends all.
  bool ends(const failure& why) {
    if (why.code.category() == category() && why.code != make_error_code(errc::file_shrank)) return false;
    why_ = why;
    return true;
  }

  void complain_of_reaching(const failure& why, about where) {
    if (ends(why)) return;
    if (why.code == make_error_code(errc::mask_out_of_range)) return complain_of_mask(why, where);
    if (!told_) return refuse(where, "the object cannot be read: ", why);
    leave(where, say("the object is not found by its index: ", reason_of(why)));
  }

  /// What the library refuses is an error, unless another build or a higher limit would take it.
  void refuse(about where, std::string_view what, const failure& why) {
    if (why.code == condition::limit || why.code == condition::unsupported) return leave(where, reason_of(why));
    complain_of_reading(where, say(what, reason_of(why)));
  }

  void complain_of_reading(about where, std::string text) {
    later_.push_back({finding_code::unreadable, where, std::move(text)});
  }

  void complain_of_decoding(const failure& why, const descriptor_facts& what, about where) {
    if (ends(why)) return;
    switch (static_cast<errc>(why.code.value())) {
      case errc::unknown_codec:
      case errc::bad_parameter:
      case errc::bad_combination:
        return found_.error(finding_code::pipeline_config_failed, integrity, where,
                            say("cannot build pipeline config: ", chain_of(what), ": ", reason_of(why)));
      case errc::codec_failed:
      case errc::decoded_size_mismatch:
        return found_.error(finding_code::decode_pipeline_failed, integrity, where,
                            say("decode pipeline failed: ", chain_of(what), ": ", reason_of(why)));
      case errc::codec_forbidden: break;
      default:
        if (why.code != condition::limit && why.code != condition::unsupported)
          return refuse(where, "the object cannot be read: ", why);
    }
    leave(where, say(chain_of(what), ": ", reason_of(why)));
  }

  void complain_of_mask(const failure& why, about where) {
    later_.push_back({finding_code::decode_object_failed, where, say("bitmask decode failed: ", reason_of(why))});
  }

  /// Nothing when they cannot be read, which is said.
  std::optional<std::vector<missing_mask>> masks_of(const descriptor_facts& what, about where) {
    std::vector<missing_mask> out;
    if (!what.masked()) return out;
    failure why;
    const object one = object_at(where, why);
    if (why) {
      complain_of_reaching(why, where);
      return std::nullopt;
    }
    out = one.masks(why);
    if (!why) return out;
    if (ends(why)) return std::nullopt;
    switch (static_cast<errc>(why.code.value())) {
      case errc::codec_absent:
      case errc::codec_forbidden:
      case errc::decoded_limit:
      case errc::out_of_memory: leave(where, say(methods_of(what), ": ", reason_of(why))); break;
      default: complain_of_mask(why, where);
    }
    return std::nullopt;
  }

  static std::string chain_of(const descriptor_facts& what) {
    std::string out;
    const auto add = [&](std::string_view name, const std::string& codec) {
      if (codec != "none") out += say(out.empty() ? "" : ", ", name, " ", codec);
    };
    add("encoding", what.encoding);
    add("filter", what.filter);
    add("compression", what.compression);
    return out;
  }

  static std::string methods_of(const descriptor_facts& what) {
    std::string out;
    for (const auto& mask : what.masks)
      if (mask && out.find(mask->method) == out.npos) out += say(out.empty() ? "masks by " : ", ", mask->method);
    return out;
  }

  void leave(about where, const std::string& because) {
    ++not_decoded_;
    found_.note(finding_code::not_decoded, fidelity, where, say("values not checked: ", because));
  }

  bool right_size(const descriptor_facts& what, std::uint64_t payload, about where) {
    const auto complain = [&](std::string text) {
      later_.push_back({finding_code::decoded_size_mismatch, where, std::move(text)});
      return false;
    };
    if (!what.elements) return complain("shape product overflows, cannot verify decoded size");
    const auto wanted = size_bytes(what.dtype, *what.elements);
    if (!wanted) return complain("expected decoded size overflows usize");
    if (*wanted == payload) return true;
    return complain(say("decoded size ", payload, " != expected ", *wanted, " (shape ", shape_text(what.shape),
                        ", dtype ", to_string_view(what.dtype), ")"));
  }

  /// Says of the first element that is not finite and in no mask.
  void scan(const element_source& from, const std::vector<missing_mask>& masks, about where) {
    for (std::uint64_t done = 0; done < from.size;) {
      const std::uint64_t n = std::min(piece, from.size - done);  // whole elements: all widths divide a piece
      const auto bytes = from.decoded.empty()
                             ? raw_.load(from.at + done, n, why_)
                             : from.decoded.subspan(static_cast<std::size_t>(done), static_cast<std::size_t>(n));
      if (why_) return;
      const std::uint64_t first = done / element_size(from.type);
      for (auto odd = find_non_finite(bytes, from.type, from.order); odd;
           odd = find_non_finite(bytes, from.type, from.order, odd->index + 1)) {
        const auto tells = [&](const missing_mask& each) { return each[first + odd->index]; };
        if (std::none_of(masks.begin(), masks.end(), tells))
          return complain(first + odd->index, *odd, from.type, where);
      }
      done += n;
    }
  }

  void complain(std::uint64_t element, const odd_element& odd, dtype of, about where) {
    const bool nan = odd.what == non_finite::nan;
    const bool complex = of == dtype::complex64 || of == dtype::complex128;
    const std::string_view component = !complex             ? ""
                                       : odd.component == 0 ? "real component, "
                                                            : "imaginary component, ";
    later_.push_back(
        {nan ? finding_code::nan_detected : finding_code::inf_detected, where,
         say("unexpected ", nan ? "NaN" : "Inf", " at element ", element, " (", component, "not recorded in mask)")});
  }

  raw_message& raw_;
  const tgmap::message& message_;
  int version_;
  const open_options& limits_;
  tensor& memory_;
  collector& found_;
  failure& why_;
  bool told_ = false;  ///< what may keep objects from being reached is among the findings
  std::vector<delayed> later_;
  std::uint64_t not_decoded_ = 0;
};

}  // namespace

std::uint64_t check_fidelity(raw_message& raw, const tgmap::message& message, const message_parts& parts,
                             const open_options& limits, tensor& memory, collector& found, failure& why) {
  fidelity_check check(raw, message, parts.version, limits, memory, found, why);
  check.hold_message(parts);
  for (std::size_t i = 0; i < parts.objects.size() && !why; ++i) check.hold(parts.objects[i], i);
  check.finish();
  return check.not_decoded();
}

}  // namespace tgmap::checks
