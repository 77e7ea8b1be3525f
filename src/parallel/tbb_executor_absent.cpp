// SPDX-License-Identifier: Apache-2.0
// Replaces tbb_executor.cpp in a build without oneTBB.
#include "parallel/tbb_executor.hpp"

namespace tgmap::parallel {

bool has_tbb() noexcept { return false; }

std::unique_ptr<executor> make_tbb_executor(unsigned) { return nullptr; }

}  // namespace tgmap::parallel
