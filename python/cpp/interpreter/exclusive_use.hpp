// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <mutex>
#include <thread>

#include "cpp/interpreter/python.hpp"

namespace tgmap_python {

/// A `use_mutex` lets one thread at a time use an object. Its holder may give up the lock of the interpreter.
class use_mutex {
 public:
  /// Waits without the lock of the interpreter. Raises RuntimeError if this thread uses the object already, as a file
  /// object that writes to its own archive would.
  void lock() {
    if (user_.load() == std::this_thread::get_id()) throw std::runtime_error("the writer is in use by its own file");
    if (!mutex_.try_lock()) {
      const lock_release released;
      mutex_.lock();
    }
    user_ = std::this_thread::get_id();
  }
  void unlock() {
    user_ = std::thread::id();
    mutex_.unlock();
  }

 private:
  std::mutex mutex_{};
  std::atomic<std::thread::id> user_{};
};

using exclusive_use = std::lock_guard<use_mutex>;

}  // namespace tgmap_python
