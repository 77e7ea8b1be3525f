// SPDX-License-Identifier: Apache-2.0
// Parameters of simple_packing without encoding: those that the encoder chooses.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <random>
#include <support/failures.hpp>
#include <tgmap/tgmap.hpp>
#include <vector>

using tgmap::compression;
using tgmap::compute_packing;
using tgmap::encoding;
using tgmap::errc;
using tgmap::failure;
using tgmap::filter;
using tgmap::packing_options;
using tgmap::pipeline;

BOOST_AUTO_TEST_SUITE(compute_packing_test)

namespace {

std::vector<double> temperatures(std::size_t n) {
  std::mt19937 next(7);
  std::vector<double> out(n);
  for (double& each : out) each = 230 + 80 * std::generate_canonical<double, 53>(next);
  return out;
}

/// Returns the parameters in the descriptor of an encoded object, or the failure of encoding it.
packing_options encoded_packing(const std::vector<double>& elements, pipeline how, failure& why) {
  how.encoding = encoding::simple_packing;
  tgmap::new_message content;
  auto& object = std::get<tgmap::new_object>(content.objects.emplace_back(tgmap::new_object::of(elements)));
  object.pipeline = how;
  const auto bytes = tgmap::to_bytes(content, why);
  if (why) return {};
  const auto archive = tgmap::archive::from_memory(bytes);
  return tgmap::pipeline_of(archive[0][0].descriptor()).packing;
}

void check_like_encoder(const std::vector<double>& elements, const pipeline& how) {
  failure expected, found;
  const packing_options encoded = encoded_packing(elements, how, expected);
  const packing_options computed = compute_packing(elements, how, found);
  BOOST_TEST(found.code == expected.code, found.text() << " instead of " << expected.text());
  if (expected) BOOST_TEST(found.found == expected.found);
  if (expected || found) return;
  BOOST_TEST(computed.bits == encoded.bits);
  BOOST_TEST(computed.decimal_scale == encoded.decimal_scale);
  BOOST_TEST((computed.reference.has_value() && computed.reference == encoded.reference));
  BOOST_TEST((computed.binary_scale.has_value() && computed.binary_scale == encoded.binary_scale));
  BOOST_TEST(!computed.max_error.has_value());
}

bool has_szip() { return tgmap::find_codec(compression::szip)->is_available; }

}  // namespace

BOOST_AUTO_TEST_CASE(same_parameters_as_the_encoder) {
  const auto numbers = temperatures(3001);
  for (unsigned bits = 0; bits <= 64; bits += 4)
    for (const int decimal : {-3, 0, 2})
      check_like_encoder(numbers, {.packing = {.bits = bits, .decimal_scale = decimal}});
  for (const double error : {30.0, 0.1, 1e-6}) {
    check_like_encoder(numbers, {.packing = {.max_error = error}});
    check_like_encoder(numbers, {.filter = filter::shuffle, .packing = {.max_error = error}});
    if (has_szip()) check_like_encoder(numbers, {.compression = compression::szip, .packing = {.max_error = error}});
  }
  check_like_encoder({}, {});
  check_like_encoder({2.5, 2.5}, {.packing = {.bits = 0}});
  check_like_encoder(numbers, {.packing = {.bits = 12, .reference = 200.0, .binary_scale = -4}});
}

BOOST_AUTO_TEST_CASE(same_errors_as_the_encoder) {
  check_like_encoder({1, 2}, {.packing = {.bits = 65}});
  check_like_encoder({1, 2}, {.packing = {.reference = 1.0}});
  check_like_encoder({-1e308, 1e308}, {});
  check_like_encoder({2.5, 2.75}, {.packing = {.bits = 0}});
  check_like_encoder({1, 300}, {.packing = {.bits = 8, .reference = 0.0, .binary_scale = 0}});
  check_like_encoder({0, 0.1, 1e18}, {.packing = {.max_error = 0.0}});
  check_like_encoder({1, 2, 3}, {.filter = filter::shuffle, .packing = {.bits = 0}});
  check_like_encoder({1, 2, 3}, {.filter = filter::shuffle, .packing = {.bits = 16}, .shuffle_size = 4});
  if (has_szip()) check_like_encoder({1, 2}, {.compression = compression::szip, .packing = {.bits = 12}});
}

BOOST_AUTO_TEST_CASE(missing_elements) {
  for (const double odd : {static_cast<double>(NAN), HUGE_VAL, -HUGE_VAL})
    for (const bool nan : {false, true})
      for (const bool infinity : {false, true}) {
        pipeline how{.packing = {.bits = 12}};
        how.missing.allow_nan = nan;
        how.missing.allow_infinity = infinity;
        check_like_encoder({1, 5, odd, 9}, how);
        how.packing.reference = 0.0;
        how.packing.binary_scale = -4;
        check_like_encoder({1, 5, odd, 9}, how);
        how.packing = {.max_error = 0.25};
        check_like_encoder({1, 5, odd, 9}, how);
      }
  TGMAP_THROWS(compute_packing(std::vector<double>{1, NAN}), errc::non_finite);
}

BOOST_AUTO_TEST_CASE(parameters_suit_a_stream) {
  const auto numbers = temperatures(1000);
  tgmap::new_object what = tgmap::new_object::of(numbers);
  what.pipeline = {.encoding = encoding::simple_packing,
                   .packing = compute_packing(numbers, {.packing = {.bits = 20}})};
  tgmap::memory_sink to;
  tgmap::stream_writer out(to);
  out.begin_object(what);
  for (std::size_t at = 0; at < numbers.size(); at += 100) out.append_elements(std::span(numbers).subspan(at, 100));
  out.end_object();
  out.finish();
  const auto bytes = to.release();
  const auto archive = tgmap::archive::from_memory(bytes);
  const auto packing = *what.pipeline.packing.binary_scale;
  const tgmap::tensor back = archive[0][0].decode();
  const auto elements = back.view<double>();
  for (std::size_t i = 0; i < numbers.size(); ++i)
    BOOST_TEST_REQUIRE(std::abs(elements.data()[i] - numbers[i]) <= std::ldexp(1.0, packing));
}

BOOST_AUTO_TEST_SUITE_END()
