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

/// Returns true if mincore() is truthful for this file. For other files Linux reports all pages as cached, so that
/// users cannot watch what others read.
bool reports_residency(int file, const std::filesystem::path& path) noexcept {
  struct stat found {};
  if (::fstat(file, &found) != 0 || !S_ISREG(found.st_mode)) return false;
  return ::geteuid() == 0 || found.st_uid == ::geteuid() || ::access(path.c_str(), W_OK) == 0;
}

}  // namespace

page_cache::page_cache(const std::filesystem::path& path, std::uint64_t base, archive_range of)
    : base_(base), page_size_(static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE))) {
  first_page_ = (base + of.begin) / page_size_;
  const std::uint64_t count = page_count({of});
  constexpr std::uint64_t max_count = std::uint64_t{1} << 20;  // with more pages the kernel takes seconds
  if (count == 0 || count > max_count) return;
  std::vector<unsigned char> flags(static_cast<std::size_t>(count));
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // opening a pipe must not block
  if (file < 0) return;
  if (reports_residency(file, path)) {
    const std::size_t size = static_cast<std::size_t>(count * page_size_);
    void* const mapped =
        ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file, static_cast<off_t>(first_page_ * page_size_));
    if (mapped != MAP_FAILED) {
      if (::mincore(mapped, size, flags.data()) == 0) resident_ = std::move(flags);
      ::munmap(mapped, size);
    }
  }
  ::close(file);
}

std::array<page_cache::page_range, 2> page_cache::pages_of(const range_pair& ranges) const noexcept {
  std::array<page_range, 2> out{};
  std::uint64_t previous_end = 0;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    if (ranges[i].begin >= ranges[i].end) continue;
    const std::uint64_t end = (base_ + ranges[i].end - 1) / page_size_ + 1;
    out[i] = {std::max((base_ + ranges[i].begin) / page_size_, previous_end), end};
    out[i].end = std::max(out[i].begin, end);
    previous_end = end;
  }
  return out;
}

std::uint64_t page_cache::page_count(const range_pair& ranges) const noexcept {
  std::uint64_t out = 0;
  for (const page_range& each : pages_of(ranges)) out += each.end - each.begin;
  return out;
}

std::optional<std::uint64_t> page_cache::cached_count(const range_pair& ranges) const noexcept {
  std::uint64_t out = 0;
  for (const page_range& each : pages_of(ranges)) {
    if (each.begin == each.end) continue;
    if (each.begin < first_page_ || each.end - first_page_ > resident_.size()) return std::nullopt;
    const auto at = [&](std::uint64_t page) {
      return resident_.begin() + static_cast<std::ptrdiff_t>(page - first_page_);
    };
    out += static_cast<std::uint64_t>(
        std::count_if(at(each.begin), at(each.end), [](unsigned char flags) { return (flags & 1) != 0; }));
  }
  return out;
}

}  // namespace tgmap::explain
