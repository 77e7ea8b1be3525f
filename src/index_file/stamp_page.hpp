// SPDX-License-Identifier: Apache-2.0
// The page of an index file that says which states of the archive the index describes (docs/index_format.md).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "index_file/page.hpp"
#include "io/file_stamp.hpp"
#include "wire/bytes.hpp"

namespace tgmap::index_file {

/// A `stamp_page` holds the size and the time of the last change of archives whose bytes the index describes: of the
/// one that it was made of, and of equal copies. It is the only page of an index that changes, by one write.
class stamp_page {
 public:
  static constexpr std::size_t header_size = 16, stamp_size = 16;
  static constexpr std::size_t capacity = (content_size - header_size) / stamp_size;

  /// Reads a page whose checksum was compared. Returns no stamps if it is not a page of stamps.
  static stamp_page load(const_page_bytes from) noexcept {
    stamp_page out;
    const auto count = wire::load_le<std::uint64_t>(from.data() + 8);
    if (!wire::starts_with(from, 0, magic) || count > capacity) return out;
    out.count_ = static_cast<std::size_t>(count);
    for (std::size_t i = 0; i < out.count_; ++i) {
      const std::byte* const at = from.data() + header_size + i * stamp_size;
      out.stamps_[i] = {.size = wire::load_le<std::uint64_t>(at), .time = wire::load_le<std::uint64_t>(at + 8)};
    }
    return out;
  }

  /// Writes all but the checksum. The rest of the page must be zeros.
  void store(page_bytes to) const noexcept {
    std::ranges::copy(magic, to.begin());
    wire::store_le(to.data() + 8, std::uint64_t{count_});
    for (std::size_t i = 0; i < count_; ++i) {
      std::byte* const at = to.data() + header_size + i * stamp_size;
      wire::store_le(at, stamps_[i].size);
      wire::store_le(at + 8, stamps_[i].time);
    }
  }

  /// Adds a stamp, unless it is there. A full page loses its oldest one.
  void add(const io::file_stamp& stamp) noexcept {
    if (std::ranges::find(all(), stamp) != all().end()) return;
    if (count_ == capacity) {
      std::shift_left(stamps_.begin(), stamps_.end(), 1);
      --count_;
    }
    stamps_[count_++] = stamp;
  }

  /// Returns whether one of the stamps is that of an archive in this state.
  bool contains(const io::file_stamp& stamp) const noexcept {
    return std::ranges::any_of(all(), [&](const auto& each) { return io::is_same_state(each, stamp); });
  }

  std::span<const io::file_stamp> all() const& noexcept { return std::span(stamps_).first(count_); }
  std::span<const io::file_stamp> all() const&& = delete;  // borrows

 private:
  static constexpr auto magic = wire::ascii("TGMSTAMP");

  std::size_t count_ = 0;
  std::array<io::file_stamp, capacity> stamps_{};
};

}  // namespace tgmap::index_file
