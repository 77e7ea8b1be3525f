// SPDX-License-Identifier: Apache-2.0
#include <tgmap/write/new_message.hpp>

namespace tgmap {
inline namespace v0 {

new_object new_object::of(const tensor& from) {
  new_object out;
  out.data = from.bytes();
  out.dtype = from.dtype();
  out.shape.assign(from.shape().begin(), from.shape().end());
  out.strides.assign(from.strides().begin(), from.strides().end());
  out.byte_order = from.byte_order();
  return out;
}

}  // namespace v0
}  // namespace tgmap
