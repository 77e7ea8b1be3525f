// SPDX-License-Identifier: Apache-2.0
#include "support/page_cache.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <set>
#include <stdexcept>
#include <system_error>

#include "floors/file.hpp"

namespace tgmap_bench {

namespace {

/// Files that were read completely into an empty cache and not dropped since.
std::set<std::filesystem::path>& settled() {
  static std::set<std::filesystem::path> files;
  return files;
}

}  // namespace

void make_cold(const std::filesystem::path& path) {
  settled().erase(path);
  const file opened(path);
  if (::fdatasync(opened.descriptor()) != 0) throw std::system_error(errno, std::system_category(), "fdatasync");
  const std::uint64_t pages = (opened.size() + page_size - 1) / page_size;
  for (int attempt = 0; attempt < 3; ++attempt) {  // the kernel skips pages that are not yet on its lists
    ::posix_fadvise(opened.descriptor(), 0, 0, POSIX_FADV_DONTNEED);
    if (resident_pages(path) * 100 <= pages) return;
  }
  throw std::runtime_error(path.string() + " stays in the page cache");
}

void make_warm(const std::filesystem::path& path) {
  if (settled().contains(path)) return;
  make_cold(path);
  const file opened(path);
  std::vector<std::byte> block(std::size_t{1} << 20);
  for (std::uint64_t at = 0; at < opened.size(); at += block.size()) opened.read(at, block);
  settled().insert(path);
}

std::vector<bool> resident(const std::filesystem::path& path) {
  const mapped_file mapped(path);
  const std::uint64_t pages = (mapped.size() + page_size - 1) / page_size;
  std::vector<unsigned char> state(pages);
  if (::mincore(const_cast<std::byte*>(mapped.data()), mapped.size(), state.data()) != 0)
    throw std::system_error(errno, std::system_category(), "mincore");
  std::vector<bool> out(pages);
  std::transform(state.begin(), state.end(), out.begin(), [](unsigned char page) { return (page & 1) != 0; });
  return out;
}

std::uint64_t resident_pages(const std::filesystem::path& path) {
  const std::vector<bool> pages = resident(path);
  return static_cast<std::uint64_t>(std::ranges::count(pages, true));
}

}  // namespace tgmap_bench
