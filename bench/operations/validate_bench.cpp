// SPDX-License-Identifier: Apache-2.0
// Validation of archives, compared with XXH3 of all frame bodies; quick validation, compared with a walk over frames;
// verification of objects of 2 MiB on all cores, compared with XXH3 of them.
#include <benchmark/benchmark.h>

#include <memory>
#include <thread>

#include "floors/hash_all.hpp"
#include "floors/scan_loops.hpp"
#include "operations/operations.hpp"
#include "support/page_cache.hpp"

namespace tgmap_bench {

namespace {

struct validation_case {
  const char* name;
  shape files;
  tgmap::validation_mode mode;
  unsigned threads;
};

std::vector<std::span<const std::byte>> bodies_of(const tgmap::archive& source) {
  std::vector<std::span<const std::byte>> out;
  for (const tgmap::message& m : source)
    for (const tgmap::frame& f : m.frames()) out.push_back(f.body());
  return out;
}

contest prepare(const archives& files, const validation_case& tested) {
  const auto path = files.path(tested.files);
  make_warm(path);
  const auto opened = std::make_shared<tgmap::archive>(path);
  const double messages = static_cast<double>(opened->size());
  const auto bodies = std::make_shared<std::vector<std::span<const std::byte>>>(bodies_of(*opened));
  const auto operation = [=] {
    tgmap::validation_visitor visitor;
    const auto result = tgmap::validate(*opened, {.mode = tested.mode, .threads = tested.threads}, visitor);
    expect(result.is_sound() && static_cast<double>(result.messages) == messages, "a sound archive is found unsound");
  };
  const auto hash = [=] { benchmark::DoNotOptimize(hash_all(*bodies, tested.threads)); };
  return {.units = messages,
          .operation = operation,
          .floors = {{.name = "XXH3 of mapping", .run = hash, .threads = tested.threads}}};
}

/// The time includes opening and scanning the file, on both sides.
contest prepare_quick(const archives& files, shape kind) {
  const auto path = files.path(kind);
  make_warm(path);
  const std::uint64_t messages = files.messages(kind);
  const auto operation = [=] {
    tgmap::validation_visitor visitor;
    const auto result =
        tgmap::validate(tgmap::archive(path), {.mode = tgmap::validation_mode::quick, .threads = 1}, visitor);
    expect(result.is_sound() && result.messages == messages, "a sound archive is found unsound");
  };
  const auto windows = [=] { expect(walk_frames_in_windows(path, 512) == messages, "messages were missed"); };
  return {.units = static_cast<double>(messages),
          .operation = operation,
          .floors = {{.name = "a window a frame", .run = windows}}};
}

}  // namespace

void add_validate_rows(std::vector<row>& rows, const archives& files) {
  const unsigned all = std::max(1U, std::thread::hardware_concurrency());
  for (const validation_case& each :
       {validation_case{"validate_checksum", shape::fields, tgmap::validation_mode::checksum, all},
        validation_case{"validate_checksum", shape::small, tgmap::validation_mode::checksum, 1},
        validation_case{"validate_standard", shape::small, tgmap::validation_mode::standard, 1}})
    rows.push_back({.name = row_name(each.name, each.files, "", tgmap::io_mode::map),
                    .unit = "message",
                    .prepare = [=, &files] { return prepare(files, each); }});
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
                      floor_loop floor;
                      floor.name = "XXH3 of mapping";
                      floor.threads = threads;
                      floor.run = [=, kept = mapped] { benchmark::DoNotOptimize(hash_all(bodies, threads)); };
                      if (mode == tgmap::io_mode::read) {
                        floor.name = "reads and XXH3";
                        floor.run = [=, from = std::make_shared<file>(path)] {
                          benchmark::DoNotOptimize(hash_all(*from, ranges, threads));
                        };
                      }
                      return contest{
                          .units = static_cast<double>(count), .operation = operation, .floors = {std::move(floor)}};
                    }});
}

}  // namespace tgmap_bench
