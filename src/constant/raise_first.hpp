// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <new>
#include <tgmap/constant/report.hpp>

namespace tgmap {
inline namespace v0 {
namespace constant {

/// What the throwing doors do with what their twins report.
inline void raise_first(const report& all) {
  if (!all) return;
  if (all.first().code == tgmap::errc::out_of_memory) throw std::bad_alloc();
  throw error(all.problems.front());
}

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
