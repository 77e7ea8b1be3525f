// SPDX-License-Identifier: Apache-2.0
#include "validate/fidelity.hpp"

#include <algorithm>
#include <string>

#include "validate/descriptor_check.hpp"
#include "validate/non_finite.hpp"

namespace tgmap::checks {

namespace {

using enum validation_level;

constexpr std::uint64_t piece = 1 << 18;  // stays in the second level cache

/// Masks of an object: what they say when they lie there as bits.
class masks_of {
 public:
  masks_of(raw_message& raw, const object_part& object, const descriptor_facts& what, failure& why)
      : raw_(raw), object_(object), what_(what), why_(why) {}

  /// The method of one that cannot be read; empty: all can.
  std::string unreadable() const {
    for (const auto& mask : what_.masks)
      if (mask && mask->method != "none") return mask->method;
    return {};
  }

  /// One that has not a bit for each element, or lies elsewhere.
  bool wrong_size() const {
    const std::uint64_t wanted = (*what_.elements + 7) / 8;
    for (const auto& mask : what_.masks)
      if (mask && (mask->length != wanted || mask->offset > object_.region_size ||
                   mask->length > object_.region_size - mask->offset))
        return true;
    return false;
  }

  bool tell_of(std::uint64_t element) {
    for (const auto& mask : what_.masks) {
      if (!mask) continue;
      const auto byte = raw_.look(object_.region_at + mask->offset + element / 8, 1, why_);
      if (why_) return true;
      if ((std::to_integer<unsigned>(byte[0]) >> (7 - element % 8) & 1) != 0) return true;
    }
    return false;
  }

 private:
  raw_message& raw_;
  const object_part& object_;
  const descriptor_facts& what_;
  failure& why_;
};

class fidelity_check {
 public:
  fidelity_check(raw_message& raw, int version, const open_options& limits, collector& found, failure& why) noexcept
      : raw_(raw), version_(version), limits_(limits), found_(found), why_(why) {}

  void hold(const object_part& object, std::int64_t number) {
    descriptor_facts what;
    if (!object.usable || !load_descriptor(raw_, object, version_, limits_, what, why_).empty() || why_) return;
    const about where{object.at, number};
    if (!what.raw()) return leave(where, chain_of(what));
    std::uint64_t payload = object.region_size;
    for (const auto& mask : what.masks)
      if (mask) payload = std::min(payload, mask->offset);
    if (!right_size(what, payload, where) || !is_floating(what.dtype)) return;

    masks_of masks(raw_, object, what, why_);
    if (const std::string method = masks.unreadable(); !method.empty()) return leave(where, say("mask by ", method));
    if (masks.wrong_size())
      return found_.error(issue::decode_object_failed, fidelity, where,
                          "bitmask decode failed: it has not one bit for each element");
    scan(object.region_at, payload, what, masks, where);
  }

  std::uint64_t not_decoded() const noexcept { return not_decoded_; }

 private:
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

  void leave(about where, const std::string& because) {
    ++not_decoded_;
    found_.note(issue::not_decoded, fidelity, where, say("values not checked: ", because, " cannot be undone yet"));
  }

  bool right_size(const descriptor_facts& what, std::uint64_t payload, about where) {
    if (!what.elements) {
      found_.error(issue::decoded_size_mismatch, fidelity, where,
                   "shape product overflows, cannot verify decoded size");
      return false;
    }
    const auto wanted = byte_count(what.dtype, *what.elements);
    if (wanted && *wanted == payload) return true;
    found_.error(issue::decoded_size_mismatch, fidelity, where,
                 wanted ? say("decoded size ", payload, " != expected ", *wanted, " (shape ", shape_text(what.shape),
                              ", dtype ", name(what.dtype), ")")
                        : std::string("expected decoded size overflows usize"));
    return false;
  }

  /// Says of the first element that is not finite and in no mask.
  void scan(std::uint64_t at, std::uint64_t size, const descriptor_facts& what, masks_of& masks, about where) {
    for (std::uint64_t done = 0; done < size;) {
      const std::uint64_t n = std::min(piece, size - done);  // whole elements: all widths divide a piece
      const auto bytes = raw_.load(at + done, n, why_);
      if (why_) return;
      const std::uint64_t first = done / width(what.dtype);
      for (auto odd = find_non_finite(bytes, what.dtype, what.order); odd;
           odd = find_non_finite(bytes, what.dtype, what.order, odd->index + 1)) {
        if (masks.tell_of(first + odd->index)) {
          if (why_) return;
          continue;
        }
        return complain(first + odd->index, *odd, what.dtype, where);
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
    found_.error(
        nan ? issue::nan_detected : issue::inf_detected, fidelity, where,
        say("unexpected ", nan ? "NaN" : "Inf", " at element ", element, " (", component, "not recorded in mask)"));
  }

  raw_message& raw_;
  int version_;
  const open_options& limits_;
  collector& found_;
  failure& why_;
  std::uint64_t not_decoded_ = 0;
};

}  // namespace

std::uint64_t check_fidelity(raw_message& raw, const message_parts& parts, const open_options& limits, collector& found,
                             failure& why) {
  fidelity_check check(raw, parts.version, limits, found, why);
  for (std::size_t i = 0; i < parts.objects.size() && !why; ++i)
    check.hold(parts.objects[i], static_cast<std::int64_t>(i));
  return check.not_decoded();
}

}  // namespace tgmap::checks
