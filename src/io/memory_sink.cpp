// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <new>
#include <stdexcept>
#include <tgmap/write/sink.hpp>

namespace tgmap {
inline namespace v0 {

failure memory_sink::write(std::span<const std::span<const std::byte>> pieces) noexcept {
  std::uint64_t more = 0;
  for (const auto piece : pieces) more += piece.size();
  try {
    if (bytes_.capacity() - bytes_.size() < more) bytes_.reserve(std::max(bytes_.size() + more, 2 * bytes_.size()));
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
