// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tgmap::cli {

/// The word that is spelled most like `wanted`, for "did you mean"; empty when none is near.
std::string nearest_word(std::string_view wanted, const std::vector<std::string>& words);

}  // namespace tgmap::cli
