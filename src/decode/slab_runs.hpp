// SPDX-License-Identifier: Apache-2.0
// A box of elements as runs along the payload.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/decode/part_reader.hpp>
#include <tgmap/options.hpp>

namespace tgmap::decode {

/// Elements `first`, `first + step`, … of the payload, and where they go in the box.
struct run {
  std::uint64_t first = 0, count = 0, step = 1;
  std::uint64_t to = 0, to_step = 1;

  std::uint64_t end() const noexcept { return first + (count - 1) * step + 1; }  ///< behind the last one
};

/// The runs of one box, in the order of the payload. O(rank) a run.
class slab_runs {
 public:
  slab_runs() noexcept = default;

  /// The box is in C order; `strides` say where in the payload its dimensions lie. The caller has found it sound.
  slab_runs(const slab&, std::span<const std::int64_t> strides) noexcept;

  bool done() const noexcept { return done_; }
  const run& now() const noexcept { return now_; }  ///< unless done()

  /// Passes over the first `count` elements of the run, all of them at the most.
  void skip(std::uint64_t count) noexcept;

 private:
  struct axis {
    std::uint64_t count, step, to_step;
  };
  void load() noexcept;

  std::size_t rank_ = 0;             ///< of the axes outside of the run
  std::array<axis, max_rank> axes_;  ///< widest step first
  std::array<std::uint64_t, max_rank> index_;
  std::uint64_t first_ = 0;
  axis inner_{1, 1, 1};
  run now_{};
  bool done_ = true;
};

}  // namespace tgmap::decode
