// SPDX-License-Identifier: Apache-2.0
// Index files: opening with one, making one, and its size.
#include <benchmark/benchmark.h>

#include <fstream>
#include <memory>
#include <tgmap/decode/executor.hpp>
#include <tgmap/query/selection.hpp>
#include <tgmap/tools/index.hpp>

#include "operations/operations.hpp"
#include "support/page_cache.hpp"
#include "support/process.hpp"
#include "support/write_target.hpp"

namespace tgmap_bench {

namespace {

/// An archive and its index, which is removed at the end.
struct indexed_file {
  std::filesystem::path archive, index;
  std::uint64_t index_bytes = 0;

  indexed_file(const archives& files, shape which)
      : archive(files.path(which)), index(files.path(which).string() + ".tgx") {
    tgmap::memory_sink to;
    tgmap::create_index(tgmap::archive(archive, {.index = tgmap::index_use::none}), to);
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

using words = std::vector<std::string>;

/// A searchable archive whose index was made a moment ago answers without a scan.
void expect_current(const indexed_file& file) {
  const std::string index = file.index.string();
  expect(tgmap::archive(file.archive, {.index_path = index}).index_status().is_current, "the index is current");
}

/// The archive with an index beside it, where the command finds it.
std::shared_ptr<indexed_file> searchable(const archives& files) {
  auto out = std::make_shared<indexed_file>(files, shape::searchable);
  expect_current(*out);
  return out;
}

const auto view_one = [](const indexed_file& file, std::uint32_t i) {
  const std::string index = file.index.string();
  const tgmap::archive from(file.archive, {.index_path = index});
  benchmark::DoNotOptimize(from[i][0].view<float>().data());
};

/// Opens the archive and views one object of a message anywhere in it, with the samples that opening compares.
row open_one(const archives& files) {
  return {.name = "index/open_one/searchable", .unit = "archive", .prepare = [&files] {
            const auto file = searchable(files);
            const auto messages = static_cast<std::uint32_t>(files.messages(shape::searchable));
            const auto order = std::make_shared<std::vector<std::uint32_t>>(shuffled(messages, 200));
            return contest{.units = static_cast<double>(order->size()), .operation = [=] {
                             for (const std::uint32_t i : *order) view_one(*file, i);
                           }};
          }};
}

/// The same from the disk. Counts the pages of both files that are in memory afterwards.
row open_one_cold(const archives& files) {
  return {
      .name = "index/open_one/searchable/cold",
      .unit = "archive",
      .prepare =
          [&files] {
            const auto file = searchable(files);
            const auto i = static_cast<std::uint32_t>(files.messages(shape::searchable) / 7 * 3);
            return contest{
                .operation = [=] { view_one(*file, i); },
                .before =
                    [=] {
                      make_cold(file->archive);
                      make_cold(file->index);
                    },
                .value =
                    [=] { return static_cast<double>(resident_pages(file->archive) + resident_pages(file->index)); }};
          },
      .rounds = 5,
      .value_name = "pages read"};
}

// Indexes are written to nowhere: memory that grows takes longer than an update.
void make_index(const std::filesystem::path& path, tgmap::executor* threads) {
  null_sink to;
  tgmap::create_index(tgmap::archive(path, {.index = tgmap::index_use::none}), to, {.executor = threads});
}

void read_metadata(const std::filesystem::path& path) {
  const tgmap::archive archive(path, {.index = tgmap::index_use::none});
  benchmark::DoNotOptimize(archive.size());
  for (const tgmap::message& m : archive) benchmark::DoNotOptimize(m.metadata().get<std::string_view>("mars.param"));
}

/// Makes an index in memory, with columns, on two threads. Compared with `floor`, which gets the path of the archive.
row create(const archives& files, std::string name, std::string floor_name,
           std::function<void(const std::filesystem::path&)> floor) {
  return {.name = std::move(name),
          .unit = "message",
          .prepare =
              [=, &files] {
                const auto path = files.path(shape::searchable);
                make_warm(path);
                const std::shared_ptr<tgmap::executor> threads = tgmap::make_executor(2);
                return contest{.units = static_cast<double>(files.messages(shape::searchable)),
                               .operation = [=] { make_index(path, threads.get()); },
                               .floors = {{.name = floor_name, .run = [=] { floor(path); }}}};
              },
          .rounds = 5};
}

/// Extends the index of an archive to which a hundredth was appended. The floor makes it anew.
row update(const archives& files) {
  return {.name = "index/update/searchable",
          .unit = "archive",
          .prepare =
              [&files] {
                const auto path = files.path(shape::searchable);
                make_warm(path);
                const auto old = std::make_shared<std::filesystem::path>(files.directory() / "bench_old.tgx");
                const tgmap::archive whole(path, {.index = tgmap::index_use::none});
                const std::uint64_t begin = whole[files.messages(shape::searchable) / 100 * 99].offset();
                tgmap::memory_sink to;
                tgmap::create_index(tgmap::archive(path, {.index = tgmap::index_use::none, .length = begin}), to);
                std::ofstream(*old, std::ios::binary)
                    .write(reinterpret_cast<const char*>(to.bytes().data()),
                           static_cast<std::streamsize>(to.bytes().size()));
                const std::shared_ptr<tgmap::executor> threads = tgmap::make_executor(2);
                return contest{.operation =
                                   [=] {
                                     null_sink into;
                                     tgmap::update_index(tgmap::archive(path, {.index = tgmap::index_use::none}), *old,
                                                         into, {.executor = threads.get()});
                                   },
                               .floors = {{.name = "create", .run = [=] { make_index(path, threads.get()); }}}};
              },
          .rounds = 5};
}

/// Finds the only message with a value.
row search(const archives& files) {
  return {.name = "index/search/searchable", .unit = "archive", .prepare = [&files] {
            const auto file = searchable(files);
            return contest{.operation = [=] {
              const std::string index = file->index.string();
              const tgmap::archive from(file->archive, {.index_path = index});
              std::size_t found = 0;
              for (const auto& each : from.find(tgmap::selection("mars.level=77"))) found += each.index;
              expect(found != 0, "a message is found");
            }};
          }};
}

row size(const archives& files, std::string name, tgmap::index_options options, std::string value_name) {
  return {
      .name = std::move(name),
      .unit = "message",
      .prepare =
          [=, &files] {
            const auto path = files.path(shape::searchable);
            const auto messages = static_cast<double>(files.messages(shape::searchable));
            const auto made = std::make_shared<tgmap::index_summary>();
            return contest{
                .units = messages,
                .operation =
                    [=] {
                      tgmap::memory_sink to;
                      *made = tgmap::create_index(tgmap::archive(path, {.index = tgmap::index_use::none}), to, options);
                    },
                .value =
                    [=] {
                      return static_cast<double>(made->columns.empty() ? made->index_bytes : made->columns[0].bytes) /
                             messages;
                    }};
          },
      .rounds = 3,
      .value_name = std::move(value_name)};
}

/// A verb as a whole process, with the index beside the archive.
row command(const std::string& name, const words& arguments, const std::string& address, const archives& files) {
  return {.name = "index/command/" + name, .unit = "process", .prepare = [=, &files] {
            const auto file = searchable(files);
            words line{TGMAP_COMMAND};
            line.insert(line.end(), arguments.begin(), arguments.end());
            line.push_back(file->archive.string() + address);
            return contest{.operation = [file, line] { run_command(line); }};
          }};
}

}  // namespace

void add_index_rows(std::vector<row>& rows, const archives& files) {
  rows.push_back(open_one(files));
  rows.push_back(open_one_cold(files));
  rows.push_back(search(files));
  const std::string some = std::to_string(files.messages(shape::searchable) / 4 * 3);
  rows.push_back(command("get", {"get", "-p", "mars.step"}, ":" + some, files));
  rows.push_back(command("ls_one_hit", {"ls", "-w", "mars.level=77"}, "", files));
  rows.push_back(command("count_tenth", {"count", "-w", "mars.level=3"}, "", files));
  rows.push_back(create(files, "index/create/searchable", "scan and metadata", read_metadata));
  rows.push_back(create(files, "index/create_threads/searchable", "one thread",
                        [](const std::filesystem::path& path) { make_index(path, nullptr); }));
  rows.push_back(update(files));
  rows.push_back(size(files, "index/size/searchable", {.default_keys = false}, "bytes of the index a message"));
  rows.push_back(size(files, "index/column_size/searchable", {.keys = {"mars.number"}, .default_keys = false},
                      "bytes of a column of 40 values a message"));
}

}  // namespace tgmap_bench
