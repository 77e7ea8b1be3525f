// SPDX-License-Identifier: Apache-2.0
// One message of 10,000 objects. The first object costs a pass over the index, further ones nothing, and a visit of all
// is linear.
#include <benchmark/benchmark.h>

#include <memory>
#include <optional>

#include "floors/file.hpp"
#include "floors/wire.hpp"
#include "operations/operations.hpp"
#include "support/page_cache.hpp"

namespace tgmap_bench {

namespace {

constexpr std::size_t middle = 5'000;

row first_of_many(const archives& files, shape which, tgmap::io_mode mode) {
  return {.name = row_name("first_of_many", which, "", mode), .unit = "object", .prepare = [=, &files] {
            const auto path = files.path(which);
            make_warm(path);
            const auto in = std::make_shared<std::optional<tgmap::archive>>();
            const auto mapped = std::make_shared<mapped_file>(path);
            contest out{.units = static_cast<double>(files.plan(which).fields),
                        .operation = [=] { benchmark::DoNotOptimize((**in)[0][middle].payload().data()); },
                        .before =
                            [=] {
                              in->emplace(path, tgmap::open_options{.io = mode});
                              (*in)->size();
                            }};
            if (which == shape::many)
              out.floors.push_back({.name = "index to 16 B each", .run = [=] {
                                      std::vector<std::pair<std::uint64_t, std::uint64_t>> places;
                                      each_offset(mapped->data(), [&](std::uint64_t offset) {
                                        places.emplace_back(offset, frame_length(mapped->data() + offset));
                                        return true;
                                      });
                                      benchmark::DoNotOptimize(places.data());
                                    }});
            return out;
          }};
}

row again_of_many(const archives& files, shape which, tgmap::io_mode mode) {
  return {.name = row_name("again_of_many", which, "", mode), .unit = "object", .prepare = [=, &files] {
            const auto in = std::make_shared<tgmap::archive>(files.path(which), tgmap::open_options{.io = mode});
            const auto order = std::make_shared<std::vector<std::uint32_t>>(shuffled((*in)[0].size(), 1'000));
            const auto visit = [=] {
              const tgmap::message message = (*in)[0];
              for (int pass = 0; pass < 20; ++pass)
                for (const std::uint32_t j : *order) benchmark::DoNotOptimize(message[j].payload().data());
            };
            visit();
            return contest{.units = 20.0 * static_cast<double>(order->size()), .operation = visit};
          }};
}

/// Visits each object of a message of 10,000. The floor is ten messages of 1,000: only a linear reader is as fast.
template <class F>
row all_of_many(const archives& files, const std::string& what, tgmap::io_mode mode, F visit) {
  return {.name = "all_of_many/" + what + "/" + std::string(tgmap::to_string_view(mode)),
          .unit = "object",
          .prepare =
              [=, &files] {
                const auto open = [=, &files](shape which) {
                  const auto path = files.path(which);
                  make_warm(path);
                  return [=] {
                    const tgmap::archive archive(path, {.io = mode});
                    const tgmap::message message = archive[0];
                    for (std::size_t j = 0, count = message.size(); j < count; ++j) visit(message[j]);
                  };
                };
                const auto tenth = open(shape::fewer);
                return contest{.units = static_cast<double>(files.plan(shape::many).fields),
                               .operation = open(shape::many),
                               .floors = {{.name = "10 × 1,000", .run = [=] {
                                             for (int i = 0; i < 10; ++i) tenth();
                                           }}}};
              },
          .rounds = 5};
}

}  // namespace

void add_many_objects_rows(std::vector<row>& rows, const archives& files) {
  for (const tgmap::io_mode mode : modes) {
    for (const shape which : {shape::many, shape::many_footer}) {
      rows.push_back(first_of_many(files, which, mode));
      rows.push_back(again_of_many(files, which, mode));
    }
    rows.push_back(all_of_many(files, "descriptors", mode, [](const tgmap::object& object) {
      benchmark::DoNotOptimize(object.descriptor().rank());
    }));
    rows.push_back(all_of_many(files, "metadata", mode, [](const tgmap::object& object) {
      expect(object.metadata().get<std::string_view>("mars.param").has_value(), "an object lost its metadata");
    }));
  }
}

}  // namespace tgmap_bench
