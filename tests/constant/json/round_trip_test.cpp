// SPDX-License-Identifier: Apache-2.0
// A constant that is written as JSON and read again is the same.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstring>
#include <string>
#include <support/rounds.hpp>
#include <tgmap/constant/builder.hpp>
#include <tgmap/constant/read.hpp>
#include <tgmap/constant/write.hpp>

#include "../random_constant.hpp"

namespace constant = tgmap::constant;
using constant::form;
using constant::number_style;
using constant::tensor_constant;
using constant::tensor_type;
using tgmap_test::bit_difference;

namespace {

constexpr form all_forms_of_text[] = {form::long_form,   form::short_form, form::long_value,
                                      form::short_value, form::hex,        form::hex_value};

/// Returns true if constant files may have this form, not only documents.
bool is_form_of_constants(const tensor_type& type, form wanted) {
  if (wanted == form::long_form) return true;
  if (type.is_scalar()) return false;
  if (wanted == form::short_form || (wanted == form::hex && type.is_sparse())) return true;
  if (wanted == form::short_value || (wanted == form::hex_value && type.is_sparse()))
    return (type.is_dense() && wanted == form::short_value) || (type.is_sparse() && type.mapped_count() == 1);
  return false;
}

tensor_constant read_again(const tensor_constant& original, const std::string& text, constant::read_options options) {
  options.type = original.type();
  options.allow_empty_labels = true;
  constant::report result;
  tensor_constant out = read_json(text, options, result);
  if (result) BOOST_FAIL(result.problems.front().text() + " in " + text);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(round_trip)

BOOST_AUTO_TEST_CASE(every_form_is_read_back) {
  std::mt19937_64 random(31);
  for (int i = 0; i < tgmap_test::rounds(1500); ++i) {
    const tensor_constant original = tgmap_test::random_constant(random, {.any_nan = false});
    for (const form wanted : all_forms_of_text) {
      const bool constant_mode = is_form_of_constants(original.type(), wanted);
      const std::string text = to_json(original, {.form = wanted});
      for (const bool nearest : {false, true}) {
        const tensor_constant again =
            read_again(original, text, {.extended = !constant_mode, .round_to_nearest = nearest});
        BOOST_REQUIRE_MESSAGE(bit_difference(original, again) == "", bit_difference(original, again) + " in " + text);
        BOOST_REQUIRE(to_json(again, {.form = wanted}) == text);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(the_type_is_in_the_text) {
  std::mt19937_64 random(32);
  for (int i = 0; i < tgmap_test::rounds(300); ++i) {
    const tensor_constant original = tgmap_test::random_constant(random, {.any_nan = false});
    for (const form wanted : {form::long_form, form::short_form}) {
      constant::report result;
      const tensor_constant again =
          read_json(to_json(original, {.form = wanted}),
                    {.extended = original.type().is_scalar(), .allow_empty_labels = true}, result);
      BOOST_REQUIRE(!result);
      BOOST_REQUIRE(result.warnings.empty());
      BOOST_REQUIRE(bit_difference(original, again) == "");
    }
  }
}

BOOST_AUTO_TEST_CASE(upstream_style_keeps_finite_numbers) {
  std::mt19937_64 random(33);
  for (int i = 0; i < tgmap_test::rounds(500); ++i) {
    const tensor_constant original = tgmap_test::random_constant(random, {.any_nan = false});
    const tensor_constant again =
        read_again(original, to_json(original, {.form = form::long_form, .style = number_style::upstream}), {});
    BOOST_REQUIRE(again.size() == original.size());
    for (std::uint64_t n = 0; n < original.size(); ++n) {
      const double before = original.value(n), after = again.value(n);
      BOOST_REQUIRE((std::isfinite(before) ? std::memcmp(&before, &after, sizeof before) == 0 : std::isnan(after)));
    }
  }
}

BOOST_AUTO_TEST_CASE(every_bfloat16_and_every_int8) {
  for (const char* const type : {"tensor<bfloat16>(x[65536])", "tensor<int8>(x[256])"}) {
    constant::builder make(tensor_type::parse(type));
    const std::size_t width = tgmap::element_size(make.type().cell_type());
    const auto cells = make.cells(0);
    for (std::uint16_t i = 0; i < cells.size() / width - 1; ++i) {
      const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(i) << 16);
      const std::uint16_t bits = width == 2 && std::isnan(value) ? (i & 0x8000) | 0x7fc0 : i;
      std::memcpy(cells.data() + i * width, &bits, width);
    }
    const tensor_constant original = make.finish();
    for (const bool nearest : {false, true})
      for (const form wanted : {form::short_form, form::hex}) {
        const std::string text = to_json(original, {.form = wanted});
        BOOST_TEST(
            bit_difference(original, read_again(original, text,
                                                {.extended = wanted == form::hex, .round_to_nearest = nearest})) == "");
      }
  }
}

BOOST_AUTO_TEST_CASE(samples_are_valid_files) {
  for (const char* const type : {"tensor(x[3])", "tensor<float>(x[2],y[3])", "tensor(k{})", "tensor<int8>(k{},x[200])",
                                 "tensor<bfloat16>(j{},k{},x[2],y[2])", "tensor(j{},k{},l{})"}) {
    const tensor_constant original = constant::make_sample(tensor_type::parse(type));
    const tensor_constant again = constant::read_json(to_json(original), {.require_content = true});
    BOOST_TEST(bit_difference(original, again) == "", type);
  }
  // Scalars need the long form.
  const tensor_constant scalar = constant::make_sample(tensor_type());
  BOOST_TEST(bit_difference(scalar, constant::read_json(to_json(scalar, {.form = form::long_form}))) == "");
}

BOOST_AUTO_TEST_SUITE_END()
