// SPDX-License-Identifier: Apache-2.0
#include "collection/message_walk.hpp"

namespace tgmap::archives {

namespace {

constexpr std::uint64_t progress_step = std::uint64_t{1} << 28;  // short on any disk

/// Bytes scanned ahead: faster than message by message, and small enough to stay in a cache until they are used.
constexpr std::uint64_t scan_ahead = std::uint64_t{1} << 20;

bool is_beyond(const failure& why) { return why.code == make_error_code(errc::out_of_range); }

/// Visits messages in order. `which.end` may be UINT64_MAX for the last message.
void each_forward(const archive& from, number_bounds which, const message_callback& take,
                  const indexed_selection& known, const walk_progress& done) {
  for (std::uint64_t i = which.begin; i < which.end; ++i) {
    failure why;
    i = known.next(static_cast<std::size_t>(i));
    if (i >= which.end) return;
    if (const tgmap::progress p = from.scan_progress(); i >= p.messages && !p.is_complete) from.scan(scan_ahead);
    const message m = from.at(static_cast<std::size_t>(i), why);
    if (is_beyond(why)) return;
    detail::raise_if(why);
    done(m.offset());
    if (!take(m)) return;
  }
}

/// Visits the messages `first` to `last`, counted from the end. Returns false without a visit if there are fewer.
bool each_from_end(const archive& from, std::uint64_t first, std::uint64_t last, const message_callback& take) {
  failure why;
  message m = from.nth_from_end(static_cast<std::size_t>(first), why);
  if (is_beyond(why)) return false;
  for (std::uint64_t n = first;; m = from.nth_from_end(static_cast<std::size_t>(--n), why)) {
    detail::raise_if(why);
    if (!take(m) || n == last) return true;
  }
}

std::uint64_t counted_from_end(std::int64_t n) { return std::uint64_t{0} - static_cast<std::uint64_t>(n) - 1; }

void each_of_range(const archive& from, const number_range& range, const message_callback& take,
                   const indexed_selection& known, const walk_progress& done) {
  const std::int64_t begin = range.begin.value_or(0);
  if (begin >= 0 && range.end.value_or(0) >= 0) {
    const std::uint64_t end = range.end ? static_cast<std::uint64_t>(*range.end) + 1 : UINT64_MAX;
    return each_forward(from, {static_cast<std::uint64_t>(begin), end}, take, known, done);
  }
  if (begin < 0 && range.end.value_or(-1) < 0) {
    const std::uint64_t last = range.end ? counted_from_end(*range.end) : 0;
    if (counted_from_end(begin) < last || each_from_end(from, counted_from_end(begin), last, take)) return;
  }
  scan_all(from, done);
  each_forward(from, to_bounds(range, from.size()), take, known, done);
}

}  // namespace

message find_message(const archive& from, const archive_address& wanted, failure& why) {
  if (wanted.offset) return from.at_offset(*wanted.offset, why);
  const std::int64_t number = wanted.messages->begin.value();
  return number >= 0 ? from.at(static_cast<std::size_t>(number), why)
                     : from.nth_from_end(static_cast<std::size_t>(counted_from_end(number)), why);
}

std::string message_label(const message& of) {
  const auto number = of.index();
  return number ? std::to_string(*number) : "@" + std::to_string(of.offset());
}

number_bounds message_numbers(const archive& from, const archive_address& wanted, const walk_progress& done) {
  if (!wanted.messages) return {0, UINT64_MAX};
  const bool from_end = wanted.messages->begin.value_or(0) < 0 || wanted.messages->end.value_or(0) < 0;
  if (from_end) scan_all(from, done);
  return to_bounds(*wanted.messages, from_end ? from.size() : UINT64_MAX);
}

number_bounds object_numbers(const message& in, const archive_address& wanted) {
  if (!wanted.objects) return {0, in.size()};
  const bool counted_forward = wanted.objects->single && *wanted.objects->begin >= 0;
  return to_bounds(*wanted.objects, counted_forward ? 0 : in.size());
}

void scan_all(const archive& from, const walk_progress& done) {
  for (tgmap::progress p = from.scan_progress(); !p.is_complete;) {
    p = from.scan(progress_step);
    done(p.scanned_bytes);
  }
}

void for_each_message(const archive& from, const archive_address& what, const message_callback& take,
                      const indexed_selection& known, const walk_progress& done) {
  if (what.whole_file()) return each_forward(from, {0, UINT64_MAX}, take, known, done);
  if (!what.one_message()) return each_of_range(from, *what.messages, take, known, done);
  failure why;
  const message found = find_message(from, what, why);
  detail::raise_if(why);
  take(found);
}

}  // namespace tgmap::archives
