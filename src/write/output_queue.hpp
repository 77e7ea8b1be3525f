// SPDX-License-Identifier: Apache-2.0
// Collects the bytes of a message and writes them to a sink in order, without copying them together.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/write/sink.hpp>
#include <vector>

#include "io/source.hpp"

namespace tgmap::write {

/// A `counting_sink` passes bytes on to another sink and counts them, since sinks need not implement bytes_written().
struct counting_sink final : sink {
  using sink::write;
  failure write(std::span<const std::span<const std::byte>> pieces) noexcept override {
    for (const auto piece : pieces) count += piece.size();
    failure why = target->write(pieces);
    if (why) has_failed = true;
    return why;
  }

  sink* target = nullptr;
  std::uint64_t count = 0;
  bool has_failed = false;  // then it is unknown how much of the last pieces was written
};

/// An `output_queue` collects the pieces of one message and writes them with as few calls of the sink as possible.
class output_queue {
 public:
  /// Adds bytes in memory. Lifetime: they are borrowed until write_to() or clear().
  void add(std::span<const std::byte> bytes) {
    if (!bytes.empty()) pieces_.push_back({.bytes = bytes});
  }

  /// Adds `size` bytes of an archive, from `offset` on. Lifetime: as above.
  void add(const io::source& source, std::uint64_t offset, std::uint64_t size) {
    pieces_.push_back({.from = &source, .offset = offset, .size = size});
  }

  /// Adds up to `max_zeros` zeros.
  void add_zeros(std::uint64_t count) { add(std::span(zeros).first(static_cast<std::size_t>(count))); }

  void clear() noexcept { pieces_.clear(); }

  /// Allocates what write_to() needs, unless a piece is in an archive. Throws std::bad_alloc.
  void reserve() { run_.reserve(pieces_.size()); }

  /// Writes all pieces and empties the queue. Errors: those of the sink and of reading an archive. Throws
  /// std::bad_alloc.
  failure write_to(sink&);

  static constexpr std::uint64_t max_zeros = 4096 + 8;  ///< the largest alignment of payloads, and that of frames

 private:
  /// Bytes in memory, or a range of an archive if `from` is set.
  struct piece {
    std::span<const std::byte> bytes{};
    const io::source* from = nullptr;
    std::uint64_t offset = 0, size = 0;
  };

  static constexpr std::array<std::byte, max_zeros> zeros{};

  failure write_pieces(sink&);
  failure copy_range(const io::source&, std::uint64_t offset, std::uint64_t size, sink&);

  std::vector<piece> pieces_{};
  std::vector<std::span<const std::byte>> run_{};  // consecutive pieces in memory, for one call of the sink
  std::vector<std::byte> buffer_{};                // for ranges of archives
};

}  // namespace tgmap::write
