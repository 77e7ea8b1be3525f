// SPDX-License-Identifier: Apache-2.0
#include "validate/descriptor_facts.hpp"

#include "validate/collector.hpp"

namespace tgmap::checks {

namespace {

/// Text in one piece or several.
bool take_text(value from, std::string& out) {
  if (from.type() != kind::text) return false;
  if (const auto whole = from.get<std::string_view>())
    out = *whole;
  else
    out = from.text();
  return true;
}

bool take_shape(value from, descriptor_facts& out) {
  if (from.type() != kind::array) return false;
  out.rank = 0;
  out.elements = 1;
  out.shape = "[";
  const bool numbers = from.visit([&](std::uint64_t i, value extent) {
    const auto n = extent.get<std::uint64_t>();
    if (!n) return false;
    ++out.rank;
    std::uint64_t product = 0;
    if (out.elements)
      out.elements = __builtin_mul_overflow(*out.elements, *n, &product) ? std::nullopt : std::optional(product);
    if (i > 0) out.shape += ", ";
    out.shape += std::to_string(*n);
    return true;
  });
  out.shape += "]";
  return numbers;
}

bool take_strides(value from, std::uint64_t& count) {
  if (from.type() != kind::array) return false;
  count = 0;
  return from.visit([&](std::uint64_t, value stride) {
    ++count;
    return stride.get<std::uint64_t>().has_value();
  });
}

bool take_mask(value from, std::optional<mask_facts>& out) {
  mask_facts mask;
  const auto method = from.find("method"), offset = from.find("offset"), length = from.find("length");
  const auto at = offset ? offset->get<std::uint64_t>() : std::nullopt;
  const auto size = length ? length->get<std::uint64_t>() : std::nullopt;
  if (!method || !take_text(*method, mask.method) || !at || !size) return false;
  mask.offset = *at;
  mask.length = *size;
  out = std::move(mask);
  return true;
}

bool take_masks(value from, descriptor_facts& out) {
  if (from.type() != kind::map) return false;
  std::string key;
  return from.visit([&](value name, value mask) {
    take_text(name, key);
    if (key == "nan") return take_mask(mask, out.masks[0]);
    if (key == "inf+") return take_mask(mask, out.masks[1]);
    return key != "inf-" || take_mask(mask, out.masks[2]);
  });
}

class reader {
 public:
  reader(int version, descriptor_facts& out) noexcept : version_(version), out_(out) {}

  std::string run(value map) {
    if (map.type() != kind::map) return "it is not a map";
    map.visit([&](value key, value item) {
      if (!take_text(key, key_))
        problem_ = "a key is not text";
      else if (!take(item) && problem_.empty())
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

  bool take(value item) {
    std::string text;
    if (key_ == "type") {
      const bool right = take_text(item, text);
      out_.type_empty = text.empty();
      return see(0, right);
    }
    if (key_ == "ndim") {
      const auto n = item.get<std::uint64_t>();
      out_.ndim = n.value_or(0);
      return see(1, n.has_value());
    }
    if (key_ == "shape") return see(2, take_shape(item, out_));
    if (key_ == "strides") return see(3, take_strides(item, out_.strides));
    if (key_ == "dtype") return see(4, take_text(item, text) && take_dtype(text));
    if (key_ == "encoding") return see(5, take_text(item, out_.encoding));
    if (key_ == "filter") return see(6, take_text(item, out_.filter));
    if (key_ == "compression") return see(7, take_text(item, out_.compression));
    if (key_ == "byte_order") return see(8, take_text(item, text) && take_order(text));
    if (key_ == "masks") return take_masks(item, out_);
    if (key_ == "hash") out_.hash = item;
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
  std::string key_, problem_;
};

}  // namespace

std::string read_descriptor(value map, int version, descriptor_facts& out) {
  out = {};
  return reader(version, out).run(map);
}

}  // namespace tgmap::checks
