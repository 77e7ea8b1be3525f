// SPDX-License-Identifier: Apache-2.0
// Executors of a service's own, as tests need them.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <tgmap/decode/executor.hpp>
#include <thread>
#include <vector>

namespace tgmap_test {

/// Runs `each(number)` as pieces.
template <class F>
void run_on(tgmap::executor& on, std::size_t count, F&& each) {
  on.run(count, {[](void* f, std::size_t i) noexcept { (*static_cast<std::remove_reference_t<F>*>(f))(i); }, &each});
}

/// Never the calling thread: one piece after another on a thread of its own. Tells before each call.
class elsewhere final : public tgmap::executor {
 public:
  explicit elsewhere(
      unsigned width, std::function<void()> before = [] {})
      : width_(width), before_(std::move(before)) {}
  unsigned concurrency() const noexcept override { return width_; }
  void run(std::size_t count, task what) noexcept override {
    before_();
    std::thread([=] {
      for (std::size_t i = 0; i < count; ++i) what.run(what.context, i);
    }).join();
  }

 private:
  unsigned width_;
  std::function<void()> before_;
};

/// Claims many threads and has none but the caller's.
class only_caller final : public tgmap::executor {
 public:
  unsigned concurrency() const noexcept override { return 8; }
  void run(std::size_t count, task what) noexcept override {
    for (std::size_t i = 0; i < count; ++i) what.run(what.context, i);
  }
};

struct named_executor {
  std::string name;
  std::unique_ptr<tgmap::executor> on;
};

inline std::vector<named_executor> all_executors() {
  std::vector<named_executor> out;
  for (const unsigned threads : {1u, 2u, 4u, 0u}) {
    out.push_back({"threads of its own, " + std::to_string(threads), tgmap::make_thread_executor(threads)});
    out.push_back({"as built, " + std::to_string(threads), tgmap::make_executor(threads)});
  }
  out.push_back({"elsewhere", std::make_unique<elsewhere>(3)});
  out.push_back({"only the caller", std::make_unique<only_caller>()});
  return out;
}

}  // namespace tgmap_test
