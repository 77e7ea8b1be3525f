// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <tgmap/error.hpp>

namespace tgmap::decode {

/// Aligned for every element, and for vector loads.
inline constexpr std::size_t memory_alignment = 64;

struct free_aligned {
  void operator()(std::byte* at) const noexcept { ::operator delete[](at, std::align_val_t(memory_alignment)); }
};

/// Memory whose content nobody has set. Null, with the failure, when there is none; `bytes` may be 0.
template <class Deleter = free_aligned>
std::unique_ptr<std::byte[], Deleter> take_memory(std::uint64_t bytes, failure& why) noexcept {
  void* const at = bytes > SIZE_MAX / 2 ? nullptr
                                        : ::operator new[](static_cast<std::size_t>(bytes),
                                                           std::align_val_t(memory_alignment), std::nothrow);
  if (at == nullptr) why = {.code = errc::out_of_memory, .found = bytes};
  return std::unique_ptr<std::byte[], Deleter>(static_cast<std::byte*>(at));
}

/// Memory for a stage in between: kept and used again, as large as the largest one was.
class scratch {
 public:
  /// Exactly that many bytes, valid until the next call. Errors: out_of_memory.
  std::span<std::byte> take(std::uint64_t bytes, failure& why) noexcept {
    if (bytes > size_) {
      memory_ = take_memory(bytes, why);
      size_ = memory_ ? bytes : 0;
      if (!memory_) return {};
    }
    return {memory_.get(), static_cast<std::size_t>(bytes)};
  }

 private:
  std::unique_ptr<std::byte[], free_aligned> memory_{};
  std::uint64_t size_ = 0;
};

}  // namespace tgmap::decode
