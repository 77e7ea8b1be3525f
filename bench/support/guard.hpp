// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tgmap_bench {

/// Lets the library read structure through mappings where it offers that. Returns how it reads now, for the report:
/// "through the mapping, guarded", "by reads".
std::string install_guard(bool wanted);

}  // namespace tgmap_bench
