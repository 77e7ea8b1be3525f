// SPDX-License-Identifier: Apache-2.0
// Digests of 2 MiB objects, on all cores.
#include <benchmark/benchmark.h>

#include <memory>
#include <thread>

#include "floors/hash_all.hpp"
#include "operations/operations.hpp"
#include "support/page_cache.hpp"

namespace tgmap_bench {

void add_verify_rows(std::vector<row>& rows, const archives& files) {
  for (const tgmap::io_mode mode : modes)
    rows.push_back({.name = row_name("verify", shape::fields, "", mode), .unit = "object", .prepare = [=, &files] {
                      const auto path = files.path(shape::fields);
                      make_warm(path);
                      const unsigned threads = std::max(1U, std::thread::hardware_concurrency());
                      const auto mapped = std::make_shared<tgmap::archive>(path);
                      std::vector<std::span<const std::byte>> bodies;
                      std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
                      for (const tgmap::message& m : *mapped) {
                        bodies.push_back(m[0].frame().body());
                        ranges.emplace_back(m[0].payload_offset(), bodies.back().size());
                      }
                      const auto opened = std::make_shared<tgmap::archive>(path, tgmap::open_options{.io = mode});
                      opened->size();
                      const std::size_t count = bodies.size();
                      const auto operation = [=] {
                        std::atomic<std::size_t> matching{0};
                        on_threads(threads, count, [&](std::size_t i) {
                          if ((*opened)[i][0].verify() == tgmap::hash_result::match) ++matching;
                        });
                        expect(matching == count, "a digest does not match");
                      };
                      floor_loop bare;
                      bare.name = "XXH3 of mapping";
                      bare.threads = threads;
                      bare.run = [=, kept = mapped] { benchmark::DoNotOptimize(hash_all(bodies, threads)); };
                      if (mode == tgmap::io_mode::read) {
                        bare.name = "reads and XXH3";
                        bare.run = [=, from = std::make_shared<file>(path)] {
                          benchmark::DoNotOptimize(hash_all(*from, ranges, threads));
                        };
                      }
                      return contest{
                          .units = static_cast<double>(count), .operation = operation, .floors = {std::move(bare)}};
                    }});
}

}  // namespace tgmap_bench
