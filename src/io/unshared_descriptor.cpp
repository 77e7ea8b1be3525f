// SPDX-License-Identifier: Apache-2.0
#include "io/unshared_descriptor.hpp"

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <mutex>

namespace tgmap::io {

namespace {

constinit std::mutex all_mutex;
constinit unshared_descriptor* all = nullptr;  // the first of the list
constinit std::atomic<std::uint32_t> fork_count = 0;

}  // namespace

/// Runs in a child, which has one thread and holds the mutex.
void close_all_unshared() noexcept {
  for (unshared_descriptor* each = all; each != nullptr; each = each->after_)
    ::close(std::exchange(each->descriptor_, -1));
}

namespace {

void install_handlers() noexcept {
  // The list is whole in a child, because nobody changes it during a fork.
  static const bool done = ::pthread_atfork([] { all_mutex.lock(); }, [] { all_mutex.unlock(); },
                                            [] {
                                              ++fork_count;
                                              close_all_unshared();
                                              all_mutex.unlock();
                                            }) == 0;
  static_cast<void>(done);
}

}  // namespace

std::uint32_t forks() noexcept {
  install_handlers();
  return fork_count.load(std::memory_order_relaxed);
}

/// Takes the descriptor out of the list.
int unshared_descriptor::take() noexcept {
  const std::lock_guard locked(all_mutex);
  const bool is_listed = before_ != nullptr || after_ != nullptr || all == this;
  if (is_listed) {
    (before_ == nullptr ? all : before_->after_) = after_;
    if (after_ != nullptr) after_->before_ = before_;
    before_ = after_ = nullptr;
  }
  return std::exchange(descriptor_, -1);
}

void unshared_descriptor::reset(int descriptor) noexcept {
  static_cast<void>(close());
  if (descriptor < 0) return;
  install_handlers();
  const std::lock_guard locked(all_mutex);
  descriptor_ = descriptor;
  after_ = all;
  if (all != nullptr) all->before_ = this;
  all = this;
}

int unshared_descriptor::close() noexcept {
  const int descriptor = take();
  // Linux closes the descriptor whatever it returns, and EINTR is not an error.
  return descriptor < 0 || ::close(descriptor) == 0 || errno == EINTR ? 0 : errno;
}

}  // namespace tgmap::io
