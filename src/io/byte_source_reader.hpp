// SPDX-License-Identifier: Apache-2.0
// Reads ranges of a byte_source with few requests.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <tgmap/byte_source.hpp>

#include "io/file.hpp"
#include "io/page.hpp"
#include "io/versioned_source.hpp"

namespace tgmap::io {

/// A `byte_source_reader` reads one version of a source. A small read takes more bytes than asked for if the reads
/// before it were near, and the last bytes are held, so that a walk over many small things takes few requests. Holds at
/// most `max_extents` times `max_extent` bytes.
/// Offsets count from the start of the source. Ranges are within size().
/// Errors of all members: out_of_memory, those of versioned_source.
/// Thread safety: const members may run in any number of threads.
class byte_source_reader {
 public:
  /// Bytes that are read when a source is opened, and at first for a small read.
  static constexpr std::size_t first_extent = 16 << 10;
  static constexpr std::size_t max_extents = 8, max_extent = 1 << 20;

  /// Opens a source, and reads the first bytes from `begin` on, or the last ones of an index.
  static std::unique_ptr<const byte_source_reader> open(std::shared_ptr<byte_source>,
                                                        std::optional<std::uint64_t> begin, failure&) noexcept;

  /// Opens the same source as it is now. If it has another version, this reader fails with source_changed from then on.
  std::unique_ptr<const byte_source_reader> reopened(std::uint64_t begin, failure&) const noexcept;

  std::uint64_t size() const noexcept { return size_; }

  /// Reads a range. `cost` says if that took a request.
  failure read(std::uint64_t offset, std::span<std::byte> out, read_cost& cost,
               const std::stop_token& = {}) const noexcept;

  /// Reads many ranges, in any order, whose offsets count from `base`. Those that are near each other are joined.
  failure read(std::span<const byte_request>, std::uint64_t base) const noexcept;

  /// Passes the hint on, unless the bytes are held.
  void will_need(std::uint64_t offset, std::uint64_t size) const noexcept;

  /// Returns whether this reader still reads the version that the source had when it was opened last.
  bool is_current() const noexcept { return source_->is_current(version_number_); }

  /// Asks the source for its version, and returns whether it is another one.
  bool is_replaced(failure&) const noexcept;

  /// Returns whether both read the same version, as far as the source says.
  bool has_version_of(const byte_source_reader& other) const noexcept { return version_ == other.version_; }

  /// Returns a number that stands for the version, with its highest bit set; nothing if the version is not known.
  std::optional<std::uint64_t> version_digest() const noexcept;

 private:
  /// Consecutive bytes that were read.
  struct extent {
    std::uint64_t begin = 0;
    std::size_t size = 0;
    std::unique_ptr<std::byte[]> bytes{};

    std::uint64_t end() const noexcept { return begin + size; }
    bool holds(std::uint64_t offset, std::uint64_t n) const noexcept {
      return offset >= begin && offset - begin <= size && n <= size - (offset - begin);
    }
  };
  class batch;

  explicit byte_source_reader(std::shared_ptr<versioned_source>) noexcept;

  static std::unique_ptr<const byte_source_reader> open(std::shared_ptr<versioned_source>,
                                                        std::optional<std::uint64_t> begin, failure&) noexcept;
  failure read_parts(std::uint64_t offset, std::span<std::byte> out, const std::stop_token&) const noexcept;
  failure read_extent(std::uint64_t offset, std::span<std::byte> out, const std::stop_token&) const noexcept;
  std::shared_ptr<const extent> find_extent(std::uint64_t offset, std::uint64_t size) const noexcept;
  bool copy_held(std::uint64_t offset, std::span<std::byte> out) const noexcept;
  byte_span extent_for(std::uint64_t offset, std::size_t size) const noexcept;
  void hold(std::shared_ptr<const extent>) const noexcept;

  std::shared_ptr<versioned_source> source_;
  std::uint64_t size_ = 0;
  std::string version_{};
  std::uint64_t version_number_ = 0;
  std::size_t max_extent_ = 0;

  mutable std::mutex mutex_{};  ///< guards the next two members
  mutable std::array<std::shared_ptr<const extent>, max_extents> extents_{};
  mutable std::size_t next_ = 0;                  ///< the extent that is replaced next
  mutable std::array<std::mutex, 16> reading_{};  ///< by offset: threads that need the same bytes read them once
};

}  // namespace tgmap::io
