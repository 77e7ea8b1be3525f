// SPDX-License-Identifier: Apache-2.0
// archive[i][j].payload() of messages that were touched before: within the second cache, and all over the archive.
#include <benchmark/benchmark.h>

#include <memory>

#include "floors/bare_view.hpp"
#include "floors/fresh_table.hpp"
#include "operations/operations.hpp"
#include "operations/order.hpp"
#include "support/page_cache.hpp"

namespace tgmap_bench {

namespace {

struct place {
  std::uint32_t message, object;
};

/// An archive of which every place was visited once.
struct visited {
  tgmap::archive archive;
  std::vector<fresh_table::entry> table;
  std::vector<place> places;
  std::vector<std::span<const std::byte>> payloads;

  visited(const std::filesystem::path& path, tgmap::io_mode mode, std::size_t most, std::uint64_t objects)
      : archive(path, {.io = mode}) {
    make_warm(path);
    for (const tgmap::message& m : archive) table.push_back({m.offset(), m.length()});
    for (const std::uint32_t m : shuffled(std::min<std::size_t>(table.size(), most), most))
      places.push_back({m, static_cast<std::uint32_t>(m % objects)});
    for (const place& p : places) payloads.push_back(archive[p.message][p.object].payload());
  }

  /// Where the archive's own mapping begins, so that a floor pays for the same page tables.
  const std::byte* base() const { return archive[0].bytes().data(); }
};

template <class F>
std::function<void()> each_place(const std::shared_ptr<visited>& in, int passes, F&& payload) {
  return [=] {
    for (int pass = 0; pass < passes; ++pass)
      for (std::size_t i = 0; i < in->places.size(); ++i) payload(i, in->places[i]);
  };
}

/// `touch`: the first byte of the payload is read, too.
contest reach(const std::shared_ptr<visited>& in, int passes, bool touch) {
  const auto use = [touch](const std::byte* payload) {
    if (touch)
      benchmark::DoNotOptimize(*payload);
    else
      benchmark::DoNotOptimize(payload);
  };
  contest out{.units = static_cast<double>(in->places.size()) * passes};
  out.operation = each_place(in, passes, [=, &archive = in->archive](std::size_t, const place& p) {
    use(archive[p.message][p.object].payload().data());
  });
  if (in->archive.mode() == tgmap::io_mode::read) return out;
  const std::byte* const base = in->base();
  out.floors.push_back({.name = "frames, unchecked",
                        .run = each_place(in, passes, [=, table = in->table.data()](std::size_t, const place& p) {
                          use(payload_by_walk(base + table[p.message].offset, p.object).data());
                        })});
  out.floors.push_back({.name = "index, unchecked",
                        .run = each_place(in, passes, [=, table = in->table.data()](std::size_t, const place& p) {
                          use(payload_by_index(base + table[p.message].offset, p.object).data());
                        })});
  out.floors.push_back(
      {.name = "known spans",
       .run = each_place(in, passes,
                         [=, known = in->payloads.data()](std::size_t i, const place&) { use(known[i].data()); }),
       .counts = false});
  return out;
}

}  // namespace

void add_object_rows(std::vector<row>& rows, const archives& files) {
  constexpr std::size_t within_cache = 1'000, all_over = 400'000;
  for (const tgmap::io_mode mode : modes)
    rows.push_back({.name = row_name("touched", shape::small, "", mode), .unit = "object", .prepare = [=, &files] {
                      const auto path = files.path(shape::small);
                      return reach(std::make_shared<visited>(path, mode, within_cache, 1), 20, false);
                    }});
  for (const shape which : {shape::small, shape::medium, shape::large})
    rows.push_back(
        {.name = row_name("random", which, "", tgmap::io_mode::map), .unit = "object", .prepare = [=, &files] {
           const auto in =
               std::make_shared<visited>(files.path(which), tgmap::io_mode::map, all_over, files.plan(which).fields);
           return reach(in, in->places.size() < 10'000 ? 20 : 1, true);
         }});
}

}  // namespace tgmap_bench
