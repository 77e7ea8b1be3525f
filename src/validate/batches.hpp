// SPDX-License-Identifier: Apache-2.0
// Messages in handfuls: taken by any number of threads, given back in order.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>
#include <vector>

#include "validate/check_batch.hpp"

namespace tgmap::checks {

/// Deals the messages of a scanned archive out and keeps results until it is their turn, a few at a time.
class dealer {
 public:
  /// At most `ahead` batches are being looked at or wait for their turn. `decoded`: what all objects may become;
  /// messages from the first object on that is beyond it are not dealt.
  dealer(const archive& from, std::size_t messages, std::size_t ahead, const total_limit& decoded)
      : archive_(from), messages_(messages), limit_(decoded), done_(ahead) {}

  /// The next messages to look at and their turn. Waits while too many results wait. Nothing: no more, or ended.
  std::optional<range> take(std::size_t& turn);
  void give(std::size_t turn, batch&&) noexcept;

  /// The results of the next turn. Waits for it. Nothing: no more, or ended.
  std::optional<batch> next();

  /// Nobody is dealt anything more.
  void end() noexcept;

  /// The same, for a reason: the first one given counts.
  void end(const failure&) noexcept;
  failure why() const;

  /// Which object is beyond what may be decoded; nothing where all were dealt.
  failure beyond() const;

 private:
  range cut();
  bool add_decoded(const message&, std::size_t index);
  std::optional<batch>& place(std::size_t turn) noexcept { return done_[turn % done_.size()]; }

  const archive& archive_;
  std::size_t messages_;
  const total_limit limit_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t dealt_ = 0;  ///< messages
  std::size_t turns_ = 0, shown_ = 0;
  std::uint64_t decoded_ = 0;  ///< bytes that the objects of what was dealt become
  bool ended_ = false;
  failure why_, beyond_;
  std::vector<std::optional<batch>> done_;
};

/// No fewer than there will be batches of an archive of that size.
std::size_t most_batches(std::size_t messages, std::uint64_t bytes) noexcept;

}  // namespace tgmap::checks
