// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <tgmap/error.hpp>
#include <vector>

namespace tgmap {
inline namespace v0 {
namespace bridge::grib {

/// A `byte_buffer` is memory that is used again for the next field. It grows to the largest request and is never
/// cleared. It is aligned for every integer.
class byte_buffer {
 public:
  /// Returns exactly `bytes` bytes, valid until the next call. Their values are unspecified.
  /// Errors: out_of_memory.
  std::span<std::byte> take(std::uint64_t bytes, failure& why) noexcept {
    if (bytes > size_) {
      memory_.reset();
      size_ = 0;
      if (bytes <= PTRDIFF_MAX) memory_.reset(new (std::nothrow) std::byte[static_cast<std::size_t>(bytes)]);
      if (!memory_) {
        why = {.code = tgmap::errc::out_of_memory, .found = bytes};
        return {};
      }
      size_ = static_cast<std::size_t>(bytes);
    }
    return {memory_.get(), static_cast<std::size_t>(bytes)};
  }

  /// Returns room for `count` integers.
  /// Errors: out_of_memory.
  template <class Integer>
  std::span<Integer> take_integers(std::uint64_t count, failure& why) noexcept {
    const auto bytes = take(count > PTRDIFF_MAX / sizeof(Integer) ? UINT64_MAX : count * sizeof(Integer), why);
    return {reinterpret_cast<Integer*>(bytes.data()), bytes.size() / sizeof(Integer)};
  }

 private:
  std::unique_ptr<std::byte[]> memory_{};
  std::size_t size_ = 0;
};

/// Appends bytes. Errors: throws std::bad_alloc.
inline void append_bytes(std::vector<std::byte>& to, std::span<const std::byte> bytes) {
  to.insert(to.end(), bytes.begin(), bytes.end());
}

}  // namespace bridge::grib
}  // namespace v0
}  // namespace tgmap
