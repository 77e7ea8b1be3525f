// SPDX-License-Identifier: Apache-2.0
#include "support/heap.hpp"

#include <malloc.h>
#include <stdlib.h>

#include <atomic>
#include <cerrno>
#include <fstream>
#include <stdexcept>
#include <string>

namespace {

std::atomic<std::uint64_t> allocations{0}, allocated{0};
std::atomic<std::int64_t> live{0};

void* counted(void* made, std::size_t size) noexcept {
  if (made == nullptr) return nullptr;
  allocations.fetch_add(1, std::memory_order_relaxed);
  allocated.fetch_add(size, std::memory_order_relaxed);
  live.fetch_add(static_cast<std::int64_t>(::malloc_usable_size(made)), std::memory_order_relaxed);
  return made;
}

void released(void* memory) noexcept {
  if (memory != nullptr)
    live.fetch_sub(static_cast<std::int64_t>(::malloc_usable_size(memory)), std::memory_order_relaxed);
}

}  // namespace

// The GNU C library exports its allocator under these names, so that replacements can call it.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);

void* malloc(std::size_t size) noexcept { return counted(__libc_malloc(size), size); }
void* calloc(std::size_t count, std::size_t size) noexcept { return counted(__libc_calloc(count, size), count * size); }
void* realloc(void* old, std::size_t size) noexcept {
  const std::size_t before = old == nullptr ? 0 : ::malloc_usable_size(old);
  void* const made = __libc_realloc(old, size);
  if (made != nullptr || size == 0) live.fetch_sub(static_cast<std::int64_t>(before), std::memory_order_relaxed);
  return counted(made, size);
}
void* memalign(std::size_t alignment, std::size_t size) noexcept {
  return counted(__libc_memalign(alignment, size), size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept { return memalign(alignment, size); }
int posix_memalign(void** out, std::size_t alignment, std::size_t size) noexcept {
  *out = memalign(alignment, size);
  return *out == nullptr ? ENOMEM : 0;
}
void free(void* memory) noexcept {
  released(memory);
  __libc_free(memory);
}
}

namespace tgmap_bench {

heap_counts heap_so_far() noexcept {
  return {.allocations = allocations.load(std::memory_order_relaxed),
          .bytes = allocated.load(std::memory_order_relaxed),
          .live = live.load(std::memory_order_relaxed)};
}

namespace {

std::uint64_t status_of_process(const std::string& entry) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (word == entry) {
      std::uint64_t kibibytes = 0;
      status >> kibibytes;
      return kibibytes * 1024;
    }
  throw std::runtime_error("no entry in /proc/self/status: " + entry);
}

}  // namespace

std::uint64_t anonymous_resident_bytes() { return status_of_process("RssAnon:"); }
std::uint64_t resident_bytes() { return status_of_process("VmRSS:"); }
std::uint64_t peak_resident_bytes() { return status_of_process("VmHWM:"); }

void start_peak() {
  std::ofstream peak("/proc/self/clear_refs");
  peak << 5 << std::flush;
  if (!peak) throw std::runtime_error("/proc/self/clear_refs cannot be written");
}

}  // namespace tgmap_bench
