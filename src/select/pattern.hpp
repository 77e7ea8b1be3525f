// SPDX-License-Identifier: Apache-2.0
// Regular expressions, without showing whose. pattern_re2.cpp or pattern_absent.cpp is compiled.
#pragma once

#include <memory>
#include <string_view>

namespace tgmap::select {

/// A compiled pattern, which takes time linear in the text whatever it is. Shared by copies; any number of threads.
class pattern {
 public:
  pattern() noexcept = default;

  /// Nothing when the pattern cannot be read. Throws std::bad_alloc.
  static pattern compile(std::string_view);
  /// Patterns can be compiled at all.
  static bool available() noexcept;

  explicit operator bool() const noexcept { return compiled_ != nullptr; }
  bool found_in(std::string_view text) const;

 private:
  std::shared_ptr<const void> compiled_{};
};

}  // namespace tgmap::select
