// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tgmap::codec {

/// A `little_endian_reader` takes numbers from the front of bytes. Missing bytes read as zero and set `failed()`.
class little_endian_reader {
 public:
  explicit little_endian_reader(std::span<const std::byte> bytes) noexcept : left_(bytes) {}

  template <class T>
  T take() noexcept {
    std::array<std::byte, sizeof(T)> raw{};
    const auto found = take_bytes(sizeof(T));
    std::copy(found.begin(), found.end(), raw.begin());
    if constexpr (std::endian::native == std::endian::big) std::reverse(raw.begin(), raw.end());
    return std::bit_cast<T>(raw);
  }

  /// Takes exactly `count` bytes, or none.
  std::span<const std::byte> take_bytes(std::uint64_t count) noexcept {
    failed_ = failed_ || count > left_.size();
    if (failed_) return {};
    const auto out = left_.first(static_cast<std::size_t>(count));
    left_ = left_.subspan(out.size());
    return out;
  }

  bool failed() const noexcept { return failed_; }
  std::span<const std::byte> left() const noexcept { return left_; }

 private:
  std::span<const std::byte> left_;
  bool failed_ = false;
};

/// A `little_endian_writer` appends numbers to a buffer that is large enough.
class little_endian_writer {
 public:
  explicit little_endian_writer(std::span<std::byte> room) noexcept : left_(room) {}

  template <class T>
  void put(T number) noexcept {
    auto raw = std::bit_cast<std::array<std::byte, sizeof(T)>>(number);
    if constexpr (std::endian::native == std::endian::big) std::reverse(raw.begin(), raw.end());
    std::copy(raw.begin(), raw.end(), left_.begin());
    left_ = left_.subspan(sizeof(T));
  }

  /// Skips `count` bytes and returns them, to be written later.
  std::span<std::byte> skip(std::size_t count) noexcept {
    const auto out = left_.first(count);
    left_ = left_.subspan(count);
    return out;
  }

  std::size_t room() const noexcept { return left_.size(); }

 private:
  std::span<std::byte> left_;
};

}  // namespace tgmap::codec
