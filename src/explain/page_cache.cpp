// SPDX-License-Identifier: Apache-2.0
#include "explain/page_cache.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace tgmap::explain {

namespace {

/// Linux answers others with "all pages are there", so that nobody can spy on what is read.
bool told_the_truth(int file, const std::filesystem::path& path) noexcept {
  struct stat found {};
  if (::fstat(file, &found) != 0 || !S_ISREG(found.st_mode)) return false;
  return ::geteuid() == 0 || found.st_uid == ::geteuid() || ::access(path.c_str(), W_OK) == 0;
}

}  // namespace

page_cache::page_cache(const std::filesystem::path& path, std::uint64_t base, archive_range of)
    : base_(base), page_(static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE))) {
  first_ = (base + of.begin) / page_;
  const std::uint64_t count = pages({of});
  constexpr std::uint64_t most = std::uint64_t{1} << 20;  // pages; of more the kernel takes seconds to tell
  if (count == 0 || count > most) return;
  std::vector<unsigned char> flags(static_cast<std::size_t>(count));
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // a pipe must not make us wait
  if (file < 0) return;
  if (told_the_truth(file, path)) {
    const std::size_t size = static_cast<std::size_t>(count * page_);
    void* const mapped = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file, static_cast<off_t>(first_ * page_));
    if (mapped != MAP_FAILED) {
      if (::mincore(mapped, size, flags.data()) == 0) resident_ = std::move(flags);
      ::munmap(mapped, size);
    }
  }
  ::close(file);
}

std::array<page_cache::page_range, 2> page_cache::pages_of(const places& of) const noexcept {
  std::array<page_range, 2> out{};
  std::uint64_t behind = 0;
  for (std::size_t i = 0; i < of.size(); ++i) {
    if (of[i].begin >= of[i].end) continue;
    const std::uint64_t end = (base_ + of[i].end - 1) / page_ + 1;
    out[i] = {std::max((base_ + of[i].begin) / page_, behind), end};
    out[i].end = std::max(out[i].begin, end);
    behind = end;
  }
  return out;
}

std::uint64_t page_cache::pages(const places& of) const noexcept {
  std::uint64_t out = 0;
  for (const page_range& each : pages_of(of)) out += each.end - each.begin;
  return out;
}

std::optional<std::uint64_t> page_cache::cached(const places& of) const noexcept {
  std::uint64_t out = 0;
  for (const page_range& each : pages_of(of)) {
    if (each.begin == each.end) continue;
    if (each.begin < first_ || each.end - first_ > resident_.size()) return std::nullopt;
    const auto at = [&](std::uint64_t page) { return resident_.begin() + static_cast<std::ptrdiff_t>(page - first_); };
    out += static_cast<std::uint64_t>(
        std::count_if(at(each.begin), at(each.end), [](unsigned char flags) { return (flags & 1) != 0; }));
  }
  return out;
}

}  // namespace tgmap::explain
