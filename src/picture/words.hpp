// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tgmap::picture {

/// What a picture says in words. Text is safe to print, well-formed UTF-8.
struct picture_words {
  std::string title{}, details{}, unit{};
};

}  // namespace tgmap::picture
