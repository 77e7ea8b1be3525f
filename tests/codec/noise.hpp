// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <random>
#include <span>
#include <support/bytes.hpp>

namespace tgmap_test {

/// Returns bytes without a pattern, the same in every run.
inline bytes noise(std::size_t size, unsigned seed = 1) {
  std::mt19937_64 next(seed);
  bytes out(size, '\0');
  for (char& byte : out) byte = static_cast<char>(next());
  return out;
}

inline std::span<std::byte> writable(bytes& data) { return {reinterpret_cast<std::byte*>(data.data()), data.size()}; }

}  // namespace tgmap_test
