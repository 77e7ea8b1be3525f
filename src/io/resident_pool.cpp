// SPDX-License-Identifier: Apache-2.0
#include "io/resident_pool.hpp"

#include <new>

#include "io/source.hpp"

namespace tgmap::io {

namespace {

constexpr std::align_val_t alignment{64};  // a cache line: enough for every dtype and for vector units

}  // namespace

void resident_pool::free_aligned::operator()(std::byte* p) const noexcept { ::operator delete(p, alignment); }

std::span<const std::byte> resident_pool::view(const source& in, std::uint64_t offset, std::uint64_t size,
                                               budget budget, failure& why) const noexcept {
  if (size == 0) return {};
  const auto find_held = [&]() -> std::span<const std::byte> {
    for (const auto* e = blocks_.find(offset); e != nullptr; e = e->older)
      if (e->value->size >= size) return {e->value->data.get(), static_cast<std::size_t>(size)};
    return {};
  };
  if (const auto known = find_held(); !known.empty()) return known;

  // A thread that asks for bytes that another thread is reading waits for them, so that they are not held twice.
  const std::lock_guard alone(reading_[offset * 0x9e3779b97f4a7c15U >> 60]);
  if (const auto known = find_held(); !known.empty()) return known;

  // Counted before the allocation, so that all threads together stay below the limit.
  std::atomic<std::uint64_t>& counter = held_[static_cast<std::size_t>(budget)];
  const std::uint64_t limit = limit_[static_cast<std::size_t>(budget)];
  const std::uint64_t before = counter.fetch_add(size, std::memory_order_relaxed);
  const auto fail = [&](failure f) {
    counter.fetch_sub(size, std::memory_order_relaxed);
    why = f;
    return std::span<const std::byte>{};
  };
  if (before > limit || size > limit - before)
    return fail({.code = errc::resident_limit, .offset = offset, .expected = limit, .found = before + size});

  std::unique_ptr<block> added(new (std::nothrow) block);
  auto* memory = static_cast<std::byte*>(::operator new(static_cast<std::size_t>(size), alignment, std::nothrow));
  if (added) added->data.reset(memory);
  if (!added || memory == nullptr) {
    if (!added && memory != nullptr) ::operator delete(memory, alignment);
    return fail({.code = errc::out_of_memory, .offset = offset, .found = size});
  }
  added->size = static_cast<std::size_t>(size);
  const std::span<std::byte> bytes(memory, added->size);
  if (failure f = in.read(offset, bytes)) return fail(f);
  if (blocks_.add(offset, std::move(added)) == nullptr)
    return fail({.code = errc::out_of_memory, .offset = offset, .found = size});
  return bytes;
}

}  // namespace tgmap::io
