// SPDX-License-Identifier: Apache-2.0
// Divides an archive into parts of about as many bytes, for threads and processes that share the work.
#include <algorithm>
#include <tgmap/archive.hpp>
#include <utility>

#include "archive/access.hpp"
#include "archive/archive_state.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

/// A `divider` cuts the bytes [0, end) of an archive into parts. It takes offsets from the index unseen, and compares
/// only the messages at a cut with the archive.
class divider {
 public:
  /// Begins with one part. The archive must have a message.
  divider(const detail::scanner& scan, std::uint64_t end) : scan_(&scan), end_(end), count_(scan.size()) {
    parts_.push_back({});
  }

  /// Cuts at the message that begins nearest to `offset`, or else at the next message where a cut is allowed. Offsets
  /// must ascend. No message is tried twice.
  failure cut_near(std::uint64_t offset) {
    failure why;
    std::size_t i = nearest(offset, why);
    if (why || i < untried_) return why;
    bool is_done = false;
    while (!is_done && !why && i < count_) is_done = cut_before(i++, why);
    untried_ = i;
    return why;
  }

  /// Ends the last part and returns all.
  std::vector<archive_part> parts() && {
    end_part(end_, count_);
    return std::move(parts_);
  }

 private:
  /// Returns the number of the message that begins nearest to `offset`; the number of messages if the end is nearer.
  std::size_t nearest(std::uint64_t offset, failure& why) const noexcept {
    const std::size_t i = scan_->first_from(offset, why);
    if (why || i == 0) return i;
    const std::uint64_t before = scan_->offset_of(i - 1, why);
    const std::uint64_t after = i < count_ && !why ? scan_->offset_of(i, why) : end_;
    return offset - before < after - offset ? i - 1 : i;
  }

  /// Begins a part with message `i` if the message before it is whole and ends there. A scan that ends or begins at
  /// such a place finds the same messages; elsewhere it could take a part of damage for an unfinished message.
  bool cut_before(std::size_t i, failure& why) {
    const message_position before = scan_->message(i - 1, why);
    if (why) return false;
    const message_position first = scan_->message(i, why);
    if (why || before.is_incomplete() || before.offset() + before.length() != first.offset()) return false;
    const std::uint64_t begin = parts_.back().begin;
    if (first.offset() <= begin || first.offset() >= end_) {  // an index whose messages are not in order
      why = {.code = errc::index_mismatch,
             .offset = first.offset(),
             .expected = begin,
             .found = first.offset(),
             .message = i};
      return false;
    }
    end_part(first.offset(), i);
    parts_.push_back({.begin = first.offset(), .first_message = i});
    return true;
  }

  void end_part(std::uint64_t end, std::size_t messages) noexcept {
    archive_part& last = parts_.back();
    last.end = end;
    last.messages = messages - last.first_message;
  }

  const detail::scanner* scan_;
  std::uint64_t end_;
  std::size_t count_;
  std::size_t untried_ = 1;  ///< number of the first message that may still begin a part
  std::vector<archive_part> parts_;
};

/// Divides at `k * end / count` for each `k`, computed without overflow.
failure cut_evenly(divider& cuts, std::uint64_t end, std::uint64_t count) {
  std::uint64_t ideal = 0, rest = 0;
  failure why;
  for (std::uint64_t k = 1; k < count && !why; ++k) {
    ideal += end / count;
    rest += end % count;
    if (rest >= count) {
      rest -= count;
      ++ideal;
    }
    why = cuts.cut_near(ideal);
  }
  return why;
}

}  // namespace

std::vector<archive_part> archive::partition(std::size_t count, failure& why) const {
  why = {};
  if (!state_) {
    detail::access::none(why);
    return {};
  }
  if (count == 0) {
    why = {.code = errc::invalid_option, .expected = UINT64_MAX, .found = 0, .argument = "count"};
    return {};
  }
  const std::size_t messages = size(why);
  const auto stopped = state_->scan().stopped_at();
  if ((why && !stopped) || messages == 0) return {};
  const std::uint64_t end = stopped ? stopped->begin : size_bytes();
  // Behind the last gap that is recorded nothing was searched. A part counts its own gaps, and would search there.
  if (scan_progress().gaps > options().max_gaps) count = 1;
  divider cuts(state_->scan(), end);
  if (failure wrong_index = cut_evenly(cuts, end, std::min(count, messages))) {
    why = wrong_index;
    return {};
  }
  return std::move(cuts).parts();
}

std::vector<archive_part> archive::partition(std::size_t count) const {
  return detail::or_throw([&](failure& why) { return partition(count, why); });
}

}  // namespace v0
}  // namespace tgmap
