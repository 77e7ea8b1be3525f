// SPDX-License-Identifier: Apache-2.0
#include "zio/socket/buffer_pool.hpp"

#include <new>
#include <utility>

#include "zio/socket/zmq_library.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

namespace {

constexpr std::size_t max_kept = 16384;  // bytes of a buffer that is reused; larger ones are freed

void delete_all(buffer_lease* first, buffer_lease* (*next)(buffer_lease*)) noexcept {
  while (first != nullptr) delete std::exchange(first, next(first));
}

}  // namespace

char* buffer_lease::buffer(std::size_t bytes) {
  if (buffer_.size() < bytes) buffer_.resize(bytes);
  return buffer_.data();
}

void buffer_lease::attach(zmq_msg_t& to, std::span<const std::byte> bytes, const pin& owner, bool is_last) {
  if (owner) owners_.push_back(owner);
  auto* const data = const_cast<std::byte*>(bytes.data());  // ZeroMQ does not write; its interface lacks const
  if (!is_last) {
    zmq().zmq_msg_init_data(&to, data, bytes.size(), nullptr, nullptr);  // cannot fail
    return;
  }
  references_.fetch_add(1, std::memory_order_relaxed);
  if (zmq().zmq_msg_init_data(&to, data, bytes.size(), on_sent, this) == 0) return;
  references_.fetch_sub(1, std::memory_order_relaxed);
  throw std::bad_alloc();
}

void buffer_lease::release() noexcept {
  if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) pool_->take_back(this);
}

void buffer_lease::on_sent(void*, void* self) noexcept {
  auto* const lease = static_cast<buffer_lease*>(self);
  if (lease->sender_ == std::this_thread::get_id()) lease->was_dropped_ = true;
  lease->release();
}

buffer_pool* buffer_pool::make(failure& why) {
  auto* out = new buffer_pool(why);
  if (!why) return out;
  delete out;
  return nullptr;
}

buffer_pool::~buffer_pool() {
  const auto next = [](buffer_lease* of) { return of->next_; };
  delete_all(free_, next);
  delete_all(returned_.load(), next);
}

void buffer_pool::close() noexcept { drop_reference(); }

void buffer_pool::drop_reference() noexcept {
  if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
}

buffer_lease* buffer_pool::lease(std::uint64_t bytes) {
  if (free_ == nullptr) free_ = returned_.exchange(nullptr, std::memory_order_acquire);
  buffer_lease* out = free_;
  if (out != nullptr)
    free_ = out->next_;
  else
    out = new buffer_lease;
  out->pool_ = this;
  out->next_ = nullptr;
  out->bytes_ = bytes;
  out->sender_ = std::this_thread::get_id();
  out->was_dropped_ = false;
  out->references_.store(1, std::memory_order_relaxed);
  references_.fetch_add(1, std::memory_order_relaxed);
  messages_in_flight_.fetch_add(1);
  bytes_in_flight_.fetch_add(bytes);
  return out;
}

void buffer_pool::take_back(buffer_lease* lease) noexcept {
  const std::uint64_t bytes = lease->bytes_;
  if (!keeps_owners_.load()) {
    lease->owners_.clear();  // may release an archive
    if (lease->buffer_.size() > max_kept) std::string().swap(lease->buffer_);
  }
  lease->next_ = returned_.load(std::memory_order_relaxed);
  while (!returned_.compare_exchange_weak(lease->next_, lease, std::memory_order_release, std::memory_order_relaxed)) {
  }
  messages_in_flight_.fetch_sub(1);  // first: without bytes in flight there are no messages
  bytes_in_flight_.fetch_sub(bytes);
  if (notifies_.load()) on_return_.signal();
  drop_reference();
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
