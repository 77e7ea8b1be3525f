// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <support/bytes.hpp>

namespace tgmap_test {

/// What a well-formed item means, whatever form it has (§3): a text that two items share when, and only when, they
/// mean the same. Of a key that is there twice the last value counts, simple values are null but for true and false,
/// a NaN is a NaN, bytes of text that are no UTF-8 are U+FFFD. A decoder of its own, recursive and simple.
bytes meaning_of(std::string_view item);

}  // namespace tgmap_test
