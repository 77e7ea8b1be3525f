// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tgmap::cli {

/// Text out of a file, safe to print: characters that control a terminal or turn the direction of writing, and bytes
/// that are no UTF-8, are written as \n, \x1b, \u{202e}. Everything else stays as it is.
std::string escaped(std::string_view);

}  // namespace tgmap::cli
