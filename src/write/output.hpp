// SPDX-License-Identifier: Apache-2.0
// What goes to the sink, in order, without being brought together.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/write/sink.hpp>
#include <vector>

#include "io/source.hpp"

namespace tgmap::write {

/// Bytes where they lie: in memory, or in an archive.
struct piece {
  std::span<const std::byte> bytes{};
  const io::source* from = nullptr;  ///< then `at` and `size`
  std::uint64_t at = 0, size = 0;
};

/// Gathers the pieces of one message, and puts them out in one go.
class output {
 public:
  void add(std::span<const std::byte> bytes) {
    if (!bytes.empty()) pieces_.push_back({.bytes = bytes});
  }
  void add(const io::source& from, std::uint64_t at, std::uint64_t size) {
    pieces_.push_back({.from = &from, .at = at, .size = size});
  }
  void add_zeros(std::uint64_t count) { add(std::span(zeros).first(static_cast<std::size_t>(count))); }

  void clear() noexcept { pieces_.clear(); }

  /// All is there: put() of what lies in memory takes no more of it. Throws std::bad_alloc.
  void complete() { run_.reserve(pieces_.size()); }

  /// Puts all out and forgets it. Errors: the sink's; those of reading an archive. Throws std::bad_alloc.
  failure put(sink&);

  static constexpr std::uint64_t most_zeros = 4096 + 8;

 private:
  static constexpr std::array<std::byte, most_zeros> zeros{};

  failure put_pieces(sink&);
  failure copy(const io::source&, std::uint64_t at, std::uint64_t size, sink&);

  std::vector<piece> pieces_{};
  std::vector<std::span<const std::byte>> run_{};  // of pieces in memory
  std::vector<std::byte> buffer_{};                // for pieces in archives
};

}  // namespace tgmap::write
