// SPDX-License-Identifier: Apache-2.0
// Chooses how a scan reaches messages that are far apart: by positioned reads, or through the mapping.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace tgmap {
inline namespace v0 {
namespace detail {

enum class scan_way : std::uint8_t { reads, mapping };

inline std::uint64_t steady_nanoseconds() noexcept {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
          .count());
}

/// The clock that measures both ways. Tests replace it.
inline std::atomic<std::uint64_t (*)() noexcept> scan_clock{&steady_nanoseconds};

/// A `way_choice` measures what a hop from message to message costs in both ways, in turns, and then takes the cheaper
/// one. A read takes 0.2 to 1 µs, but a page fault 0.15 µs on some machines and 3 µs on others. Within a file, too, it
/// may become ten times cheaper where the page cache has larger blocks, so the other way is tried again now and then.
/// For one archive; one thread at a time.
class way_choice {
 public:
  static constexpr std::uint64_t hops_of_turn = 8;
  static constexpr std::size_t turns = 5;  ///< of each way; the first one is not counted

  /// Messages of a batch through the mapping. It bounds what is lost if the next pages are not cached.
  static constexpr std::uint64_t hops_of_batch = 64;

  /// Messages after which the other way is tried, first and at most. The number doubles each time.
  static constexpr std::uint64_t first_interval = 256, max_interval = 8192;

  /// Returns the way of the next batch.
  scan_way next() const noexcept {
    if (!is_decided()) return done_ % 2 == 0 ? scan_way::reads : scan_way::mapping;
    return left_ > 0 ? chosen_ : other();
  }

  bool is_decided() const noexcept { return done_ == 2 * turns; }
  bool is_measuring() const noexcept { return left_ == 0; }

  /// Returns the largest number of messages of the next batch.
  std::uint64_t max_messages() const noexcept {
    if (is_measuring()) return hops_of_turn;
    return chosen_ == scan_way::mapping ? std::min(left_, hops_of_batch) : left_;
  }

  /// Records what a batch cost. Batches of less than half a turn decide nothing.
  void add(scan_way way, std::uint64_t hops, std::uint64_t nanoseconds) noexcept {
    if (hops == 0) return;
    const std::uint64_t turn = nanoseconds * hops_of_turn / hops;
    if (!is_measuring()) return add_chosen(hops, turn);
    if (hops < hops_of_turn / 2) return;
    if (is_decided()) return add_tried(way, turn);
    cost& of = costs_[static_cast<std::size_t>(way)];
    if (done_ >= 2) {
      of.sum += turn;
      of.max = std::max(of.max, turn);
    }
    if (++done_ == 2 * turns) choose();
  }

  /// Begins again. Called when pages are not cached: then reads are the right way, and measure nothing.
  void reset() noexcept { *this = {}; }

 private:
  struct cost {
    std::uint64_t sum = 0, max = 0;
    /// Returns the cost of a turn, without the worst one, in which the thread may have lost the processor.
    std::uint64_t of_turn() const noexcept { return (sum - max) / (turns - 2); }
  };

  scan_way other() const noexcept { return chosen_ == scan_way::reads ? scan_way::mapping : scan_way::reads; }

  void choose() noexcept {
    const std::uint64_t read = costs_[0].of_turn(), mapped = costs_[1].of_turn();
    chosen_ = mapped < read ? scan_way::mapping : scan_way::reads;
    last_ = before_ = std::min(read, mapped);
    left_ = interval_;
  }

  void add_chosen(std::uint64_t hops, std::uint64_t turn) noexcept {
    // The pages are no longer cached: reads wait for many of them at once, page faults for each.
    if (chosen_ == scan_way::mapping && turn > max_growth * last_ + waiting * hops_of_turn) return reset();
    before_ = last_;
    last_ = turn;
    left_ -= std::min(left_, hops);
  }

  void add_tried(scan_way way, std::uint64_t turn) noexcept {
    if (turn < std::min(last_, before_)) {
      chosen_ = way;
      last_ = before_ = turn;
    }
    interval_ = std::min(2 * interval_, max_interval);
    left_ = interval_;
  }

  static constexpr std::uint64_t max_growth = 8, waiting = 10'000;  ///< nanoseconds, of one hop

  std::array<cost, 2> costs_{};
  std::size_t done_ = 0;  ///< turns of both ways
  scan_way chosen_ = scan_way::reads;
  std::uint64_t last_ = 0, before_ = 0;  ///< what a turn of the chosen way cost in the last two batches
  std::uint64_t interval_ = first_interval;
  std::uint64_t left_ = 0;  ///< messages until the other way is tried
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
