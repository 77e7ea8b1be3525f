// SPDX-License-Identifier: Apache-2.0
#include "cpp/handles/limits.hpp"

#include "cpp/interpreter/errors.hpp"

namespace tgmap_python {

void require_within_limit(const shared_archive& from, const tgmap::object& of, std::uint64_t bytes) {
  const std::uint64_t max_decoded = from->max_decoded;
  if (bytes <= max_decoded) return;
  raise({.code = tgmap::errc::decoded_limit,
         .offset = of.payload_offset(),
         .expected = max_decoded,
         .found = bytes,
         .message = of.frame().message().index(),
         .object = of.index()});
}

void require_within_limit(py_object& o, std::uint64_t count, std::uint64_t item) {
  const std::uint64_t elements = o.descriptor().element_count;
  std::uint64_t bytes = 0;
  if (__builtin_mul_overflow(elements, count, &bytes) || __builtin_mul_overflow(bytes, item, &bytes))
    bytes = UINT64_MAX;
  require_within_limit(o.from, o.handle(), bytes);
}

}  // namespace tgmap_python
