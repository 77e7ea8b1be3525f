// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <tgmap/tools/compare.hpp>

namespace tgmap::edit {

/// A `difference_list` adds differences to a comparison: keeps the first ones and counts the others.
class difference_list {
 public:
  difference_list(comparison& into, std::uint64_t max_differences) noexcept : into_(into), max_(max_differences) {}

  /// Adds the result of `make()`, which is only called if the difference is kept.
  template <class Make>
  void add(Make&& make) {
    if (into_.difference_count++ < max_) into_.differences.push_back(make());
  }

 private:
  comparison& into_;
  std::uint64_t max_;
};

}  // namespace tgmap::edit
