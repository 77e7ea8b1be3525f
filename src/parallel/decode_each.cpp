// SPDX-License-Identifier: Apache-2.0
#include <tgmap/decode/decode_many.hpp>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <new>
#include <tgmap/decode/executor.hpp>
#include <thread>
#include <utility>

#include "parallel/price.hpp"

namespace tgmap {

namespace parallel {

namespace {

/// One call of decode_each: objects go round a ring of places, from `handed_`, which the receiver gets next, to
/// `next_`, which is decoded next. Threads that find the ring full leave rather than wait for the receiver, who may
/// want those very threads; when there is room again, the calling thread sends everybody off and calls them anew.
class in_order {
 public:
  in_order(std::span<const object> objects, const tensor_receiver& receiver, const decode_many_options& options)
      : objects_(objects), receiver_(receiver), options_(options), ring_(ahead_of_each_thread) {}

  decode_many_result run() {
    work();  // what is little, alone
    if (!ended()) {
      on_ = options_.decode.executor != nullptr ? options_.decode.executor : &shared_executor();
      const std::size_t threads = std::min<std::size_t>(on_->concurrency(), objects_.size() - next_);
      ring_ = std::vector<place>(ahead_of_each_thread * threads);
      for (; !ended(); hand_over_rest()) {
        somebody_left_ = called_back_ = false;
        on_->run(threads, {[](void* self, std::size_t) noexcept { static_cast<in_order*>(self)->work(); }, this});
      }
    }
    if (thrown_) std::rethrow_exception(thrown_);
    out_.stopped = handed_ < objects_.size();
    return std::move(out_);
  }

 private:
  static constexpr std::size_t ahead_of_each_thread = 32;

  struct place {
    tensor decoded;
    failure why;
    std::uint64_t bytes = 0;
    bool ready = false;
  };
  struct handful {
    std::size_t begin = 0, end = 0;
  };
  using held_lock = std::unique_lock<std::mutex>;

  place& place_of(std::size_t i) noexcept { return ring_[i % ring_.size()]; }

  /// Nothing is begun any more.
  bool closed() const noexcept { return over_ || next_ == objects_.size() || options_.stop.stop_requested(); }
  bool ended() const noexcept { return over_ || (closed() && handed_ == next_); }

  /// What each thread does. The calling thread hands over what is ready before it decodes more.
  void work() noexcept {
    const bool calling = std::this_thread::get_id() == calling_;
    held_lock lock(mutex_);
    while (!over_ && !called_back_) {
      if (calling) hand_over(lock);
      if (calling && somebody_left_ && half_empty()) called_back_ = true;
      if (over_ || called_back_) break;
      const handful mine = take();
      if (mine.begin != mine.end) {
        decode(mine, lock);
      } else if (calling && handed_ != next_) {
        ready_.wait(lock, [&] { return place_of(handed_).ready; });  // some thread is at it
      } else {
        somebody_left_ = somebody_left_ || !closed();
        break;
      }
    }
  }

  void hand_over_rest() noexcept {
    held_lock lock(mutex_);
    hand_over(lock);
  }

  /// All that is ready, in order.
  void hand_over(held_lock& lock) noexcept {
    while (!over_ && handed_ != next_ && place_of(handed_).ready) {
      place& now = place_of(handed_);
      lock.unlock();
      const bool more = hand_over(handed_, now);
      lock.lock();
      held_ -= now.bytes;
      ++handed_;
      if (!more) over_ = true;
    }
  }

  /// Whether there is to be another one.
  bool hand_over(std::size_t number, place& now) noexcept try {
    now.ready = false;
    const failure why = now.why;
    tensor decoded = std::move(now.decoded);
    if (why)
      out_.failures.push_back({number, why});
    else
      ++out_.decoded;
    const bool more = receiver_(number, std::move(decoded), why);
    return more && (!why || options_.failures == on_failure::keep_going);
  } catch (...) {
    thrown_ = std::current_exception();
    return false;
  }

  bool half_empty() const noexcept { return held_ <= options_.max_bytes / 2 && next_ - handed_ <= ring_.size() / 2; }

  /// The next objects that fit. None: there is no room, or there are no more.
  handful take() noexcept {
    handful out{next_, next_};
    if (closed()) return out;
    for (std::uint64_t price = 0; next_ != objects_.size() && price < price_of_handful; ++next_) {
      failure why;  // comes again when the object is decoded
      const std::uint64_t bytes = objects_[next_].decoded_size(why);
      if (!fits(bytes)) break;
      if (on_ == nullptr) price_alone_ -= price_of(bytes);
      price = add_prices(price, price_of(bytes));
      held_ += bytes;
      place_of(next_).bytes = bytes;
    }
    out.end = next_;
    return out;
  }

  bool fits(std::uint64_t bytes) const noexcept {
    if (on_ == nullptr && price_alone_ < price_of(bytes)) return false;
    if (next_ - handed_ == ring_.size()) return false;
    return next_ == handed_ || (held_ <= options_.max_bytes && bytes <= options_.max_bytes - held_);
  }

  void decode(handful mine, held_lock& lock) noexcept {
    lock.unlock();
    for (std::size_t i = mine.begin; i != mine.end; ++i) {
      place& to = place_of(i);
      decode_options how = options_.decode;
      how.executor = lent_for(i, to.bytes);
      to.decoded = objects_[i].decode(how, to.why);
    }
    lock.lock();
    for (std::size_t i = mine.begin; i != mine.end; ++i) place_of(i).ready = true;
    if (mine.begin == handed_) ready_.notify_one();
  }

  /// Threads for one object: when fewer are left than there are threads, or not as many can be held.
  executor* lent_for(std::size_t i, std::uint64_t bytes) const noexcept {
    if (on_ == nullptr) return nullptr;
    const unsigned width = on_->concurrency();
    return objects_.size() - i < width || bytes > options_.max_bytes / width ? on_ : nullptr;
  }

  const std::span<const object> objects_;
  const tensor_receiver& receiver_;
  const decode_many_options& options_;
  const std::thread::id calling_ = std::this_thread::get_id();
  executor* on_ = nullptr;

  std::mutex mutex_;               // of all below
  std::condition_variable ready_;  ///< what is handed over next was decoded
  std::vector<place> ring_;
  std::size_t handed_ = 0, next_ = 0;
  std::uint64_t held_ = 0;                   ///< bytes of objects from `handed_` to `next_`
  std::uint64_t price_alone_ = price_alone;  ///< what may still be begun before others are called
  bool over_ = false;                        ///< nothing is handed over any more
  bool somebody_left_ = false;               ///< for want of room
  bool called_back_ = false;                 ///< everybody leaves, to be called anew
  std::exception_ptr thrown_{};
  decode_many_result out_{};
};

}  // namespace

}  // namespace parallel

inline namespace v0 {

decode_many_result decode_each(std::span<const object> objects, const tensor_receiver& receiver,
                               const decode_many_options& options) {
  return parallel::in_order(objects, receiver, options).run();
}

decode_many_result decode_each(std::span<const object> objects, const tensor_receiver& receiver,
                               const decode_many_options& options, failure& why) try {
  why = {};
  return decode_each(objects, receiver, options);
} catch (const std::bad_alloc&) {
  why = {.code = errc::out_of_memory};
  return {.stopped = true};
}

}  // namespace v0
}  // namespace tgmap
