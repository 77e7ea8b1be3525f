// SPDX-License-Identifier: Apache-2.0
#include "zio/word.hpp"

#include <algorithm>

namespace tgmap {
inline namespace v0 {
namespace zio {

namespace {

struct row {
  tgmap::dtype dtype;
  char kind;
};

constexpr row rows[] = {{dtype::float16, 'f'},    {dtype::float32, 'f'}, {dtype::float64, 'f'}, {dtype::complex64, 'c'},
                        {dtype::complex128, 'c'}, {dtype::int8, 'i'},    {dtype::int16, 'i'},   {dtype::int32, 'i'},
                        {dtype::int64, 'i'},      {dtype::uint8, 'u'},   {dtype::uint16, 'u'},  {dtype::uint32, 'u'},
                        {dtype::uint64, 'u'}};

}  // namespace

std::optional<dtype> dtype_of_word(char kind, std::uint64_t word) noexcept {
  for (const row& r : rows)
    if (r.kind == kind && element_size(r.dtype) == word) return r.dtype;
  return std::nullopt;
}

std::optional<word_kind> word_of(dtype of) noexcept {
  for (const row& r : rows)
    if (r.dtype == of) return word_kind{r.kind, element_size(of)};
  return std::nullopt;
}

word_kind raw_word_of(dtype of) noexcept {
  return word_of(of).value_or(word_kind{'u', std::max<std::uint64_t>(element_size(of), 1)});
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
