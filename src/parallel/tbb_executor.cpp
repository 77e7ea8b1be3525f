// SPDX-License-Identifier: Apache-2.0
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <exception>

#include "parallel/executors.hpp"
#include "parallel/pieces.hpp"

namespace tgmap::parallel {

namespace {

/// An arena of that many slots among the threads that the whole process shares. Pieces are not TBB's own tasks, which
/// it would begin from both ends: each task takes the next piece that nobody has.
class tbb_executor final : public executor {
 public:
  explicit tbb_executor(unsigned width) : width_(granted(width)), arena_(static_cast<int>(width_)) {}

  unsigned concurrency() const noexcept override { return width_; }

  void run(std::size_t count, task what) noexcept override {
    pieces all(count, what);
    const std::size_t takers = std::min<std::size_t>(count, width_);
    if (takers > 1) try {
        arena_.execute([&] {
          // Isolated: a thread that waits here takes no other work, as executor::run promises.
          tbb::this_task_arena::isolate([&] {
            tbb::parallel_for(
                std::size_t{0}, takers, [&](std::size_t) { all.take(); }, tbb::simple_partitioner());
          });
        });
      } catch (const std::exception&) {  // TBB could not start, or had no memory for its tasks
      }
    all.take();  // what is left because of that, or because the tasks around this call were cancelled
  }

 private:
  /// An arena of more slots than TBB has threads for would have it print a warning.
  static unsigned granted(unsigned width) {
    using limit = tbb::global_control;
    const std::size_t most = limit::active_value(limit::max_allowed_parallelism);
    return static_cast<unsigned>(std::clamp<std::size_t>(width, 1, std::max<std::size_t>(most, 1)));
  }

  const unsigned width_;
  tbb::task_arena arena_;
};

}  // namespace

bool has_tbb() noexcept { return true; }

std::unique_ptr<executor> make_tbb_executor(unsigned width) { return std::make_unique<tbb_executor>(width); }

}  // namespace tgmap::parallel
