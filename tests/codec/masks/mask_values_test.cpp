// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <codec/masks/float_patterns.hpp>
#include <codec/noise.hpp>
#include <support/failures.hpp>
#include <support/guarded.hpp>
#include <utility>

#include "codec/masks/mask_values.hpp"

using namespace tgmap::codec;
using namespace tgmap_test;
using tgmap::byte_order;
using tgmap::dtype;
using tgmap::mask_kind;

BOOST_AUTO_TEST_SUITE(mask_values_test)

namespace {

constexpr std::array kinds{mask_kind::nan, mask_kind::positive_infinity, mask_kind::negative_infinity};

/// Values of masked elements, big-endian. Spec: §6.2.
struct known {
  dtype type;
  std::size_t component;
  std::array<std::uint64_t, 3> patterns;

  bytes element(mask_kind kind, byte_order order) const {
    bytes one = big_endian(patterns.at(static_cast<std::size_t>(kind)), static_cast<unsigned>(component));
    if (order == byte_order::little) std::reverse(one.begin(), one.end());
    return tgmap::element_size(type) == component ? one : one + one;
  }
};
constexpr std::uint64_t nan64 = 0x7ff8000000000000, plus64 = 0x7ff0000000000000, minus64 = 0xfff0000000000000;
constexpr std::array by_specification{
    known{dtype::float16, 2, {0x7e00, 0x7c00, 0xfc00}},
    known{dtype::bfloat16, 2, {0x7fc0, 0x7f80, 0xff80}},
    known{dtype::float32, 4, {0x7fc00000, 0x7f800000, 0xff800000}},
    known{dtype::float64, 8, {nan64, plus64, minus64}},
    known{dtype::complex64, 4, {0x7fc00000, 0x7f800000, 0xff800000}},
    known{dtype::complex128, 8, {nan64, plus64, minus64}},
};

bool marked(std::string_view bits, std::size_t i) {
  return (static_cast<unsigned char>(bits[i / 8]) >> (7 - i % 8) & 1) != 0;
}

}  // namespace

BOOST_AUTO_TEST_CASE(patterns_of_every_type) {
  for (const known& k : by_specification)
    for (const auto kind : kinds)
      for (const auto order : {byte_order::big, byte_order::little}) {
        const std::size_t w = tgmap::element_size(k.type);
        bytes out(3 * w, '#');
        restore_masked(span_of("\xa0"), kind, k.type, order, 0, writable(out));
        const bytes one = k.element(kind, order);
        BOOST_TEST(out == one + bytes(w, '#') + one, to_string_view(k.type)
                                                         << " " << to_string_view(kind) << " " << order);
      }
}

BOOST_AUTO_TEST_CASE(written_out) {
  bytes out(8, '#');
  restore_masked(span_of("\x40"), mask_kind::negative_infinity, dtype::float32, byte_order::big, 0, writable(out));
  BOOST_TEST(out == bytes("####\xff\x80\0\0", 8));
  restore_masked(span_of("\x80"), mask_kind::nan, dtype::complex64, byte_order::little, 0, writable(out));
  BOOST_TEST(out == bytes("\0\0\xc0\x7f\0\0\xc0\x7f", 8));
}

BOOST_AUTO_TEST_CASE(elements_of_other_types_are_unchanged) {
  unsigned masked = 0;
  for (std::size_t i = 0; i < tgmap::dtype_count; ++i) {
    const auto type = static_cast<dtype>(i);
    const bool can =
        std::any_of(by_specification.begin(), by_specification.end(), [&](const known& k) { return k.type == type; });
    BOOST_TEST(can_be_masked(type) == can, to_string_view(type));
    masked += can;
    if (can) continue;
    bytes out(8, '#');
    restore_masked(span_of("\xff"), mask_kind::nan, type, byte_order::little, 0, writable(out));
    BOOST_TEST(out == bytes(8, '#'), to_string_view(type));
  }
  BOOST_TEST(masked == by_specification.size());
}

