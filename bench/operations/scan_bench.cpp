// SPDX-License-Identifier: Apache-2.0
// Finds every message (open, scan to the end, close), and reads known messages while another thread scans.
#include <benchmark/benchmark.h>

#include <memory>
#include <optional>
#include <thread>

#include "operations/operations.hpp"
#include "operations/scan_floors.hpp"
#include "support/page_cache.hpp"

namespace tgmap_bench {

namespace {

std::function<void()> scan(const std::filesystem::path& path, std::uint64_t messages, tgmap::io_mode mode) {
  return [=] { expect(tgmap::archive(path, {.io = mode}).size() == messages, "a scan lost messages"); };
}

/// Repeats a run, because one run is too short to be measured.
std::function<void()> repeated(int times, const std::function<void()>& what) {
  return [=] {
    for (int i = 0; i < times; ++i) what();
  };
}

constexpr std::size_t known_messages = 1'000;
constexpr std::uint64_t portion = 64 << 10;

/// An archive with 1,000 known messages, and a thread that scans the rest.
class scanned {
 public:
  scanned(const std::filesystem::path& path, tgmap::io_mode mode)
      : archive(path, {.io = mode}), order_(shuffled(known_messages, known_messages)) {
    archive[known_messages - 1];
    read();  // touches the objects before they are measured
  }

  void start() {
    const std::size_t before = archive.scan_progress().messages;
    // Small portions publish new messages more often, and the scan then lasts longer than the reader.
    scanner_ = std::jthread([this](const std::stop_token& stop) {
      while (!stop.stop_requested() && !archive.scan(portion, stop).is_complete) continue;
    });
    while (archive.scan_progress().messages == before) std::this_thread::yield();
  }

  void read() const {
    for (const std::uint32_t m : order_) benchmark::DoNotOptimize(archive[m][0].payload().data());
  }

  const tgmap::archive archive;

 private:
  std::vector<std::uint32_t> order_;
  std::jthread scanner_;
};

}  // namespace

void add_scan_rows(std::vector<row>& rows, const archives& files) {
  for (const shape which :
       {shape::small, shape::medium, shape::large, shape::streamed, shape::many, shape::many_footer})
    for (const tgmap::io_mode mode : modes)
      rows.push_back({.name = row_name("scan", which, "warm", mode), .unit = "message", .prepare = [=, &files] {
                        const auto path = files.path(which);
                        make_warm(path);
                        const std::uint64_t messages = files.messages(which);
                        const int times = messages == 1 ? 50 : 1;
                        contest out{.units = static_cast<double>(messages) * times,
                                    .operation = repeated(times, scan(path, messages, mode)),
                                    .floors = warm_scan_floors(path, which, messages, mode)};
                        for (floor_loop& floor : out.floors) floor.run = repeated(times, floor.run);
                        return out;
                      }});
}

void add_cold_scan_rows(std::vector<row>& rows, const archives& files) {
  for (const shape which : {shape::small, shape::medium, shape::large, shape::streamed})
    for (const tgmap::io_mode mode : modes)
      rows.push_back({.name = row_name("scan", which, "cold", mode),
                      .unit = "message",
                      .prepare =
                          [=, &files] {
                            const auto path = files.path(which);
                            const std::uint64_t messages = files.messages(which);
                            const auto pages = [=] {
                              return static_cast<double>(resident_pages(path)) / static_cast<double>(messages);
                            };
                            return contest{.units = static_cast<double>(messages),
                                           .operation = scan(path, messages, mode),
                                           .floors = cold_scan_floors(path, which, messages, mode),
                                           .before = [=] { make_cold(path); },
                                           .value = pages};
                          },
                      .rounds = which == shape::medium && !files.quick() ? 3 : 5,
                      .value_name = "pages read a message"});
}

void add_while_scanning_rows(std::vector<row>& rows, const archives& files) {
  for (const tgmap::io_mode mode : modes)
    rows.push_back({.name = row_name("while_scanning", shape::small, "", mode),
                    .unit = "object",
                    .prepare =
                        [=, &files] {
                          const auto path = files.path(shape::small);
                          make_warm(path);
                          const auto in = std::make_shared<std::optional<scanned>>();
                          const auto read = [=] { (*in)->read(); };
                          return contest{.units = known_messages,
                                         .operation =
                                             [=] {
                                               read();
                                               expect(!(*in)->archive.scan_progress().is_complete,
                                                      "the scan ended before the reader");
                                             },
                                         .floors = {{.name = "reader alone", .run = read}},
                                         .before = [=] { in->emplace(path, mode); },
                                         .before_operation = [=] { (*in)->start(); },
                                         .after_operation = [=] { in->reset(); }};
                        },
                    .rounds = 41});
}

}  // namespace tgmap_bench
