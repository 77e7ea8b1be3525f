// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <codec/noise.hpp>
#include <cstdint>
#include <limits>
#include <random>
#include <support/bytes.hpp>
#include <support/rounds.hpp>
#include <vector>

#include "codec/packing/pack.hpp"
#include "codec/packing/unpack.hpp"

namespace tgmap_test {

using packing_function = bool (*)(std::span<const double>, const tgmap::codec::packing_rule&,
                                  std::span<std::byte>) noexcept;

/// Packs bit by bit, by the definition of the specification (§7.1).
inline bytes packed_plainly(std::span<const double> numbers, const tgmap::codec::packing_parameters& with) {
  volatile const double factor = std::pow(10.0, with.decimal_scale) * std::ldexp(1.0, -with.binary_scale);
  const double most = std::ldexp(1.0, static_cast<int>(with.bits));
  std::string digits;
  for (const double number : numbers) {
    volatile const double above = number - with.reference;
    volatile const double product = above * factor;
    const double rounded = std::round(product);
    const std::uint64_t all = with.bits == 0 ? 0 : ~std::uint64_t{0} >> (64 - with.bits);
    const std::uint64_t integer = rounded <= 0 ? 0 : rounded >= most ? all : static_cast<std::uint64_t>(rounded);
    for (unsigned bit = with.bits; bit-- > 0;) digits += (integer >> bit & 1) != 0 ? '1' : '0';
  }
  bytes out((digits.size() + 7) / 8, '\0');
  for (std::size_t i = 0; i < digits.size(); ++i)
    if (digits[i] == '1') out[i / 8] |= static_cast<char>(0x80 >> i % 8);
  return out;
}

/// Short lengths, and lengths close to a block of 512.
inline std::size_t next_length(std::size_t n) {
  if (n < 40 || (n >= 508 && n < 520)) return n + 1;
  return n < 508 ? 508 : n + 211;
}

/// Tests every width with many lengths; all numbers fit.
inline void check_packing_by(packing_function packs, const char* what) {
  std::mt19937_64 next(11);
  case_sampler cases(7);
  for (unsigned bits = 1; bits <= 64; ++bits) {
    unsigned wrong = 0;
    for (const int binary : {0, 3, -20})
      for (std::size_t n = 0; n <= 1300; n = next_length(n)) {
        if (!cases.takes_next()) continue;
        const tgmap::codec::packing_parameters with{.reference = 0.1, .binary_scale = binary, .bits = bits};
        const double step = std::ldexp(1.0, binary);
        std::vector<double> numbers(n);
        for (double& each : numbers) {
          const double integer = std::ldexp(static_cast<double>(next() >> 12), static_cast<int>(bits) - 52);
          each = 0.1 + step * std::min(integer, std::ldexp(1.0, static_cast<int>(bits)) - 1);
        }
        const bytes expected = packed_plainly(numbers, with);
        bytes out(expected.size() + 16, '?');
        const tgmap::codec::packing_rule rule(with);
        wrong += !packs(numbers, rule, writable(out).first(expected.size()));
        wrong += out != expected + bytes(16, '?');
      }
    BOOST_TEST(wrong == 0u, what << ": " << wrong << " lengths of " << bits << " bits");
  }
}

}  // namespace tgmap_test
