// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>
#include <tgmap/export.hpp>

namespace tgmap {
inline namespace v0 {
namespace detail {

void assertion_failed(const char* expression, const char* file, int line) noexcept {
  std::fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, expression);
  std::abort();
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
