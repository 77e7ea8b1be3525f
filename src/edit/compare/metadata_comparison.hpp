// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <tgmap/metadata.hpp>
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

/// The keys that are compared: those of two messages or of two objects.
struct compared_keys {
  const metadata &left, &right;
  std::string parent{};  ///< path of the enclosing map, unless empty
  optional_index left_object{}, right_object{};
};

/// Adds the differences between two sets of keys, including nested maps, by the rules of tgmap::compare. Errors: throws
/// std::bad_alloc.
void compare_metadata(const compared_keys&, std::span<const std::string> ignored, difference_list& into);

}  // namespace tgmap::edit
