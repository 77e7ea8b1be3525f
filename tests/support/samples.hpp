// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <support/builder.hpp>

namespace tgmap_test {

/// Returns a payload that is unique for `n`: its digits, repeated up to `size` bytes.
inline bytes payload_of(unsigned n, std::size_t size = 24) {
  bytes out;
  while (out.size() < size) out += "<" + std::to_string(n) + ">";
  out.resize(size);
  return out;
}

inline message_spec numbered_spec(unsigned n, int version = 3, std::size_t size = 24) {
  message_spec spec;
  spec.version = version;
  spec.objects = {bytes_object(payload_of(n, size))};
  spec.base = {cbor::map({cbor::key("n", cbor::unsigned_integer(n))})};
  return spec;
}

inline bytes numbered(unsigned n, int version = 3, std::size_t size = 24) {
  return message(numbered_spec(n, version, size));
}

inline bytes numbered_stream(unsigned n, int version = 3, std::size_t size = 24) {
  message_spec spec = numbered_spec(n, version, size);
  spec.writing = writing::streamed;
  return message(spec);
}

/// Returns messages 0 to count - 1.
inline bytes numbered_archive(unsigned count, int version = 3) {
  bytes out;
  for (unsigned n = 0; n < count; ++n) out += numbered(n, version);
  return out;
}

/// Returns messages first to first + count - 1 with payloads of `size` bytes.
inline bytes several(unsigned first, unsigned count, std::size_t size) {
  bytes out;
  for (unsigned n = first; n < first + count; ++n) out += numbered(n, 3, size);
  return out;
}

/// Returns messages of versions 2 and 3, streamed and not, in turns, with sizes that produce every alignment.
inline bytes mixed_archive(unsigned count) {
  bytes out;
  for (unsigned n = 0; n < count; ++n) {
    const int version = n % 3 == 1 ? 2 : 3;
    const std::size_t size = 17 + 5 * n % 64;
    out += n % 4 == 2 ? numbered_stream(n, version, size) : numbered(n, version, size);
  }
  return out;
}

}  // namespace tgmap_test
