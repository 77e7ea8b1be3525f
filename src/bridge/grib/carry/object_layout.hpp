// SPDX-License-Identifier: Apache-2.0
// How the values of a field are stored in an object: as a descriptor says it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <tgmap/bridge/errc.hpp>
#include <tgmap/descriptor.hpp>
#include <tgmap/dtype.hpp>
#include <tgmap/write/cbor_value.hpp>

namespace tgmap {
inline namespace v0 {
namespace bridge::grib {

/// An `object_layout` is what a descriptor says of the payload of a field. Values of packed payloads are
/// `reference + 2^binary_scale * 10^-decimal_scale * integer`.
/// Lifetime: borrows `szip_offsets` and `mask_method`.
struct object_layout {
  bool is_packed = true;  ///< by simple_packing; else elements of `element`
  tgmap::dtype element = dtype::float64;
  tgmap::byte_order order = native_byte_order;
  double reference = 0;
  std::int32_t binary_scale = 0;
  std::int32_t decimal_scale = 0;
  unsigned bits = 0;

  bool is_szip = false;
  std::uint32_t szip_rsi = 0, szip_block_size = 0, szip_flags = 0;
  std::span<const std::uint64_t> szip_offsets{};

  std::string_view mask_method{};  ///< of the mask of NaN; empty: there is none
  std::uint64_t mask_offset = 0;
  std::uint64_t mask_size = 0;
};

/// Returns the descriptor of an object of version 3, with the keys that the library writes itself.
/// Errors: out_of_memory. Spec: §6.1, §7.
cbor_value make_descriptor(std::span<const std::uint64_t> shape, const object_layout&, failure& why) noexcept;

/// Reads a descriptor. Returns false if its pipeline is another one than make_descriptor() writes, with another filter
/// or compression, or parameters of szip that no import writes; `out` then has the parameters of simple_packing, if
/// there are some. Offsets are not read. Errors: bad_sections (parameters of a known pipeline are missing or of the
/// wrong kind).
bool read_descriptor(const cbor_view& descriptor, object_layout& out, failure& why) noexcept;

/// Returns 10^-decimal, as ecCodes computes it.
double decimal_factor(std::int32_t decimal) noexcept;

/// Returns the reference value of simple_packing for a reference value of GRIB, which is divided by 10^decimal, too.
/// Exact for decimal 0.
double scaled_reference(double reference, std::int32_t decimal) noexcept;

}  // namespace bridge::grib
}  // namespace v0
}  // namespace tgmap
