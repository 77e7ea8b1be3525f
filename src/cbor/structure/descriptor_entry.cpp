// SPDX-License-Identifier: Apache-2.0
#include "cbor/structure/descriptor_entry.hpp"

#include <algorithm>
#include <array>
#include <tgmap/enum_names.hpp>

#include "cbor/head.hpp"
#include "cbor/path.hpp"
#include "cbor/structure/index_frame.hpp"
#include "cbor/text.hpp"
#include "core/text/enum_table.hpp"
#include "wire/bytes.hpp"

namespace tgmap::cbor {

namespace {

/// Reads a text, in one piece or in many. Longer texts than a short_name are cut: no known name is as long.
bool read_name(const cbor_view& item, short_name& out) noexcept {
  if (item.kind() != cbor_kind::text) return false;
  if (const auto text = string_contents(item.bytes_to_end())) {
    out = short_name({reinterpret_cast<const char*>(text->data()), text->size()});
    return true;
  }
  std::array<char, short_name::capacity> buffer;
  const auto size = copy_string(item.bytes_to_end(), buffer);
  if (!size) return false;
  out = short_name({buffer.data(), std::min(*size, buffer.size())});
  return true;
}

/// Returns the position of `name` in `known`; the size of `known` if it is absent.
template <class Enum, std::size_t N>
Enum index_of_name(const std::array<std::string_view, N>& known, std::string_view name) noexcept {
  return static_cast<Enum>(
      std::ranges::find_if(known, [&](std::string_view each) { return core::same_text(each, name); }) - known.begin());
}

constexpr std::array<std::string_view, 2> encodings{"none", "simple_packing"};
constexpr std::array<std::string_view, 2> filters{"none", "shuffle"};
constexpr std::array<std::string_view, 9> compressions{"none", "szip", "zstd", "lz4",    "blosc2",
                                                       "zfp",  "sz3",  "rle",  "roaring"};
static_assert(static_cast<std::size_t>(encoding::other) == encodings.size());
static_assert(static_cast<std::size_t>(filter::other) == filters.size());
static_assert(static_cast<std::size_t>(compression::other) == compressions.size());

bool add_extent(descriptor& descriptor, std::uint64_t extent) noexcept {
  return descriptor.dimensions.add_extent(extent);
}

bool add_stride(descriptor& descriptor, std::uint64_t stride) noexcept {
  constexpr std::uint64_t max = INT64_MAX;
  return descriptor.dimensions.add_stride(static_cast<std::int64_t>(std::min(stride, max)));
}

/// Returns why the next of `size` numbers could not be added.
failure why_not_added(std::size_t count, std::uint64_t size) noexcept {
  if (count < max_rank) return {.code = errc::out_of_memory};
  return {.code = errc::too_many_dimensions, .expected = max_rank, .found = size};
}

failure read_shape(const cbor_view& item, descriptor& out) noexcept {
  integers numbers(item.bytes_to_end());
  if (!numbers.valid()) return unusable();
  out.dimensions.clear_shape();
  for (std::uint64_t number = 0; numbers.next(number);)
    if (!add_extent(out, number)) return why_not_added(out.shape().size(), item.size());
  return numbers.bad() ? unusable() : failure{};
}

failure read_strides(const cbor_view& item, descriptor& out) noexcept {
  integers numbers(item.bytes_to_end());
  if (!numbers.valid()) return unusable();
  out.dimensions.clear_strides();
  for (std::uint64_t number = 0; numbers.next(number);)
    if (!add_stride(out, number)) return why_not_added(out.strides().size(), item.size());
  return numbers.bad() ? unusable() : failure{};
}

/// Refuses a repeated key that decides how bytes are read, because readers may differ in which of the two they use.
template <std::size_t N>
failure refuse_repeated(const cbor_view& map, const std::array<std::string_view, N>& names,
                        const cbor_view& value) noexcept {
  const auto again = find_repeated(map, names);
  if (!again) return {};
  return {.code = errc::duplicate_key,
          .found = static_cast<std::uint64_t>(again->bytes_to_end().data() - value.bytes_to_end().data())};
}

constexpr std::array<std::string_view, 3> mask_kinds{"nan", "inf+", "inf-"};
constexpr std::array<std::string_view, 3> mask_keys{"method", "offset", "length"};

failure read_mask(const cbor_view& item, mask_kind which, std::uint64_t region, mask& out) noexcept {
  const auto method = item.find("method"), offset = item.find("offset"), length = item.find("length");
  if (!method || !offset || !length || !read_name(*method, out.method)) return unusable();
  const auto at = offset->get<std::uint64_t>(), size = length->get<std::uint64_t>();
  if (!at || !size) return unusable();
  if (!wire::fits(*at, *size, region))
    return {.code = errc::mask_out_of_range,
            .expected = region,
            .found = *at > UINT64_MAX - *size ? UINT64_MAX : *at + *size};
  out.kind = which;
  out.offset = *at;
  out.length = *size;
  return {};
}

}  // namespace

failure read_masks(const cbor_view& item, std::uint64_t region, mask_array& out, std::size_t& count) noexcept {
  count = 0;
  if (item.kind() == cbor_kind::null) return {};
  if (item.kind() != cbor_kind::map) return unusable();
  if (failure why = refuse_repeated(item, mask_kinds, item)) return why;
  for (const mask_kind which : {mask_kind::nan, mask_kind::positive_infinity, mask_kind::negative_infinity})
    if (const auto found = item.find(to_string_view(which))) {
      if (failure why = refuse_repeated(*found, mask_keys, item)) return why;
      if (failure why = read_mask(*found, which, region, out[count++])) return why;
    }
  return {};
}

namespace {

failure read_byte_order(const cbor_view& item, descriptor& out) noexcept {
  short_name text;
  if (!read_name(item, text)) return unusable();
  if (text.view() != "big" && text.view() != "little") return unusable();
  out.byte_order = text.view() == "big" ? byte_order::big : byte_order::little;
  out.has_byte_order = true;
  return {};
}

constexpr std::size_t max_key_size = 32;

}  // namespace

descriptor_key key_of(std::span<const std::byte> item) noexcept {
  if (const auto text = string_contents(item))
    return wire::key_named({reinterpret_cast<const char*>(text->data()), text->size()});
  std::array<char, max_key_size> joined;
  const auto size = copy_string(item, joined);
  return size && *size <= joined.size() ? wire::key_named({joined.data(), *size}) : descriptor_key::other;
}

namespace {

template <class Enum, std::size_t N>
failure read_choice(const cbor_view& item, const std::array<std::string_view, N>& known, short_name& name,
                    Enum& out) noexcept {
  if (!read_name(item, name)) return unusable();
  out = index_of_name<Enum>(known, name.view());
  return {};
}

failure read_dtype(const cbor_view& item, dtype& out) noexcept {
  short_name text;
  if (!read_name(item, text)) return unusable();
  const auto known = dtype_from_name(text.view());
  if (!known) return {.code = errc::unknown_dtype};
  out = *known;
  return {};
}

}  // namespace

failure read_entry(descriptor_key which, const cbor_view& item, std::uint64_t region, descriptor& out) noexcept {
  switch (which) {
    case descriptor_key::type:
      out.type = item;
      return item.kind() == cbor_kind::text && !text_equals(item.bytes_to_end(), "") ? failure{} : unusable();
    case descriptor_key::ndim: {
      const auto ndim = item.get<std::uint64_t>();
      out.ndim = ndim.value_or(0);
      return ndim ? failure{} : unusable();
    }
    case descriptor_key::shape: return read_shape(item, out);
    case descriptor_key::strides: return read_strides(item, out);
    case descriptor_key::dtype: return read_dtype(item, out.dtype);
    case descriptor_key::encoding: return read_choice(item, encodings, out.encoding_name, out.encoding);
    case descriptor_key::filter: return read_choice(item, filters, out.filter_name, out.filter);
    case descriptor_key::compression: return read_choice(item, compressions, out.compression_name, out.compression);
    case descriptor_key::byte_order: return read_byte_order(item, out);
    case descriptor_key::masks: return read_masks(item, region, out.mask_list, out.mask_count);
    default: break;
  }
  return {};
}

namespace {

bool read_flat_name(const std::byte*& at, const std::byte* end, short_name& out) noexcept {
  const auto text = read_flat_text(at, end);
  if (text) out = short_name(*text);
  return text.has_value();
}

template <class Enum, std::size_t N>
bool read_flat_choice(const std::byte*& at, const std::byte* end, const std::array<std::string_view, N>& known,
                      short_name& name, Enum& out) noexcept {
  if (!read_flat_name(at, end, name)) return false;
  out = index_of_name<Enum>(known, name.view());
  return true;
}

template <class Add>
bool read_flat_numbers(const std::byte*& at, const std::byte* end, Add&& add) noexcept {
  integers numbers({at, end});
  for (std::uint64_t number = 0; numbers.next(number);)
    if (!add(number)) return false;
  at = numbers.end();
  return numbers.valid() && !numbers.bad();
}

/// Reads the value of a key in its common form at `at`, and moves past it. Returns false if the form is another one,
/// or the value is wrong.
bool read_flat_value(descriptor_key which, const std::byte*& at, const std::byte* end, descriptor& out) noexcept {
  switch (which) {
    case descriptor_key::type: {
      const std::byte* const begin = at;
      const auto text = read_flat_text(at, end);
      out.type = cbor_view({begin, at});
      return text && !text->empty();
    }
    case descriptor_key::ndim: return read_unsigned(at, end, out.ndim);
    case descriptor_key::shape:
      out.dimensions.clear_shape();
      return read_flat_numbers(at, end, [&](std::uint64_t n) { return add_extent(out, n); });
    case descriptor_key::strides:
      out.dimensions.clear_strides();
      return read_flat_numbers(at, end, [&](std::uint64_t n) { return add_stride(out, n); });
    case descriptor_key::dtype: {
      const auto text = read_flat_text(at, end);
      const auto known = text ? dtype_from_name(*text) : std::nullopt;
      if (known) out.dtype = *known;
      return known.has_value();
    }
    case descriptor_key::encoding: return read_flat_choice(at, end, encodings, out.encoding_name, out.encoding);
    case descriptor_key::filter: return read_flat_choice(at, end, filters, out.filter_name, out.filter);
    case descriptor_key::compression:
      return read_flat_choice(at, end, compressions, out.compression_name, out.compression);
    case descriptor_key::byte_order: {
      const auto text = read_flat_text(at, end);
      if (!text || (!core::same_text(*text, "big") && !core::same_text(*text, "little"))) return false;
      out.byte_order = core::same_text(*text, "big") ? byte_order::big : byte_order::little;
      return out.has_byte_order = true;
    }
    default: break;
  }
  return false;
}

}  // namespace

bool read_flat_entry(cbor_view::cursor& s, descriptor& out, std::uint32_t& seen) noexcept {
  if (s.remaining == 0 || s.remaining == until_break) return false;
  const std::byte* at = s.rest;
  const auto key = read_flat_text(at, s.end);
  if (!key) return false;
  const auto which = wire::key_named(*key);
  if ((seen & bit(which)) != 0 || !read_flat_value(which, at, s.end, out)) return false;
  s.rest = at;
  --s.remaining;
  ++s.index;
  seen |= bit(which);
  return true;
}

}  // namespace tgmap::cbor

