// SPDX-License-Identifier: Apache-2.0
#include "convert/npy_elements.hpp"

#include <array>
#include <string>
#include <utility>

#include "convert/refusal.hpp"

namespace tgmap::convert {

namespace {

constexpr std::array<std::pair<std::string_view, dtype>, 14> numbers{{{"f2", dtype::float16},
                                                                      {"f4", dtype::float32},
                                                                      {"f8", dtype::float64},
                                                                      {"c8", dtype::complex64},
                                                                      {"c16", dtype::complex128},
                                                                      {"i1", dtype::int8},
                                                                      {"i2", dtype::int16},
                                                                      {"i4", dtype::int32},
                                                                      {"i8", dtype::int64},
                                                                      {"u1", dtype::uint8},
                                                                      {"u2", dtype::uint16},
                                                                      {"u4", dtype::uint32},
                                                                      {"u8", dtype::uint64},
                                                                      {"V2", dtype::bfloat16}}};

std::string described(std::string_view descr) {
  constexpr std::size_t most = 40;  // a header may hold any text
  return "'" + std::string(descr.substr(0, most)) + (descr.size() > most ? "...'" : "'");
}

[[noreturn]] void refuse_descr(std::string_view descr, std::string_view kind) {
  const auto because = [&](const char* what) { return "the elements are " + described(descr) + ", " + what; };
  if (kind.starts_with('O'))
    throw refusal(because("Python's objects"), "save numbers, with astype('float64') if that is what they are");
  if (kind.starts_with('S') || kind.starts_with('U'))
    throw refusal(because("text"), "put text into metadata; elements are numbers");
  if (kind.starts_with('M') || kind.starts_with('m'))
    throw refusal(because("dates or times"), "save their numbers, x.view('int64'), and the unit in metadata");
  throw refusal(because("which no dtype of Tensogram is"),
                "convert with astype to one of f2 f4 f8 c8 c16 i1 i2 i4 i8 u1 u2 u4 u8");
}

}  // namespace

npy_elements npy_elements_of(std::string_view descr) {
  const bool ordered = !descr.empty() && std::string_view("<>|").find(descr.front()) != descr.npos;
  const char order = ordered ? descr.front() : '\0';
  const std::string_view kind = descr.substr(ordered ? 1 : 0);
  npy_elements out{.order = order == '>' ? byte_order::big : byte_order::little};
  if (order == '|' && (kind == "b1" || kind == "V2"))
    return {.type = kind == "b1" ? dtype::uint8 : dtype::bfloat16, .stand_in = true};
  for (const auto& [name, type] : numbers) {
    if (name != kind) continue;
    if (swap_unit(type) > 1 && order != '<' && order != '>')
      throw refusal("the elements are " + described(descr) + ", without a byte order",
                    "load it with NumPy on the kind of machine that wrote it and save it again");
    out.type = type;
    return out;
  }
  refuse_descr(descr, kind);
}

}  // namespace tgmap::convert
