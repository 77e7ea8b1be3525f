// SPDX-License-Identifier: Apache-2.0
#include "validate/descriptor_facts.hpp"

#include "validate/collector.hpp"
#include "wire/descriptor_keys.hpp"

namespace tgmap::checks {

namespace {

using wire::descriptor_key;

bool take_text(item from, std::string& out) {
  if (!from.is_text()) return false;
  std::string storage;
  out = from.text(storage);
  return true;
}

bool take_number(item from, std::uint64_t& out) noexcept {
  const auto number = from.number();
  out = number.value_or(0);
  return number.has_value();
}

bool take_shape(item from, descriptor_facts& out) {
  out.shape = from;
  out.rank = 0;
  out.elements = 1;
  return from.is_array() && from.elements([&](std::uint64_t, item extent) {
    const auto n = extent.number();
    if (!n) return false;
    ++out.rank;
    std::uint64_t product = 0;
    if (out.elements)
      out.elements = __builtin_mul_overflow(*out.elements, *n, &product) ? std::nullopt : std::optional(product);
    return true;
  });
}

bool take_strides(item from, std::uint64_t& count) {
  count = 0;
  return from.is_array() && from.elements([&](std::uint64_t, item stride) {
    ++count;
    return stride.number().has_value();
  });
}

bool take_mask(item from, std::optional<mask_facts>& out) {
  mask_facts mask;
  const auto offset = from.find("offset").number(), length = from.find("length").number();
  if (!take_text(from.find("method"), mask.method) || !offset || !length) return false;
  mask.offset = *offset;
  mask.length = *length;
  out = std::move(mask);
  return true;
}

bool take_masks(item from, descriptor_facts& out) {
  std::string storage;
  return from.is_map() && from.pairs([&](item key, item mask) {
    const std::string_view name = key.text(storage);
    if (name == "nan") return take_mask(mask, out.masks[0]);
    if (name == "inf+") return take_mask(mask, out.masks[1]);
    return name != "inf-" || take_mask(mask, out.masks[2]);
  });
}

class reader {
 public:
  reader(int version, descriptor_facts& out) noexcept : version_(version), out_(out) {}

  std::string run(item map) {
    if (!map.is_map()) return "it is not a map";
    map.pairs([&](item key, item value) {
      const std::string_view name = key.text(storage_);
      if (!key.is_text())
        problem_ = "a key is not text";
      else if (!take(wire::key_named(name), value) && problem_.empty())
        problem_ = say("'", key.text(storage_), "' has a value of the wrong kind");
      return problem_.empty();
    });
    if (!problem_.empty()) return problem_;
    static constexpr std::string_view names[] = {"type",     "ndim",   "shape",       "strides",   "dtype",
                                                 "encoding", "filter", "compression", "byte_order"};
    const unsigned count = version_ == 2 ? 9 : 8;  // version 3 may leave the byte order out
    for (unsigned i = 0; i < count; ++i)
      if ((seen_ >> i & 1) == 0) return say("'", names[i], "' is missing");
    return {};
  }

 private:
  bool take(descriptor_key which, item value) {
    seen_ |= std::uint32_t{1} << static_cast<unsigned>(which);
    switch (which) {
      case descriptor_key::type: out_.type_empty = value.text(storage_).empty(); return value.is_text();
      case descriptor_key::ndim: return take_number(value, out_.ndim);
      case descriptor_key::shape: return take_shape(value, out_);
      case descriptor_key::strides: return take_strides(value, out_.strides);
      case descriptor_key::dtype: return value.is_text() && take_dtype(value.text(storage_));
      case descriptor_key::encoding: return take_text(value, out_.encoding);
      case descriptor_key::filter: return take_text(value, out_.filter);
      case descriptor_key::compression: return take_text(value, out_.compression);
      case descriptor_key::byte_order: return value.is_text() && take_order(value.text(storage_));
      case descriptor_key::masks: return take_masks(value, out_);
      case descriptor_key::hash: out_.hash = value; return true;
      default: return true;
    }
  }

  bool take_dtype(std::string_view text) {
    const auto found = dtype_from_name(text);
    if (!found) problem_ = say("unknown dtype '", text, "'");
    out_.dtype = found.value_or(dtype::uint8);
    return found.has_value();
  }

  bool take_order(std::string_view text) {
    out_.order = text == "big" ? byte_order::big : byte_order::little;
    if (text != "big" && text != "little") problem_ = say("unknown byte order '", text, "'");
    return problem_.empty();
  }

  int version_;
  descriptor_facts& out_;
  std::uint32_t seen_ = 0;
  std::string storage_, problem_;  ///< storage: of text in pieces
};

}  // namespace

std::string shape_text(item shape) {
  std::string out;
  shape.elements([&](std::uint64_t, item extent) {
    out += say(out.empty() ? "" : ", ", extent.number().value_or(0));
    return true;
  });
  return say("[", out, "]");
}

std::string read_descriptor(item map, int version, descriptor_facts& out) {
  out = {};
  return reader(version, out).run(map);
}

}  // namespace tgmap::checks
