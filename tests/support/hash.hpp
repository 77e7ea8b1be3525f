// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tgmap_test {

/// Returns the SHA-256 as 64 hexadecimal digits (FIPS 180-4).
std::string sha256(std::string_view);

/// Returns bytes as hexadecimal digits.
std::string hex(std::string_view);

}  // namespace tgmap_test
