// SPDX-License-Identifier: Apache-2.0
// Messages in handfuls: taken by any number of threads, given back in order.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <tgmap/validate.hpp>
#include <vector>

#include "validate/check_message.hpp"

namespace tgmap::checks {

/// What was found in messages [first, first + reports.size()).
struct batch {
  std::size_t first = 0;
  std::vector<message_report> reports;
  std::vector<finding> findings;
  std::uint64_t bytes = 0, errors = 0;
  archive kept{};  ///< where its messages are, when that is not the archive asked about
  failure why{};   ///< why it ended early
};

/// The numbers of the messages of one batch.
struct range {
  std::size_t first = 0, last = 0;
};

/// Deals the messages of a scanned archive out and keeps results until it is their turn, a few at a time.
class dealer {
 public:
  dealer(const archive& from, std::size_t messages, std::size_t ahead) noexcept
      : archive_(from), messages_(messages), ahead_(ahead) {}

  /// The next messages to look at and their turn. Waits while too many results wait. Nothing: no more, or ended.
  std::optional<range> take(std::size_t& turn);
  void give(std::size_t turn, batch&&);

  /// The results of the next turn. Waits for it. Nothing: no more.
  std::optional<batch> next();

  /// Nobody is dealt anything more.
  void end() noexcept;

 private:
  range cut() const;

  const archive& archive_;
  const std::size_t messages_, ahead_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t dealt_ = 0;  ///< messages
  std::size_t turns_ = 0, shown_ = 0;
  bool ended_ = false;
  std::map<std::size_t, batch> done_;
};

/// Looks at one batch. Never throws: what goes wrong is in `why`.
batch check_batch(workshop&, const archive&, range, const validate_options&) noexcept;

}  // namespace tgmap::checks
