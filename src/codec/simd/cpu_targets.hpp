// SPDX-License-Identifier: Apache-2.0
// Which of the instruction sets that a kernel is compiled for this machine has. Highway's headers alone: its library
// has a choice of its own, whose initializer measures the clock at every start of a program, which takes milliseconds.
#pragma once

#include <hwy/detect_targets.h>

#include <cstdint>

namespace tgmap::codec {

/// Returns a set of HWY_SSSE3, HWY_SSE4, HWY_AVX2, and HWY_AVX3; empty where only the one that the compiler takes for
/// granted is left, as on processors of other kinds.
std::int64_t cpu_targets() noexcept;

/// For tests: allows only these instead, if the machine has them.
void limit_cpu_targets(std::int64_t targets) noexcept;

}  // namespace tgmap::codec
