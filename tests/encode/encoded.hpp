// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <support/bytes.hpp>
#include <tgmap/write/new_message.hpp>
#include <vector>

#include "encode/object_encoder.hpp"

namespace tgmap_test {

inline constexpr auto every_dtype = [] {
  std::array<tgmap::dtype, tgmap::dtype_count> out{};
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<tgmap::dtype>(i);
  return out;
}();

inline bool is_float(tgmap::dtype type) {
  using tgmap::dtype;
  return type == dtype::float16 || type == dtype::bfloat16 || type == dtype::float32 || type == dtype::float64 ||
         type == dtype::complex64 || type == dtype::complex128;
}

inline std::size_t bytes_of(tgmap::dtype type, std::uint64_t elements) {
  return static_cast<std::size_t>(size_bytes(type, elements).value());
}

/// Returns elements without a pattern. Floats are finite in both byte orders.
inline bytes finite_noise(tgmap::dtype type, std::uint64_t elements, unsigned seed = 1) {
  std::mt19937_64 next(seed);
  bytes out(bytes_of(type, elements), '\0');
  for (char& byte : out) byte = static_cast<char>(is_float(type) ? next() & 0x3b : next());
  if (type == tgmap::dtype::bitmask && elements % 8 != 0) out.back() &= static_cast<char>(0xff << (8 - elements % 8));
  return out;
}

/// Lifetime: `data` must outlive the object.
inline tgmap::new_object object_of(tgmap::dtype type, const bytes& data, std::vector<std::uint64_t> shape) {
  tgmap::new_object out;
  out.data = span_of(data);
  out.dtype = type;
  out.shape = std::move(shape);
  return out;
}

/// An encoded object with its memory.
struct encoded {
  tgmap::encode::object_encoder by{};
  tgmap::encode::encoded_object what{};
  bytes payload{};
  tgmap::failure why{};
};

inline encoded encode(const tgmap::new_object& in, int version = 3) {
  encoded out;
  out.why = out.by.encode(in, version, out.what);
  if (!out.why) out.payload = bytes(view_of(out.what.payload));
  return out;
}

}  // namespace tgmap_test
