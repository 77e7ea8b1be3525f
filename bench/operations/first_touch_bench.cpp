// SPDX-License-Identifier: Apache-2.0
// The first access to an object of a known message, including its descriptor. The file is cached.
#include <benchmark/benchmark.h>

#include <sys/mman.h>

#include <cerrno>
#include <memory>
#include <optional>
#include <system_error>

#include "floors/file.hpp"
#include "floors/wire.hpp"
#include "operations/operations.hpp"
#include "support/page_cache.hpp"

namespace tgmap_bench {

namespace {

struct fresh {
  std::optional<tgmap::archive> archive;
  std::optional<mapped_file> mapped;  ///< for the floor; only preambles were touched, as by a scan
  std::vector<std::uint64_t> offsets;
  std::vector<std::uint32_t> order;

  void reopen(const std::filesystem::path& path, tgmap::io_mode mode) {
    archive.emplace(path, tgmap::open_options{.io = mode});
    archive->size();
    if (mode == tgmap::io_mode::read) return;
    mapped.emplace(path);
    for (const std::uint64_t offset : offsets) benchmark::DoNotOptimize(length_in_preamble(mapped->data() + offset));
  }

  /// All pages are resident and mapped. The library's own work and cache misses remain.
  void reopen_in_memory(const std::filesystem::path& path) {
    if (!mapped) {
      mapped.emplace(path);
      if (::madvise(const_cast<std::byte*>(mapped->data()), mapped->size(), MADV_POPULATE_READ) != 0)
        throw std::system_error(errno, std::system_category(), "MADV_POPULATE_READ");
    }
    archive.emplace(tgmap::archive::from_memory({mapped->data(), mapped->size()}));
    archive->size();
  }

  void touch() const {
    for (const std::uint32_t m : order) benchmark::DoNotOptimize((*archive)[m][0].descriptor().rank());
  }

  void count() const {
    for (const std::uint32_t m : order) benchmark::DoNotOptimize((*archive)[m].size());
  }

  void ask() const {
    for (const std::uint32_t m : order)
      expect((*archive)[m].metadata().get<std::string_view>("nothing") == std::nullopt, "a key that nobody wrote");
  }

  void touch_bare() const {
    for (const std::uint32_t m : order) {
      const std::span<const std::byte> payload = payload_by_walk(mapped->data() + offsets[m], 0);
      load(payload.data() + payload.size());  // the descriptor begins there
    }
  }
};

}  // namespace

void add_first_touch_rows(std::vector<row>& rows, const archives& files) {
  constexpr std::size_t most = 20'000;
  using reopening = void (*)(fresh&, const std::filesystem::path&);
  const auto add = [&](shape which, const std::string& how, reopening reopen, bool bare,
                       const std::string& operation = "first_touch", void(fresh::*touch)() const = &fresh::touch) {
    rows.push_back({.name = operation + "/" + std::string(name(which)) + "/" + how,
                    .unit = "object",
                    .prepare =
                        [=, &files] {
                          const auto path = files.path(which);
                          make_warm(path);
                          const auto in = std::make_shared<fresh>();
                          const tgmap::archive known(path);
                          for (const tgmap::message& m : known) in->offsets.push_back(m.offset());
                          in->order = shuffled(in->offsets.size(), most);
                          contest out{.units = static_cast<double>(in->order.size()),
                                      .operation = [=] { ((*in).*touch)(); },
                                      .before = [=] { reopen(*in, path); }};
                          if (bare)
                            out.floors.push_back({.name = "frames, unchecked", .run = [=] { in->touch_bare(); }});
                          return out;
                        },
                    .rounds = 9});
  };
  for (const shape which : {shape::small, shape::medium, shape::large}) {
    add(
        which, "map", [](fresh& in, const auto& path) { in.reopen(path, tgmap::io_mode::map); }, true);
    add(
        which, "read", [](fresh& in, const auto& path) { in.reopen(path, tgmap::io_mode::read); }, false);
    add(
        which, "memory", [](fresh& in, const auto& path) { in.reopen_in_memory(path); }, true);
  }
  const reopening in_memory = [](fresh& in, const auto& path) { in.reopen_in_memory(path); };
  add(shape::small, "memory", in_memory, false, "first_size", &fresh::count);
  add(shape::small, "memory", in_memory, false, "first_metadata", &fresh::ask);
}

}  // namespace tgmap_bench
