// SPDX-License-Identifier: Apache-2.0
#include <tgmap/decode/decode_many.hpp>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <new>
#include <tgmap/decode/executor.hpp>
#include <tgmap/enum_names.hpp>
#include <utility>

#include "core/bus_guard.hpp"
#include "core/text/enum_table.hpp"
#include "parallel/decode_cost.hpp"

namespace tgmap {

namespace parallel {

namespace {

using outputs = std::span<const std::span<std::byte>>;

/// A `parallel_decoder` performs one call of decode_many.
class parallel_decoder {
 public:
  /// `box`: the part of each object that is decoded; null: all of it.
  parallel_decoder(std::span<const object> objects, const slab* box, outputs out,
                   const decode_many_options& options) noexcept
      : objects_(objects), box_(box), out_(out), options_(options) {
    std::uint64_t all = 0;
    for (const auto& each : out) all = add_costs(all, decode_cost(each.size()));
    remaining_cost_ = all;
  }

  void run() {
    if (remaining_cost_ < single_thread_cost) return work();
    static_cast<void>(core::offer_bus_guard());
    executor_ = options_.decode.executor != nullptr ? options_.decode.executor : &shared_executor();
    const std::size_t threads = std::min<std::size_t>(executor_->concurrency(), objects_.size());
    executor_->run(threads,
                   {[](void* self, std::size_t) noexcept { static_cast<parallel_decoder*>(self)->work(); }, this});
  }

  decode_many_result result(failure& why) {
    std::ranges::sort(failures_, {}, &failed_object::index);
    // Other threads may have begun objects after the first failure; only the first one is the same with any threads.
    if (options_.failures == on_failure::stop && failures_.size() > 1) failures_.resize(1);
    if (!failures_.empty()) why = failures_.front().cause;
    if (is_out_of_memory_) why = {.code = errc::out_of_memory};
    return {.decoded = decoded_, .stopped = begun_ < objects_.size(), .failures = std::move(failures_)};
  }

 private:
  void work() noexcept {
    for (batch mine = take(); !mine.empty(); mine = take())
      for (std::size_t i = mine.begin; i != mine.end && may_begin(i); ++i) decode(i);
  }

  /// Takes the next objects that no thread has taken. The batch is empty if there are none.
  batch take() noexcept {
    batch out{.begin = next_.load(std::memory_order_relaxed)};
    do {
      out.end = out.begin;
      if (!may_begin(out.begin)) return out;
      for (std::uint64_t cost = 0; out.end != objects_.size() && cost < batch_cost; ++out.end)
        cost = add_costs(cost, decode_cost(out_[out.end].size()));
    } while (!next_.compare_exchange_weak(out.begin, out.end, std::memory_order_relaxed));
    return out;
  }

  /// Returns true if object `i` is to be decoded. Objects before the first failure all are, so that the first failure
  /// is the same with any number of threads.
  bool may_begin(std::size_t i) const noexcept {
    return i < objects_.size() && i < end_.load(std::memory_order_relaxed) && !options_.stop.stop_requested();
  }

  void decode(std::size_t i) noexcept {
    begun_.fetch_add(1, std::memory_order_relaxed);
    decode_options how = options_.decode;
    how.executor = executor_for(decode_cost(out_[i].size()));
    failure why;
    if (box_ == nullptr)
      objects_[i].decode_into(out_[i], how, why);
    else if (const auto reader = part_reader::open(objects_[i], how, why); !why)
      reader.slabs_into({box_, 1}, {&out_[i], 1}, why);
    if (why)
      add_failure(i, why);
    else
      decoded_.fetch_add(1, std::memory_order_relaxed);
  }

  /// Returns the executor for decoding one object on several threads, or null. It is used if the object is more than
  /// the share of one thread in the remaining work, since other threads would be idle.
  executor* executor_for(std::uint64_t cost) noexcept {
    const std::uint64_t remaining = remaining_cost_.fetch_sub(cost, std::memory_order_relaxed);
    return executor_ != nullptr && cost > remaining / executor_->concurrency() ? executor_ : nullptr;
  }

  void add_failure(std::size_t i, const failure& why) noexcept try {
    const std::lock_guard lock(failures_mutex_);
    failures_.push_back({i, why});
    if (options_.failures == on_failure::stop) end_ = std::min<std::size_t>(end_, i);
  } catch (const std::bad_alloc&) {
    is_out_of_memory_ = true;
    end_ = 0;
  }

  const std::span<const object> objects_;
  const slab* const box_;
  const outputs out_;
  const decode_many_options& options_;
  executor* executor_ = nullptr;  ///< null while the calling thread works alone
  std::atomic<std::size_t> next_{0}, begun_{0}, decoded_{0};
  std::atomic<std::size_t> end_{SIZE_MAX};        ///< no object from here on is begun
  std::atomic<std::uint64_t> remaining_cost_{0};  ///< of objects that were not begun
  std::atomic<bool> is_out_of_memory_{false};
  std::mutex failures_mutex_;
  std::vector<failed_object> failures_;
};

}  // namespace

}  // namespace parallel

inline namespace v0 {

namespace {

decode_many_result decode_all(std::span<const object> objects, const slab* box,
                              std::span<const std::span<std::byte>> out, const decode_many_options& options,
                              failure& why) noexcept try {
  why = {};
  if (objects.size() != out.size()) {
    why = {.code = errc::invalid_option, .expected = objects.size(), .found = out.size(), .argument = "out.size()"};
    return {.stopped = !objects.empty()};
  }
  parallel::parallel_decoder decoder(objects, box, out, options);
  decoder.run();
  return decoder.result(why);
} catch (const std::bad_alloc&) {
  why = {.code = errc::out_of_memory};
  return {.stopped = true};
}

}  // namespace

decode_many_result decode_many(std::span<const object> objects, std::span<const std::span<std::byte>> out,
                               const decode_many_options& options, failure& why) noexcept {
  return decode_all(objects, nullptr, out, options, why);
}

decode_many_result decode_many(std::span<const object> objects, const slab& box,
                               std::span<const std::span<std::byte>> out, const decode_many_options& options,
                               failure& why) noexcept {
  return decode_all(objects, &box, out, options, why);
}

decode_many_result decode_many(std::span<const object> objects, const slab& box,
                               std::span<const std::span<std::byte>> out, const decode_many_options& options) {
  failure why;
  decode_many_result result = decode_many(objects, box, out, options, why);
  detail::raise_if(why);
  return result;
}

decode_many_result decode_many(std::span<const object> objects, std::span<const std::span<std::byte>> out,
                               const decode_many_options& options) {
  failure why;
  decode_many_result result = decode_many(objects, out, options, why);
  detail::raise_if(why);
  return result;
}

TGMAP_ENUM_NAMES(on_failure, 0, "stop", "keep_going")

}  // namespace v0
}  // namespace tgmap
