// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <tgmap/tools/survey.hpp>
#include <utility>
#include <vector>

#include "cli/print/json.hpp"

namespace tgmap::cli {

json content_json(const surveyed_content&);

/// Returns count and bytes; of objects also decoded bytes and their ratio.
json usage_json(const part_usage&);
json usage_json(const object_usage&);

/// Returns lines of at most `width` columns: names on the left, values on the right.
std::vector<std::pair<std::string, std::string>> content_lines(const surveyed_content&, std::size_t width,
                                                               bool with_codecs);

}  // namespace tgmap::cli
