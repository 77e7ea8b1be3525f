// SPDX-License-Identifier: Apache-2.0
// A read-only mapping of part of an open file (Boost.Interprocess).
#pragma once

#include <boost/interprocess/mapped_region.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/error.hpp>

#include "io/file.hpp"

namespace tgmap::io {

/// Says if the kernel should read ahead.
enum class access_pattern : std::uint8_t { usual, scattered };

/// Movable. The bytes stay at their address until destruction.
class mapping {
 public:
  mapping() noexcept = default;

  /// Maps [offset, offset + size) of the descriptor itself, so that the size that was checked belongs to the mapped
  /// file. `size` > 0; `offset` need not be page-aligned. Errors: of the operating system, out_of_memory.
  static mapping of(const file&, std::uint64_t offset, std::uint64_t size, failure&,
                    access_pattern = access_pattern::usual) noexcept;

  std::span<const std::byte> bytes() const noexcept {
    return {static_cast<const std::byte*>(region_.get_address()), region_.get_size()};
  }

 private:
  boost::interprocess::mapped_region region_;
};

/// Brings mapped bytes into memory; reports truncation and device errors without a signal (MADV_POPULATE_READ).
/// `supported` is false if the kernel has no such call; then nothing was done.
failure populate(std::span<const std::byte> mapped, bool& supported) noexcept;

}  // namespace tgmap::io
