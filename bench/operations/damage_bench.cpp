// SPDX-License-Identifier: Apache-2.0
// A scan past damage, compared with memmem over the bytes that must be searched.
#include <string.h>

#include "floors/file.hpp"
#include "floors/fresh_table.hpp"
#include "floors/wire.hpp"
#include "operations/operations.hpp"
#include "support/page_cache.hpp"

namespace tgmap_bench {

namespace {

bool whole(const std::byte* data, std::uint64_t at, std::uint64_t size) {
  return std::memcmp(data + at, "TENSOGRM", 8) == 0 && length_in_preamble(data + at) <= size - at;
}

/// Walks from preamble to preamble. Searches the next magic if there is no preamble or its message does not fit.
std::uint64_t find_mapped(const std::filesystem::path& path) {
  const mapped_file mapped(path);
  const std::byte* const data = mapped.data();
  fresh_table found(mapped.size());
  for (std::uint64_t at = 0; at < mapped.size();) {
    if (whole(data, at, mapped.size())) {
      const std::uint64_t length = length_in_preamble(data + at);
      found.add(at, length);
      at += length;
      continue;
    }
    const void* const next = ::memmem(data + at + 1, mapped.size() - at - 1, "TENSOGRM", 8);
    if (next == nullptr) break;
    at = static_cast<std::uint64_t>(static_cast<const std::byte*>(next) - data);
  }
  return found.size();
}

/// The same by positioned reads. Searches in pieces of 256 KiB.
std::uint64_t find_read(const std::filesystem::path& path) {
  constexpr std::size_t overlap = 7;
  const file opened(path);
  fresh_table found(opened.size());
  std::vector<std::byte> block(std::size_t{256} << 10);
  for (std::uint64_t at = 0; at < opened.size();) {
    std::array<std::byte, preamble_bytes> preamble{};
    opened.read(at, preamble);
    if (whole(preamble.data(), 0, opened.size() - at)) {
      const std::uint64_t length = length_in_preamble(preamble.data());
      found.add(at, length);
      at += length;
      continue;
    }
    for (++at; at < opened.size();) {
      const std::size_t got = opened.read(at, block);
      const void* const next = ::memmem(block.data(), got, "TENSOGRM", 8);
      if (next != nullptr) {
        at += static_cast<std::uint64_t>(static_cast<const std::byte*>(next) - block.data());
        break;
      }
      at += got > overlap ? got - overlap : got;
    }
  }
  return found.size();
}

}  // namespace

void add_damage_rows(std::vector<row>& rows, const archives& files) {
  for (const shape which : {shape::junk, shape::flipped, shape::cut})
    for (const tgmap::io_mode mode : modes)
      rows.push_back({.name = row_name("damage", which, "", mode), .unit = "archive", .prepare = [=, &files] {
                        const auto path = files.path(which);
                        make_warm(path);
                        const std::uint64_t sound = files.messages(which) - (which == shape::junk ? 0 : 1);
                        const auto operation = [=] {
                          const tgmap::archive archive(path, {.io = mode, .damage = tgmap::on_damage::skip});
                          expect(archive.size() == sound, "a scan past damage lost messages");
                        };
                        const auto bare = [=] {
                          const bool mapped = mode == tgmap::io_mode::map;
                          expect((mapped ? find_mapped(path) : find_read(path)) == sound, "a floor lost messages");
                        };
                        return contest{.operation = operation, .floors = {{.name = "memmem", .run = bare}}};
                      }});
}

}  // namespace tgmap_bench
