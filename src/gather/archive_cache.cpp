// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <pthread.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <list>
#include <mutex>
#include <new>
#include <string>
#include <tgmap/decode/archive_cache.hpp>
#include <utility>

#include "archive/access.hpp"
#include "archive/archive_state.hpp"
#include "core/phrases.hpp"
#include "core/seeded_hash.hpp"
#include "io/file_status.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

file_state state_of(const io::file_status& status) noexcept {
  return {.size = status.size, .changed_at = status.changed_at};
}

failure read_named(const std::filesystem::path& path, io::file_status& out) noexcept {
  return io::read_status(AT_FDCWD, path.c_str(), true, out) ? failure{} : io::system_failure();
}

/// An entry of the cache, with the file that was opened.
struct cached_archive {
  std::string key{};
  archive opened{};
  file_state state{};
  std::uint64_t device = 0, number = 0;
};

std::string key_of(const archive_file& file) {
  std::string out = file.path.native();
  for (const std::uint64_t each : {file.offset, file.length, file.max_decoded_bytes})
    out += '\0' + std::to_string(each);
  return out;
}

/// Returns the number of archives that may be kept so that a program has descriptors left for itself.
std::size_t most_descriptors() noexcept {
  ::rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return SIZE_MAX;
  return std::max<std::size_t>(static_cast<std::size_t>(limit.rlim_cur) / 2, 1);
}

bool lacks_descriptors(const failure& why) noexcept {
  return why.code == std::errc::too_many_files_open || why.code == std::errc::too_many_files_open_in_system;
}

std::atomic<archive_cache*> cache_of_process{nullptr};

}  // namespace

file_state file_state::of(const std::filesystem::path& path, failure& why) noexcept {
  io::file_status status;
  why = read_named(path, status);
  return why ? file_state() : state_of(status);
}

file_state file_state::of(const std::filesystem::path& path) {
  failure why;
  const file_state out = of(path, why);
  if (why) throw error(why, path.native());
  return out;
}

std::optional<file_state> file_state::of(const archive& opened) noexcept {
  const detail::archive_state* const state = detail::access::state(opened);
  const auto stamp = state == nullptr ? std::nullopt : state->bytes().stamp();
  if (!stamp || !state->bytes().in_file()) return std::nullopt;
  return file_state{.size = stamp->size, .changed_at = static_cast<std::int64_t>(stamp->time)};
}

failure file_state::compare(const file_state& now) const noexcept {
  if (size != now.size)
    return {.code = errc::archive_changed, .expected = size, .found = now.size, .argument = detail::changed_size};
  if (changed_at != now.changed_at)
    return {.code = errc::archive_changed,
            .expected = static_cast<std::uint64_t>(changed_at),
            .found = static_cast<std::uint64_t>(now.changed_at),
            .argument = detail::changed_time};
  return {};
}

/// Entries in the order of their last use, the last one first.
struct archive_cache::entries {
  explicit entries(std::size_t most) noexcept : max_open(std::max<std::size_t>(most, 1)) {}

  /// Drops entries that are too many. The archives are closed after the lock was released, as `dropped` ends.
  void shrink(std::list<cached_archive>& dropped) {
    const std::size_t most = std::min(max_open, most_descriptors());
    while (by_use.size() > most) {
      by_key.erase(by_use.back().key);
      dropped.splice(dropped.end(), by_use, std::prev(by_use.end()));
    }
  }

  std::mutex mutex{};
  std::size_t max_open;
  std::uint64_t opened = 0;
  std::list<cached_archive> by_use{};
  core::text_map<std::list<cached_archive>::iterator> by_key{};
};

archive_cache::archive_cache(std::size_t max_open) : entries_(std::make_unique<entries>(max_open)) {}
archive_cache::~archive_cache() = default;

archive_cache& archive_cache::of_process() {
  // The child of a fork may have been forked while another thread held the lock. It begins with a cache of its own.
  [[maybe_unused]] static const bool is_registered =
      ::pthread_atfork(nullptr, nullptr, [] { cache_of_process.store(nullptr); }) == 0;
  archive_cache* known = cache_of_process.load(std::memory_order_acquire);
  if (known != nullptr) return *known;
  auto made = std::make_unique<archive_cache>();
  if (cache_of_process.compare_exchange_strong(known, made.get())) return *made.release();
  return *known;
}

archive archive_cache::open(const archive_file& file, failure& why) noexcept try {
  io::file_status now;
  why = read_named(file.path, now);
  if (!why) why = file.state.compare(state_of(now));
  if (why) return {};
  const std::string key = key_of(file);
  std::list<cached_archive> dropped;
  {
    const std::lock_guard lock(entries_->mutex);
    if (const auto found = entries_->by_key.find(key); found != entries_->by_key.end()) {
      const auto entry = found->second;
      if (entry->state == file.state && entry->device == now.identity.device && entry->number == now.identity.number) {
        entries_->by_use.splice(entries_->by_use.begin(), entries_->by_use, entry);
        return entry->opened;
      }
      // A new file may have the number of an old one, so the states are compared first.
      if (entry->state == file.state)
        why = {.code = errc::archive_changed,
               .expected = entry->number,
               .found = now.identity.number,
               .argument = detail::changed_number};
      entries_->by_key.erase(found);
      dropped.splice(dropped.end(), entries_->by_use, entry);
      if (why) return {};
    }
  }
  const open_options options{.io = io_mode::read,
                             .index = index_use::none,
                             .offset = file.offset,
                             .length = file.length,
                             .max_decoded_bytes = file.max_decoded_bytes};
  archive opened = archive::open(file.path, options, why);
  if (lacks_descriptors(why)) {
    clear();
    opened = archive::open(file.path, options, why);
  }
  if (why) return {};
  // The path may have led to another file when it was opened.
  if (const auto its = file_state::of(opened); its && file.state.changed_at >= 0) why = file.state.compare(*its);
  if (why) return {};
  std::list<cached_archive> added;
  added.push_back({key, opened, file.state, now.identity.device, now.identity.number});
  const std::lock_guard lock(entries_->mutex);
  ++entries_->opened;
  const auto [place, is_new] = entries_->by_key.try_emplace(key, added.begin());
  if (!is_new) {  // another thread was faster
    dropped.splice(dropped.end(), entries_->by_use, place->second);
    place->second = added.begin();
  }
  entries_->by_use.splice(entries_->by_use.begin(), added);
  entries_->shrink(dropped);
  return opened;
} catch (const std::bad_alloc&) {
  why = {.code = errc::out_of_memory};
  return {};
}

archive archive_cache::open(const archive_file& file) {
  failure why;
  archive out = open(file, why);
  if (why) throw error(why, file.path.native());
  return out;
}

void archive_cache::set_max_open(std::size_t most) noexcept {
  std::list<cached_archive> dropped;
  const std::lock_guard lock(entries_->mutex);
  entries_->max_open = std::max<std::size_t>(most, 1);
  entries_->shrink(dropped);
}

std::size_t archive_cache::max_open() const noexcept {
  const std::lock_guard lock(entries_->mutex);
  return entries_->max_open;
}

std::size_t archive_cache::open_count() const noexcept {
  const std::lock_guard lock(entries_->mutex);
  return entries_->by_use.size();
}

std::uint64_t archive_cache::opened() const noexcept {
  const std::lock_guard lock(entries_->mutex);
  return entries_->opened;
}

void archive_cache::clear() noexcept {
  std::list<cached_archive> dropped;
  const std::lock_guard lock(entries_->mutex);
  entries_->by_key.clear();
  dropped.swap(entries_->by_use);
}

}  // namespace v0
}  // namespace tgmap
