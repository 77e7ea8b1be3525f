// SPDX-License-Identifier: Apache-2.0
// Stands in for oneTBB in a build without it.
#include "parallel/executors.hpp"

namespace tgmap::parallel {

bool has_tbb() noexcept { return false; }

std::unique_ptr<executor> make_tbb_executor(unsigned) { return nullptr; }

}  // namespace tgmap::parallel
