// SPDX-License-Identifier: Apache-2.0
// Fields become objects with the values that ecCodes decodes, and come back as the same GRIB.
#include "bridge/grib/carry/carry_field.hpp"

#include <boost/test/unit_test.hpp>
#include <bridge/grib/carry/carried_files.hpp>
#include <bridge/grib/needs_eccodes.hpp>
#include <bridge/grib/sections/grib_files.hpp>
#include <cmath>

#include "bridge/grib/carry/stored_sections.hpp"
#include "bridge/grib/packing/aec.hpp"
#include "bridge/grib/packing/integers.hpp"

using namespace tgmap_test;
using namespace tgmap::bridge;
using grib::carry_method;
using grib::carry_reason;
using tgmap::failure;

BOOST_AUTO_TEST_SUITE(bridge_carry_field)

namespace {

/// The expected fields of a file.
struct expectation {
  const char* file;
  carry_method method;
  carry_reason reason;
  bool has_original = false;  ///< the data section is kept
  bool is_exact = true;
};

constexpr expectation expectations[] = {
    {"ccsds_12", carry_method::reencoded, carry_reason::sample_width},
    {"ccsds_16", carry_method::carried, carry_reason::none},
    {"ccsds_24", carry_method::carried, carry_reason::none},
    {"ccsds_8", carry_method::carried, carry_reason::none},
    {"ccsds_bitmap", carry_method::reencoded, carry_reason::missing_points},
    {"ccsds_constant", carry_method::carried, carry_reason::none},
    {"columns", carry_method::carried, carry_reason::none},
    {"complex", carry_method::reencoded, carry_reason::groups},
    {"complex_missing_1", carry_method::reencoded, carry_reason::groups},
    {"complex_missing_2", carry_method::reencoded, carry_reason::groups, true},
    {"complex_spatial_1", carry_method::reencoded, carry_reason::groups},
    {"complex_spatial_2", carry_method::reencoded, carry_reason::groups},
    {"edition_1_12", carry_method::carried, carry_reason::none},
    {"edition_1_16", carry_method::carried, carry_reason::none},
    {"edition_1_3", carry_method::carried, carry_reason::none},
    {"edition_1_all_missing", carry_method::carried, carry_reason::none},
    {"edition_1_bitmap", carry_method::reencoded, carry_reason::missing_points},
    {"edition_1_constant", carry_method::carried, carry_reason::none},
    {"edition_1_ieee", carry_method::carried, carry_reason::none},
    {"edition_1_levels", carry_method::carried, carry_reason::none},
    {"edition_1_polar", carry_method::carried, carry_reason::none},
    {"edition_1_reduced", carry_method::carried, carry_reason::none},
    {"edition_1_rotated", carry_method::carried, carry_reason::none},
    {"ieee_32", carry_method::carried, carry_reason::none},
    {"ieee_64", carry_method::reencoded, carry_reason::missing_points},
    {"polar", carry_method::carried, carry_reason::none},
    {"reduced_gaussian", carry_method::carried, carry_reason::none},
    {"reduced_latitudes", carry_method::carried, carry_reason::none},
    {"rotated", carry_method::carried, carry_reason::none},
    {"simple_1", carry_method::carried, carry_reason::none},
    {"simple_12", carry_method::carried, carry_reason::none},
    {"simple_16", carry_method::carried, carry_reason::none},
    {"simple_24", carry_method::carried, carry_reason::none},
    {"simple_all_missing", carry_method::carried, carry_reason::none},
    {"simple_bitmap", carry_method::reencoded, carry_reason::missing_points},
    {"simple_constant", carry_method::carried, carry_reason::none},
    {"simple_decimal", carry_method::carried, carry_reason::none, false, false},
    {"unstructured", carry_method::carried, carry_reason::none},
};

constexpr expectation decoded_expectations[] = {
    {"jpeg", carry_method::reencoded, carry_reason::decoder, true},
    {"png", carry_method::reencoded, carry_reason::decoder, true},
    {"logarithm", carry_method::decoded, carry_reason::decoder, true},
    {"edition_1_second_order", carry_method::reencoded, carry_reason::decoder, true},
    {"second_order", carry_method::reencoded, carry_reason::decoder, true},
};

bool needs_aec(const std::string& file) { return file.starts_with("ccsds") && !grib::has_aec(); }

void check_expectation(const expectation& expected) {
  if (needs_aec(expected.file)) return;
  BOOST_TEST_CONTEXT(expected.file) {
    const bytes content = grib_file(expected.file);
    for (const auto& from : fields_of_file(span_of(content))) {
      const auto field = carry(from);
      BOOST_TEST(to_string_view(field.method) == to_string_view(expected.method));
      BOOST_TEST(to_string_view(field.reason) == to_string_view(expected.reason));
      BOOST_TEST(field.has_original == expected.has_original);
      BOOST_TEST(field.is_exact == expected.is_exact);
      BOOST_TEST(field.base.view().find("grib_data").has_value() == expected.has_original);
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_is_done_to_each_kind_of_field) {
  for (const auto& each : expectations) check_expectation(each);
}

BOOST_AUTO_TEST_CASE(values_are_those_of_eccodes) {
  std::size_t compared = 0;
  for (const auto& expected : all_expected_values()) {
    const bool is_carried = std::any_of(std::begin(expectations), std::end(expectations), [&](const expectation& each) {
      return expected.file == each.file && each.is_exact;
    });
    if (!(is_carried || expected.file == "several_fields") || needs_aec(expected.file)) continue;
    BOOST_TEST_CONTEXT(expected.file << " " << expected.number) {
      const bytes content = grib_file(expected.file);
      const auto values = values_of(archive_of(carry(fields_of_file(span_of(content)).at(expected.number))));
      BOOST_TEST(values.size() == expected.points);
      BOOST_TEST(static_cast<std::size_t>(std::count_if(values.begin(), values.end(),
                                                        [](double v) { return std::isnan(v); })) == expected.missing);
      BOOST_TEST(crc_of(values) == expected.crc);
      ++compared;
    }
  }
  BOOST_TEST(compared > 30u);
}

BOOST_AUTO_TEST_CASE(decimal_scale_factors_shift_values_by_roundings) {
  const bytes content = grib_file("simple_decimal");
  const auto field = fields_of_file(span_of(content)).at(0);
  const auto values = values_of(archive_of(carry(field)));
  failure why;
  const auto how = grib::read_packing(field, why);
  BOOST_TEST_REQUIRE(how.decimal_scale == 2);
  std::vector<std::uint32_t> integers(values.size());
  grib::unpack_integers(how.data, 0, how.bits, std::span(integers));
  double most = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    // ecCodes: the integer times a power of 2, plus the reference value, times 0.01.
    const double exact = (integers[i] * std::ldexp(1.0, how.binary_scale) + how.reference) * 0.01;
    most = std::max(most, std::abs(values[i] - exact) / (std::nextafter(exact, INFINITY) - exact));
    BOOST_TEST(static_cast<float>(values[i]) == static_cast<float>(exact));
  }
  BOOST_TEST_MESSAGE("decimal scale 2: values are at most " << most << " units in the last place off");
  BOOST_TEST(most <= 1);
}

BOOST_AUTO_TEST_CASE(what_only_a_decoder_reads) {
  const bytes content = grib_file("png");
  grib::carry_memory memory;
  failure why;
  static_cast<void>(grib::carry_field(fields_of_file(span_of(content)).at(0), {}, memory, why));
  BOOST_TEST((why.code == tgmap::errc::codec_absent));
  if (!has_eccodes()) return;
  for (const auto& each : decoded_expectations) check_expectation(each);
  for (const auto& expected : all_expected_values())
    for (const auto& each : decoded_expectations) {
      if (expected.file != each.file) continue;
      const bytes file = grib_file(each.file);
      BOOST_TEST(crc_of(values_of(archive_of(carry(fields_of_file(span_of(file)).at(0))))) == expected.crc, each.file);
    }
}

BOOST_AUTO_TEST_CASE(packed_bytes_are_not_copied) {
  for (const char* file : {"simple_12", "ccsds_16", "ieee_32", "edition_1_16"}) {
    if (needs_aec(file)) continue;
    const bytes content = grib_file(file);
    const auto from = fields_of_file(span_of(content)).at(0);
    const auto field = carry(from);
    failure why;
    const auto how = grib::read_packing(from, why);
    BOOST_TEST(field.object.payload_and_masks.data() == how.data.data(), file);
    BOOST_TEST(field.object.payload_and_masks.size() == how.data.size(), file);
  }
}

BOOST_AUTO_TEST_CASE(descriptors_have_the_keys_of_the_library) {
  const auto keys_of = [](const char* file) {
    const bytes content = grib_file(file);
    return carry(fields_of_file(span_of(content)).at(0)).object.descriptor;
  };
  using tgmap::cbor_value;
  const auto keys = [](std::initializer_list<cbor_value::pair> more) {
    auto out = cbor_value::map({{"type", "ntensor"},
                                {"ndim", 2},
                                {"shape", cbor_value::array({31, 16})},
                                {"strides", cbor_value::array({16, 1})},
                                {"filter", "none"},
                                {"compression", "none"},
                                {"encoding", "simple_packing"},
                                {"dtype", "float64"},
                                {"byte_order", "little"}});
    out.update(cbor_value::map(more));
    return out;
  };
  BOOST_TEST((keys_of("simple_16") == keys({{"sp_reference_value", 253.24699401855469},
                                            {"sp_binary_scale_factor", -10},
                                            {"sp_decimal_scale_factor", 0},
                                            {"sp_bits_per_value", 16}})));
  BOOST_TEST((keys_of("ieee_32") == keys({{"encoding", "none"}, {"dtype", "float32"}, {"byte_order", "big"}})));
  if (!grib::has_aec()) return;
  BOOST_TEST((keys_of("ccsds_16") == keys({{"sp_reference_value", 253.24699401855469},
                                           {"sp_binary_scale_factor", -10},
                                           {"sp_decimal_scale_factor", 0},
                                           {"sp_bits_per_value", 16},
                                           {"compression", "szip"},
                                           {"szip_rsi", 128},
                                           {"szip_block_size", 32},
                                           {"szip_flags", 8},
                                           {"szip_block_offsets", cbor_value::array({0})}})));
}

BOOST_AUTO_TEST_CASE(padded_streams_are_refused) {
  bytes content = grib_file("ccsds_16");
  put_in_section(content, 5, 21, 14 | 32, 1);
  grib::carry_memory memory;
  failure why;
  static_cast<void>(grib::carry_field(fields_of_file(span_of(content)).at(0), {}, memory, why));
  BOOST_TEST((why.code == errc::padded_stream), why.text());
  put_in_section(content, 5, 21, 14 | 1, 1);  // signed samples: only a decoder reads them
  static_cast<void>(grib::carry_field(fields_of_file(span_of(content)).at(0), {}, memory, why));
  BOOST_TEST((why.code == tgmap::errc::codec_absent), why.text());
}

BOOST_AUTO_TEST_CASE(without_the_original) {
  const bytes content = grib_file("complex_missing_2");
  const auto field = carry(fields_of_file(span_of(content)).at(0), {.keep_original = false});
  BOOST_TEST(!field.has_original);
  BOOST_TEST(!field.base.view().find("grib_data"));
}

// Each byte of each file is changed. What is read then comes back identical, or there is an error.
BOOST_AUTO_TEST_CASE(damaged_files) {
  grib::carry_memory memory;
  std::size_t sound = 0, wrong = 0;
  for (const auto& name : grib_file_names()) {
    bytes content = grib_file(name);
    if (content.size() > 3000) continue;
    for (std::size_t i = 0; i < content.size(); ++i) {
      const char before = content[i];
      for (const unsigned change : {0x01U, 0x80U, 0xFFU}) {
        content[i] = static_cast<char>(static_cast<unsigned char>(before) ^ change);
        failure why;
        grib::field_reader reader(span_of(content), 0, why);
        grib::field from;
        while (!why && reader.next(from, why)) {
          failure failed;
          const auto field = grib::carry_field(from, {}, memory, failed);
          ++(failed ? wrong : sound);
          BOOST_TEST((failed.code != errc::not_identical), name << " byte " << i << " ^ " << change);
        }
      }
      content[i] = before;
    }
  }
  BOOST_TEST_MESSAGE(sound << " damaged fields were read, " << wrong << " were refused");
  BOOST_TEST(sound > 1000u);
  BOOST_TEST(wrong > 1000u);
}

BOOST_AUTO_TEST_SUITE_END()
