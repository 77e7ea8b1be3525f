// SPDX-License-Identifier: Apache-2.0
#include "support/guard.hpp"

#include <stdexcept>
#include <tgmap/tgmap.hpp>

#if __has_include(<tgmap/mapping_guard.hpp>)
#include <tgmap/mapping_guard.hpp>
#endif

namespace tgmap_bench {

#if __has_include(<tgmap/mapping_guard.hpp>)
std::string install_guard(bool wanted) {
  if (!wanted) return "by reads";
  if (const tgmap::failure why = tgmap::mapping_guard::install()) throw std::runtime_error(why.text());
  return "through the mapping, guarded";
}
#else
std::string install_guard(bool) { return "through the mapping"; }
#endif

}  // namespace tgmap_bench
