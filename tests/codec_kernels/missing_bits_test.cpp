// SPDX-License-Identifier: Apache-2.0
#include "codec/missing_bits.hpp"

#include <boost/test/unit_test.hpp>
#include <codec_kernels/float_patterns.hpp>
#include <codec_kernels/noise.hpp>
#include <support/guarded.hpp>

using namespace tgmap_test;
using tgmap::byte_order;
using tgmap::dtype;
using namespace tgmap::codec;

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

// Fields in which more and more is missing: few that are passed over quickly, many that are not.
BOOST_AUTO_TEST_CASE(every_kind_anywhere) {
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
          mark_missing(last.hold(data), each.type, order, found.spans());
          for (int k = 0; k < 3; ++k)
            BOOST_TEST((found.of[k] == expected.of[k]), to_string_view(each.type) << ", " << n);
          clear_marked(writable(data), element_size(each.type),
                       {span_of(found.of[0]), span_of(found.of[1]), span_of(found.of[2])});
          BOOST_TEST((data == cleared), to_string_view(each.type) << ", " << n);
        }
}

BOOST_AUTO_TEST_CASE(marks_that_are_not_there) {
  bytes data(24, 'x');
  const bytes one("\x40", 1);
  clear_marked(writable(data), 8, {std::span<const std::byte>(), span_of(one), std::span<const std::byte>()});
  BOOST_TEST((data == bytes(8, 'x') + bytes(8, '\0') + bytes(8, 'x')));
  clear_marked(writable(data), 8, {});
  BOOST_TEST((data == bytes(8, 'x') + bytes(8, '\0') + bytes(8, 'x')));
}

BOOST_AUTO_TEST_CASE(types_without) {
  const bytes ones(64, '\xff');
  marked untouched(64);
  mark_missing(span_of(ones), dtype::uint8, byte_order::little, untouched.spans());
  for (const bytes& each : untouched.of) BOOST_TEST((each == bytes(8, '?')));
}

BOOST_AUTO_TEST_SUITE_END()
