// SPDX-License-Identifier: Apache-2.0
#include "archive/scan/scanner.hpp"

#include <algorithm>
#include <new>

#include "wire/preamble.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

namespace {

/// Number of bytes searched after damage in one step.
constexpr std::uint64_t search_step = std::uint64_t{64} << 20;

}  // namespace

failure scanner::advance(std::uint64_t messages, std::uint64_t bytes, const std::stop_token& stop) const noexcept {
  std::uint64_t left = bytes;
  const auto known = [&] { return table_.size() > messages; };
  if (complete() || known()) return {};
  bytes_->check_guard();
  sequential_scan run(*bytes_, table_, way_, stop);
  while (!complete() && !known() && left > 0 && !stop.stop_requested()) {
    const std::lock_guard lock(mutex_);  // released after each step, for threads that wait for a result
    if (complete() || known()) break;
    const std::uint64_t before = position();
    if (failure why = step(run, messages, left)) return known() || stop.stop_requested() ? failure{} : why;
    const std::uint64_t after = position();
    left -= std::min(left, after > before ? after - before : 0);
  }
  return {};
}

/// Returns the offset at which the next step begins. A search after damage has passed `scanned_end_`.
std::uint64_t scanner::position() const noexcept {
  return search_ ? search_->next : scanned_end_.load(std::memory_order_relaxed);
}

/// Scans one batch of messages, or about `max_bytes` bytes. The batch grows with the number of known messages, so that
/// a caller who asks for one message after the other does not wait for each.
failure scanner::step(sequential_scan& run, std::uint64_t messages, std::uint64_t max_bytes) const noexcept {
  if (search_) return step_search(run, max_bytes);
  std::uint64_t at = scanned_end_.load(std::memory_order_relaxed);
  if (at < bytes_->size()) {
    const std::uint64_t missing = messages - table_.size();  // plus one: `messages` is an index
    const failure why =
        run.advance(at, std::max<std::uint64_t>(missing, table_.size() / 8) + (missing < UINT64_MAX), max_bytes);
    scanned_end_.store(at, std::memory_order_release);
    if (why) return why;
    if (run.needs_parser()) return step_message(run);
  }
  if (at == bytes_->size()) finish();
  return {};
}

failure scanner::step_message(sequential_scan& run) const noexcept {
  const std::uint64_t at = scanned_end_.load(std::memory_order_relaxed);
  parsed_message found = parse_message_at(run.window(), at, *options_);
  if (found.unreadable) return found.why;
  // If a file was cut, the rest of its last page reads as zeros. They must not be recorded as damage. It may have been
  // cut for a moment only, so the bytes are read once more.
  if (found.status != message_status::whole && bytes_->may_change()) {
    if (failure why = bytes_->check_not_truncated()) return why;
    io::window again(*bytes_);
    found = parse_message_at(again, at, *options_);
    if (found.unreadable) return found.why;
  }
  run.record_message(found.status == message_status::whole ? found.message.length() : 0, found.frames);
  if (found.status == message_status::whole || found.status == message_status::incomplete)
    return add_message(found.message);
  search_ = search{.begin = at, .next = at + 1, .reason = found.why};
  if (found.status == message_status::cut_off) {
    search_->cut_off = at;
    search_->cut_off_reason = found.why;
  }
  return {};
}

/// Adds a message. Bytes after an incomplete message are damage, even if the next message follows at once.
failure scanner::add_message(const message_position& m) const noexcept {
  if (!table_.append(m)) return {.code = errc::out_of_memory, .offset = m.offset()};
  const std::uint64_t end = m.offset() + m.length();
  if (m.is_incomplete())
    search_ = search{.begin = end,
                     .next = end,
                     .reason = {.code = errc::unterminated_stream,
                                .offset = m.offset(),
                                .found = m.length(),
                                .message = table_.size() - 1},
                     .behind_stream = true};
  scanned_end_.store(end, std::memory_order_release);
  return {};
}

