// SPDX-License-Identifier: Apache-2.0
#include "floors/pack_loop.hpp"

#include <cstdint>
#include <cstring>

namespace tgmap_bench {

namespace {

using sixteen_bytes = std::uint64_t __attribute__((vector_size(16)));

}  // namespace

void quarter(std::span<const std::byte> from, std::span<std::byte> out) {
  for (std::size_t i = 0; i + sizeof(sixteen_bytes) <= out.size(); i += sizeof(sixteen_bytes)) {
    sixteen_bytes some[4];
    std::memcpy(some, from.data() + 4 * i, sizeof some);
    const sixteen_bytes all = some[0] ^ some[1] ^ some[2] ^ some[3];
    std::memcpy(out.data() + i, &all, sizeof all);
  }
}

}  // namespace tgmap_bench
