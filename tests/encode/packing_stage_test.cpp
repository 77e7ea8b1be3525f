// SPDX-License-Identifier: Apache-2.0
// Parameters of simple_packing, ranges, and bits for a given error. Spec: §7.1.
#include <cmath>
#include <cstring>
#include <encode/round_trip.hpp>
#include <random>
#include <support/failures.hpp>
#include <support/rounds.hpp>

#include "codec/packing/packing_parameters.hpp"

using namespace tgmap_test;
using tgmap::byte_order;
using tgmap::compression;
using tgmap::dtype;
using tgmap::encoding;
using tgmap::errc;
using tgmap::filter;
using tgmap::new_object;

BOOST_AUTO_TEST_SUITE(packing_stage_test)

namespace {

bytes stored(const std::vector<double>& numbers) {
  return bytes(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(double));
}

std::vector<double> numbers_in(const bytes& data) {
  std::vector<double> out(data.size() / sizeof(double));
  std::memcpy(out.data(), data.data(), data.size());
  return out;
}

new_object packed(const bytes& data, tgmap::packing_options how) {
  new_object out = object_of(dtype::float64, data, {data.size() / sizeof(double)});
  out.pipeline.encoding = encoding::simple_packing;
  out.pipeline.packing = how;
  return out;
}

double greatest_error(const std::vector<double>& a, const std::vector<double>& b) {
  double out = a.size() == b.size() ? 0 : HUGE_VAL;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) out = std::max(out, std::abs(a[i] - b[i]));
  return out;
}

