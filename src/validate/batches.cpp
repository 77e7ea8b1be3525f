// SPDX-License-Identifier: Apache-2.0
#include "validate/batches.hpp"

#include <utility>

namespace tgmap::checks {

namespace {

constexpr std::size_t most_messages = 1024;
constexpr std::uint64_t enough = 8 << 20;

bool is_unlimited(const total_limit& limit) noexcept { return limit.bytes == UINT64_MAX && limit.ratio == 0; }

}  // namespace

std::size_t most_batches(std::size_t messages, std::uint64_t bytes) noexcept {
  return static_cast<std::size_t>(std::min<std::uint64_t>(messages, 1 + messages / most_messages + bytes / enough));
}

range dealer::cut() {
  range out{dealt_, dealt_};
  failure why;
  for (std::uint64_t bytes = 0; out.last < messages_ && bytes < enough && out.last - out.first < most_messages;
       ++out.last) {
    const message next = archive_.at(out.last, why);
    if (!is_unlimited(limit_) && !add_decoded(next, out.last)) {
      messages_ = out.last;
      break;
    }
    bytes += next.length();
  }
  return out;
}

/// From descriptors alone, in the order of the archive: which object is the first beyond the limit does not depend on
/// the threads. Elements that lie there as they are need no decoding; what cannot be read is told where it is looked
/// at.
bool dealer::add_decoded(const message& in, std::size_t index) {
  if (in.is_incomplete() || in.version() == 1) return true;
  failure why;
  const std::size_t objects = in.size(why);
  for (std::size_t j = 0; j < objects && !why; ++j) {
    failure unread;
    const object one = in.at(j, unread);
    const descriptor what = unread ? descriptor() : one.descriptor(unread);
    if (unread || (what.is_plain() && what.masks().empty())) continue;
    const std::uint64_t bytes = one.decoded_size(unread);
    if (unread) continue;
    const std::uint64_t most = limit_.after(one.frame().offset() + one.frame().length());
    if (decoded_ > most || bytes > most - decoded_) {
      beyond_ = {.code = errc::decoded_total_limit,
                 .offset = one.frame().offset(),
                 .expected = most,
                 .found = decoded_ > UINT64_MAX - bytes ? UINT64_MAX : decoded_ + bytes,
                 .message = index,
                 .object = j};
      return false;
    }
    decoded_ += bytes;
  }
  return true;
}

std::optional<range> dealer::take(std::size_t& turn) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return ended_ || turns_ < shown_ + done_.size(); });
  if (ended_ || dealt_ == messages_) return std::nullopt;
  const range out = cut();
  dealt_ = out.last;
  if (out.first == out.last) {
    lock.unlock();
    changed_.notify_all();  // whoever waits for a batch that does not come
    return std::nullopt;
  }
  turn = turns_++;
  return out;
}

void dealer::give(std::size_t turn, batch&& results) noexcept {
  {
    const std::lock_guard lock(mutex_);
    place(turn) = std::move(results);
  }
  changed_.notify_all();
}

std::optional<batch> dealer::next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return ended_ || place(shown_) || (dealt_ == messages_ && shown_ == turns_); });
  if (ended_ || !place(shown_)) return std::nullopt;
  std::optional<batch> out = std::exchange(place(shown_), std::nullopt);
  ++shown_;
  lock.unlock();
  changed_.notify_all();
  return out;
}

void dealer::end() noexcept { end(failure{}); }

void dealer::end(const failure& why) noexcept {
  {
    const std::lock_guard lock(mutex_);
    if (!ended_) why_ = why;
    ended_ = true;
  }
  changed_.notify_all();
}

failure dealer::why() const {
  const std::lock_guard lock(mutex_);
  return why_;
}

failure dealer::beyond() const {
  const std::lock_guard lock(mutex_);
  return beyond_;
}

}  // namespace tgmap::checks
