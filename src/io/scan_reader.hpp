// SPDX-License-Identifier: Apache-2.0
// How a scan reads a file: little where looks lie far apart, ever more at once where they follow each other.
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

/// Fills windows by positioned reads; for one thread. All reads together take no more than a few times the source, and
/// the bytes that were looked at.
class scan_reader {
 public:
  static constexpr std::size_t least = 4096, most = std::size_t{256} << 10;

  explicit scan_reader(const source& in) noexcept : in_(&in) {}

  /// Bytes that hold at least [offset, offset + size), size <= least, and where they begin; valid until the next call.
  /// Empty, with the failure set, when they cannot be read.
  std::span<const std::byte> fill(std::uint64_t offset, std::size_t size, margin more, std::uint64_t& begin,
                                  failure& why) noexcept;

  /// Whether reads of late had to wait for the device.
  bool cold() const noexcept { return cold_ > 0; }

  /// Says that the next look was asked for ahead: that it is in memory tells nothing about the rest, and passing over
  /// what lies between costs less than reading it.
  void foreseen() noexcept {
    foreseen_ = true;
    if (cold_ > 0) cold_ = patience;
  }

 private:
  // Bytes between two looks that are read rather than passed over. A read of a few bytes takes as long as copying some
  // KiB from the page cache; waiting for a page as long as streaming 100 KiB, and 25 where many are waited for at once.
  static constexpr std::uint64_t near_warm = 6 << 10, near_cold = 112 << 10, near_foreseen = 25 << 10;
  static constexpr unsigned patience = 32;  ///< reads that must not wait before the file counts as warm again

  std::span<std::byte> room(std::size_t) noexcept;
  failure read(std::uint64_t begin, std::span<std::byte> out) noexcept;

  const source* in_;
  std::uint64_t recent_ = 0,
                older_ = 0;     ///< ends of the last two runs of looks; 0: none. Two, since a message has two ends
  std::uint64_t furthest_ = 0;  ///< place looked at
  std::uint64_t spent_ = 0;     ///< bytes read because looks followed each other
  unsigned row_ = 0;            ///< reads that followed one another
  byte_span held_{};            ///< in the large buffer: a look far off does not cost it
  unsigned reads_ = 0;          ///< while warm: each eighth asks what it cost, which is not quite free
  unsigned cold_ = 0;           ///< reads to go until the file counts as warm
  bool foreseen_ = false;       ///< the next look
  bool no_memory_ = false;      ///< for the large buffer: its absence costs time only
  std::unique_ptr<std::byte[]> large_;
  std::array<std::byte, least> small_;
};

}  // namespace tgmap::io
