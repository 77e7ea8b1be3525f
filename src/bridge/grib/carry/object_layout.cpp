// SPDX-License-Identifier: Apache-2.0
#include "bridge/grib/carry/object_layout.hpp"

#include <bit>
#include <new>
#include <tgmap/enum_names.hpp>
#include <vector>

#include "bridge/grib/packing/aec.hpp"

namespace tgmap {
inline namespace v0 {
namespace bridge::grib {

namespace {

using pairs = std::vector<cbor_value::pair>;

void add_packing(const object_layout& of, pairs& keys) {
  keys.emplace_back("sp_reference_value", of.reference);
  keys.emplace_back("sp_binary_scale_factor", of.binary_scale);
  keys.emplace_back("sp_decimal_scale_factor", of.decimal_scale);
  keys.emplace_back("sp_bits_per_value", of.bits);
}

void add_szip(const object_layout& of, pairs& keys) {
  keys.emplace_back("szip_rsi", of.szip_rsi);
  keys.emplace_back("szip_block_size", of.szip_block_size);
  keys.emplace_back("szip_flags", of.szip_flags);
  keys.emplace_back("szip_block_offsets", cbor_value::array(of.szip_offsets));
}

/// Reads one parameter. Returns false if it is missing or of the wrong kind.
template <class T>
bool read_key(const cbor_view& from, std::string_view key, T& out) noexcept {
  const auto found = from.find(key);
  const auto value = found ? found->get<T>() : std::nullopt;
  if (value) out = *value;
  return value.has_value();
}

bool read_packing_keys(const cbor_view& from, object_layout& out) noexcept {
  return read_key(from, "sp_reference_value", out.reference) &&
         read_key(from, "sp_binary_scale_factor", out.binary_scale) &&
         read_key(from, "sp_decimal_scale_factor", out.decimal_scale) &&
         read_key(from, "sp_bits_per_value", out.bits) && out.bits <= 64;
}

bool read_szip_keys(const cbor_view& from, object_layout& out) noexcept {
  return read_key(from, "szip_rsi", out.szip_rsi) && read_key(from, "szip_block_size", out.szip_block_size) &&
         read_key(from, "szip_flags", out.szip_flags);
}

/// Returns true for parameters that an import writes. The library decodes objects with others, and checks these.
bool is_usual_szip(const object_layout& of) noexcept {
  constexpr unsigned usual_flags = aec_preprocess | aec_restricted | aec_not_enforce, max_rsi = 4096;
  return std::has_single_bit(of.szip_block_size) && of.szip_block_size >= 8 && of.szip_block_size <= 64 &&
         of.szip_rsi >= 1 && of.szip_rsi <= max_rsi && (of.szip_flags & ~usual_flags) == 0;
}

bool is_text(const cbor_view& from, std::string_view key, std::string_view expected) noexcept {
  std::string_view found;
  return read_key(from, key, found) && found == expected;
}

}  // namespace

cbor_value make_descriptor(std::span<const std::uint64_t> shape, const object_layout& of, failure& why) noexcept try {
  why = {};
  std::vector<std::uint64_t> strides(shape.size(), 1);
  for (std::size_t i = shape.size(); i > 1; --i) strides[i - 2] = strides[i - 1] * shape[i - 1];
  pairs keys;
  keys.reserve(20);
  keys.emplace_back("type", "ntensor");
  keys.emplace_back("ndim", shape.size());
  keys.emplace_back("dtype", to_string_view(of.is_packed ? dtype::float64 : of.element));
  keys.emplace_back("shape", cbor_value::array(shape));
  keys.emplace_back("strides", cbor_value::array(strides));
  keys.emplace_back("filter", "none");
  keys.emplace_back("encoding", of.is_packed ? "simple_packing" : "none");
  keys.emplace_back("byte_order", to_string_view(of.order));
  keys.emplace_back("compression", of.is_szip ? "szip" : "none");
  if (of.is_packed) add_packing(of, keys);
  if (of.is_szip) add_szip(of, keys);
  if (!of.mask_method.empty()) {
    const cbor_value nan =
        cbor_value::map({{"length", of.mask_size}, {"method", of.mask_method}, {"offset", of.mask_offset}});
    keys.emplace_back("masks", cbor_value::map({{"nan", nan}}));
  }
  return cbor_value::map(std::span<const cbor_value::pair>(keys));
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
  return {};
} catch (const error& what) {
  why = what.details();
  return {};
}

bool read_descriptor(const cbor_view& from, object_layout& out, failure& why) noexcept {
  why = {};
  out = {};
  out.is_packed = is_text(from, "encoding", "simple_packing");
  out.is_szip = is_text(from, "compression", "szip");
  std::string_view name;
  const auto element = read_key(from, "dtype", name) ? from_string<dtype>(name) : std::nullopt;
  if (element) out.element = *element;
  out.order = is_text(from, "byte_order", "big") ? byte_order::big : byte_order::little;
  bool is_sound = element.has_value() && (!out.is_packed || read_packing_keys(from, out));
  if (out.is_szip) is_sound = is_sound && read_szip_keys(from, out);
  if (!is_sound) {
    why = {.code = errc::bad_sections};
    return false;
  }
  return is_text(from, "filter", "none") && (out.is_packed || is_text(from, "encoding", "none")) &&
         (out.is_szip ? out.is_packed && is_usual_szip(out) : is_text(from, "compression", "none"));
}

double decimal_factor(std::int32_t decimal) noexcept {
  double out = 1;
  for (; decimal > 0; --decimal) out /= 10;
  for (; decimal < 0; ++decimal) out *= 10;
  return out;
}

double scaled_reference(double reference, std::int32_t decimal) noexcept {
  return decimal == 0 ? reference : reference * decimal_factor(decimal);
}

}  // namespace bridge::grib
}  // namespace v0
}  // namespace tgmap
