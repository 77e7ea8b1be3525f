// SPDX-License-Identifier: Apache-2.0
// Memory of an archive after a scan, and after a visit of every object.
#include <benchmark/benchmark.h>
#include <malloc.h>

#include <algorithm>

#include "operations/operations.hpp"
#include "support/heap.hpp"
#include "support/page_cache.hpp"
#include "support/process.hpp"

namespace tgmap_bench {

namespace {

using use = void (*)(const tgmap::archive&);

void scan_all(const tgmap::archive& archive) { archive.size(); }

void visit_all(const tgmap::archive& archive) {
  for (const tgmap::message& m : archive)
    for (std::size_t j = 0, count = m.size(); j < count; ++j) benchmark::DoNotOptimize(m[j].payload().data());
}

/// Returns the memory touched and held while the archive is open. Runs in a child process, whose allocator has no free
/// blocks and takes every large block from the kernel.
double measure(const std::filesystem::path& path, tgmap::io_mode mode, use how) {
  return in_child([&] {
    ::mallopt(M_MMAP_THRESHOLD, 64 << 10);
    ::malloc_trim(0);
    const std::uint64_t before = anonymous_resident_bytes();
    const tgmap::archive archive(path, {.io = mode});
    how(archive);
    const std::uint64_t after = anonymous_resident_bytes();
    return static_cast<double>(after - std::min(before, after));
  });
}

row heap(const archives& files, std::string_view what, tgmap::io_mode mode, use how, bool by_message) {
  return {.name = row_name(what, shape::small, "", mode),
          .unit = "message",
          .prepare =
              [=, &files] {
                const auto path = files.path(shape::small);
                make_warm(path);
                const double messages = static_cast<double>(files.messages(shape::small));
                return contest{.units = messages,
                               .operation =
                                   [=] {
                                     const tgmap::archive archive(path, {.io = mode});
                                     how(archive);
                                   },
                               .value = [=] { return measure(path, mode, how) / (by_message ? messages : 1); }};
              },
          .rounds = 3,
          .value_name = by_message ? "bytes of memory a message" : "of memory in all"};
}

}  // namespace

void add_heap_rows(std::vector<row>& rows, const archives& files) {
  for (const tgmap::io_mode mode : modes) rows.push_back(heap(files, "heap/table", mode, scan_all, true));
  rows.push_back(heap(files, "heap/visited", tgmap::io_mode::map, visit_all, false));
}

}  // namespace tgmap_bench
