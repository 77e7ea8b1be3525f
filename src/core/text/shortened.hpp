// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "core/text/escape.hpp"
#include "core/text/utf8.hpp"

namespace tgmap::core {

/// Returns the text escaped for a terminal, and cut to a number of code points.
inline std::string shortened(std::string_view whole, std::size_t max_code_points) {
  std::string text = core::escaped(whole);
  if (core::code_point_count(text) <= max_code_points) return text;
  std::size_t end = 0;
  for (std::size_t i = 0; i + 1 < max_code_points; ++i)
    end += std::max<std::size_t>(core::first_code_point(std::string_view(text).substr(end)).size, 1);
  return text.substr(0, end) + "…";
}

}  // namespace tgmap::core
