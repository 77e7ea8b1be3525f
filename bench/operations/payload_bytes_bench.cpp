// SPDX-License-Identifier: Apache-2.0 Counts, as cached pages, the bytes of payloads that are read by operations that
// only need structure.
#include <benchmark/benchmark.h>

#include <memory>

#include "operations/operations.hpp"
#include "support/page_cache.hpp"
#include "support/process.hpp"

namespace tgmap_bench {

namespace {

struct range {
  std::uint64_t begin, end;  ///< pages that contain only payload
};

std::vector<range> payload_pages(const std::filesystem::path& path) {
  std::vector<range> out;
  const tgmap::archive archive(path, {.io = tgmap::io_mode::read});
  for (const tgmap::message& m : archive)
    for (std::size_t j = 0, count = m.size(); j < count; ++j) {
      const tgmap::object object = m[j];
      const std::uint64_t begin = object.payload_offset(), end = begin + object.payload_size();
      out.push_back({(begin + page_size - 1) / page_size, end / page_size});
    }
  return out;
}

double payload_bytes_cached(const std::filesystem::path& path, const std::vector<range>& payloads) {
  const std::vector<bool> cached = resident(path);
  std::uint64_t pages = 0;
  for (const range& each : payloads)
    for (std::uint64_t page = each.begin; page < each.end; ++page) pages += cached[page] ? 1U : 0U;
  return static_cast<double>(pages * page_size);
}

row payload_bytes(const archives& files, const std::string& what,
                  const std::function<void(const std::filesystem::path&)>& run) {
  return {.name = "payload_bytes/" + what,
          .unit = "message",
          .prepare =
              [=, &files] {
                const auto path = files.path(shape::large);
                const auto payloads = std::make_shared<std::vector<range>>(payload_pages(path));
                return contest{.units = static_cast<double>(files.messages(shape::large)),
                               .operation = [=] { run(path); },
                               .before = [=] { make_cold(path); },
                               .value = [=] { return payload_bytes_cached(path, *payloads); }};
              },
          .rounds = 3,
          .value_name = "of payloads fetched"};
}

void read_metadata(const std::filesystem::path& path, tgmap::io_mode mode) {
  const tgmap::archive archive(path, {.io = mode});
  for (const tgmap::message& m : archive)
    for (std::size_t j = 0, count = m.size(); j < count; ++j)
      benchmark::DoNotOptimize(m[j].metadata().find("mars.param"));
}

}  // namespace

void add_payload_bytes_rows(std::vector<row>& rows, const archives& files) {
  using path = std::filesystem::path;
  rows.push_back(payload_bytes(files, "info", [](const path& p) { run_command({TGMAP_COMMAND, "info", p.string()}); }));
  rows.push_back(payload_bytes(files, "ls", [](const path& p) {
    run_command({TGMAP_COMMAND, "ls", "--objects", p.string()});
  }));
  for (const tgmap::io_mode mode : modes)
    rows.push_back(payload_bytes(files, "metadata/" + std::string(tgmap::to_string_view(mode)),
                                 [=](const path& p) { read_metadata(p, mode); }));
}

}  // namespace tgmap_bench
