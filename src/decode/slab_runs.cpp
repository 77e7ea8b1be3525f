// SPDX-License-Identifier: Apache-2.0
#include "decode/slab_runs.hpp"

#include <algorithm>

namespace tgmap::decode {

slab_runs::slab_runs(const slab& box, std::span<const std::int64_t> strides) noexcept {
  std::uint64_t to_step = 1;
  for (std::size_t d = box.count.size(); d-- > 0;) {
    const std::uint64_t stride = static_cast<std::uint64_t>(strides[d]);
    const std::uint64_t step = box.stride.empty() ? 1 : box.stride[d];
    if (box.count[d] == 0) return;
    first_ += box.start[d] * stride;
    // A dimension of one element goes nowhere.
    if (box.count[d] > 1) axes_[rank_++] = {box.count[d], step * stride, to_step};
    to_step *= box.count[d];
  }
  const auto all = std::span(axes_).first(rank_);
  std::sort(all.begin(), all.end(), [](const axis& a, const axis& b) { return a.step > b.step; });
  done_ = false;

  // The innermost axis makes the run, and those around it that only carry it on.
  if (rank_ > 0) inner_ = axes_[--rank_];
  while (rank_ > 0 && axes_[rank_ - 1].step == inner_.step * inner_.count &&
         axes_[rank_ - 1].to_step == inner_.to_step * inner_.count)
    inner_.count *= axes_[--rank_].count;
  std::fill_n(index_.begin(), rank_, 0);
  load();
}

void slab_runs::load() noexcept {
  now_ = {.first = first_, .count = inner_.count, .step = inner_.step, .to = 0, .to_step = inner_.to_step};
  for (std::size_t d = 0; d < rank_; ++d) {
    now_.first += index_[d] * axes_[d].step;
    now_.to += index_[d] * axes_[d].to_step;
  }
}

void slab_runs::skip(std::uint64_t count) noexcept {
  now_.first += count * now_.step;
  now_.to += count * now_.to_step;
  now_.count -= count;
  if (now_.count != 0) return;
  std::size_t d = rank_;
  while (d > 0 && ++index_[d - 1] == axes_[d - 1].count) index_[--d] = 0;
  if (d == 0)
    done_ = true;
  else
    load();
}

}  // namespace tgmap::decode
