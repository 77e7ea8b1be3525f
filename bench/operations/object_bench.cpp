// SPDX-License-Identifier: Apache-2.0
// archive[i][j].payload() of messages that were touched before: within the L2 cache, and over the whole archive.
#include <benchmark/benchmark.h>

#include <memory>

#include "floors/fresh_table.hpp"
#include "floors/wire.hpp"
#include "operations/operations.hpp"
#include "support/page_cache.hpp"

namespace tgmap_bench {

namespace {

struct place {
  std::uint32_t message, object;
};

/// An archive whose chosen objects were visited once.
struct visited_archive {
  tgmap::archive archive;
  std::vector<fresh_table::entry> table;
  std::vector<place> places;
  std::vector<std::span<const std::byte>> payloads;

  visited_archive(const std::filesystem::path& path, tgmap::io_mode mode, std::size_t max_objects,
                  std::uint64_t objects)
      : archive(path, {.io = mode}) {
    for (const tgmap::message& m : archive) table.push_back({m.offset(), m.length()});
    for (const std::uint32_t m : shuffled(std::min<std::size_t>(table.size(), max_objects), max_objects))
      places.push_back({m, static_cast<std::uint32_t>(m % objects)});
    for (const place& p : places) payloads.push_back(archive[p.message][p.object].payload());
  }

  /// Returns the begin of the archive's mapping. A floor uses it to share the page tables.
  const std::byte* base() const { return archive[0].bytes().data(); }
};

/// A loop that continues in each run where it stopped, so that no object is still cached when it is visited again.
/// Loops begin at different objects, so that none profits from the cache of another one.
template <class F>
std::function<void()> in_turns(const std::shared_ptr<visited_archive>& in, std::size_t visits, std::size_t quarter,
                               F payload) {
  const auto next = std::make_shared<std::size_t>(in->places.size() / 4 * quarter);
  return [=] {
    std::size_t at = *next;
    for (std::size_t i = 0; i < visits; ++i) {
      payload(at, in->places[at]);
      if (++at == in->places.size()) at = 0;
    }
    *next = at;
  };
}

/// `touch`: also reads the first byte of the payload.
contest reach(const std::shared_ptr<visited_archive>& in, std::size_t visits, bool touch) {
  const auto use = [touch](const std::byte* payload) {
    if (touch)
      load(payload);
    else
      benchmark::DoNotOptimize(payload);
  };
  contest out{.units = static_cast<double>(visits)};
  out.operation = in_turns(in, visits, 0, [=, archive = &in->archive](std::size_t, const place& p) {
    use((*archive)[p.message][p.object].payload().data());
  });
  if (in->archive.mode() == tgmap::io_mode::read) return out;
  const std::byte* const base = in->base();
  const fresh_table::entry* const table = in->table.data();
  const std::span<const std::byte>* const known = in->payloads.data();
  out.floors = {{.name = "frames, unchecked",
                 .run = in_turns(in, visits, 1,
                                 [=](std::size_t, const place& p) {
                                   use(payload_by_walk(base + table[p.message].offset, p.object).data());
                                 })},
                {.name = "index, unchecked",
                 .run = in_turns(in, visits, 2,
                                 [=](std::size_t, const place& p) {
                                   use(payload_by_index(base + table[p.message].offset, p.object).data());
                                 })},
                {.name = "known spans",
                 .run = in_turns(in, visits, 3, [=](std::size_t i, const place&) { use(known[i].data()); }),
                 .counts = false}};
  return out;
}

}  // namespace

void add_object_rows(std::vector<row>& rows, const archives& files) {
  constexpr std::size_t within_cache = 1'000, visits = 20'000;
  const auto add = [&](std::string_view operation, shape which, tgmap::io_mode mode, std::size_t max_objects,
                       bool touch) {
    rows.push_back({.name = row_name(operation, which, "", mode),
                    .unit = "object",
                    .prepare =
                        [=, &files] {
                          const auto path = files.path(which);
                          make_warm(path);
                          const auto in =
                              std::make_shared<visited_archive>(path, mode, max_objects, files.plan(which).fields);
                          return reach(in, visits, touch);
                        },
                    .rounds = 41});
  };
  for (const tgmap::io_mode mode : modes) add("touched", shape::small, mode, within_cache, false);
  for (const shape which : {shape::small, shape::medium, shape::large})
    add("random", which, tgmap::io_mode::map, SIZE_MAX, true);
}

}  // namespace tgmap_bench
