// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <new>
#include <stdexcept>
#include <tgmap/write/sink.hpp>
#include <vector>

#include "core/memory.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

/// Doubles the room, at least, and leaves some for the end of a message behind a large object. Huge pages, which only
/// memory that nobody has touched can become, take less than half the time of small ones to be filled.
void grow(std::vector<std::byte>& bytes, std::size_t wanted) {
  std::vector<std::byte> larger;
  constexpr std::size_t most_spare = std::size_t{64} << 10;
  larger.reserve(std::max(wanted + std::min(wanted / 8, most_spare), 2 * bytes.size()));
  core::prefer_huge_pages(larger.data(), larger.capacity());
  larger.insert(larger.end(), bytes.begin(), bytes.end());
  bytes.swap(larger);
}

}  // namespace

failure memory_sink::write(std::span<const std::span<const std::byte>> pieces) noexcept {
  std::uint64_t more = 0;
  for (const auto piece : pieces) more += piece.size();
  try {
    if (bytes_.capacity() - bytes_.size() < more) grow(bytes_, bytes_.size() + more);
    for (const auto piece : pieces) bytes_.insert(bytes_.end(), piece.begin(), piece.end());
  } catch (const std::exception&) {  // bad_alloc, and length_error for what no memory could hold
    return {.code = errc::out_of_memory, .found = more};
  }
  return {};
}

failure memory_sink::overwrite(std::uint64_t at, std::span<const std::byte> with) noexcept {
  if (at > bytes_.size() || with.size() > bytes_.size() - at)
    return {.code = errc::out_of_range, .expected = bytes_.size(), .found = at};
  std::copy(with.begin(), with.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(at));
  return {};
}

failure memory_sink::rollback(std::uint64_t bytes) noexcept {
  if (bytes > bytes_.size()) return {.code = errc::out_of_range, .expected = bytes_.size(), .found = bytes};
  bytes_.resize(bytes_.size() - static_cast<std::size_t>(bytes));
  return {};
}

}  // namespace v0
}  // namespace tgmap
