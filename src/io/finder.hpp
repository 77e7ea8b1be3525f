// SPDX-License-Identifier: Apache-2.0
// Searches for a byte pattern, in memory or window by window.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <tgmap/error.hpp>

namespace tgmap::io {

class source;

/// Returns the first offset in [from, to) at which `bytes` hold all of `pattern`; `to` if there is none.
std::uint64_t find_in_memory(std::span<const std::byte> bytes, std::span<const std::byte> pattern, std::uint64_t from,
                             std::uint64_t to) noexcept;

/// A `finder` searches by reads of a file. It keeps the last bytes, so that continuing a search reads nothing twice.
class finder {
 public:
  /// `stop` ends reads of a byte_source.
  explicit finder(const source& in, const std::stop_token& stop = {}) noexcept : in_(&in), stop_(stop) {}

  /// Does the same as find_in_memory in the source. Errors: out_of_memory, those of source::read.
  std::uint64_t find(std::span<const std::byte> pattern, std::uint64_t from, std::uint64_t to, failure&) noexcept;

 private:
  static constexpr std::size_t min_window = 4096,
                               max_window = std::size_t{256} << 10;  // fits into the processor's cache

  const source* in_;
  std::stop_token stop_;
  std::uint64_t begin_ = 0;
  std::size_t size_ = 0;
  std::unique_ptr<std::byte[]> buffer_;
};

}  // namespace tgmap::io