BOOST_AUTO_TEST_CASE(every_window_of_any_mask) {
  constexpr std::size_t elements = 720;
  guarded_bytes last(128);
  bytes sparse(90, '\0'), dense(90, '\xff'), mixed = noise(90);
  for (const std::size_t at : {9, 30, 31, 50, 89}) sparse[at] = '\x11';
  dense[20] = '\x7e';
  mixed.replace(8, 8, 8, '\0');
  mixed.replace(16, 8, 8, '\xff');
  for (const bytes& mask : {sparse, dense, mixed, bytes(90, '\0')})
    for (const known& k : by_specification) {
      const std::size_t w = tgmap::element_size(k.type);
      const bytes one = k.element(mask_kind::nan, byte_order::little);
      unsigned wrong = 0;
      for (std::size_t first = 0; first <= elements; first += 1 + first % 35)
        for (std::size_t count = 0; count <= elements - first; count += 1 + count % 23) {
          bytes out(count * w + 2, '#'), expected(out);
          for (std::size_t i = 0; i < count; ++i)
            if (marked(mask, first + i)) expected.replace(1 + i * w, w, one);
          const auto bits = last.hold(std::string_view(mask).substr(0, (first + count + 7) / 8));
          restore_masked(bits, mask_kind::nan, k.type, byte_order::little, first, writable(out).subspan(1, count * w));
          wrong += out != expected;
        }
      BOOST_TEST(wrong == 0u, wrong << " windows of " << to_string_view(k.type));
    }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(missing_bits_test)

namespace {

struct marked {
  explicit marked(std::size_t elements) {
    for (bytes& each : of) each = bytes((elements + 7) / 8, '?');
  }
  std::array<std::span<std::byte>, 3> spans() { return {writable(of[0]), writable(of[1]), writable(of[2])}; }
  bytes of[3];
};

}  // namespace

// Fields with more and more missing elements, for the fast path and the slow one.
BOOST_AUTO_TEST_CASE(every_kind_at_every_position) {
  guarded_bytes last(65536);
  std::mt19937 next(9);
  for (const float_pattern& each : float_patterns)
    for (const byte_order order : {byte_order::little, byte_order::big})
      for (const std::size_t n : {0, 1, 7, 8, 9, 255, 256, 257, 600, 1031})
        for (const unsigned every : {1u, 3u, 100u, 1000u}) {
          const std::size_t component = swap_unit(each.type), per_element = element_size(each.type) / component;
          bytes data = all_finite(each, n, order), cleared = data;
          marked expected(n);
          for (bytes& bits : expected.of) bits.assign(bits.size(), '\0');
          for (std::size_t i = 0; i < n; ++i) {
            unsigned kinds[3] = {};
            for (std::size_t k = 0; k < per_element; ++k) {
              const unsigned kind = next() % (4 * every);
              if (kind > 3) continue;
              const std::uint64_t bits[] = {each.nan, each.infinity, each.minus_infinity, each.least_nan};
              ++kinds[kind % 3];
              data.replace((i * per_element + k) * component, component, number_of_bytes(bits[kind], component, order));
            }
            for (int k = 0; k < 3; ++k)
              if (kinds[k] != 0) {
                expected.of[k][i / 8] |= static_cast<char>(0x80 >> i % 8);
                cleared.replace(i * element_size(each.type), element_size(each.type), element_size(each.type), '\0');
                break;
              }
          }
          marked found(n);
          mark_non_finite(last.hold(data), each.type, order, found.spans());
          for (int k = 0; k < 3; ++k)
            BOOST_TEST((found.of[k] == expected.of[k]), to_string_view(each.type) << ", " << n);
          zero_marked(writable(data), element_size(each.type),
                      {span_of(found.of[0]), span_of(found.of[1]), span_of(found.of[2])});
          BOOST_TEST((data == cleared), to_string_view(each.type) << ", " << n);
        }
}

BOOST_AUTO_TEST_CASE(missing_marks) {
  bytes data(24, 'x');
  const bytes one("\x40", 1);
  zero_marked(writable(data), 8, {std::span<const std::byte>(), span_of(one), std::span<const std::byte>()});
  BOOST_TEST((data == bytes(8, 'x') + bytes(8, '\0') + bytes(8, 'x')));
  zero_marked(writable(data), 8, {});
  BOOST_TEST((data == bytes(8, 'x') + bytes(8, '\0') + bytes(8, 'x')));
}

BOOST_AUTO_TEST_CASE(types_without_nan) {
  const bytes ones(64, '\xff');
  marked untouched(64);
  mark_non_finite(span_of(ones), dtype::uint8, byte_order::little, untouched.spans());
  for (const bytes& each : untouched.of) BOOST_TEST((each == bytes(8, '?')));
}

BOOST_AUTO_TEST_SUITE_END()
