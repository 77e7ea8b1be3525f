// SPDX-License-Identifier: Apache-2.0
// Reads boxes of elements as runs of elements in the order of the payload.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/decode/part_reader.hpp>
#include <tgmap/options.hpp>
#include <vector>

#include "decode/range_decoder.hpp"

namespace tgmap::decode {

/// A `run` is a sequence of elements: `first`, `first + step`, … in the payload, and `box_position`,
/// `box_position + box_step`, … in the box.
struct run {
  std::uint64_t first = 0, count = 0, step = 1;
  std::uint64_t box_position = 0, box_step = 1;

  std::uint64_t end() const noexcept { return first + (count - 1) * step + 1; }  ///< after the last element
};

/// A `slab_runs` iterates over the runs of one box, or of a list of elements, in the order of the payload. Complexity:
/// O(rank) per run.
class slab_runs {
 public:
  slab_runs() noexcept = default;

  /// The box is in C order; `strides` are those of the payload. The caller has checked the box.
  slab_runs(const slab&, std::span<const std::int64_t> strides) noexcept;

  /// Runs in the order of the payload, without common elements: each begins behind the end of the one before.
  /// Lifetime: as the list.
  explicit slab_runs(std::span<const run> list) noexcept : done_(list.empty()) {
    if (done_) return;
    current_ = list.front();
    others_ = list.subspan(1);
  }

  bool done() const noexcept { return done_; }
  const run& current() const noexcept { return current_; }  ///< unless done()

  /// Skips the first `count` elements of the run.
  void skip(std::uint64_t count) noexcept;

 private:
  struct axis {
    std::uint64_t count, step, box_step;
  };
  void set_current() noexcept;

  std::size_t rank_ = 0;             ///< number of axes outside of the run
  std::array<axis, max_rank> axes_;  ///< widest step first
  std::array<std::uint64_t, max_rank> index_;
  std::uint64_t first_ = 0;
  axis inner_{1, 1, 1};
  run current_{};
  std::span<const run> others_{};  ///< of a list
  bool done_ = true;
};

/// A `slab_request` is one box and its output.
struct slab_request {
  slab_runs runs;
  std::span<std::byte> out;
};

/// A `slab_reader` reads boxes of one object in the order of the payload, window by window. A piece that several boxes
/// need is decompressed once.
class slab_reader {
 public:
  slab_reader(const range_decoder& decoder, const plan& p, std::uint64_t read_ahead) noexcept
      : decoder_(decoder), plan_(p), read_ahead_(read_ahead) {}

  /// Fills the boxes. Errors: those of object::decode. Throws std::bad_alloc.
  failure read(std::vector<slab_request>&, workspace&) const;

  /// Returns the cost of reading the boxes. Ignores `out`.
  part_cost cost(std::vector<slab_request>&) const;

 private:
  extent window_at(const slab_runs& next) const noexcept;
  template <class Load, class Take>
  failure each_window(std::vector<slab_request>&, Load&&, Take&&) const;
  void copy_elements(const window&, const run&, std::span<std::byte> out) const noexcept;
  void copy_bits(const window&, const run&, std::span<std::byte> out) const noexcept;

  const range_decoder& decoder_;
  const plan& plan_;
  std::uint64_t read_ahead_;
};

}  // namespace tgmap::decode
