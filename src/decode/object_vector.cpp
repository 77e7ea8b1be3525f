// SPDX-License-Identifier: Apache-2.0
// Vectors of decoded elements. Compiled here, so that programs without exceptions can use the form with a failure.
#include <exception>
#include <tgmap/object.hpp>

#include "decode/plan_for.hpp"

namespace tgmap {
inline namespace v0 {

template <element T>
std::vector<T> object::to_vector(const decode_options& how, failure& why) const noexcept try {
  std::vector<T> out(elements_as(dtype_of<T>, why));
  if (!why) decode_converted(dtype_of<T>, std::as_writable_bytes(std::span(out)), true, how, why);
  if (why) out = {};
  return out;
} catch (const std::exception&) {  // std::bad_alloc, std::length_error
  why = decode::concerning(*this, {.code = errc::out_of_memory});
  return {};
}

#define TGMAP_TO_VECTOR(type) \
  template TGMAP_API std::vector<type> object::to_vector<type>(const decode_options&, failure&) const noexcept
TGMAP_TO_VECTOR(float16);
TGMAP_TO_VECTOR(bfloat16);
TGMAP_TO_VECTOR(float);
TGMAP_TO_VECTOR(double);
TGMAP_TO_VECTOR(std::complex<float>);
TGMAP_TO_VECTOR(std::complex<double>);
TGMAP_TO_VECTOR(std::int8_t);
TGMAP_TO_VECTOR(std::int16_t);
TGMAP_TO_VECTOR(std::int32_t);
TGMAP_TO_VECTOR(std::int64_t);
TGMAP_TO_VECTOR(std::uint8_t);
TGMAP_TO_VECTOR(std::uint16_t);
TGMAP_TO_VECTOR(std::uint32_t);
TGMAP_TO_VECTOR(std::uint64_t);
#undef TGMAP_TO_VECTOR

}  // namespace v0
}  // namespace tgmap
