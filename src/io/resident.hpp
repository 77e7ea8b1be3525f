// SPDX-License-Identifier: Apache-2.0
// Bytes of an unmapped archive that were asked for as spans: read once, held until the archive is closed.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <tgmap/error.hpp>

#include "core/append_only_map.hpp"
#include "io/file.hpp"

namespace tgmap::io {

/// All members may run in any number of threads. Two threads that ask for the same bytes at once may both read them.
class resident {
 public:
  explicit resident(std::uint64_t limit) noexcept : limit_(limit) {}

  /// The bytes [offset, offset + size) of the file, aligned to 64 bytes whatever `offset` is. O(1) when held already.
  /// Errors: resident_limit, out_of_memory, file_shrank, of the operating system.
  std::span<const std::byte> view(const file&, std::uint64_t offset, std::uint64_t size, failure&) const noexcept;

 private:
  struct free_aligned {
    void operator()(std::byte* p) const noexcept;
  };
  struct block {
    std::unique_ptr<std::byte[], free_aligned> data;
    std::size_t size = 0;
  };
  std::uint64_t limit_;
  mutable std::atomic<std::uint64_t> held_{0};
  mutable core::append_only_map<block> blocks_;  // by offset
};

}  // namespace tgmap::io