std::vector<double> temperatures(std::size_t n) {
  std::mt19937 next(4);
  std::vector<double> out(n);
  for (double& each : out) each = 230 + 80 * std::generate_canonical<double, 53>(next);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(computed_parameters_lose_half_a_step_at_most) {
  case_sampler cases(3);
  const auto numbers = temperatures(3001);
  const bytes data = stored(numbers);
  for (unsigned bits = 1; bits <= 64; ++bits)
    for (const int decimal : {-3, 0, 2, 7}) {
      if (!cases.takes_next()) continue;
      const new_object in = packed(data, {.bits = bits, .decimal_scale = decimal});
      const auto out = encode(in);
      BOOST_TEST_REQUIRE(!out.why, out.why.text());
      BOOST_TEST(out.what.packing.reference == *std::min_element(numbers.begin(), numbers.end()));
      const double step = std::ldexp(1.0, out.what.packing.binary_scale) * std::pow(10.0, -decimal);
      const double error = greatest_error(numbers, numbers_in(read_back(in, out.what)));
      BOOST_TEST(error <= 0.5 * step + 1e-12, bits << " bits: " << error);
      BOOST_TEST(std::ldexp(step, static_cast<int>(bits)) < 2.01 * 80 + 2 * step, bits << " bits are not used well");
    }
}

BOOST_AUTO_TEST_CASE(packing_again_gives_the_same_bytes) {
  const bytes data = stored(temperatures(1000));
  for (const unsigned bits : {1, 3, 8, 11, 12, 16, 20, 24, 31, 32, 33, 40, 48}) {
    const new_object in = packed(data, {.bits = bits});
    const auto once = encode(in);
    const bytes back = read_back(in, once.what);
    const auto& with = once.what.packing;
    const auto again =
        encode(packed(back, {.bits = bits, .reference = with.reference, .binary_scale = with.binary_scale}));
    BOOST_TEST_REQUIRE(!again.why, again.why.text());
    BOOST_TEST((again.payload == once.payload), bits << " bits");
  }
}

BOOST_AUTO_TEST_CASE(any_address_and_either_byte_order) {
  const auto numbers = temperatures(5003);  // several blocks and an incomplete one
  const bytes data = stored(numbers);
  bytes reversed = data;
  for (std::size_t at = 0; at < reversed.size(); at += 8) std::reverse(&reversed[at], &reversed[at] + 8);
  for (const unsigned bits : {7, 16, 24, 53})
    for (const auto& given :
         {tgmap::packing_options{.bits = bits},
          tgmap::packing_options{.bits = bits, .reference = 200.0, .binary_scale = 8 - static_cast<int>(bits)}}) {
      const auto wanted = encode(packed(data, given));
      BOOST_TEST_REQUIRE(!wanted.why, wanted.why.text());
      const bytes moved = "abc" + data;
      new_object in = packed(data, given);
      in.data = span_of(moved).subspan(3);
      BOOST_TEST((encode(in).payload == wanted.payload));
      in.data = span_of(reversed);
      in.byte_order = tgmap::native_byte_order == byte_order::little ? byte_order::big : byte_order::little;
      BOOST_TEST((encode(in).payload == wanted.payload));
      BOOST_TEST((encode(in).what.order == in.byte_order));
    }
}

BOOST_AUTO_TEST_CASE(error_names_the_element_that_does_not_fit) {
  for (const std::size_t n : {5, 3000})
    for (const std::size_t at : {std::size_t{0}, std::size_t{3}, n - 1})
      for (const double odd : {-0.6, 255.6, 1e300, -1e300}) {
        std::vector<double> numbers(n, 100);
        numbers[at] = odd;
        const bytes data = stored(numbers);
        const auto why = encode(packed(data, {.bits = 8, .reference = 0.0, .binary_scale = 0})).why;
        TGMAP_FAILED(why, errc::not_representable);
        BOOST_TEST(why.found == at);
        numbers[at] = NAN;
        const bytes missing = stored(numbers);
        const auto given = encode(packed(missing, {.bits = 8, .reference = 0.0, .binary_scale = 0})).why;
        TGMAP_FAILED(given, errc::non_finite);
        BOOST_TEST(given.found == at);
        const auto computed = encode(packed(missing, {.bits = 8})).why;
        TGMAP_FAILED(computed, errc::non_finite);
        BOOST_TEST(computed.found == at);
      }
}

BOOST_AUTO_TEST_CASE(no_bits) {
  const bytes same = stored({2.5, 2.5, 2.5}), other = stored({2.5, 2.5, 2.75});
  const new_object in = packed(same, {.bits = 0});
  const auto out = encode(in);
  BOOST_TEST(!out.why);
  BOOST_TEST(out.payload.empty());
  BOOST_TEST((read_back(in, out.what) == same));
  const auto why = encode(packed(other, {.bits = 0})).why;  // the reference implementation would lose it silently
  TGMAP_FAILED(why, errc::not_representable);
  BOOST_TEST(why.found == 2u);
  TGMAP_FAILED(encode(packed(other, {.bits = 0, .reference = 2.5, .binary_scale = 0})).why, errc::not_representable);
}

BOOST_AUTO_TEST_CASE(empty_ranges) {
  for (const auto& numbers : {std::vector<double>{-1e308, 1e308}, {0, 1e-80}, {0, 1e90}, {0, 5e-324}})
    for (const packing_options& how : {packing_options{}, {.bits = 64}, {.max_error = 1e-323}}) {
      if (numbers[1] == 5e-324 && how.max_error) continue;                            // the error is allowed
      if (numbers[1] == 1e90 && how.bits + (how.max_error ? 64 : 0) >= 64) continue;  // 64 bits are enough
      const bytes elements = stored(numbers);
      const failure why = encode(packed(elements, how)).why;
      if (!how.max_error) TGMAP_FAILED(why, errc::bad_parameter);
      const std::string of_range =
          "the smallest and the largest element are too far apart, or too close together, for simple_packing";
      const std::string of_error =
          "simple_packing cannot keep the error of element 1 within the maximum, with any number of bits";
      BOOST_TEST(why.text() == (how.max_error ? of_error : of_range));
    }
  const bytes none;
  const auto empty = encode(packed(none, {}));
  BOOST_TEST(!empty.why);
  BOOST_TEST(empty.what.packing.reference == 0);
}

BOOST_AUTO_TEST_CASE(fewest_bits_for_an_error) {
  const auto numbers = temperatures(2000);
  const bytes data = stored(numbers);
  for (const double error : {100.0, 30.0, 1.0, 0.1, 1e-3, 1e-6, 1e-10}) {
    const new_object in = packed(data, {.max_error = error});
    const auto out = encode(in);
    BOOST_TEST_REQUIRE(!out.why, out.why.text());
    BOOST_TEST(greatest_error(numbers, numbers_in(read_back(in, out.what))) <= error);
    if (out.what.packing.bits == 0) continue;
    const new_object fewer = packed(data, {.bits = out.what.packing.bits - 1});
    const auto less = encode(fewer);
    if (!less.why) BOOST_TEST(greatest_error(numbers, numbers_in(read_back(fewer, less.what))) > error);
  }
  // Integers need all their bits if the error is below one half.
  const bytes whole = stored({0, 255, 17, 4});
  BOOST_TEST(encode(packed(whole, {.max_error = 0.0})).what.packing.bits == 8u);
  BOOST_TEST(encode(packed(whole, {.max_error = 0.4})).what.packing.bits == 8u);
  const bytes same = stored({7.1, 7.1});
  BOOST_TEST(encode(packed(same, {.max_error = 0.0})).what.packing.bits == 0u);
}

BOOST_AUTO_TEST_CASE(error_below_the_precision) {
  const bytes data = stored({0, 0.1, 1e18});
  const auto why = encode(packed(data, {.max_error = 0.0})).why;
  TGMAP_FAILED(why, errc::not_representable);
  BOOST_TEST(why.found == 1u);
}

BOOST_AUTO_TEST_CASE(chosen_bits_reach_the_later_stages) {
  const bytes data = stored(temperatures(1001));
  for (const auto compression : {compression::none, compression::szip, compression::blosc2})
    for (const auto filter : {filter::none, filter::shuffle})
      for (const double error : {1e-1, 1e-3, 1e-5}) {
        new_object in = packed(data, {.max_error = error});
        in.pipeline.compression = compression;
        in.pipeline.filter = filter;
        if (validate_pipeline(in.pipeline, in.dtype).code == errc::codec_absent) continue;
        const auto out = encode(in);
        BOOST_TEST_REQUIRE(!out.why, out.why.text());
        const bool whole = filter == filter::shuffle || compression == compression::szip;
        BOOST_TEST((!whole || out.what.packing.bits % 8 == 0));
        BOOST_TEST(greatest_error(numbers_in(data), numbers_in(read_back(in, out.what))) <= error);
      }
}

BOOST_AUTO_TEST_SUITE_END()