namespace tgmap {
inline namespace v0 {

namespace {

/// Does the same as core::name_of() and core::value_of() for names with a value `other` behind them.
template <class Enum, std::size_t N>
std::string_view name_or_other(const std::array<std::string_view, N>& names, Enum which) noexcept {
  return which == Enum::other ? "other" : core::name_of(names, which);
}
template <class Enum, std::size_t N>
std::optional<Enum> value_or_other(const std::array<std::string_view, N>& names, std::string_view name) noexcept {
  return name == "other" ? Enum::other : core::value_of<Enum>(names, name);
}

}  // namespace

std::string_view to_string_view(compression which) noexcept { return name_or_other(cbor::compressions, which); }
std::string_view to_string_view(encoding which) noexcept { return name_or_other(cbor::encodings, which); }
std::string_view to_string_view(filter which) noexcept { return name_or_other(cbor::filters, which); }
std::string_view to_string_view(mask_kind which) noexcept { return core::name_of(cbor::mask_kinds, which); }

template <>
std::optional<compression> from_string<compression>(std::string_view name) noexcept {
  return value_or_other<compression>(cbor::compressions, name);
}

template <>
std::optional<encoding> from_string<encoding>(std::string_view name) noexcept {
  return value_or_other<encoding>(cbor::encodings, name);
}

template <>
std::optional<filter> from_string<filter>(std::string_view name) noexcept {
  return value_or_other<filter>(cbor::filters, name);
}

template <>
std::optional<mask_kind> from_string<mask_kind>(std::string_view name) noexcept {
  return core::value_of<mask_kind>(cbor::mask_kinds, name);
}

TGMAP_ENUM_NAMES(byte_order, 0, "little", "big")

}  // namespace v0
}  // namespace tgmap
