// SPDX-License-Identifier: Apache-2.0
// Mutable bytes are owned by the tensor.
#include <tgmap/tgmap.hpp>

void clear(const tgmap::object& object) {
#ifdef TGMAP_MUST_FAIL
  object.decode().own_bytes()[0] = std::byte{};
#else
  tgmap::tensor field = object.decode();
  field.mutable_bytes()[0] = std::byte{};
#endif
}
