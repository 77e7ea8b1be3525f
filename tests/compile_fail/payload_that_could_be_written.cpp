// SPDX-License-Identifier: Apache-2.0
#include <tgmap/tgmap.hpp>

std::size_t size(const tgmap::object& object) {
#ifdef TGMAP_MUST_FAIL
  std::span<std::byte> payload = object.payload();
#else
  std::span<const std::byte> payload = object.payload();
#endif
  return payload.size();
}
