// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <bit>

#include "constant/json/each_cell_type.hpp"
#include "constant/json/nested.hpp"
#include "core/text/hex.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {
namespace json {

namespace {

/// The value that so many digits are the bits of: their number tells the type.
double value_of_digits(std::string_view digits) noexcept {
  std::uint64_t bits = 0;
  for (const char c : digits) bits = bits << 4 | *core::hex_value(c);
  switch (digits.size()) {
    case 2: return std::bit_cast<std::int8_t>(static_cast<std::uint8_t>(bits));
    case 4: return static_cast<double>(static_cast<float>(bfloat16{static_cast<std::uint16_t>(bits)}));
    case 8: return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    default: return std::bit_cast<double>(bits);
  }
}

}  // namespace

outcome read_hex(parser& in, dtype type, std::uint64_t count, std::span<std::byte> cells) {
  const std::string_view digits = in.at.raw_string();
  const bool bytes_alone = type == dtype::int8;
  const std::uint64_t each = digits.size() / count;
  const bool fits =
      digits.size() % count == 0 && (each == 2 || (!bytes_alone && (each == 4 || each == 8 || each == 16)));
  const auto bad = std::find_if(digits.begin(), digits.end(), [](char c) { return !core::hex_value(c); });
  outcome told = outcome::got;
  if (bad != digits.end()) {
    const auto number = static_cast<std::size_t>(bad - digits.begin());
    told = in.tell({.why = {.code = errc::bad_hex, .expected = digits.size(), .found = number},
                    .expected = "hexadecimal digits",
                    .found = '"' + shown(digits.substr(number, 1)) + "\" behind " + std::to_string(number) +
                             (number == 1 ? " digit" : " digits")},
                   in.at.offset() + 1 + number);
  } else if (!fits) {
    told = in.tell({.why = {.code = errc::bad_hex, .expected = count * 2, .found = digits.size()},
                    .expected = std::string(bytes_alone ? "2 digits" : "2, 4, 8 or 16 digits") + " for each of " +
                                std::to_string(count) + (count == 1 ? " cell" : " cells"),
                    .found = std::to_string(digits.size()) + (digits.size() == 1 ? " digit" : " digits")},
                   in.at.offset());
  } else if (!cells.empty()) {
    for_cell_type(type, [&]<class Cell>(Cell) {
      auto* to = reinterpret_cast<Cell*>(cells.data());
      for (std::uint64_t i = 0; i < count; ++i)
        (void)put_cell(value_of_digits(digits.substr(i * each, each)), to[i], in.rules());
    });
  }
  if (told == outcome::stop) return told;
  in.at.next();
  return told;
}

}  // namespace json
}  // namespace constant
}  // namespace v0
}  // namespace tgmap
