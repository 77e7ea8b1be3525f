// SPDX-License-Identifier: Apache-2.0
// archive[i][j].view<float>() and metadata().get() of objects that were read before: within the L2 cache, and over the
// whole archive.
#include <benchmark/benchmark.h>

#include <memory>

#include "floors/file.hpp"
#include "floors/wire.hpp"
#include "operations/operations.hpp"
#include "support/page_cache.hpp"

namespace tgmap_bench {

namespace {

struct object_number {
  std::uint32_t message, object;
};

/// An archive whose chosen objects were read once.
struct queried_archive {
  tgmap::archive archive;
  std::vector<std::uint64_t> offsets;
  std::vector<object_number> places;

  queried_archive(const std::filesystem::path& path, std::size_t max_objects, std::uint64_t objects,
                  void (*ask)(const tgmap::object&))
      : archive(path) {
    for (const tgmap::message& m : archive) offsets.push_back(m.offset());
    const std::size_t all = offsets.size() * objects;
    for (const std::uint32_t k : shuffled(all, std::min(all, max_objects)))
      places.push_back({static_cast<std::uint32_t>(k / objects), static_cast<std::uint32_t>(k % objects)});
    for (int pass = 0; pass < 2; ++pass)
      for (const object_number& p : places) ask(archive[p.message][p.object]);
  }
};

void view(const tgmap::object& object) { benchmark::DoNotOptimize(object.view<float>().data()); }

void get(const tgmap::object& object) {
  expect(object.metadata().get<std::string_view>("mars.param").has_value(), "an object lost its metadata");
}

/// Reads the same frames and descriptors without checks: header and tail of the frame, each cache line of the
/// descriptor.
void look_bare(const std::byte* message, std::size_t object) {
  const auto payload = payload_by_walk(message, object);
  const std::byte* const descriptor = payload.data() + payload.size();
  for (std::size_t at = 0; at < 192; at += 64) load(descriptor + at);
}

row asked_again(const archives& files, std::string_view operation, shape which, std::size_t max_objects,
                void (*ask)(const tgmap::object&), bool bare) {
  return {.name = std::string(operation) + "/" + std::string(name(which)),
          .unit = "object",
          .prepare =
              [=, &files] {
                const auto path = files.path(which);
                make_warm(path);
                const auto in = std::make_shared<queried_archive>(path, max_objects, files.plan(which).fields, ask);
                const int passes = static_cast<int>(std::max<std::size_t>(1, 20'000 / in->places.size()));
                contest out{.units = static_cast<double>(in->places.size()) * passes, .operation = [=] {
                              for (int pass = 0; pass < passes; ++pass)
                                for (const object_number& p : in->places) ask(in->archive[p.message][p.object]);
                            }};
                if (!bare) return out;
                const auto mapped = std::make_shared<mapped_file>(path);
                out.floors.push_back({.name = "frames and descriptors, unchecked", .run = [=] {
                                        for (int pass = 0; pass < passes; ++pass)
                                          for (const object_number& p : in->places)
                                            look_bare(mapped->data() + in->offsets[p.message], p.object);
                                      }});
                return out;
              },
          .rounds = 21};
}

}  // namespace

void add_view_rows(std::vector<row>& rows, const archives& files) {
  constexpr std::size_t within_cache = 1'000, all_over = 100'000;
  for (const shape which : {shape::small, shape::large, shape::many}) {
    rows.push_back(asked_again(files, "view/touched", which, within_cache, view, false));
    rows.push_back(asked_again(files, "metadata_get/touched", which, within_cache, get, false));
  }
  for (const shape which :
       {shape::small, shape::medium})  // the other archives have so few objects that caches hold them
    rows.push_back(asked_again(files, "view/random", which, all_over, view, true));
}

}  // namespace tgmap_bench
