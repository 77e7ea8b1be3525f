// SPDX-License-Identifier: Apache-2.0
#include "zio/lender.hpp"
#include "zio/zmq_library.hpp"

#include <new>
#include <utility>

namespace tgmap {
inline namespace v0 {
namespace zio {

namespace {

constexpr std::size_t most_kept = 16384;  // bytes of a buffer that is kept for the next message

void delete_all(loan* first, loan* (*next)(loan*)) noexcept {
  while (first != nullptr) delete std::exchange(first, next(first));
}

}  // namespace

char* loan::buffer(std::size_t bytes) {
  if (buffer_.size() < bytes) buffer_.resize(bytes);
  return buffer_.data();
}

void loan::lend(zmq_msg_t& to, std::span<const std::byte> bytes, const pin& owner, bool last) {
  if (owner) owners_.push_back(owner);
  if (!last) {
    zmq().zmq_msg_init_data(&to, const_cast<std::byte*>(bytes.data()), bytes.size(), nullptr, nullptr);  // cannot fail
    return;
  }
  holds_.fetch_add(1, std::memory_order_relaxed);
  // ZeroMQ does not write into it; its interface has no const.
  auto* data = const_cast<std::byte*>(bytes.data());
  if (zmq().zmq_msg_init_data(&to, data, bytes.size(), give_back, this) == 0) return;
  holds_.fetch_sub(1, std::memory_order_relaxed);
  throw std::bad_alloc();
}

void loan::release() noexcept {
  if (holds_.fetch_sub(1, std::memory_order_acq_rel) == 1) home_->take_back(this);
}

void loan::give_back(void*, void* self) noexcept {
  auto* const back = static_cast<loan*>(self);
  if (back->sender_ == std::this_thread::get_id()) back->dropped_ = true;
  back->release();
}

lender* lender::make(failure& why) {
  auto* out = new lender(why);
  if (!why) return out;
  delete out;
  return nullptr;
}

lender::~lender() {
  const auto next = [](loan* of) { return of->next_; };
  delete_all(free_, next);
  delete_all(returned_.load(), next);
}

void lender::leave() noexcept { drop_hold(); }

void lender::drop_hold() noexcept {
  if (holds_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
}

loan* lender::open(std::uint64_t bytes) {
  if (free_ == nullptr) free_ = returned_.exchange(nullptr, std::memory_order_acquire);
  loan* out = free_;
  if (out != nullptr)
    free_ = out->next_;
  else
    out = new loan;
  out->home_ = this;
  out->next_ = nullptr;
  out->bytes_ = bytes;
  out->sender_ = std::this_thread::get_id();
  out->dropped_ = false;
  out->holds_.store(1, std::memory_order_relaxed);
  holds_.fetch_add(1, std::memory_order_relaxed);
  in_flight_.fetch_add(bytes);
  return out;
}

void lender::take_back(loan* back) noexcept {
  const std::uint64_t bytes = back->bytes_;
  if (!keeps_.load()) {
    back->owners_.clear();  // here the last pin of an archive may go
    if (back->buffer_.size() > most_kept) std::string().swap(back->buffer_);
  }
  back->next_ = returned_.load(std::memory_order_relaxed);
  while (!returned_.compare_exchange_weak(back->next_, back, std::memory_order_release, std::memory_order_relaxed)) {
  }
  in_flight_.fetch_sub(bytes);
  if (wanted_.load()) waker_.wake();
  drop_hold();
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
