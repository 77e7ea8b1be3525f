// SPDX-License-Identifier: Apache-2.0
// Opens and closes archives, and compares default options with the alternatives.
#include <benchmark/benchmark.h>

#include <memory>

#include "floors/file.hpp"
#include "operations/operations.hpp"
#include "support/page_cache.hpp"

namespace tgmap_bench {

namespace {

using use = void (*)(const tgmap::archive&);

void scan(const tgmap::archive& archive) { benchmark::DoNotOptimize(archive.size()); }

void one_object(const tgmap::archive& archive) { benchmark::DoNotOptimize(archive[0][0].descriptor().rank()); }

void objects(const tgmap::archive& archive) {
  for (const tgmap::message& m : archive) benchmark::DoNotOptimize(m[0].payload_size());
}

void descriptors(const tgmap::archive& archive) {
  for (const tgmap::object& o : archive[0]) benchmark::DoNotOptimize(o.descriptor().rank());
}

row way(const archives& files, std::string_view what, shape which, use how, int times) {
  return {.name = "default/" + std::string(what) + "/" + std::string(name(which)),
          .unit = "archive",
          .prepare =
              [=, &files] {
                const auto path = files.path(which);
                make_warm(path);
                const auto by = [=](const tgmap::open_options& options) {
                  return [=] {
                    for (int i = 0; i < times; ++i) how(tgmap::archive(path, options));
                  };
                };
                // io_mode::read is not an alternative for one object, because it cannot give views into a mapping.
                return contest{.units = static_cast<double>(times),
                               .operation = by({}),
                               .floors = {{.name = "mapped, by reads", .run = by({.guard = tgmap::guard_use::never})},
                                          {.name = "not mapped",
                                           .run = by({.io = tgmap::io_mode::read}),
                                           .counts = what != "one_object"}}};
              },
          .rounds = 9};
}

}  // namespace

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

void add_way_rows(std::vector<row>& rows, const archives& files) {
  for (const shape which : {shape::small, shape::medium, shape::large, shape::streamed})
    rows.push_back(way(files, "scan", which, scan, 1));
  for (const shape which : {shape::small, shape::large, shape::streamed})
    rows.push_back(way(files, "one_object", which, one_object, 50));
  for (const shape which : {shape::small, shape::medium, shape::large, shape::streamed})
    rows.push_back(way(files, "objects", which, objects, 1));
  rows.push_back(way(files, "descriptors", shape::many, descriptors, 1));
}

}  // namespace tgmap_bench
