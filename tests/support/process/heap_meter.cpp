// SPDX-License-Identifier: Apache-2.0
// Replaces malloc and its relatives for this executable, with the library that is linked into it.
#include "support/process/heap_meter.hpp"

#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cerrno>

extern "C" {
void* __libc_malloc(std::size_t) noexcept;
void* __libc_calloc(std::size_t, std::size_t) noexcept;
void* __libc_realloc(void*, std::size_t) noexcept;
void* __libc_memalign(std::size_t, std::size_t) noexcept;
void __libc_free(void*) noexcept;
}

namespace {

std::atomic<long long> held{0}, most{0}, before{0}, made{0}, made_bytes{0};

void* counted(void* at) {
  if (at == nullptr) return at;
  const auto size = static_cast<long long>(::malloc_usable_size(at));
  const long long now = held += size;
  ++made;
  made_bytes += size;
  for (long long old = most; now > old && !most.compare_exchange_weak(old, now);) continue;
  return at;
}

void given_back(void* at) {
  if (at != nullptr) held -= static_cast<long long>(::malloc_usable_size(at));
}

}  // namespace

namespace tgmap_test {

void watch_heap() {
  most = before = held.load();
  made = made_bytes = 0;
}

std::size_t heap_peak() { return static_cast<std::size_t>(most - before); }

std::size_t heap_allocations() { return static_cast<std::size_t>(made); }

std::size_t heap_allocated() { return static_cast<std::size_t>(made_bytes); }

std::size_t heap_size() { return static_cast<std::size_t>(held); }

}  // namespace tgmap_test

// Visible to shared libraries, whose operator new calls malloc.
#pragma GCC visibility push(default)
extern "C" {

void* malloc(std::size_t size) noexcept { return counted(__libc_malloc(size)); }
void* calloc(std::size_t count, std::size_t size) noexcept { return counted(__libc_calloc(count, size)); }
void* memalign(std::size_t alignment, std::size_t size) noexcept { return counted(__libc_memalign(alignment, size)); }
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept { return memalign(alignment, size); }
int posix_memalign(void** out, std::size_t alignment, std::size_t size) noexcept {
  void* const at = memalign(alignment, size);
  if (at == nullptr) return ENOMEM;
  *out = at;
  return 0;
}
void* realloc(void* at, std::size_t size) noexcept {
  const auto old = at == nullptr ? 0 : static_cast<long long>(::malloc_usable_size(at));
  void* const moved = __libc_realloc(at, size);
  if (moved == nullptr && size != 0) return moved;
  held -= old;
  return counted(moved);
}
void free(void* at) noexcept {
  given_back(at);
  __libc_free(at);
}
}
#pragma GCC visibility pop
