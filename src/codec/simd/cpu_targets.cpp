// SPDX-License-Identifier: Apache-2.0
#include "codec/simd/cpu_targets.hpp"

#include <atomic>

namespace tgmap::codec {

namespace {

/// Each set includes those before it.
std::int64_t find_cpu_targets() noexcept {
  std::int64_t out = 0;
#if HWY_ARCH_X86
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("ssse3")) return out;
  out |= HWY_SSSE3;
  if (!__builtin_cpu_supports("sse4.1") || !__builtin_cpu_supports("sse4.2")) return out;
  out |= HWY_SSE4;
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("bmi") ||
      !__builtin_cpu_supports("bmi2"))
    return out;
  out |= HWY_AVX2;
  if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512vl") ||
      !__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("avx512bw") || !__builtin_cpu_supports("avx512cd"))
    return out;
  out |= HWY_AVX3;
#endif
  return out;
}

std::int64_t found_cpu_targets() noexcept {
  static const std::int64_t found = find_cpu_targets();
  return found;
}

std::atomic<std::int64_t> allowed_cpu_targets{~std::int64_t{0}};

}  // namespace

std::int64_t cpu_targets() noexcept {
  return found_cpu_targets() & allowed_cpu_targets.load(std::memory_order_relaxed);
}

void limit_cpu_targets(std::int64_t targets) noexcept { allowed_cpu_targets.store(targets, std::memory_order_relaxed); }

}  // namespace tgmap::codec
