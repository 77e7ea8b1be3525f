// SPDX-License-Identifier: Apache-2.0
// Vectors of decoded elements. Compiled here, so that programs without exceptions can use the form with a failure.
#include <exception>
#include <tgmap/object.hpp>

#include "decode/plan_for.hpp"

namespace tgmap {
inline namespace v0 {

template <element T>
std::vector<T> object::to_vector(const decode_options& how, failure& why) const noexcept try {
  decode_options natively = how;
  natively.byte_order = output_byte_order::native;
  tensor decoded;
  const tgmap::dtype stored = descriptor(why).dtype;
  if (why) return {};
  // The same dtype is decoded into memory of its own: borrowed bytes can vanish while they are read.
  if (stored == dtype_of<T>)
    decode_into(decoded, natively, why);
  else
    decoded = decode_as(dtype_of<T>, natively, why);
  if (why) return {};
  // The vector is cleared when it is made. A forged shape must have failed before.
  std::vector<T> out(static_cast<std::size_t>(decoded.size()));
  gather_elements(decoded.bytes().data(), sizeof(T), decoded.shape(), decoded.strides(),
                  std::as_writable_bytes(std::span(out)).data());
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
