// SPDX-License-Identifier: Apache-2.0
#include "cbor/descriptor.hpp"

#include <algorithm>
#include <array>

#include "cbor/index_frame.hpp"
#include "cbor/prescan.hpp"
#include "cbor/text.hpp"
#include "cbor/walk.hpp"
#include "wire/bytes.hpp"

namespace tgmap::cbor {

namespace {

failure unusable() noexcept { return {.code = errc::bad_descriptor}; }

/// A text, in one piece or many, cut where it is longer than a short_name: no name that means anything is.
bool read_name(const value& item, short_name& out) noexcept {
  if (item.type() != kind::text) return false;
  if (const auto text = string_contents(item.tail())) {
    out = short_name({reinterpret_cast<const char*>(text->data()), text->size()});
    return true;
  }
  std::array<char, short_name::capacity> buffer;
  const auto size = copy_string(item.tail(), buffer);
  if (!size) return false;
  out = short_name({buffer.data(), std::min(*size, buffer.size())});
  return true;
}

/// The position of `name` among `known`; their number when it is not there.
template <class Enum, std::size_t N>
Enum among(const std::array<std::string_view, N>& known, std::string_view name) noexcept {
  return static_cast<Enum>(std::find(known.begin(), known.end(), name) - known.begin());
}

constexpr std::array<std::string_view, 2> encodings{"none", "simple_packing"};
constexpr std::array<std::string_view, 2> filters{"none", "shuffle"};
constexpr std::array<std::string_view, 9> compressions{"none", "szip", "zstd", "lz4",    "blosc2",
                                                       "zfp",  "sz3",  "rle",  "roaring"};
static_assert(static_cast<std::size_t>(encoding::other) == encodings.size());
static_assert(static_cast<std::size_t>(filter::other) == filters.size());
static_assert(static_cast<std::size_t>(compression::other) == compressions.size());

failure read_numbers(const value& item, std::array<std::uint64_t, max_rank>& out, std::size_t& size) noexcept {
  integers numbers(item.tail());
  if (!numbers.valid()) return unusable();
  size = 0;
  for (std::uint64_t number = 0; numbers.next(number);) {
    if (size == out.size()) return {.code = errc::too_many_dimensions, .expected = max_rank, .found = item.size()};
    out[size++] = number;
  }
  return numbers.bad() ? unusable() : failure{};
}

failure read_mask(const value& item, mask_kind which, std::uint64_t region, mask& out) noexcept {
  const auto method = item.find("method"), offset = item.find("offset"), length = item.find("length");
  if (!method || !offset || !length || !read_name(*method, out.method)) return unusable();
  const auto at = offset->get<std::uint64_t>(), size = length->get<std::uint64_t>();
  if (!at || !size) return unusable();
  if (!wire::fits(*at, *size, region))
    return {.code = errc::mask_range, .expected = region, .found = *at > UINT64_MAX - *size ? UINT64_MAX : *at + *size};
  out.kind = which;
  out.offset = *at;
  out.length = *size;
  return {};
}

using mask_array = decltype(descriptor::mask_list);

failure read_masks(const value& item, std::uint64_t region, mask_array& out,
                   decltype(descriptor::mask_count)& count) noexcept {
  count = 0;
  if (item.type() == kind::null) return {};
  if (item.type() != kind::map) return unusable();
  for (const mask_kind which : {mask_kind::nan, mask_kind::positive_infinity, mask_kind::negative_infinity})
    if (const auto found = item.find(name(which)))
      if (failure why = read_mask(*found, which, region, out[count++])) return why;
  return {};
}

failure read_byte_order(const value& item, descriptor& out) noexcept {
  short_name text;
  if (!read_name(item, text)) return unusable();
  if (text.view() != "big" && text.view() != "little") return unusable();
  out.byte_order = text.view() == "big" ? byte_order::big : byte_order::little;
  out.byte_order_stated = true;
  return {};
}

/// The keys that mean something here, in the order of their names below.
enum class key : std::uint8_t {
  type,
  ndim,
  shape,
  strides,
  dtype,
  encoding,
  filter,
  compression,
  byte_order,
  masks,
  other
};
constexpr std::array<std::string_view, 10> keys{"type",     "ndim",   "shape",       "strides",    "dtype",
                                                "encoding", "filter", "compression", "byte_order", "masks"};
static_assert(static_cast<std::size_t>(key::other) == keys.size());

constexpr unsigned bit(key k) noexcept { return 1u << static_cast<unsigned>(k); }
constexpr unsigned all_required = bit(key::byte_order) - 1;  // all before it

/// Which key an item of text is. Keys of text in pieces are keys too.
key key_of(std::span<const std::byte> item) noexcept {
  if (const auto text = string_contents(item))
    return among<key>(keys, {reinterpret_cast<const char*>(text->data()), text->size()});
  std::array<char, 16> joined;
  const auto size = copy_string(item, joined);
  return size && *size <= joined.size() ? among<key>(keys, {joined.data(), *size}) : key::other;
}

template <class Enum, std::size_t N>
failure read_choice(const value& item, const std::array<std::string_view, N>& known, short_name& name,
                    Enum& out) noexcept {
  if (!read_name(item, name)) return unusable();
  out = among<Enum>(known, name.view());
  return {};
}

failure read_dtype(const value& item, dtype& out) noexcept {
  short_name text;
  if (!read_name(item, text)) return unusable();
  const auto known = dtype_from_name(text.view());
  if (!known) return {.code = errc::unknown_dtype};
  out = *known;
  return {};
}

failure read_entry(key which, const value& item, std::uint64_t region, descriptor& out) noexcept {
  switch (which) {
    case key::type:
      out.type = item;
      return item.type() == kind::text && !text_equals(item.tail(), "") ? failure{} : unusable();
    case key::ndim: {
      const auto ndim = item.get<std::uint64_t>();
      out.ndim = ndim.value_or(0);
      return ndim ? failure{} : unusable();
    }
    case key::shape: return read_numbers(item, out.shape_values, out.rank);
    case key::strides: return read_numbers(item, out.stride_values, out.stride_count);
    case key::dtype: return read_dtype(item, out.dtype);
    case key::encoding: return read_choice(item, encodings, out.encoding_name, out.encoding);
    case key::filter: return read_choice(item, filters, out.filter_name, out.filter);
    case key::compression: return read_choice(item, compressions, out.compression_name, out.compression);
    case key::byte_order: return read_byte_order(item, out);
    case key::masks: return read_masks(item, region, out.mask_list, out.mask_count);
    case key::other: break;
  }
  return {};
}

/// The product of the shape. An extent of 0 makes it 0, whatever the others.
failure count_elements(descriptor& out) noexcept {
  out.elements = 1;
  const auto shape = out.shape();
  if (std::find(shape.begin(), shape.end(), 0u) != shape.end()) {
    out.elements = 0;
    return {};
  }
  for (const std::uint64_t extent : shape) {
    if (out.elements > UINT64_MAX / extent) return {.code = errc::shape_overflow};
    out.elements *= extent;
  }
  return {};
}

}  // namespace

failure read_descriptor(std::span<const std::byte> bytes, std::uint64_t region, std::uint32_t max_depth,
                        descriptor& out) noexcept {
  out = descriptor{};
  value::step s;
  out.entries = value(bytes);
  if (max_depth == 0) return {.code = errc::cbor_too_deep, .expected = max_depth};
  if (!first(bytes, s)) return bytes.empty() ? failure{.code = errc::bad_cbor} : unusable();
  if (!s.has_key) return unusable();
  unsigned seen = 0;
  while (next(s)) {
    const auto place = [&](failure why) {
      why.found += static_cast<std::uint64_t>(s.item.tail().data() - bytes.data());
      return why;
    };
    if (s.key.type() != kind::text) return {.code = errc::bad_cbor};
    const key which = key_of(s.key.tail());
    // What has a reader of its own below is checked by that; the rest, and what nests, like metadata.
    if (which == key::other || which == key::masks)
      if (failure why = prescan(s.item.tail(), max_depth - 1, rules::untagged)) return place(why);
    if (failure why = read_entry(which, s.item, region, out)) return why;
    seen |= bit(which);
  }
  if (s.malformed) return {.code = errc::bad_cbor, .found = static_cast<std::uint64_t>(s.rest - bytes.data())};
  if ((seen & all_required) != all_required) return unusable();
  return count_elements(out);
}

failure read_payload_length(std::span<const std::byte> bytes, std::uint64_t region, std::uint64_t& out) noexcept {
  out = region;
  value::step s;
  if (!first(bytes, s) || !s.has_key) return unusable();
  std::optional<value> item;  // a key may be repeated: the last one counts
  while (next(s))
    if (text_equals(s.key.tail(), "masks")) item = s.item;
  if (s.malformed) return {.code = errc::bad_cbor, .found = static_cast<std::uint64_t>(s.rest - bytes.data())};
  if (!item) return {};
  mask_array list{};
  decltype(descriptor::mask_count) count = 0;
  if (failure why = read_masks(*item, region, list, count)) return why;
  for (std::size_t i = 0; i < count; ++i) out = std::min(out, list[i].offset);
  return {};
}

}  // namespace tgmap::cbor
