// SPDX-License-Identifier: Apache-2.0
#include "validate/batches.hpp"

#include <new>
#include <utility>

namespace tgmap::checks {

namespace {

constexpr std::size_t most_messages = 1024;
constexpr std::uint64_t enough_mapped = 8 << 20;
constexpr std::uint64_t enough_read = 64 << 20;  // a batch has its own memory and handle then: fewer of them

}  // namespace

range dealer::cut() const {
  const bool mapped = archive_.mode() == io_mode::map;
  const std::uint64_t enough = mapped ? enough_mapped : enough_read;
  range out{dealt_, dealt_};
  failure why;
  for (std::uint64_t bytes = 0; out.last < messages_ && bytes < enough; ++out.last) {
    if (mapped && out.last - out.first == most_messages) break;
    bytes += archive_.at(out.last, why).length();
  }
  return out;
}

std::optional<range> dealer::take(std::size_t& turn) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return ended_ || turns_ < shown_ + ahead_; });
  if (ended_ || dealt_ == messages_) return std::nullopt;
  const range out = cut();
  dealt_ = out.last;
  turn = turns_++;
  return out;
}

void dealer::give(std::size_t turn, batch&& results) {
  {
    const std::lock_guard lock(mutex_);
    done_.emplace(turn, std::move(results));
  }
  changed_.notify_all();
}

std::optional<batch> dealer::next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return ended_ || done_.contains(shown_) || (dealt_ == messages_ && shown_ == turns_); });
  const auto found = done_.find(shown_);
  if (ended_ || found == done_.end()) return std::nullopt;
  batch out = std::move(found->second);
  done_.erase(found);
  ++shown_;
  lock.unlock();
  changed_.notify_all();
  return out;
}

void dealer::end() noexcept {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
}

batch check_batch(workshop& tools, const archive& from, range which, const validate_options& options) noexcept {
  batch out;
  out.first = which.first;
  try {
    // Without a mapping, messages are read into memory that their archive owns: one of their own goes with the batch.
    if (from.mode() != io_mode::map) out.kept = from.refreshed(out.why);
    const archive& source = out.kept ? out.kept : from;
    for (std::size_t i = which.first; i < which.last && !out.why; ++i) {
      if (options.stop.stop_requested()) break;
      const message m = source.at(i, out.why);
      if (out.why) break;
      message_report report;
      if (!m.incomplete()) report = check_message(tools, m, i, options, from.options(), out.findings, out.why);
      report.message = m;
      out.bytes += m.length();
      out.errors += report.errors;
      out.reports.push_back(report);
    }
  } catch (const std::bad_alloc&) {
    out.why = {.code = errc::out_of_memory};
  }
  return out;
}

}  // namespace tgmap::checks
