// SPDX-License-Identifier: Apache-2.0
// Everything that uses private names of simdjson. CMake compiles this source alone first, and leaves the component out
// if it fails with the installed version.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace tgmap {
inline namespace v0 {
namespace constant::json {

/// A `structural_index` holds the offsets of the tokens of a text: brackets, commas, colons, and the first bytes of
/// strings, numbers and words. Stage 1 of simdjson finds them; its public interface only parses whole documents, which
/// needs an index of the whole text in memory.
class structural_index {
 public:
  /// Number of bytes after a text that must be readable.
  static constexpr std::size_t padding = 64;

  enum class status { valid, unclosed_string, invalid };

  structural_index();
  ~structural_index();

  /// Finds the tokens of a text and checks that it is UTF-8. Throws std::bad_alloc.
  /// Complexity: O(size).
  status find(const char* text, std::size_t size);

  /// Returns the offsets of the last `find`; they are followed by the end of the text.
  const std::uint32_t* offsets() const noexcept;
  /// Returns their number; 0 if the text was not valid.
  std::size_t size() const noexcept { return size_; }

 private:
  struct scanner;
  std::unique_ptr<scanner> scanner_;
  std::size_t size_ = 0;
};

}  // namespace constant::json
}  // namespace v0
}  // namespace tgmap
