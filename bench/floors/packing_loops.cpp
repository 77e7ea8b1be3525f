// SPDX-License-Identifier: Apache-2.0
#include "floors/packing_loops.hpp"

#include <cstdint>
#include <cstring>

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace tgmap_bench {

namespace {

using octet = const std::uint8_t;

std::uint32_t plain(octet* at, unsigned bits, std::size_t i) {
  switch (bits) {
    case 8: return at[i];
    case 16: return std::uint32_t{at[2 * i]} << 8 | at[2 * i + 1];
    case 24: return std::uint32_t{at[3 * i]} << 16 | std::uint32_t{at[3 * i + 1]} << 8 | at[3 * i + 2];
    default: {
      octet* const from = at + i / 2 * 3;
      return i % 2 == 0 ? std::uint32_t{from[0]} << 4 | from[1] >> 4 : (from[1] & 15U) << 8 | from[2];
    }
  }
}

void unpack_from(octet* at, unsigned bits, std::size_t first, double reference, double scale, std::span<double> out) {
  for (std::size_t i = first; i < out.size(); ++i) {
    const double scaled = scale * static_cast<double>(plain(at, bits, i));
    out[i] = reference + scaled;
  }
}

#ifdef __x86_64__

#define TGMAP_AVX2 __attribute__((target("avx2")))

TGMAP_AVX2 inline __m128i load(octet* at) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at)); }

/// Loads four packed numbers as 32-bit integers.
TGMAP_AVX2 inline __m128i four(octet* at, unsigned bits) {
  constexpr char no = -1;
  switch (bits) {
    case 8: return _mm_cvtepu8_epi32(load(at));
    case 16: return _mm_shuffle_epi8(load(at), _mm_setr_epi8(1, 0, no, no, 3, 2, no, no, 5, 4, no, no, 7, 6, no, no));
    case 24: return _mm_shuffle_epi8(load(at), _mm_setr_epi8(2, 1, 0, no, 5, 4, 3, no, 8, 7, 6, no, 11, 10, 9, no));
    default: {
      const __m128i pairs =
          _mm_shuffle_epi8(load(at), _mm_setr_epi8(1, 0, no, no, 2, 1, no, no, 4, 3, no, no, 5, 4, no, no));
      return _mm_and_si128(_mm_srlv_epi32(pairs, _mm_setr_epi32(4, 0, 4, 0)), _mm_set1_epi32(4095));
    }
  }
}

template <unsigned Bits>
TGMAP_AVX2 std::size_t unpack_avx2(octet* at, double reference, double scale, std::span<double> out) {
  const __m256d least = _mm256_set1_pd(reference), factor = _mm256_set1_pd(scale);
  std::size_t i = 0;
  for (; i + 8 <= out.size(); i += 8, at += Bits) {
    const __m256d a = _mm256_cvtepi32_pd(four(at, Bits)), b = _mm256_cvtepi32_pd(four(at + Bits / 2, Bits));
    _mm256_storeu_pd(&out[i], _mm256_add_pd(least, _mm256_mul_pd(factor, a)));
    _mm256_storeu_pd(&out[i + 4], _mm256_add_pd(least, _mm256_mul_pd(factor, b)));
  }
  return i;
}

std::size_t unpack_fast(octet* at, unsigned bits, double reference, double scale, std::span<double> out) {
  static const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;
  if (!has_avx2) return 0;
  switch (bits) {
    case 8: return unpack_avx2<8>(at, reference, scale, out);
    case 12: return unpack_avx2<12>(at, reference, scale, out);
    case 16: return unpack_avx2<16>(at, reference, scale, out);
    default: return unpack_avx2<24>(at, reference, scale, out);
  }
}

#else

std::size_t unpack_fast(octet*, unsigned, double, double, std::span<double>) { return 0; }

#endif

}  // namespace

bool bare_unpack(const std::byte* packed, unsigned bits, double reference, double scale, std::span<double> out) {
  if (bits != 8 && bits != 12 && bits != 16 && bits != 24) return false;
  auto* const at = reinterpret_cast<octet*>(packed);
  unpack_from(at, bits, unpack_fast(at, bits, reference, scale, out), reference, scale, out);
  return true;
}

void quarter(std::span<const std::byte> from, std::span<std::byte> out) {
  using sixteen_bytes = std::uint64_t __attribute__((vector_size(16)));
  for (std::size_t i = 0; i + sizeof(sixteen_bytes) <= out.size(); i += sizeof(sixteen_bytes)) {
    sixteen_bytes some[4];
    std::memcpy(some, from.data() + 4 * i, sizeof some);
    const sixteen_bytes all = some[0] ^ some[1] ^ some[2] ^ some[3];
    std::memcpy(out.data() + i, &all, sizeof all);
  }
}

}  // namespace tgmap_bench
