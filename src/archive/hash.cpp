// SPDX-License-Identifier: Apache-2.0
#include "archive/hash.hpp"

#include <xxhash.h>

#include <algorithm>
#include <memory>
#include <new>
#include <tgmap/frame.hpp>

namespace tgmap {
inline namespace v0 {
std::uint64_t xxh3(std::span<const std::byte> bytes) noexcept { return XXH3_64bits(bytes.data(), bytes.size()); }

namespace detail {

namespace {

struct free_state {
  void operator()(XXH3_state_t* state) const noexcept { XXH3_freeState(state); }
};

constexpr std::uint64_t chunk = 1 << 18;  // stays in the second level cache between reading and hashing
constexpr std::uint64_t small = 4096;     // hashed from the stack, in one call

failure hash_by_reads(const io::source& bytes, std::uint64_t at, std::uint64_t size, std::uint64_t& hash) noexcept {
  if (size <= small) {
    std::byte buffer[small];
    if (failure why = bytes.read(at, {buffer, static_cast<std::size_t>(size)})) return why;
    hash = XXH3_64bits(buffer, static_cast<std::size_t>(size));
    return {};
  }
  const std::unique_ptr<XXH3_state_t, free_state> state(XXH3_createState());
  const std::uint64_t piece = std::min(size, chunk);
  const std::unique_ptr<std::byte[]> buffer(new (std::nothrow) std::byte[static_cast<std::size_t>(piece)]);
  if (!state || !buffer) return {.code = errc::out_of_memory, .offset = at, .found = piece};
  XXH3_64bits_reset(state.get());
  for (std::uint64_t done = 0; done < size;) {
    const auto n = static_cast<std::size_t>(std::min(piece, size - done));
    if (failure why = bytes.read(at + done, {buffer.get(), n})) return why;
    XXH3_64bits_update(state.get(), buffer.get(), n);
    done += n;
  }
  hash = XXH3_64bits_digest(state.get());
  return {};
}

}  // namespace

failure hash_range(const io::source& bytes, std::uint64_t at, std::uint64_t size, std::uint64_t& found) noexcept {
  found = 0;
  const auto in_place = [&](std::span<const std::byte> all) noexcept {
    found = XXH3_64bits(all.data() + at, static_cast<std::size_t>(size));
  };
  return bytes.may_look(size) ? bytes.look(in_place) : hash_by_reads(bytes, at, size, found);
}

failure compare_hash(const io::source& bytes, std::uint64_t at, std::uint64_t size, std::uint64_t wanted,
                     std::uint64_t& found) noexcept {
  const failure why = hash_range(bytes, at, size, found);
  return why || found == wanted ? why : bytes.check_not_truncated();
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
