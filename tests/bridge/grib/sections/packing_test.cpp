// SPDX-License-Identifier: Apache-2.0
// The packing of fields, as ecCodes reads it, and numbers that do not fit.
#include "bridge/grib/sections/packing.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <map>

#include "bridge/grib/sections/numbers.hpp"
#include "grib_files.hpp"

using namespace tgmap_test;
using namespace tgmap::bridge::grib;
using tgmap::failure;
using tgmap::bridge::errc;

BOOST_TEST_DONT_PRINT_LOG_VALUE(packing_kind)

namespace {

const std::map<std::string, packing_kind> kinds_by_eccodes = {
    {"grid_simple", packing_kind::simple},
    {"grid_ieee", packing_kind::ieee},
    {"grid_ccsds", packing_kind::ccsds},
    {"grid_complex", packing_kind::complex},
    {"grid_complex_spatial_differencing", packing_kind::complex_spatial},
    {"grid_second_order", packing_kind::second_order},
    {"grid_jpeg", packing_kind::jpeg},
    {"grid_png", packing_kind::png},
    {"spectral_complex", packing_kind::spectral},
    {"grid_simple_matrix", packing_kind::other},
    {"grid_simple_log_preprocessing", packing_kind::other},
};

packing packing_of(const bytes& message) {
  failure why;
  const packing out = read_packing(fields_of(span_of(message))[0], why);
  BOOST_REQUIRE_MESSAGE(!why, why.text());
  return out;
}

failure packing_error(const bytes& message) {
  failure why;
  const packing out = read_packing(fields_of(span_of(message))[0], why);
  BOOST_TEST(static_cast<bool>(why));
  BOOST_TEST((out.data.empty() && out.values == 0));
  return why;
}

// Changes bytes of section 5, or of section 4 of GRIB 1.
failure packing_error_with(const std::string& name, std::size_t at, std::uint64_t value, unsigned width) {
  bytes changed = grib_file(name);
  put_in_section(changed, name.starts_with("edition_1") ? 4 : 5, at, value, width);
  return packing_error(changed);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(grib_packing)

BOOST_AUTO_TEST_CASE(numbers_are_those_of_eccodes) {
  for (const expected_field& row : expected_fields()) {
    BOOST_TEST_CONTEXT(row.file << " field " << row.number) {
      const bytes content = grib_file(row.file);
      const field from = fields_of(span_of(content)).at(row.number);
      failure why;
      const packing found = read_packing(from, why);
      BOOST_REQUIRE_MESSAGE(!why, why.text());
      BOOST_TEST(found.kind == kinds_by_eccodes.at(row.text("packingType")));
      BOOST_TEST(found.values == static_cast<std::uint64_t>(row.integer("numberOfCodedValues")));
      if (found.kind == packing_kind::ieee || row.text("packingType") == "grid_simple_matrix") continue;
      BOOST_TEST(found.reference == row.real("referenceValue"));
      BOOST_TEST(found.binary_scale == row.integer("binaryScaleFactor"));
      BOOST_TEST(found.decimal_scale == row.integer("decimalScaleFactor"));
      // Of second order in GRIB 1 ecCodes derives the bits from the values.
      if (from.edition == 1 && found.kind == packing_kind::second_order) continue;
      BOOST_TEST(found.bits == static_cast<unsigned>(row.integer("bitsPerValue")));
    }
  }
}

BOOST_AUTO_TEST_CASE(data_has_the_bytes_of_the_values) {
  BOOST_TEST(packing_of(grib_file("simple_16")).data.size() == 2u * 496);
  BOOST_TEST(packing_of(grib_file("simple_12")).data.size() == 744u);
  BOOST_TEST(packing_of(grib_file("simple_1")).data.size() == 62u);
  BOOST_TEST(packing_of(grib_file("simple_bitmap")).data.size() == 2u * 391);
  BOOST_TEST(packing_of(grib_file("simple_constant")).data.empty());
  BOOST_TEST(packing_of(grib_file("simple_all_missing")).data.empty());
  BOOST_TEST(packing_of(grib_file("ieee_32")).data.size() == 4u * 496);
  BOOST_TEST(packing_of(grib_file("ieee_32")).bits == 32u);
  BOOST_TEST(packing_of(grib_file("ieee_64")).data.size() == 8u * 391);
  BOOST_TEST(packing_of(grib_file("edition_1_ieee")).data.size() == 8u * 496);

  // Section 4 of GRIB 1 has an even number of bytes.
  const packing odd = packing_of(grib_file("edition_1_16"));
  BOOST_TEST((odd.data.size() == 2 * 496 && odd.padding.size() == 1));
  const packing even = packing_of(grib_file("edition_1_3"));
  BOOST_TEST((even.data.size() == 186 && even.padding.size() == 1));
  const bytes content = grib_file("edition_1_12");
  const field from = fields_of(span_of(content))[0];
  failure why;
  const packing found = read_packing(from, why);
  BOOST_TEST((found.data.data() == from.sections[4].data() + 11));
  BOOST_TEST((found.padding.data() + found.padding.size() == from.sections[5].data()));
}

BOOST_AUTO_TEST_CASE(parameters_of_ccsds_are_read_and_checked) {
  const packing found = packing_of(grib_file("ccsds_12"));
  BOOST_TEST((found.ccsds.flags == 14 && found.ccsds.block_size == 32));
  BOOST_TEST(found.ccsds.reference_sample_interval == 128u);

  failure why = packing_error_with("ccsds_12", 22, 33, 1);
  BOOST_TEST(
      (why.code == errc::bad_parameter && why.found == 33 && why.argument == std::string("block size of CCSDS")));
  for (const unsigned block : {0U, 2U, 4U, 128U})
    BOOST_TEST((packing_error_with("ccsds_12", 22, block, 1).code == errc::bad_parameter));
  BOOST_TEST((packing_error_with("ccsds_12", 23, 0, 2).code == errc::bad_parameter));
  BOOST_TEST((packing_error_with("ccsds_12", 23, 4097, 2).code == errc::bad_parameter));
  why = packing_error_with("ccsds_12", 19, 33, 1);
  BOOST_TEST((why.code == errc::bad_width && why.expected == 32 && why.found == 33));

  // 600 bytes cannot hold 3 million values: 64 blocks of zeros take 7 bits.
  bytes many = grib_file("ccsds_12");
  put_in_section(many, 5, 5, 3'000'000, 4);
  put_in_section(many, 3, 6, 3'000'000, 4);
  put_in_section(many, 3, 30, 3'000, 4);
  put_in_section(many, 3, 34, 1'000, 4);
  BOOST_TEST((packing_error(many).code == errc::data_too_short));
}

BOOST_AUTO_TEST_CASE(parameters_of_complex_packing_are_read_and_checked) {
  const complex_parameters found = packing_of(grib_file("complex_missing_2")).groups;
  BOOST_TEST((found.splitting_method == 1 && found.missing_value_management == 2 && found.groups == 50));
  BOOST_TEST((found.primary_missing == 0x7F800000 && found.secondary_missing == 0xFF800000));
  BOOST_TEST((found.width_bits == 5 && found.length_reference == 4 && found.length_increment == 1));
  BOOST_TEST((found.last_length == 6 && found.length_bits == 4 && found.order == 2 && found.extra_octets == 3));
  BOOST_TEST(packing_of(grib_file("complex")).groups.order == 0u);
  BOOST_TEST(packing_of(grib_file("complex_spatial_1")).groups.order == 1u);

  BOOST_TEST((packing_error_with("complex", 22, 3, 1).code == errc::bad_parameter));
  failure why = packing_error_with("complex", 31, 497, 4);
  BOOST_TEST((why.code == errc::bad_parameter && why.argument == std::string("number of groups") && why.found == 497));
  BOOST_TEST((packing_error_with("complex", 31, 0xFFFFFFFF, 4).code == errc::bad_parameter));
  BOOST_TEST((packing_error_with("complex", 31, 0, 4).code == errc::bad_parameter));
  BOOST_TEST((packing_error_with("complex", 31, 496, 4).code == errc::data_too_short));

  // A constant field of NCEP has no groups and no data, and spatial differencing of order 1 with an extra descriptor.
  bytes constant = grib_file("complex_spatial_1");
  put_in_section(constant, 5, 19, 0, 1);
  put_in_section(constant, 5, 31, 0, 4);
  const field from = fields_of(span_of(constant))[0];
  constant.resize(static_cast<std::size_t>(from.sections[7].data() - from.message.data()) + 5);
  put(constant, constant.size() - 5, 5, 4);
  constant += "7777";
  put(constant, 8, constant.size(), 8);
  BOOST_TEST((packing_of(constant).values == 496 && packing_of(constant).groups.groups == 0));
  BOOST_TEST((packing_error_with("complex", 36, 33, 1).code == errc::bad_width));
  BOOST_TEST((packing_error_with("complex", 46, 255, 1).code == errc::bad_width));
  BOOST_TEST((packing_error_with("complex", 19, 33, 1).code == errc::bad_width));
  BOOST_TEST((packing_error_with("complex_spatial_2", 47, 3, 1).code == errc::bad_parameter));
  BOOST_TEST((packing_error_with("complex_spatial_2", 48, 9, 1).code == errc::bad_parameter));
}

BOOST_AUTO_TEST_CASE(values_must_be_there) {
  failure why = packing_error_with("simple_16", 19, 17, 1);
  BOOST_TEST((why.code == errc::data_too_short && why.expected == 1054 && why.found == 992));
  why = packing_error_with("simple_16", 5, 495, 4);
  BOOST_TEST((why.code == errc::value_count && why.expected == 496 && why.found == 495));
  why = packing_error_with("simple_bitmap", 5, 496, 4);
  BOOST_TEST((why.code == errc::value_count && why.expected == 391 && why.found == 496));
  BOOST_TEST((packing_error_with("simple_16", 5, 0xFFFFFFFF, 4).code == errc::value_count));
  why = packing_error_with("simple_16", 19, 65, 1);
  BOOST_TEST((why.code == errc::bad_width && why.expected == 64 && why.found == 65));
  why = packing_error_with("ieee_32", 11, 2, 1);
  BOOST_TEST((why.code == errc::data_too_short && why.expected == 8 * 496 && why.found == 4 * 496));
  why = packing_error_with("ieee_32", 11, 0, 1);
  BOOST_TEST((why.code == errc::bad_parameter && why.argument == std::string("precision")));

  // GRIB 1 states its values by the length of the section.
  why = packing_error_with("edition_1_16", 10, 17, 1);
  BOOST_TEST((why.code == errc::data_too_short && why.expected == 1054 && why.found == 993));
  why = packing_error_with("edition_1_16", 10, 15, 1);
  BOOST_TEST((why.code == errc::value_count && why.expected == 496 && why.found == 529));
  bytes fewer_rows = grib_file("edition_1_16");
  put_in_section(fewer_rows, 2, 8, 30, 2);
  why = packing_error(fewer_rows);
  BOOST_TEST((why.code == errc::value_count && why.expected == 480 && why.found == 496));
}

BOOST_AUTO_TEST_CASE(scales_must_give_numbers) {
  for (const std::uint64_t reference : {0x7F800000U, 0xFF800000U, 0x7FC00000U})
    BOOST_TEST((packing_error_with("simple_16", 11, reference, 4).code == errc::bad_scale));
  for (const std::uint64_t binary : {0x7FFF, 0xFFFF, 1009, 0x8000 + 1023})
    BOOST_TEST((packing_error_with("simple_16", 15, binary, 2).code == errc::bad_scale), "E " << binary);
  for (const std::uint64_t decimal : {0x7FFF, 0xFFFF, 309, 0x8000 + 307})
    BOOST_TEST((packing_error_with("simple_16", 17, decimal, 2).code == errc::bad_scale), "D " << decimal);

  bytes wide = grib_file("simple_16");
  put_in_section(wide, 5, 15, 1000, 2);
  BOOST_TEST(packing_of(wide).binary_scale == 1000);
  put_in_section(wide, 5, 15, 0x8000 + 1022, 2);
  BOOST_TEST(packing_of(wide).binary_scale == -1022);
  bytes constant = grib_file("simple_constant");  // E does not matter
  put_in_section(constant, 5, 15, 0xFFFF, 2);
  BOOST_TEST(packing_of(constant).binary_scale == -32767);
}

BOOST_AUTO_TEST_CASE(templates_need_their_bytes) {
  for (const std::string name : {"simple_16", "complex", "complex_spatial_2", "ieee_32", "ccsds_12", "jpeg", "spectral",
                                 "second_order", "logarithm", "png"}) {
    BOOST_TEST_CONTEXT(name) {
      const bytes good = grib_file(name);
      const field from = fields_of(span_of(good))[0];
      const auto at = static_cast<std::size_t>(from.sections[5].data() - from.message.data());
      bytes changed = good.substr(0, at + 11) + good.substr(at + from.sections[5].size());
      put(changed, at, 11, 4);
      put(changed, 8, changed.size(), 8);
      const failure why = packing_error(changed);
      BOOST_TEST((why.code == errc::section_too_short && why.found == 11 && why.expected > 11));
      // ecCodes' templates are as long as ours, or longer.
      BOOST_TEST(why.expected <= from.sections[5].size());
    }
  }
}

BOOST_AUTO_TEST_CASE(unknown_templates_are_left_to_others) {
  for (const unsigned number : {200U, 6U, 65535U}) {
    bytes changed = grib_file("simple_16");
    put_in_section(changed, 5, 9, number, 2);
    const packing found = packing_of(changed);
    BOOST_TEST(found.kind == packing_kind::other);
    BOOST_TEST((found.template_number == number && found.data.size() == 992));
  }
  bytes empty = grib_file("edition_1_16");
  put_in_section(empty, 4, 4, 0xFFFF, 2);  // E of a field without values, in ECMWF's coding
  BOOST_TEST(packing_of(empty).kind == packing_kind::other);
  BOOST_TEST(packing_of(grib_file("edition_1_matrix")).template_number == 0x0010);
}

BOOST_AUTO_TEST_CASE(numbers_have_signs_and_magnitudes) {
  const auto at = [](std::uint64_t value, unsigned width) { return big_endian(value, width); };
  BOOST_TEST(sign_and_magnitude(span_of(at(0x8012, 2)), 0) == -18);
  BOOST_TEST(sign_and_magnitude(span_of(at(0x7FFF, 2)), 0) == 32767);
  BOOST_TEST(sign_and_magnitude(span_of(at(0x8000, 2)), 0) == 0);
  // IBM: 16^(exponent - 64) * mantissa / 2^24
  BOOST_TEST(ibm_float(span_of(at(0x41100000, 4)), 0) == 1.0);
  BOOST_TEST(ibm_float(span_of(at(0xC276A000, 4)), 0) == -118.625);
  BOOST_TEST(ibm_float(span_of(at(0x00000001, 4)), 0) == std::ldexp(1.0, -280));
  BOOST_TEST(ibm_float(span_of(at(0x7FFFFFFF, 4)), 0) == std::ldexp(16777215.0, 228));
  BOOST_TEST(ieee_float(span_of(at(0x437D3F3B, 4)), 0) == 253.24699401855469);
}

BOOST_AUTO_TEST_SUITE_END()
