// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>

namespace tgmap::query {

/// A `pattern` is a compiled regular expression. Searching takes time linear in the text, whatever the pattern is.
/// Copies share the compiled form. A build without RE2 compiles pattern_absent.cpp instead of pattern.cpp.
/// Thread safety: any number of threads.
class pattern {
 public:
  pattern() noexcept = default;

  /// Compiles a pattern. The result is empty if the pattern is not valid. Errors: throws std::bad_alloc.
  static pattern compile(std::string_view);
  /// Returns true if this build has RE2.
  static bool available() noexcept;

  explicit operator bool() const noexcept { return compiled_ != nullptr; }
  bool found_in(std::string_view text) const;

 private:
  std::shared_ptr<const void> compiled_{};
};

}  // namespace tgmap::query
