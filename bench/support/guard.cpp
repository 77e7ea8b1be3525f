// SPDX-License-Identifier: Apache-2.0
#include "support/guard.hpp"

#include <stdexcept>
#include <tgmap/tgmap.hpp>

namespace tgmap_bench {

std::string install_guard(bool wanted) {
  if (!wanted) return "by reads";
  if (const tgmap::failure why = tgmap::mapping_guard::install()) throw std::runtime_error(why.text());
  return "through the mapping, guarded";
}

}  // namespace tgmap_bench
