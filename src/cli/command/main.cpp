// SPDX-License-Identifier: Apache-2.0
// The program, with its operators new and delete: the usual ones, limited by heap_limit. The other forms (for arrays,
// and those that return null) call these. Programs that link the parts of the command keep their own operators.
#include <malloc.h>

#include <cstdlib>
#include <new>

#include "cli/app/heap_limit.hpp"
#include "cli/command/command.hpp"

using tgmap::cli::heap_limit;

// The runtime of the thread sanitizer has operators of its own, and no place for others: there, nothing is limited.
#if defined(__SANITIZE_THREAD__)
#define TGMAP_KEEPS_OPERATORS
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TGMAP_KEEPS_OPERATORS
#endif
#endif

#ifndef TGMAP_KEEPS_OPERATORS
void* operator new(std::size_t bytes) {
  for (;;) {
    void* const out = std::malloc(bytes == 0 ? 1 : bytes);
    if (out != nullptr && (!heap_limit::is_active() || heap_limit::acquire(::malloc_usable_size(out)))) return out;
    std::free(out);
    const auto handler = std::get_new_handler();
    if (out != nullptr || handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

void operator delete(void* memory) noexcept {
  if (memory != nullptr && heap_limit::is_active()) heap_limit::release(::malloc_usable_size(memory));
  std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }
#endif

int main(int argc, char** argv) { return tgmap::cli::run_command(argc, argv); }
