// SPDX-License-Identifier: Apache-2.0
// The bytes are owned by the tensor.
#include <tgmap/tgmap.hpp>

std::size_t ones(const tgmap::object& object) {
  std::size_t n = 0;
#ifdef TGMAP_MUST_FAIL
  for (const std::byte x : object.decode().bytes()) n += x == std::byte{1};
#else
  const tgmap::tensor field = object.decode();
  for (const std::byte x : field.bytes()) n += x == std::byte{1};
#endif
  return n;
}
