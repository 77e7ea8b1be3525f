// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <tgmap/error.hpp>

namespace tgmap_fuzz {

/// Remembers the first failure that was met, for what must be read without one.
class met_failures {
 public:
  /// Returns whether the call failed.
  bool note(std::string_view call, const tgmap::failure& why) {
    if (why && first_.empty()) first_ = std::string(call) + ": " + why.text();
    return static_cast<bool>(why);
  }
  void add(const met_failures& others) {
    if (first_.empty()) first_ = others.first_;
  }
  bool none() const noexcept { return first_.empty(); }
  const std::string& first() const noexcept { return first_; }

 private:
  std::string first_;
};

}  // namespace tgmap_fuzz
