// SPDX-License-Identifier: Apache-2.0
// Reads a file for a scan. Reads little if reads are far apart, and more and more if they follow each other.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <tgmap/error.hpp>

#include "io/page.hpp"
#include "io/source.hpp"

namespace tgmap::io {

/// A `scan_reader` fills windows by positioned reads. It reads at most a few times the requested bytes, and at most a
/// few times the size of the source. For one thread.
class scan_reader {
 public:
  static constexpr std::size_t small_size = 4096, large_size = std::size_t{256} << 10;

  /// `stop` ends reads of a byte_source.
  explicit scan_reader(const source& in, const std::stop_token& stop = {}) noexcept : in_(&in), stop_(stop) {}

  /// Returns bytes that hold at small_size [offset, offset + size), size <= small_size, and their offset. Valid until
  /// the next call. Empty, with the failure set, if they cannot be read.
  std::span<const std::byte> fill(std::uint64_t offset, std::size_t size, margin more, std::uint64_t& begin,
                                  failure& why) noexcept;

  /// Returns true if recent reads had to wait for the device.
  bool cold() const noexcept { return cold_ > 0; }

  /// Announces that the next bytes were requested ahead. Then it tells nothing about other bytes that these are in
  /// memory, and only small gaps are read instead of skipped.
  void expect_requested() noexcept {
    requested_ = true;
    if (cold_ > 0) cold_ = reads_until_warm;
  }

 private:
  // Gaps up to these sizes are read instead of skipped. A small read takes as long as copying some KiB from the page
  // cache. Waiting for a page takes as long as reading 100 KiB in sequence, and 25 KiB if many pages are waited for at
  // once.
  static constexpr std::uint64_t near_warm = 6 << 10, near_cold = 112 << 10, near_requested = 25 << 10;
  static constexpr unsigned reads_until_warm = 32;  ///< reads without waiting, after which the file counts as warm

  std::span<std::byte> buffer_for(std::size_t) noexcept;
  failure read(std::uint64_t begin, std::span<std::byte> out) noexcept;

  const source* in_;
  std::stop_token stop_;
  std::uint64_t recent_ = 0,
                older_ = 0;  ///< ends of the last two sequences of reads; 0: none. Two, because a message has two ends
  std::uint64_t furthest_ = 0;  ///< highest offset read
  std::uint64_t spent_ = 0;     ///< bytes read ahead
  unsigned reads_in_row_ = 0;   ///< reads in sequence
  byte_span large_range_{};     ///< range of the file that the large buffer holds
  unsigned reads_ = 0;          ///< of a warm file; each eighth is measured, because measuring costs a little
  unsigned cold_ = 0;           ///< reads after which the file counts as warm
  bool requested_ = false;      ///< see expect_requested()
  bool no_memory_ = false;      ///< there is no large buffer, so reads are slower
  std::unique_ptr<std::byte[]> large_;
  std::array<std::byte, small_size> small_;
};

}  // namespace tgmap::io
