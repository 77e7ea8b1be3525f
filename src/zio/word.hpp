// SPDX-License-Identifier: Apache-2.0
// Which words of TENS are which dtypes of Tensogram.
#pragma once

#include <cstdint>
#include <optional>
#include <tgmap/dtype.hpp>

namespace tgmap {
inline namespace v0 {
namespace zio {

/// Letter and bytes of an element.
struct word_kind {
  char kind = 'u';
  std::uint64_t word = 1;
};

/// The dtype of such elements; nothing where Tensogram has none. Letters as NumPy has them: f of 2 bytes is half.
std::optional<dtype> dtype_of_word(char kind, std::uint64_t word) noexcept;

/// The word for elements of that dtype; nothing for bfloat16 and bitmask.
std::optional<word_kind> word_of(dtype) noexcept;

/// The same; elements without a word as unsigned ones of their width, bits as bytes.
word_kind raw_word_of(dtype) noexcept;

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
