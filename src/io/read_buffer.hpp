// SPDX-License-Identifier: Apache-2.0
// Holds the bytes of one read for a short time.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>

#include "io/window.hpp"

namespace tgmap::io {

/// A `read_buffer` holds the bytes of one read. Small reads need no allocation. For one thread. Never raises a signal.
class read_buffer {
 public:
  /// Returns memory for `size` bytes, which the caller fills. Valid until the next call. Errors: out_of_memory.
  std::span<std::byte> prepare(std::uint64_t size, failure& why) noexcept {
    why = {};
    if (size <= small_.size()) return std::span<std::byte>(small_).first(static_cast<std::size_t>(size));
    large_.reset(new (std::nothrow) std::byte[static_cast<std::size_t>(size)]);
    if (large_) return {large_.get(), static_cast<std::size_t>(size)};
    why = {.code = errc::out_of_memory, .found = size};
    return {};
  }

  /// Copies [offset, offset + size). The caller has checked the range against the source and its own limits. Valid
  /// until the next call. Errors: out_of_memory, those of source::load.
  std::span<const std::byte> bytes(const source& in, std::uint64_t offset, std::uint64_t size, failure& why,
                                   locality what = locality::scattered) noexcept {
    const std::span<std::byte> out = prepare(size, why);
    if (why) {
      why.offset = offset;
      return {};
    }
    why = in.load(offset, out, what);
    return why ? std::span<const std::byte>{} : out;
  }

  /// The same through a window, which may hold the bytes already.
  std::span<const std::byte> bytes(window& through, std::uint64_t offset, std::uint64_t size, failure& why) noexcept {
    if (size > small_.size()) return bytes(through.in(), offset, size, why);
    const auto seen = through.at(offset, static_cast<std::size_t>(size), why);
    std::copy(seen.begin(), seen.end(), small_.begin());
    return {small_.data(), seen.size()};
  }

 private:
  std::array<std::byte, window::largest> small_;  // not initialised: written before it is read
  std::unique_ptr<std::byte[]> large_;
};

}  // namespace tgmap::io
