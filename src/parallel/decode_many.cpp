// SPDX-License-Identifier: Apache-2.0
#include <tgmap/decode/decode_many.hpp>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <new>
#include <tgmap/decode/executor.hpp>
#include <utility>

#include "core/bus_guard.hpp"
#include "parallel/price.hpp"

namespace tgmap {

namespace parallel {

namespace {

using outputs = std::span<const std::span<std::byte>>;

/// One call of decode_many.
class many {
 public:
  many(std::span<const object> objects, outputs out, const decode_many_options& options) noexcept
      : objects_(objects), out_(out), options_(options) {
    std::uint64_t all = 0;
    for (const auto& each : out) all = add_prices(all, price_of(each.size()));
    left_ = all;
  }

  void run() {
    if (left_ < price_alone) return work();
    static_cast<void>(core::offer_bus_guard());
    on_ = options_.decode.executor != nullptr ? options_.decode.executor : &shared_executor();
    const std::size_t at_once = std::min<std::size_t>(on_->concurrency(), objects_.size());
    on_->run(at_once, {[](void* self, std::size_t) noexcept { static_cast<many*>(self)->work(); }, this});
  }

  decode_many_result outcome(failure& why) {
    std::ranges::sort(failures_, {}, &failed_object::index);
    // Others behind the first one were begun by chance.
    if (options_.failures == on_failure::stop && failures_.size() > 1) failures_.resize(1);
    if (!failures_.empty()) why = failures_.front().cause;
    if (no_memory_) why = {.code = errc::out_of_memory};
    return {.decoded = decoded_, .stopped = begun_ < objects_.size(), .failures = std::move(failures_)};
  }

 private:
  struct handful {
    std::size_t begin = 0, end = 0;
  };

  void work() noexcept {
    for (handful mine = take(); mine.begin != mine.end; mine = take())
      for (std::size_t i = mine.begin; i != mine.end && wanted(i); ++i) decode(i);
  }

  /// The next objects that nobody has taken.
  handful take() noexcept {
    handful out{.begin = next_.load(std::memory_order_relaxed)};
    do {
      out.end = out.begin;
      if (!wanted(out.begin)) return out;
      for (std::uint64_t price = 0; out.end != objects_.size() && price < price_of_handful; ++out.end)
        price = add_prices(price, price_of(out_[out.end].size()));
    } while (!next_.compare_exchange_weak(out.begin, out.end, std::memory_order_relaxed));
    return out;
  }

  /// Objects before the first failure are all decoded, so that it is the first one however threads run.
  bool wanted(std::size_t i) const noexcept {
    return i < objects_.size() && i < end_.load(std::memory_order_relaxed) && !options_.stop.stop_requested();
  }

  void decode(std::size_t i) noexcept {
    begun_.fetch_add(1, std::memory_order_relaxed);
    decode_options how = options_.decode;
    how.executor = lent_for(price_of(out_[i].size()));
    failure why;
    objects_[i].decode_into(out_[i], how, why);
    if (why)
      fail(i, why);
    else
      decoded_.fetch_add(1, std::memory_order_relaxed);
  }

  /// Threads for one object: when it is more than this thread's share of what is left, others will have nothing to do.
  executor* lent_for(std::uint64_t price) noexcept {
    const std::uint64_t left = left_.fetch_sub(price, std::memory_order_relaxed);
    return on_ != nullptr && price > left / on_->concurrency() ? on_ : nullptr;
  }

  void fail(std::size_t i, const failure& why) noexcept try {
    const std::lock_guard lock(failures_mutex_);
    failures_.push_back({i, why});
    if (options_.failures == on_failure::stop) end_ = std::min<std::size_t>(end_, i);
  } catch (const std::bad_alloc&) {
    no_memory_ = true;
    end_ = 0;
  }

  const std::span<const object> objects_;
  const outputs out_;
  const decode_many_options& options_;
  executor* on_ = nullptr;
  std::atomic<std::size_t> next_{0}, begun_{0}, decoded_{0};
  std::atomic<std::size_t> end_{SIZE_MAX};  ///< no object from here on is begun
  std::atomic<std::uint64_t> left_{0};      ///< price of objects not begun
  std::atomic<bool> no_memory_{false};
  std::mutex failures_mutex_;
  std::vector<failed_object> failures_;
};

}  // namespace

}  // namespace parallel

inline namespace v0 {

decode_many_result decode_many(std::span<const object> objects, std::span<const std::span<std::byte>> out,
                               const decode_many_options& options, failure& why) noexcept try {
  why = {};
  if (objects.size() != out.size()) {
    why = {.code = errc::invalid_option, .expected = objects.size(), .found = out.size(), .argument = "out.size()"};
    return {.stopped = !objects.empty()};
  }
  parallel::many all(objects, out, options);
  all.run();
  return all.outcome(why);
} catch (const std::bad_alloc&) {
  why = {.code = errc::out_of_memory};
  return {.stopped = true};
}

decode_many_result decode_many(std::span<const object> objects, std::span<const std::span<std::byte>> out,
                               const decode_many_options& options) {
  failure why;
  decode_many_result done = decode_many(objects, out, options, why);
  detail::raise_if(why);
  return done;
}

}  // namespace v0
}  // namespace tgmap