/// Searches about `max_bytes` bytes for the next magic at which a message begins.
failure scanner::step_search(sequential_scan& run, std::uint64_t max_bytes) const noexcept {
  search& s = *search_;
  const std::uint64_t size = bytes_->size();
  const std::uint64_t to = s.next >= size ? size : s.next + std::min({size - s.next, search_step, max_bytes});
  while (s.next < to) {
    failure why;
    const std::uint64_t at = run.find(wire::message_magic, s.next, to, why);
    if (why) return why;
    if (at >= to) {
      s.next = to;
      break;
    }
    const parsed_message found = parse_message_at(run.window(), at, *options_);
    if (found.unreadable) return found.why;
    if (found.status == message_status::whole || found.status == message_status::incomplete) {
      if (failure f = end_search(at)) return f;
      return complete() ? failure{} : add_message(found.message);
    }
    if (found.status == message_status::cut_off && !s.cut_off) {
      s.cut_off = at;
      s.cut_off_reason = found.why;
    }
    s.next = at + 1;
  }
  return s.next >= size ? end_search(size) : failure{};
}

/// Ends the damage at `at`, where a message begins or the archive ends.
failure scanner::end_search(std::uint64_t at) const noexcept {
  const search s = *search_;
  const bool at_end = at == bytes_->size();
  if (failure why = bytes_->check_not_truncated()) {  // the search begins again once the file has the missing bytes
    search_->next = s.behind_stream ? s.begin : s.begin + 1;
    search_->cut_off.reset();
    return why;
  }
  if (at_end && s.behind_stream) {
    tail_ = tgmap::incomplete_tail{.begin = s.begin, .end = at, .cause = s.reason};
  } else if (at_end && s.cut_off) {
    if (*s.cut_off > s.begin)
      if (failure why = add_gap({.begin = s.begin, .end = *s.cut_off, .cause = s.reason})) return why;
    if (!stopped_) tail_ = tgmap::incomplete_tail{.begin = *s.cut_off, .end = at, .cause = s.cut_off_reason};
  } else if (failure why = add_gap({.begin = s.begin, .end = at, .cause = s.reason})) {
    return why;
  }
  search_.reset();
  if (stopped_ || complete()) return {};
  scanned_end_.store(at, std::memory_order_release);
  if (at_end) finish();
  return {};
}

failure scanner::add_gap(const gap& damage) const noexcept {
  try {
    if (gaps_.size() >= options_->max_gaps) {
      // The rest of the archive is one gap, and numbering ends.
      gaps_.push_back({.begin = damage.begin,
                       .end = bytes_->size(),
                       .cause = {.code = errc::too_many_gaps, .offset = damage.begin, .expected = options_->max_gaps}});
      gap_count_.store(gaps_.size(), std::memory_order_release);
      scanned_end_.store(bytes_->size(), std::memory_order_release);
      finish();
      return {};
    }
    gaps_.push_back(damage);
    gap_count_.store(gaps_.size(), std::memory_order_release);
  } catch (const std::bad_alloc&) {
    return {.code = errc::out_of_memory, .offset = damage.begin};
  }
  if (options_->damage == on_damage::stop) {
    stopped_ = true;
    scanned_end_.store(damage.end, std::memory_order_release);
    finish();
  }
  return {};
}

void scanner::finish() const noexcept { complete_.store(true, std::memory_order_release); }

progress scanner::scan_progress() const noexcept {
  progress out;
  out.is_complete = complete();  // first, so that the other numbers are at least as new
  out.scanned_bytes = scanned_end_.load(std::memory_order_acquire);
  out.total_bytes = bytes_->size();
  out.messages = table_.size();
  out.gaps = gap_count_.load(std::memory_order_acquire);
  return out;
}

std::optional<gap> scanner::stopped_at() const noexcept {
  const std::lock_guard lock(mutex_);
  return stopped_ ? std::optional<gap>(gaps_.back()) : std::nullopt;
}

std::vector<gap> scanner::gaps() const {
  const std::lock_guard lock(mutex_);
  return {gaps_.begin(), gaps_.end()};
}

