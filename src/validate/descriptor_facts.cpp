// SPDX-License-Identifier: Apache-2.0
#include "validate/descriptor_facts.hpp"

#include "validate/collector.hpp"

namespace tgmap::checks {

namespace {

bool take_text(item from, std::string& out) {
  if (!from.is_text()) return false;
  std::string storage;
  out = from.text(storage);
  return true;
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
      key_ = key.text(storage_);
      if (!key.is_text())
        problem_ = "a key is not text";
      else if (!take(value) && problem_.empty())
        problem_ = say("'", key_, "' has a value of the wrong kind");
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
  bool see(unsigned which, bool right) noexcept {
    seen_ |= 1u << which;
    return right;
  }

  bool take(item value) {
    std::string text;
    if (key_ == "type") {
      const bool right = take_text(value, text);
      out_.type_empty = text.empty();
      return see(0, right);
    }
    if (key_ == "ndim") {
      const auto n = value.number();
      out_.ndim = n.value_or(0);
      return see(1, n.has_value());
    }
    if (key_ == "shape") return see(2, take_shape(value, out_));
    if (key_ == "strides") return see(3, take_strides(value, out_.strides));
    if (key_ == "dtype") return see(4, take_text(value, text) && take_dtype(text));
    if (key_ == "encoding") return see(5, take_text(value, out_.encoding));
    if (key_ == "filter") return see(6, take_text(value, out_.filter));
    if (key_ == "compression") return see(7, take_text(value, out_.compression));
    if (key_ == "byte_order") return see(8, take_text(value, text) && take_order(text));
    if (key_ == "masks") return take_masks(value, out_);
    if (key_ == "hash") out_.hash = value;
    return true;
  }

  bool take_dtype(const std::string& text) {
    const auto found = dtype_from_name(text);
    if (!found) problem_ = say("unknown dtype '", text, "'");
    out_.dtype = found.value_or(dtype::uint8);
    return found.has_value();
  }

  bool take_order(const std::string& text) {
    out_.order = text == "big" ? byte_order::big : byte_order::little;
    if (text != "big" && text != "little") problem_ = say("unknown byte order '", text, "'");
    return problem_.empty();
  }

  int version_;
  descriptor_facts& out_;
  unsigned seen_ = 0;
  std::string_view key_;
  std::string storage_, problem_;
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
