// SPDX-License-Identifier: Apache-2.0
// Validates whole archives, compared with XXH3 of the hashed bytes; validates quickly, compared with a walk; and
// verifies objects of 2 MiB on all cores.
#include <benchmark/benchmark.h>

#include <memory>
#include <thread>

#include "floors/hash_all.hpp"
#include "floors/scan_loops.hpp"
#include "operations/operations.hpp"
#include "support/page_cache.hpp"

namespace tgmap_bench {

namespace {

struct case_of {
  const char* name;
  shape of;
  tgmap::validation_mode what;
  unsigned threads;
};

std::vector<std::span<const std::byte>> bodies_of(const tgmap::archive& from) {
  std::vector<std::span<const std::byte>> out;
  for (const tgmap::message& m : from)
    for (const tgmap::frame& f : m.frames()) out.push_back(f.body());
  return out;
}

contest prepare(const archives& files, const case_of& one) {
  const auto path = files.path(one.of);
  make_warm(path);
  const auto opened = std::make_shared<tgmap::archive>(path);
  const double messages = static_cast<double>(opened->size());
  const auto bodies = std::make_shared<std::vector<std::span<const std::byte>>>(bodies_of(*opened));
  const auto operation = [=] {
    tgmap::validation_visitor nobody;
    const auto found = tgmap::validate(*opened, {.mode = one.what, .threads = one.threads}, nobody);
    expect(found.is_sound() && static_cast<double>(found.messages) == messages, "a sound archive is found unsound");
  };
  const auto bare = [=] { benchmark::DoNotOptimize(hash_all(*bodies, one.threads)); };
  return {.units = messages,
          .operation = operation,
          .floors = {{.name = "XXH3 of mapping", .run = bare, .threads = one.threads}}};
}

/// Includes the scan: both begin with a file that is not mapped.
contest prepare_quick(const archives& files, shape of) {
  const auto path = files.path(of);
  make_warm(path);
  const std::uint64_t messages = files.messages(of);
  const auto operation = [=] {
    tgmap::validation_visitor nobody;
    const auto found =
        tgmap::validate(tgmap::archive(path), {.mode = tgmap::validation_mode::quick, .threads = 1}, nobody);
    expect(found.is_sound() && found.messages == messages, "a sound archive is found unsound");
  };
  const auto windows = [=] { expect(walk_frames_in_windows(path, 512) == messages, "messages were missed"); };
  return {.units = static_cast<double>(messages),
          .operation = operation,
          .floors = {{.name = "a window a frame", .run = windows}}};
}

}  // namespace

void add_validate_rows(std::vector<row>& rows, const archives& files) {
  const unsigned all = std::max(1U, std::thread::hardware_concurrency());
  for (const case_of& one : {case_of{"validate_checksum", shape::fields, tgmap::validation_mode::checksum, all},
                             case_of{"validate_checksum", shape::small, tgmap::validation_mode::checksum, 1},
                             case_of{"validate_standard", shape::small, tgmap::validation_mode::standard, 1}})
    rows.push_back({.name = row_name(one.name, one.of, "", tgmap::io_mode::map),
                    .unit = "message",
                    .prepare = [=, &files] { return prepare(files, one); }});
  rows.push_back({.name = row_name("validate_quick", shape::small, "", tgmap::io_mode::map),
                  .unit = "message",
                  .prepare = [&files] { return prepare_quick(files, shape::small); }});
}

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
                        expect(matching == count, "a hash does not match");
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
