// SPDX-License-Identifier: Apache-2.0
// Access to the last messages without a scan.
#include <benchmark/benchmark.h>

#include "floors/file.hpp"
#include "floors/wire.hpp"
#include "operations/operations.hpp"
#include "support/page_cache.hpp"

namespace tgmap_bench {

namespace {

/// Walks postambles backwards.
void bare_from_end(const std::filesystem::path& path, std::size_t messages, tgmap::io_mode mode) {
  if (mode == tgmap::io_mode::map) {
    const mapped_file mapped(path, MADV_RANDOM);
    std::uint64_t end = mapped.size();
    for (std::size_t i = 0; i < messages; ++i) end -= length_in_postamble(mapped.data() + end);
    benchmark::DoNotOptimize(end);
  } else {
    const file opened(path);
    std::uint64_t end = opened.size();
    std::array<std::byte, postamble_bytes> postamble;
    for (std::size_t i = 0; i < messages; ++i) {
      opened.read(end - postamble.size(), postamble);
      end -= length_in_postamble(postamble.data() + postamble.size());
    }
    benchmark::DoNotOptimize(end);
  }
}

}  // namespace

void add_from_end_rows(std::vector<row>& rows, const archives& files) {
  for (const std::size_t messages : {std::size_t{1}, std::size_t{32}})
    for (const bool cold : {false, true})
      for (const tgmap::io_mode mode : modes)
        rows.push_back(
            {.name = row_name(messages == 1 ? "from_end/1" : "from_end/32", shape::large, cold ? "cold" : "warm", mode),
             .unit = "message",
             .prepare =
                 [=, &files] {
                   const auto path = files.path(shape::large);
                   make_warm(path);
                   const double units = static_cast<double>(messages);
                   contest out{.units = units,
                               .operation =
                                   [=] {
                                     const tgmap::archive archive(path, {.io = mode});
                                     benchmark::DoNotOptimize(archive.nth_from_end(messages - 1).offset());
                                   },
                               .floors = {{.name = "postambles", .run = [=] { bare_from_end(path, messages, mode); }}}};
                   if (!cold) return out;
                   out.before = [=] { make_cold(path); };
                   out.value = [=] { return static_cast<double>(resident_pages(path)) / units; };
                   return out;
                 },
             .rounds = 7,
             .value_name = "pages read a message"});
}

}  // namespace tgmap_bench
