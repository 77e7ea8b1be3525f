// SPDX-License-Identifier: Apache-2.0
#include "io/find.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>

#include "io/source.hpp"

namespace tgmap::io {

std::uint64_t find_in_memory(std::span<const std::byte> bytes, std::span<const std::byte> pattern, std::uint64_t from,
                             std::uint64_t to) noexcept {
  if (from >= to || to > bytes.size()) return to;
  const std::uint64_t end = std::min<std::uint64_t>(bytes.size(), to + pattern.size() - 1);
  const void* found =
      ::memmem(bytes.data() + from, static_cast<std::size_t>(end - from), pattern.data(), pattern.size());
  if (found == nullptr) return to;
  return static_cast<std::uint64_t>(static_cast<const std::byte*>(found) - bytes.data());
}

std::uint64_t find_in_windows(const source& in, std::span<const std::byte> pattern, std::uint64_t from,
                              std::uint64_t to, failure& why) noexcept {
  constexpr std::uint64_t window = 1 << 20;
  const std::unique_ptr<std::byte[]> buffer(new (std::nothrow) std::byte[window]);
  if (!buffer) {
    why = {.code = errc::out_of_memory, .offset = from, .found = window};
    return to;
  }
  const std::uint64_t overlap = pattern.size() - 1;
  for (std::uint64_t at = from; at < to;) {
    const std::uint64_t size = std::min(window, in.size() - at);
    const std::span<std::byte> bytes(buffer.get(), static_cast<std::size_t>(size));
    why = in.read(at, bytes);
    if (why) return to;
    const std::uint64_t here = std::min(size, to - at);
    const std::uint64_t found = find_in_memory(bytes, pattern, 0, here);
    if (found < here) return at + found;
    if (size < window) break;
    at += window - overlap;
  }
  return to;
}

}  // namespace tgmap::io
