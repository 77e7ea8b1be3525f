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

#include "parallel/decode_cost.hpp"

namespace tgmap {

namespace parallel {

namespace {

/// An `ordered_decoder` performs one call of decode_each.
///
/// Objects pass through a ring of slots, from `delivered_`, the next one for the receiver, to `next_`, the next one to
/// decode. A thread that finds the ring full returns to the executor instead of waiting for the receiver, because the
/// receiver may need the executor's threads itself. Once there is room, the calling thread ends the run of the executor
/// and starts a new one with all threads.
class ordered_decoder {
 public:
  ordered_decoder(std::span<const object> objects, const tensor_receiver& receiver, const decode_many_options& options)
      : objects_(objects), receiver_(receiver), options_(options), ring_(slots_per_thread) {}

  decode_many_result run() {
    work();  // little work is done without threads
    if (!finished()) {
      executor_ = options_.decode.executor != nullptr ? options_.decode.executor : &shared_executor();
      const std::size_t threads = std::min<std::size_t>(executor_->concurrency(), objects_.size() - next_);
      ring_ = std::vector<slot>(slots_per_thread * threads);
      for (; !finished(); deliver_rest()) {
        thread_left_ = restarting_ = false;
        executor_->run(threads,
                       {[](void* self, std::size_t) noexcept { static_cast<ordered_decoder*>(self)->work(); }, this});
      }
    }
    if (exception_) std::rethrow_exception(exception_);
    out_.stopped = delivered_ < objects_.size();
    return std::move(out_);
  }

 private:
  static constexpr std::size_t slots_per_thread = 32;

  struct slot {
    tensor decoded;
    failure why;
    std::uint64_t bytes = 0;
    bool ready = false;
  };
  using unique_lock = std::unique_lock<std::mutex>;

  slot& slot_of(std::size_t i) noexcept { return ring_[i % ring_.size()]; }

  /// Returns true if no further object is begun.
  bool closed() const noexcept { return ended_ || next_ == objects_.size() || options_.stop.stop_requested(); }
  bool finished() const noexcept { return ended_ || (closed() && delivered_ == next_); }

  /// Decodes objects until the ring is full or none are left; every thread runs this. The calling thread delivers the
  /// objects that are ready before it decodes more.
  void work() noexcept {
    const bool calling = std::this_thread::get_id() == calling_thread_;
    unique_lock lock(mutex_);
    while (!ended_ && !restarting_) {
      if (calling) deliver(lock);
      if (calling && thread_left_ && half_empty()) restarting_ = true;
      if (ended_ || restarting_) break;
      const batch own_batch = take();
      if (!own_batch.empty()) {
        decode(own_batch, lock);
      } else if (calling && delivered_ != next_) {
        ready_.wait(lock, [&] { return slot_of(delivered_).ready; });  // another thread decodes it
      } else {
        thread_left_ = thread_left_ || !closed();
        break;
      }
    }
  }

  void deliver_rest() noexcept {
    unique_lock lock(mutex_);
    deliver(lock);
  }

  /// Gives all objects that are ready to the receiver, in order.
  void deliver(unique_lock& lock) noexcept {
    while (!ended_ && delivered_ != next_ && slot_of(delivered_).ready) {
      slot& current = slot_of(delivered_);
      lock.unlock();
      const bool more = deliver(delivered_, current);
      lock.lock();
      bytes_in_ring_ -= current.bytes;
      ++delivered_;
      if (!more) ended_ = true;
    }
  }

  /// Gives one object to the receiver. Returns false if it must be the last one.
  bool deliver(std::size_t index, slot& current) noexcept try {
    current.ready = false;
    const failure why = current.why;
    tensor decoded = std::move(current.decoded);
    if (why)
      out_.failures.push_back({index, why});
    else
      ++out_.decoded;
    const bool more = receiver_(index, std::move(decoded), why);
    return more && (!why || options_.failures == on_failure::keep_going);
  } catch (...) {
    exception_ = std::current_exception();
    return false;
  }

  bool half_empty() const noexcept {
    return bytes_in_ring_ <= options_.max_bytes / 2 && next_ - delivered_ <= ring_.size() / 2;
  }

  /// Takes the next objects that fit. The batch is empty if the ring is full or no objects are left.
  batch take() noexcept {
    batch out{next_, next_};
    if (closed()) return out;
    for (std::uint64_t cost = 0; next_ != objects_.size() && cost < batch_cost; ++next_) {
      failure why;  // decoding reports it again
      const std::uint64_t bytes = objects_[next_].decoded_size(why);
      if (!fits(bytes)) break;
      if (executor_ == nullptr) single_thread_budget_ -= decode_cost(bytes);
      cost = add_costs(cost, decode_cost(bytes));
      bytes_in_ring_ += bytes;
      slot_of(next_).bytes = bytes;
    }
    out.end = next_;
    return out;
  }

  bool fits(std::uint64_t bytes) const noexcept {
    if (executor_ == nullptr && single_thread_budget_ < decode_cost(bytes)) return false;
    if (next_ - delivered_ == ring_.size()) return false;
    return next_ == delivered_ ||
           (bytes_in_ring_ <= options_.max_bytes && bytes <= options_.max_bytes - bytes_in_ring_);
  }

  void decode(batch own_batch, unique_lock& lock) noexcept {
    lock.unlock();
    for (std::size_t i = own_batch.begin; i != own_batch.end; ++i) {
      slot& to = slot_of(i);
      decode_options decode_with = options_.decode;
      decode_with.executor = executor_for(i, to.bytes);
      to.decoded = objects_[i].decode(decode_with, to.why);
    }
    lock.lock();
    for (std::size_t i = own_batch.begin; i != own_batch.end; ++i) slot_of(i).ready = true;
    if (own_batch.begin == delivered_) ready_.notify_one();
  }

  /// Returns the executor for decoding one object on several threads, or null. It is used if fewer objects than threads
  /// remain, or if the memory is too small for one object on each thread.
  executor* executor_for(std::size_t i, std::uint64_t bytes) const noexcept {
    if (executor_ == nullptr) return nullptr;
    const unsigned threads = executor_->concurrency();
    return objects_.size() - i < threads || bytes > options_.max_bytes / threads ? executor_ : nullptr;
  }

  const std::span<const object> objects_;
  const tensor_receiver& receiver_;
  const decode_many_options& options_;
  const std::thread::id calling_thread_ = std::this_thread::get_id();
  executor* executor_ = nullptr;  ///< null while the calling thread works alone

  std::mutex mutex_;               // guards all members below
  std::condition_variable ready_;  ///< the next object for the receiver was decoded
  std::vector<slot> ring_;
  std::size_t delivered_ = 0, next_ = 0;
  std::uint64_t bytes_in_ring_ = 0;                          ///< of objects from `delivered_` to `next_`
  std::uint64_t single_thread_budget_ = single_thread_cost;  ///< cost that may still be begun without threads
  bool ended_ = false;                                       ///< nothing more is delivered
  bool thread_left_ = false;                                 ///< a thread returned because the ring was full
  bool restarting_ = false;                                  ///< all threads return, and run() starts them again
  std::exception_ptr exception_{};
  decode_many_result out_{};
};

}  // namespace

}  // namespace parallel

inline namespace v0 {

decode_many_result decode_each(std::span<const object> objects, const tensor_receiver& receiver,
                               const decode_many_options& options) {
  return parallel::ordered_decoder(objects, receiver, options).run();
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
