// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/test/unit_test.hpp>
#include <codec/noise.hpp>
#include <cstdint>
#include <cstring>
#include <span>
#include <support/bytes.hpp>
#include <support/guarded.hpp>
#include <support/rounds.hpp>
#include <vector>

#include "codec/packing/unpack.hpp"

namespace tgmap_test {

/// Neither is a sum of few powers of two, so that all products and sums are rounded.
inline constexpr double packed_reference = 0.1, packed_scale = 0.3;

/// Unpacks bit by bit, by the definition of the specification.
inline std::uint64_t packed_number(const bytes& packed, std::uint64_t element, unsigned bits) {
  std::uint64_t number = 0;
  for (std::uint64_t at = element * bits; at < (element + 1) * bits; ++at)
    number = number << 1 | (static_cast<unsigned char>(packed[at / 8]) >> (7 - at % 8) & 1u);
  return number;
}

inline double unpacked_value(std::uint64_t number, double reference, double scale) {
  volatile const double scaled = scale * static_cast<double>(number);  // volatile, so that the product is rounded
  return reference + scaled;
}

inline bool same_bits(std::span<const double> a, std::span<const double> b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

using unpacking = bool (*)(std::span<const std::byte>, unsigned, double, double, std::uint64_t,
                           std::span<double>) noexcept;

/// Tests every width with many offsets and lengths. The packed bytes end at the end of the memory.
inline void check_unpacking(unpacking unpack, const char* what) {
  constexpr std::size_t longest = 300, behind = 8;
  guarded_bytes last((longest + 100) * 8);
  case_sampler cases(5);
  for (unsigned bits = 0; bits <= 64; ++bits) {
    const bytes packed = noise((longest + 100) * bits / 8 + 1, bits);
    std::vector<double> all(longest + 100);
    for (std::size_t i = 0; i < all.size(); ++i)
      all[i] = unpacked_value(packed_number(packed, i, bits), packed_reference, packed_scale);
    if (bits == 0) std::fill(all.begin(), all.end(), packed_reference);

    unsigned wrong = 0;
    for (const std::size_t first : {0, 1, 2, 3, 4, 5, 6, 7, 8, 13, 61})
      for (std::size_t count = 0; count <= longest; count += count < 40 ? 1 : 37) {
        if (!cases.takes_next()) continue;
        const auto held = last.hold(std::string_view(packed).substr(0, ((first + count) * bits + 7) / 8));
        std::vector<double> out(count + behind, -1.0), expected(out);
        std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(first), count, expected.begin());
        wrong += !unpack(held, bits, packed_reference, packed_scale, first, std::span(out).first(count));
        wrong += !same_bits(out, expected);
      }
    BOOST_TEST(wrong == 0u, what << ": " << wrong << " windows of " << bits << " bits");
  }
}

}  // namespace tgmap_test
