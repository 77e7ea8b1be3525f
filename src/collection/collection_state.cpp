// SPDX-License-Identifier: Apache-2.0
#include "collection/collection_state.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <exception>
#include <tgmap/decode/executor.hpp>
#include <utility>

namespace tgmap {
inline namespace v0 {
namespace detail {

namespace {

/// Returns which option says where an archive is, which the places say; null if there is none.
const char* misplaced_option(const open_options& of) noexcept {
  if (of.offset != 0) return "open_options::offset";
  if (of.length != UINT64_MAX) return "open_options::length";
  return of.index_path.empty() ? nullptr : "open_options::index_path";
}

}  // namespace

std::uint64_t damage_of(const archive& in, failure& cause) {
  const std::uint64_t gaps = in.scan_progress().gaps;
  const auto tail = in.incomplete_tail();
  if (gaps != 0)
    cause = in.gaps().front().cause;
  else if (tail)
    cause = tail->cause;
  return gaps + (tail ? 1 : 0);
}

collection_state::collection_state(std::vector<archive_place> places, const collection_options& options, failure& why)
    : places_(std::move(places)),
      options_(options.open),
      opener_(options.opener),
      trusted_users_(options.open.trust_index_of),
      max_open_(options.max_open),
      executor_(options.executor),
      entries_(places_.size()) {
  options_.trust_index_of = trusted_users_;
  if (const char* const wrong = misplaced_option(options_)) why = {.code = errc::invalid_option, .argument = wrong};
  if (max_open_ == 0)
    why = {.code = errc::invalid_option, .expected = SIZE_MAX, .argument = "collection_options::max_open"};
}

std::size_t collection_state::open_count() const {
  const std::lock_guard lock(mutex_);
  return recent_.size() + unclosable_.size();
}

void collection_state::note(std::size_t number, const failure& why, std::uint64_t count) {
  const std::lock_guard lock(mutex_);
  failures_.try_emplace(number, collection_failure{number, places_[number].path, why, count});
}

/// Takes archives out of the list until at most `max_open` are open. The caller destroys them, without the lock.
collection_state::open_list collection_state::take_oldest() {
  open_list out;
  while (!recent_.empty() && recent_.size() + opening_ > max_open_) {
    open_.erase(recent_.back().number);
    out.splice(out.end(), recent_, std::prev(recent_.end()));
  }
  return out;
}

archive collection_state::open(std::size_t number, failure& why) {
  why = {};
  if (number >= places_.size()) {
    why = {.code = errc::out_of_range, .expected = places_.size(), .found = number};
    return {};
  }
  {
    open_list closed;
    const std::lock_guard lock(mutex_);
    if (const auto found = open_.find(number); found != open_.end()) {
      recent_.splice(recent_.begin(), recent_, found->second);
      return found->second->handle;
    }
    if (const auto found = unclosable_.find(number); found != unclosable_.end()) return found->second;
    ++opening_;
    closed = take_oldest();
  }
  bool may_close = true;
  archive opened;
  try {
    opened = open_file(number, may_close, why);
    if (why) note(number, why, 1);
  } catch (...) {
    const std::lock_guard lock(mutex_);
    --opening_;
    throw;
  }
  open_list closed;
  const std::lock_guard lock(mutex_);
  --opening_;
  if (why) return {};
  if (!may_close) return unclosable_.try_emplace(number, std::move(opened)).first->second;
  if (const auto found = open_.find(number); found != open_.end())
    return found->second->handle;  // another thread was faster
  recent_.push_front({number, opened});
  open_[number] = recent_.begin();
  closed = take_oldest();  // other threads may have opened some meanwhile
  return opened;
}

archive collection_state::open_place(std::size_t number, const open_options& options, failure& why) const {
  return opener_ ? opener_(number, options, why) : archive::open(places_[number].path, options, why);
}

/// Opens a file, and compares it with the one that was opened first.
archive collection_state::open_file(std::size_t number, bool& may_close, failure& why) {
  const archive_place& at = places_[number];
  open_options options = options_;
  options.offset = at.offset;
  options.length = at.length;
  std::optional<file_identity> first;
  {
    const std::lock_guard lock(mutex_);
    first = entries_[number].file;
  }
  constexpr int attempts = 3;  // the file may be replaced between the calls
  for (int i = 0; i < attempts; ++i) {
    struct stat now {};
    if (::stat(at.path.c_str(), &now) != 0 || !S_ISREG(now.st_mode)) {
      may_close = false;
      return open_place(number, options, why);  // says what is wrong
    }
    const file_identity file{now.st_dev, now.st_ino, static_cast<std::uint64_t>(now.st_size), now.st_mtim.tv_sec,
                             now.st_mtim.tv_nsec};
    if (first) {
      const bool is_same = file.device == first->device && file.node == first->node;
      const bool is_unchanged = file.seconds == first->seconds && file.nanoseconds == first->nanoseconds;
      if (!is_same || file.size < first->size || (file.size == first->size && !is_unchanged)) {
        why = {.code = errc::archive_changed, .expected = first->size, .found = file.size};
        return {};
      }
      if (file.size > first->size) options.length = std::min(at.length, first->size - std::min(first->size, at.offset));
    }
    archive out = open_place(number, options, why);
    if (!why && out.is_replaced(why) && !why) continue;
    if (why) return {};
    if (!first) {
      const std::lock_guard lock(mutex_);
      entries_[number].file = file;
    }
    return out;
  }
  why = {.code = errc::archive_changed};
  return {};
}

std::uint64_t collection_state::count(std::size_t number) {
  {
    const std::lock_guard lock(mutex_);
    if (entries_[number].messages) return *entries_[number].messages;
  }
  failure why;
  const archive opened = open(number, why);
  const std::uint64_t messages = why ? 0 : opened.size(why);
  failure cause;
  if (const std::uint64_t damaged = damage_of(opened, cause); damaged != 0)
    note(number, cause, damaged);
  else if (why)
    note(number, why, 1);
  const std::lock_guard lock(mutex_);
  return *(entries_[number].messages = entries_[number].messages.value_or(messages));
}

/// Counts the messages of all archives, on the threads of the executor.
void collection_state::count_all() {
  struct task_context {
    collection_state* all;
    std::mutex mutex{};
    std::exception_ptr problem{};
  } context{this};
  executor_->run(places_.size(), {[](void* with, std::size_t number) noexcept {
                                    auto& task = *static_cast<task_context*>(with);
                                    try {
                                      task.all->count(number);
                                    } catch (...) {
                                      const std::lock_guard lock(task.mutex);
                                      task.problem = std::current_exception();
                                    }
                                  },
                                  &context});
  if (context.problem) std::rethrow_exception(context.problem);
}

std::uint64_t collection_state::first_message(std::size_t number) {
  if (number == places_.size() && executor_ != nullptr) count_all();
  while (true) {
    std::size_t next = 0;
    {
      const std::lock_guard lock(mutex_);
      if (number < first_messages_.size()) return first_messages_[number];
      next = first_messages_.size() - 1;
    }
    const std::uint64_t messages = count(next);
    const std::lock_guard lock(mutex_);
    if (next + 1 == first_messages_.size()) first_messages_.push_back(first_messages_.back() + messages);
  }
}

std::size_t collection_state::archive_of(std::uint64_t message, failure& why) {
  why = {};
  while (true) {
    std::size_t known = 0;
    {
      const std::lock_guard lock(mutex_);
      if (message < first_messages_.back()) {
        const auto after = std::upper_bound(first_messages_.begin(), first_messages_.end(), message);
        return static_cast<std::size_t>(after - first_messages_.begin()) - 1;
      }
      known = first_messages_.size() - 1;
    }
    if (known == places_.size()) {
      why = {.code = errc::out_of_range, .expected = first_message(known), .found = message};
      return 0;
    }
    first_message(known + 1);
  }
}

std::vector<collection_failure> collection_state::failures() const {
  const std::lock_guard lock(mutex_);
  std::vector<collection_failure> out;
  for (const auto& [number, each] : failures_) out.push_back(each);
  return out;
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
