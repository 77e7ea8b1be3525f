// SPDX-License-Identifier: Apache-2.0
#include "constant/write/json_string.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {

std::string_view json_escape(char c) noexcept {
  static constexpr std::string_view controls[32] = {
      "\\u0000", "\\u0001", "\\u0002", "\\u0003", "\\u0004", "\\u0005", "\\u0006", "\\u0007",  //
      "\\b",     "\\t",     "\\n",     "\\u000B", "\\f",     "\\r",     "\\u000E", "\\u000F",  //
      "\\u0010", "\\u0011", "\\u0012", "\\u0013", "\\u0014", "\\u0015", "\\u0016", "\\u0017",  //
      "\\u0018", "\\u0019", "\\u001A", "\\u001B", "\\u001C", "\\u001D", "\\u001E", "\\u001F"};
  if (c == '"') return "\\\"";
  if (c == '\\') return "\\\\";
  const auto byte = static_cast<unsigned char>(c);
  return byte < 32 ? controls[byte] : std::string_view();
}

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
