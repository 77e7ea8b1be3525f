// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <tgmap/tools/survey.hpp>
#include <utility>
#include <vector>

namespace tgmap::cli {

/// Returns lines of at most `width` columns: names on the left, values on the right.
std::vector<std::pair<std::string, std::string>> content_lines(const surveyed_content&, std::size_t width,
                                                               bool with_codecs);

}  // namespace tgmap::cli
