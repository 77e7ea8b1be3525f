// SPDX-License-Identifier: Apache-2.0
// Opening and closing, whatever the size.
#include <benchmark/benchmark.h>

#include "floors/file.hpp"
#include "operations/operations.hpp"

namespace tgmap_bench {

void add_open_rows(std::vector<row>& rows, const archives& files) {
  constexpr int times = 200;
  for (const shape which : {shape::fewer, shape::small, shape::medium})
    for (const tgmap::io_mode mode : modes)
      rows.push_back({.name = row_name("open", which, "", mode), .unit = "archive", .prepare = [=, &files] {
                        const auto path = files.path(which);
                        const auto bare = [=] {
                          for (int i = 0; i < times; ++i) {
                            if (mode == tgmap::io_mode::map) {
                              const mapped_file opened(path);
                              benchmark::DoNotOptimize(opened.data());
                            } else {
                              const file opened(path);
                              benchmark::DoNotOptimize(opened.size());
                            }
                          }
                        };
                        return contest{
                            .units = times,
                            .operation =
                                [=] {
                                  for (int i = 0; i < times; ++i)
                                    benchmark::DoNotOptimize(tgmap::archive(path, {.io = mode}).size_bytes());
                                },
                            .floors = {{.name = "open fstat (mmap)", .run = bare}}};
                      }});
}

}  // namespace tgmap_bench
