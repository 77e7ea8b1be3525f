// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tgmap {
inline namespace v0 {
namespace constant {
namespace json {

/// The first thing wrong with a text that simdjson does not take.
struct text_fault {
  std::size_t at = 0;     ///< the byte
  std::size_t sound = 0;  ///< how many bytes before it have whole tokens
  const char* expected = "";
  std::string found{};
};

/// Looks for control characters in strings, for what is no UTF-8, and for a string without an end. O(text).
text_fault first_fault(std::string_view);

}  // namespace json
}  // namespace constant
}  // namespace v0
}  // namespace tgmap
