// SPDX-License-Identifier: Apache-2.0
#include "parallel/thread_executor.hpp"

#include <algorithm>
#include <new>
#include <system_error>

namespace tgmap::parallel {

thread_executor::thread_executor(unsigned width) : width_(std::max(1U, width)) { threads_.reserve(width_ - 1); }

thread_executor::~thread_executor() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  wanted_.notify_all();
  for (std::thread& each : threads_) each.join();
}

void thread_executor::run(std::size_t count, task what) noexcept {
  job mine{.left = {count, what}};
  const std::size_t helpers = std::min<std::size_t>(width_, count) - (count != 0 ? 1 : 0);
  if (helpers == 0) return mine.left.take();
  publish(mine, helpers);
  mine.left.take();
  std::unique_lock lock(mutex_);
  withdraw(mine);
  left_.wait(lock, [&] { return mine.helpers == 0; });
}

void thread_executor::publish(job& mine, std::size_t helpers) noexcept {
  {
    const std::lock_guard lock(mutex_);
    while (threads_.size() < helpers && start_one()) {
    }
    job** end = &oldest_;
    while (*end != nullptr) end = &(*end)->next;
    *end = &mine;
  }
  for (std::size_t i = 0; i < helpers; ++i) wanted_.notify_one();
}

void thread_executor::withdraw(const job& done) noexcept {
  for (job** at = &oldest_; *at != nullptr; at = &(*at)->next)
    if (*at == &done) {
      *at = done.next;
      return;
    }
}

/// False: the system has no more threads now. Those that are there do, if only the caller.
bool thread_executor::start_one() noexcept try {
  threads_.emplace_back([this] { serve(); });
  return true;
} catch (const std::system_error&) {
  return false;
} catch (const std::bad_alloc&) {
  return false;
}

void thread_executor::serve() noexcept {
  std::unique_lock lock(mutex_);
  for (;;) {
    wanted_.wait(lock, [&] { return closing_ || oldest_ != nullptr; });
    if (oldest_ == nullptr) return;
    job& now = *oldest_;
    ++now.helpers;
    lock.unlock();
    now.left.take();
    lock.lock();
    withdraw(now);  // it has no pieces left
    if (--now.helpers == 0) left_.notify_all();
  }
}

}  // namespace tgmap::parallel
