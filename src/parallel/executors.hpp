// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <tgmap/decode/executor.hpp>

namespace tgmap::parallel {

/// Whether this build has oneTBB. The thread sanitizer's has not: TBB is not instrumented, and what it would report of
/// it hides what it has to say of us.
bool has_tbb() noexcept;

/// Null when this build has no oneTBB. May throw std::bad_alloc.
std::unique_ptr<executor> make_tbb_executor(unsigned width);

/// Processors that this process may use; at least 1.
unsigned usable_processors() noexcept;

}  // namespace tgmap::parallel
