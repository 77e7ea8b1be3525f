// SPDX-License-Identifier: Apache-2.0
// Compiles a file once for each instruction set and chooses one at run time, by Highway's headers. Builds without
// Highway compile the file once, for the baseline of the architecture. The file defines HWY_TARGET_INCLUDE as its own
// path before this include, and includes itself through it; hence no guard.
//
// TGMAP_EACH_TARGET(name); makes a table of the functions of that name, one for each set. TGMAP_BEST_TARGET(name) is
// the function to call on this machine. Use both under HWY_ONCE.
#ifdef TGMAP_HIGHWAY

#ifndef TGMAP_CODEC_EACH_TARGET
#define TGMAP_CODEC_EACH_TARGET
// No kernel uses these, so they need not be detected.
#define HWY_DISABLE_F16C
#define HWY_DISABLE_PCLMUL_AES
// Highway's assertions would need its library.
#define HWY_IS_DEBUG_BUILD 0
// On other processors only Highway's library can detect targets.
#if !defined(__x86_64__) && !defined(__i386__)
#define HWY_COMPILE_ONLY_STATIC
#endif
#endif

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#if HWY_ONCE && !defined(TGMAP_EACH_TARGET)

#if (HWY_TARGETS & (HWY_TARGETS - 1)) != 0

#include <array>
#include <bit>
#include <cstdint>

#include "codec/simd/cpu_targets.hpp"

namespace tgmap::codec {

/// Returns the index of the best instruction set in Highway's list, which starts with the best one; the index past its
/// end if this machine has none of them.
inline std::size_t best_target(std::int64_t compiled) noexcept {
  constexpr int lowest_bit = HWY_HIGHEST_TARGET_BIT + 1 - HWY_MAX_DYNAMIC_TARGETS;
  constexpr std::uint64_t behind = std::uint64_t{1} << HWY_MAX_DYNAMIC_TARGETS;
  const auto usable = static_cast<std::uint64_t>(cpu_targets() & compiled) >> lowest_bit;
  return static_cast<std::size_t>(std::countr_zero((usable & (behind - 1)) | behind));
}

}  // namespace tgmap::codec

#define TGMAP_EACH_TARGET(name)                                                                              \
  constexpr std::array<decltype(&HWY_STATIC_DISPATCH(name)), HWY_MAX_DYNAMIC_TARGETS + 1> name##_by_target { \
    HWY_CHOOSE_TARGET_LIST(name), HWY_CHOOSE_FALLBACK(name)                                                  \
  }
#define TGMAP_BEST_TARGET(name) name##_by_target[best_target(HWY_TARGETS)]

#else  // one instruction set

#define TGMAP_EACH_TARGET(name) static_assert(true)
#define TGMAP_BEST_TARGET(name) HWY_STATIC_DISPATCH(name)

#endif

#endif

#elif !defined(HWY_NAMESPACE)

#define HWY_NAMESPACE every_machine
#define HWY_ONCE 1
#define HWY_BEFORE_NAMESPACE() static_assert(true)
#define HWY_AFTER_NAMESPACE() static_assert(true)
#define TGMAP_EACH_TARGET(name) static_assert(true)
#define TGMAP_BEST_TARGET(name) every_machine::name

#endif
