// SPDX-License-Identifier: Apache-2.0
// The instruction sets of this machine. Only Highway's headers are used: its library detects targets too, but its
// initializer measures the clock at every program start, which takes milliseconds.
#pragma once

#include <hwy/detect_targets.h>

#include <cstdint>

namespace tgmap::codec {

/// Returns the subset of HWY_SSSE3, HWY_SSE4, HWY_AVX2 and HWY_AVX3 that this machine has; empty if it has only the
/// baseline that the compiler assumes, and on other processors.
std::int64_t cpu_targets() noexcept;

/// For tests: limits the result to `targets`.
void limit_cpu_targets(std::int64_t targets) noexcept;

}  // namespace tgmap::codec
