// SPDX-License-Identifier: Apache-2.0
#include "validate/batches.hpp"

#include <utility>

namespace tgmap::checks {

namespace {

constexpr std::size_t most_messages = 1024;
constexpr std::uint64_t enough = 8 << 20;

}  // namespace

std::size_t most_batches(std::size_t messages, std::uint64_t bytes) noexcept {
  return static_cast<std::size_t>(std::min<std::uint64_t>(messages, 1 + messages / most_messages + bytes / enough));
}

range dealer::cut() const {
  range out{dealt_, dealt_};
  failure why;
  for (std::uint64_t bytes = 0; out.last < messages_ && bytes < enough && out.last - out.first < most_messages;
       ++out.last)
    bytes += archive_.at(out.last, why).length();
  return out;
}

std::optional<range> dealer::take(std::size_t& turn) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return ended_ || turns_ < shown_ + done_.size(); });
  if (ended_ || dealt_ == messages_) return std::nullopt;
  const range out = cut();
  dealt_ = out.last;
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

}  // namespace tgmap::checks