std::optional<tgmap::incomplete_tail> scanner::incomplete_tail() const noexcept {
  const std::lock_guard lock(mutex_);
  return tail_;
}

failure scanner::begin_with(listed_messages listed) noexcept {
  std::list<gap> gaps;
  std::uint64_t count = listed.count(), end = listed.covered(), before = 0;
  const bool stops = options_->damage == on_damage::stop && listed.gap_count() > 0;
  const std::uint64_t gap_count = stops ? 1 : listed.gap_count();
  if (gap_count > options_->max_gaps)
    return {.code = errc::index_mismatch, .expected = gap_count, .found = options_->max_gaps};
  try {
    for (std::uint64_t k = 0; k < gap_count; ++k) {
      failure why;
      gaps.push_back(listed.gap_at(k, before, why));
      if (why) return why;
    }
  } catch (const std::bad_alloc&) {
    return {.code = errc::out_of_memory};
  }
  if (stops) {
    count = before;
    end = gaps.front().end;
  }
  listed_ = std::move(listed);
  table_.begin_with_listed(static_cast<std::size_t>(count));
  gaps_ = std::move(gaps);
  gap_count_.store(gap_count, std::memory_order_release);
  scanned_end_.store(end, std::memory_order_release);
  stopped_ = stops;
  if (stops) finish();
  return {};
}

message_position scanner::message(std::size_t i, failure& why) const noexcept {
  message_position out;
  if (table_.find(i, out)) return out;
  out = listed_.at(i, why);
  if (!why && table_.store_listed(i, out)) why = listed_.count_use(out);
  return why ? message_position() : out;
}

std::uint64_t scanner::offset_of(std::size_t i, failure& why) const noexcept {
  message_position known;
  return table_.find(i, known) ? known.offset() : listed_.offset_of(i, why);
}

std::size_t scanner::first_from(std::uint64_t offset, failure& why) const noexcept {
  std::size_t low = 0, high = table_.size();
  while (low < high && !why) {
    const std::size_t middle = low + (high - low) / 2;
    if (offset_of(middle, why) < offset)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

std::optional<std::size_t> scanner::number_at(std::uint64_t offset) const noexcept {
  const std::size_t count = table_.size();
  failure why;
  const std::size_t i = first_from(offset, why);
  if (why || i >= count || offset_of(i, why) != offset || why) return std::nullopt;
  return i;
}

failure scanner::resume(const scanner& older) noexcept {
  const std::lock_guard lock(older.mutex_);
  std::uint64_t settled = older.scanned_end_.load(std::memory_order_acquire);
  const bool grown = bytes_->size() > older.bytes_->size();
  std::size_t messages = older.table_.size();
  try {
    gaps_ = older.gaps_;
  } catch (const std::bad_alloc&) {
    return {.code = errc::out_of_memory};
  }
  stopped_ = older.stopped_;
  if (older.tail_) settled = older.tail_->begin;
  // Damage up to the old end may be the beginning of a whole message now.
  if (!stopped_ && !gaps_.empty() && gaps_.back().end == older.bytes_->size()) {
    settled = std::min(settled, gaps_.back().begin);
    gaps_.pop_back();
  }
  const std::size_t listed = table_.listed();  // those of the same index as the older one
  if (messages > listed && older.table_[messages - 1].is_incomplete() && (older.tail_ || older.search_)) {
    --messages;
    settled = older.table_[messages].offset();
  }
  for (std::size_t i = listed; i < messages; ++i)
    if (!table_.append(older.table_[i])) return {.code = errc::out_of_memory};
  scanned_end_.store(settled, std::memory_order_release);
  // A gap that ended the numbering stays. If it reached the old end, it is searched again, because it may end
  // elsewhere.
  if (stopped_ && grown && !gaps_.empty() && gaps_.back().end == older.bytes_->size()) {
    stopped_ = false;
    scanned_end_.store(gaps_.back().begin, std::memory_order_release);
    gaps_.pop_back();
  }
  gap_count_.store(gaps_.size(), std::memory_order_release);
  if (stopped_) finish();
  return {};
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
