// SPDX-License-Identifier: Apache-2.0
// xxh3 of bytes as they come (§4), and a look at them on the way while they are in the cache.
#pragma once

#include <xxhash.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>

namespace tgmap::write {

/// Bytes that come by once: they stay in the second level cache between two looks at them.
inline constexpr std::size_t digest_block = std::size_t{128} << 10;

class digest {
 public:
  digest() : state_(XXH3_createState()) {
    if (!state_) throw std::bad_alloc();
    begin();
  }

  void begin() noexcept { XXH3_64bits_reset(state_.get()); }
  void add(std::span<const std::byte> bytes) noexcept { XXH3_64bits_update(state_.get(), bytes.data(), bytes.size()); }
  std::uint64_t value() const noexcept { return XXH3_64bits_digest(state_.get()); }

  static std::uint64_t of(std::span<const std::byte> bytes) noexcept { return XXH3_64bits(bytes.data(), bytes.size()); }

 private:
  struct free_state {
    void operator()(XXH3_state_t* state) const noexcept { XXH3_freeState(state); }
  };
  std::unique_ptr<XXH3_state_t, free_state> state_;
};

/// Calls `look(block, from)` on the bytes block by block until it returns false; returns whether it never did.
template <class Look>
bool by_blocks(std::span<const std::byte> bytes, Look&& look) {
  for (std::size_t from = 0; from < bytes.size(); from += digest_block)
    if (!look(bytes.subspan(from, std::min(digest_block, bytes.size() - from)), from)) return false;
  return true;
}

}  // namespace tgmap::write
