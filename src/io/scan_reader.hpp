// SPDX-License-Identifier: Apache-2.0
// Reads a file for a scan: little where reads are far apart, more and more where they follow each other.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <tgmap/error.hpp>

#include "io/page.hpp"
#include "io/source.hpp"

namespace tgmap::io {

/// Fills windows by positioned reads. For one thread. All reads together take at most a few times the bytes asked for
/// and the size of the source.
class scan_reader {
 public:
  static constexpr std::size_t least = 4096, most = std::size_t{256} << 10;

  explicit scan_reader(const source& in) noexcept : in_(&in) {}

  /// Returns bytes that hold at least [offset, offset + size), size <= least, and their offset. Valid until the next
  /// call. Empty, with the failure set, if they cannot be read.
  std::span<const std::byte> fill(std::uint64_t offset, std::size_t size, margin more, std::uint64_t& begin,
                                  failure& why) noexcept;

  /// Checks if recent reads had to wait for the device.
  bool cold() const noexcept { return cold_ > 0; }

  /// Says that the next bytes were requested ahead: that they are in memory says nothing about others, and skipping
  /// bytes costs less than reading them.
  void expect_requested() noexcept {
    requested_ = true;
    if (cold_ > 0) cold_ = reads_until_warm;
  }

 private:
  // Gaps up to these sizes are read instead of skipped. A small read takes as long as copying some KiB from the page
  // cache. Waiting for a page takes as long as reading 100 KiB in sequence, and 25 KiB if many pages are waited for at
  // once.
  static constexpr std::uint64_t near_warm = 6 << 10, near_cold = 112 << 10, near_requested = 25 << 10;
  static constexpr unsigned reads_until_warm = 32;  ///< reads without waiting until the file counts as warm again

  std::span<std::byte> room(std::size_t) noexcept;
  failure read(std::uint64_t begin, std::span<std::byte> out) noexcept;

  const source* in_;
  std::uint64_t recent_ = 0,
                older_ = 0;  ///< ends of the last two sequences of reads; 0: none. Two, because a message has two ends
  std::uint64_t furthest_ = 0;  ///< highest offset read
  std::uint64_t spent_ = 0;     ///< bytes read ahead
  unsigned row_ = 0;            ///< reads in sequence
  byte_span held_{};            ///< contents of the large buffer, which reads elsewhere leave alone
  unsigned reads_ = 0;          ///< while warm: each eighth read is measured, which costs a little
  unsigned cold_ = 0;           ///< reads until the file counts as warm
  bool requested_ = false;      ///< see expect_requested()
  bool no_memory_ = false;      ///< for the large buffer: reads are only slower without it
  std::unique_ptr<std::byte[]> large_;
  std::array<std::byte, least> small_;
};

}  // namespace tgmap::io
