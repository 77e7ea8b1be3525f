// SPDX-License-Identifier: Apache-2.0
// Finding every message: open, scan to the end, close.
#include "operations/operations.hpp"
#include "operations/scan_floors.hpp"
#include "support/page_cache.hpp"

namespace tgmap_bench {

namespace {

std::function<void()> scan(const std::filesystem::path& path, std::uint64_t messages, tgmap::io_mode mode) {
  return [=] { expect(tgmap::archive(path, {.io = mode}).size() == messages, "a scan lost messages"); };
}

/// A message or a thousand take too little time to be measured once.
std::function<void()> repeated(int times, const std::function<void()>& what) {
  return [=] {
    for (int i = 0; i < times; ++i) what();
  };
}

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

}  // namespace tgmap_bench
