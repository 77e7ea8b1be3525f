// SPDX-License-Identifier: Apache-2.0
// Index files: opening with one, making one, and its size.
#include <benchmark/benchmark.h>

#include <fstream>
#include <memory>
#include <tgmap/tools/index.hpp>

#include "operations/operations.hpp"
#include "support/page_cache.hpp"

namespace tgmap_bench {

namespace {

/// An archive and its index, which is removed at the end.
struct indexed_file {
  std::filesystem::path archive, index;
  std::uint64_t index_bytes = 0;

  indexed_file(const archives& files, shape which)
      : archive(files.path(which)), index(files.directory() / "bench_index.tgx") {
    tgmap::memory_sink to;
    tgmap::create_index(tgmap::archive(archive), to);
    std::ofstream(index, std::ios::binary)
        .write(reinterpret_cast<const char*>(to.bytes().data()), static_cast<std::streamsize>(to.bytes().size()));
    index_bytes = to.bytes_written();
    make_warm(archive);
    make_warm(index);
  }
  ~indexed_file() { std::filesystem::remove(index); }
  indexed_file(const indexed_file&) = delete;
  indexed_file& operator=(const indexed_file&) = delete;
};

/// Opens the archive and views one object of a message anywhere in it. The floor scans instead.
row open_one(const archives& files) {
  return {.name = "index/open_one/small", .unit = "archive", .prepare = [&files] {
            const auto file = std::make_shared<indexed_file>(files, shape::small);
            const auto messages = static_cast<std::uint32_t>(files.messages(shape::small));
            const auto order = std::make_shared<std::vector<std::uint32_t>>(shuffled(messages, 200));
            const auto view = [](const tgmap::archive& from, std::uint32_t i) {
              benchmark::DoNotOptimize(from[i][0].view<float>().data());
            };
            return contest{.units = static_cast<double>(order->size()), .operation = [=] {
                             const std::string index = file->index.string();
                             for (const std::uint32_t i : *order)
                               view(tgmap::archive(file->archive, {.index_path = index}), i);
                           }};
          }};
}

/// Makes an index in memory. The floor scans, and reads the metadata of each message once.
row create(const archives& files) {
  return {.name = "index/create/small",
          .unit = "message",
          .prepare =
              [&files] {
                const auto path = files.path(shape::small);
                make_warm(path);
                return contest{
                    .units = static_cast<double>(files.messages(shape::small)),
                    .operation =
                        [=] {
                          tgmap::memory_sink to;
                          tgmap::create_index(tgmap::archive(path, {.index = tgmap::index_use::none}), to);
                        },
                    .floors = {{.name = "scan and metadata", .run = [=] {
                                  const tgmap::archive archive(path, {.index = tgmap::index_use::none});
                                  benchmark::DoNotOptimize(archive.size());
                                  for (const tgmap::message& m : archive)
                                    benchmark::DoNotOptimize(m.metadata().get<std::string_view>("mars.param"));
                                }}}};
              },
          .rounds = 5};
}

row size(const archives& files) {
  return {.name = "index/size/small",
          .unit = "message",
          .prepare =
              [&files] {
                const auto file = std::make_shared<indexed_file>(files, shape::small);
                const auto messages = static_cast<double>(files.messages(shape::small));
                return contest{
                    .units = messages,
                    .operation =
                        [=] {
                          const std::string index = file->index.string();
                          benchmark::DoNotOptimize(tgmap::archive(file->archive, {.index_path = index}).size());
                        },
                    .value = [=] { return static_cast<double>(file->index_bytes) / messages; }};
              },
          .rounds = 3,
          .value_name = "bytes of the index a message"};
}

}  // namespace

void add_index_rows(std::vector<row>& rows, const archives& files) {
  rows.push_back(open_one(files));
  rows.push_back(create(files));
  rows.push_back(size(files));
}

}  // namespace tgmap_bench
