// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <support/bytes.hpp>

namespace tgmap_test {

/// Returns the meaning of a well-formed item as text, which is the same for two items if and only if they mean the same
/// (§3). The last value of a repeated key wins, simple values are null except true and false, a NaN is a NaN, and bytes
/// of text that are not UTF-8 are U+FFFD. A decoder of its own, recursive and simple.
bytes meaning_of(std::string_view item);

}  // namespace tgmap_test
