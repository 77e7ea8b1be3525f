// SPDX-License-Identifier: Apache-2.0
// Replaces pattern.cpp in a build without RE2. No pattern is ever compiled, so none is ever searched.
#include "query/pattern.hpp"

namespace tgmap::query {

bool pattern::available() noexcept { return false; }
pattern pattern::compile(std::string_view) { return {}; }
bool pattern::found_in(std::string_view) const { return false; }

}  // namespace tgmap::query
