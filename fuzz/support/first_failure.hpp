// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <tgmap/error.hpp>

namespace tgmap_fuzz {

/// A `first_failure` keeps the first failure of several calls.
class first_failure {
 public:
  /// Keeps a failure, if it is the first one. Returns true if the call failed.
  bool note(std::string_view call, const tgmap::failure& why) {
    if (why && first_.empty()) first_ = std::string(call) + ": " + why.text();
    return static_cast<bool>(why);
  }
  void add(const first_failure& other) {
    if (first_.empty()) first_ = other.first_;
  }
  bool none() const noexcept { return first_.empty(); }
  const std::string& text() const noexcept { return first_; }

 private:
  std::string first_;
};

}  // namespace tgmap_fuzz
