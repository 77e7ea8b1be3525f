// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tgmap::cli {

/// Text in quotes. What could mislead at a terminal (controls, bidirectional marks) is escaped as JSON does it,
/// ill-formed UTF-8 becomes U+FFFD; everything else stays as it is.
std::string json_string(std::string_view);

/// A finite number by its shortest digits, always with a point or an exponent: "1.0", "0.5", "1e+20".
std::string float_text(double);

}  // namespace tgmap::cli
