// SPDX-License-Identifier: Apache-2.0
#include "core/memory.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <new>

#include "core/block_cache.hpp"

namespace tgmap::core {

namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;

constexpr std::size_t whole_pages(std::size_t bytes) noexcept { return (bytes + huge_page - 1) & ~(huge_page - 1); }

/// From this size on, zeros come from the system: clearing more takes longer than the call.
constexpr std::size_t min_mapped_zeros = std::size_t{128} << 10;

constinit block_cache blocks;

/// Maps whole huge pages: maps one page more, and unmaps what is not aligned.
std::byte* map_huge(std::size_t size) noexcept {
  void* const mapped = ::mmap(nullptr, size + huge_page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  auto* const from = static_cast<std::byte*>(mapped);
  const std::size_t before = (huge_page - reinterpret_cast<std::uintptr_t>(from) % huge_page) % huge_page;
  if (before != 0) ::munmap(from, before);
  ::munmap(from + before + size, huge_page - before);
#ifdef MADV_HUGEPAGE
  ::madvise(from + before, size, MADV_HUGEPAGE);  // a hint: without it pages are small, and slower
#endif
  return from + before;
}

}  // namespace

std::span<std::byte> allocate_memory(std::uint64_t bytes, failure& why) noexcept {
  std::byte* at = nullptr;
  const auto size = static_cast<std::size_t>(bytes);
  if (bytes < min_huge_size)
    at = static_cast<std::byte*>(::operator new[](size, std::align_val_t(memory_alignment), std::nothrow));
  else if (bytes <= SIZE_MAX / 2)
    if (at = blocks.take(whole_pages(size)); at == nullptr) at = map_huge(whole_pages(size));
  if (at != nullptr) return {at, size};
  why = {.code = errc::out_of_memory, .found = bytes};
  return {};
}

void free_memory(std::span<std::byte> memory) noexcept {
  if (memory.size() < min_huge_size)
    ::operator delete[](memory.data(), std::align_val_t(memory_alignment));
  else
    blocks.give({memory.data(), whole_pages(memory.size())});
}

void* allocate_zeros(std::size_t bytes) noexcept {
  if (bytes < min_mapped_zeros) return std::calloc(bytes, 1);
  void* const mapped = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return mapped == MAP_FAILED ? nullptr : mapped;
}

void free_zeros(void* memory, std::size_t bytes) noexcept {
  if (bytes < min_mapped_zeros)
    std::free(memory);
  else if (memory != nullptr)
    ::munmap(memory, bytes);
}

void prefer_huge_pages([[maybe_unused]] std::byte* from, [[maybe_unused]] std::size_t bytes) noexcept {
#ifdef MADV_HUGEPAGE
  if (bytes < min_huge_size) return;
  const std::size_t before = (huge_page - reinterpret_cast<std::uintptr_t>(from) % huge_page) % huge_page;
  ::madvise(from + before, (bytes - before) & ~(huge_page - 1), MADV_HUGEPAGE);
#endif
}

}  // namespace tgmap::core
