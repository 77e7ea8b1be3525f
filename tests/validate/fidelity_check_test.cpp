// SPDX-License-Identifier: Apache-2.0
// Mode full: sizes, NaN and infinity, masks, and objects that cannot be decoded.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <support/builder.hpp>
#include <support/failures.hpp>
#include <tgmap/tgmap.hpp>

#include "recorded_findings.hpp"

using namespace tgmap_test;
using tgmap::finding_code;

BOOST_AUTO_TEST_SUITE(fidelity_check)

namespace {

constexpr auto full = tgmap::validation_mode::full;
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN(),
                 infinity = std::numeric_limits<double>::infinity();

recorded_findings check_object(object_spec object) { return check(message({.objects = {std::move(object)}}), full); }

}  // namespace

BOOST_AUTO_TEST_CASE(nan_and_infinity) {
  const auto found = check_object(numbers_object<double>("float64", {1, 2, not_a_number, infinity}));
  BOOST_TEST(found.only(finding_code::nan_detected).text == "unexpected NaN at element 2 (not recorded in mask)");
  BOOST_TEST(!found.result.is_sound());
  const auto other = check_object(numbers_object<float>("float32", {1, -std::numeric_limits<float>::infinity()}));
  BOOST_TEST(other.only(finding_code::inf_detected).text == "unexpected Inf at element 1 (not recorded in mask)");
  BOOST_TEST(check_object(numbers_object<std::uint64_t>("uint64", {UINT64_MAX})).codes() == code_set{},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(nan_far_into_a_large_object) {
  object_spec object{.dtype = "float64", .shape = {200'000}, .payload = bytes(1'600'000, '\0')};
  BOOST_TEST(check_object(object).codes() == code_set{}, boost::test_tools::per_element());
  object.payload.replace(8 * 190'001, 8, native({not_a_number}));
  BOOST_TEST(check_object(object).only(finding_code::nan_detected).text.find("element 190001 ") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(masked_elements) {
  object_spec object = numbers_object<double>("float64", {not_a_number, 2, 3});
  object.masks = {{.kind = "nan", .method = "none", .blob = "\x80"}};
  BOOST_TEST(check_object(object).codes() == code_set{}, boost::test_tools::per_element());
  object.masks[0].blob = "\x40";
  BOOST_TEST(check_object(object).codes() == code_set{"error: nan_detected"}, boost::test_tools::per_element());
  object.masks[0].blob = "\x80\x80";
  BOOST_TEST(check_object(object).codes() == code_set{"error: decode_object_failed"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(sizes) {
  object_spec object = bytes_object("abcd");
  object.shape = {5};
  const auto found = check_object(object);
  BOOST_TEST(found.only(finding_code::decoded_size_mismatch).text ==
             "decoded size 4 != expected 5 (shape [5], dtype uint8)");
}

namespace {

/// Returns an object packed with four bits per element, which are 250, 252, 254 and so on.
object_spec packed_object(bytes payload, std::uint64_t elements) {
  return {
      .dtype = "float64",
      .shape = {elements},
      .payload = std::move(payload),
      .encoding = "simple_packing",
      .more = {cbor::key("sp_reference_value", cbor::real(250)), cbor::key("sp_binary_scale_factor", cbor::integer(1)),
               cbor::key("sp_decimal_scale_factor", cbor::integer(0)),
               cbor::key("sp_bits_per_value", cbor::integer(4))}};
}

object_spec shuffled_object(std::string dtype, bytes payload, std::uint64_t elements, unsigned width) {
  return {.dtype = std::move(dtype),
          .shape = {elements},
          .payload = std::move(payload),
          .filter = "shuffle",
          .more = {cbor::key("shuffle_element_size", cbor::integer(width))}};
}

/// Returns byte 0 of each element, then byte 1 of each, and so on.
bytes shuffled(const bytes& elements, std::size_t width) {
  bytes out;
  for (std::size_t b = 0; b < width; ++b)
    for (std::size_t i = b; i < elements.size(); i += width) out += elements[i];
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(encoded_objects) {
  BOOST_TEST(check_object(packed_object("\x01\x23", 4)).codes() == code_set{}, boost::test_tools::per_element());
  const bytes elements = native<float>({1, 2, std::numeric_limits<float>::infinity(), 4});
  object_spec object = shuffled_object("float32", shuffled(elements, 4), 4, 4);
  BOOST_TEST(check_object(object).only(finding_code::inf_detected).text ==
             "unexpected Inf at element 2 (not recorded in mask)");
  object.masks = {{.kind = "inf+", .method = "rle", .blob = bytes("\0\2\1\1", 4)}};
  BOOST_TEST(check_object(object).codes() == code_set{}, boost::test_tools::per_element());
  object.masks[0].blob = bytes("\0\1\1\2", 4);
  BOOST_TEST(check_object(object).codes() == code_set{"error: inf_detected"}, boost::test_tools::per_element());
  object.masks[0].blob = bytes("\0\1\1\x09", 4);
  BOOST_TEST(check_object(object).codes() == code_set{"error: decode_object_failed"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(other_byte_order) {
  // A signalling pattern in one order, harmless in the other.
  object_spec object = shuffled_object("float32", shuffled(bytes("\x7f\x80\0\0\0\0\x80\x7f", 8), 4), 2, 4);
  BOOST_TEST(check_object(object).only(finding_code::inf_detected).text.find("element 1 ") != std::string::npos);
  object.byte_order = "big";
  BOOST_TEST(check_object(object).only(finding_code::inf_detected).text.find("element 0 ") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(objects_that_cannot_be_decoded) {
  const auto found = check_object(packed_object("\x01", 4));
  BOOST_TEST(found.codes() == code_set{"error: decode_pipeline_failed"}, boost::test_tools::per_element());
  BOOST_TEST(found.only(finding_code::decode_pipeline_failed).text ==
             "decode pipeline failed: encoding simple_packing: decoding gives 1 bytes, but shape and dtype need 2");
  BOOST_TEST((found.only(finding_code::decode_pipeline_failed).level == tgmap::validation_level::integrity));
  BOOST_TEST(!found.result.is_sound());
  BOOST_TEST(!found.messages[0].hash_verified);
  BOOST_TEST(check_object(shuffled_object("uint8", "abcd", 4, 3)).codes() == code_set{"error: pipeline_config_failed"},
             boost::test_tools::per_element());

  object_spec unknown = bytes_object("abcd");
  unknown.compression = "brotli";
  BOOST_TEST((check_object(unknown).codes().count("error: pipeline_config_failed") == 1));
}

BOOST_AUTO_TEST_CASE(findings_come_by_level) {
  const auto found = check(message({.objects = {numbers_object<double>("float64", {infinity}), packed_object("\x01", 4),
                                                numbers_object<double>("float64", {not_a_number})}}),
                           full);
  std::vector<finding_code> codes;
  for (const auto& each : found.messages[0].findings) codes.push_back(each.code);
  BOOST_TEST((codes == std::vector{finding_code::decode_pipeline_failed, finding_code::inf_detected,
                                   finding_code::nan_detected}));
}

BOOST_AUTO_TEST_CASE(forbidden_codecs_and_limits_are_notes) {
  object_spec object = bytes_object("not really zstd");
  object.compression = "zstd";
  const bytes data = message({.objects = {object}});
  const auto found = check(tgmap::archive::from_memory(span_of(data), {.codecs = {}}), {.mode = full});
  BOOST_TEST(found.codes() == code_set{"note: not_decoded"}, boost::test_tools::per_element());
  BOOST_TEST(found.only(finding_code::not_decoded).text ==
             "values not checked: compression zstd: open_options::codecs leaves the codec out");
  BOOST_TEST(found.result.objects_not_decoded == 1u);
  BOOST_TEST(found.messages[0].not_decoded == 1u);
  BOOST_TEST(found.result.is_sound());
  BOOST_TEST(found.messages[0].hash_verified);

  const bytes large = message({.objects = {packed_object("\x01\x23", 4)}});
  const auto limited = check(tgmap::archive::from_memory(span_of(large), {.max_decoded_bytes = 31}), {.mode = full});
  BOOST_TEST(limited.codes() == code_set{"note: not_decoded"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_payload_too_short_for_its_elements_is_an_error_at_any_limit) {
  const std::uint64_t many = std::uint64_t{1} << 40;
  object_spec shuffled = shuffled_object("float32", "abcd", many, 4);
  for (const object_spec& object : {packed_object("\x01\x23", 5), packed_object("\x01\x23", many), shuffled}) {
    const bytes data = message({.objects = {object}});
    const auto found = check(tgmap::archive::from_memory(span_of(data), {.max_decoded_bytes = 31}), {.mode = full});
    BOOST_TEST(found.codes() == code_set{"error: decode_pipeline_failed"}, boost::test_tools::per_element());
  }
  const bytes data = message({.objects = {packed_object("\x01\x23", many)}});
  const auto found =
      check(tgmap::archive::from_memory(span_of(data)), {.mode = full, .max_decoded = {.bytes = 1 << 20}});
  BOOST_TEST(found.codes() == code_set{"error: decode_pipeline_failed"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(limit_of_all_objects_together) {
  // Each packed object decodes to 32 bytes. The others need no decoding.
  const bytes one = message({.objects = {packed_object("\x01\x23", 4), bytes_object(bytes(100, 'x'))}});
  const bytes two = message({.objects = {bytes_object("y"), packed_object("\x01\x23", 4)}});
  const bytes data = one + two;
  const auto all = tgmap::archive::from_memory(span_of(data));
  for (const unsigned threads : {1u, 3u}) {
    recorded_findings all_messages;
    tgmap::failure why;
    all_messages.result =
        tgmap::validate(all, {.mode = full, .threads = threads, .max_decoded = {.bytes = 64}}, all_messages, why);
    TGMAP_SUCCEEDED(why);
    BOOST_TEST(all_messages.messages.size() == 2u);

    recorded_findings cut;
    cut.result = tgmap::validate(all, {.mode = full, .threads = threads, .max_decoded = {.bytes = 63}}, cut, why);
    TGMAP_FAILED(why, tgmap::errc::decoded_total_limit);
    BOOST_TEST(why.expected == 63u);
    BOOST_TEST(why.found == 64u);
    BOOST_TEST(why.message == 1);
    BOOST_TEST(why.object == 1);
    BOOST_TEST(cut.messages.size() == 1u);  // the one before the limit

    recorded_findings none;
    none.result = tgmap::validate(all, {.mode = full, .threads = threads, .max_decoded = {.bytes = 31}}, none, why);
    TGMAP_FAILED(why, tgmap::errc::decoded_total_limit);
    BOOST_TEST(none.messages.empty());

    recorded_findings other;  // standard mode decodes nothing
    other.result = tgmap::validate(all, {.threads = threads, .max_decoded = {.bytes = 1}}, other, why);
    TGMAP_SUCCEEDED(why);
  }
}

BOOST_AUTO_TEST_CASE(total_limit_grows_with_bytes_read) {
  constexpr std::uint64_t gib = std::uint64_t{1} << 30;
  constexpr tgmap::total_limit none, ten{.ratio = 10}, both{.bytes = 2 * gib, .ratio = 1000};
  BOOST_TEST(none.after(0) == UINT64_MAX);
  BOOST_TEST(ten.after(0) == gib);
  BOOST_TEST(ten.after(7) == gib + 70);
  BOOST_TEST(ten.after(UINT64_MAX) == UINT64_MAX);
  BOOST_TEST(both.after(1) == gib + 1000);
  BOOST_TEST(both.after(gib) == 2 * gib);
}

BOOST_AUTO_TEST_CASE(objects_at_another_place_than_the_index_states) {
  const auto lie = [](index_spec& says) { std::swap(says.offsets[0], says.offsets[1]); };
  const bytes data = message({.objects = {packed_object("\x01\x23", 4), bytes_object("abcd")}, .lie = lie});
  BOOST_TEST(
      (check(tgmap::archive::from_memory(span_of(data)), {.mode = full}).codes().count("note: not_decoded") == 1));
  const auto walked =
      check(tgmap::archive::from_memory(span_of(data), {.lookup = tgmap::object_lookup::walk}), {.mode = full});
  BOOST_TEST((walked.codes().count("note: not_decoded") == 0));
}

BOOST_AUTO_TEST_CASE(szip_block_offsets_are_compared_with_the_stream) {
  std::vector<float> elements(300);
  for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = static_cast<float>(i % 50);
  auto one = tgmap::new_object::of(std::span<const float>(elements));
  one.pipeline = {.compression = tgmap::compression::szip, .szip = {.rsi = 4, .block_size = 8}};
  if (validate_pipeline(one.pipeline, tgmap::dtype::float32)) return;  // this build has no szip
  tgmap::new_message all;
  all.objects.push_back(one);
  const auto sound = tgmap::to_bytes(all);
  const auto in = tgmap::archive::from_memory(sound);
  BOOST_TEST(check(in, {.mode = full}).codes() == code_set{}, boost::test_tools::per_element());

  const auto list = *in[0][0].descriptor().entries.find("szip_block_offsets");
  for (std::size_t wrong = 0; wrong < 10; ++wrong) {
    std::vector<bytes> offsets;
    for (std::size_t i = 0; i < 10; ++i)
      offsets.push_back(cbor::unsigned_integer(list.at(i)->as<std::uint64_t>() + (i == wrong ? 1 : 0)));
    const auto found = check_object({.dtype = "float32",
                                     .shape = {elements.size()},
                                     .payload = bytes(view_of(in[0][0].payload())),
                                     .compression = "szip",
                                     .more = {cbor::key("szip_rsi", cbor::unsigned_integer(4)),
                                              cbor::key("szip_block_size", cbor::unsigned_integer(8)),
                                              cbor::key("szip_flags", cbor::unsigned_integer(8)),
                                              cbor::key("szip_block_offsets", cbor::array(offsets))}});
    BOOST_TEST(found.codes() == code_set{"error: wrong_block_offsets"}, boost::test_tools::per_element());
    BOOST_TEST(found.only(finding_code::wrong_block_offsets).text ==
               "szip_block_offsets: interval " + std::to_string(wrong) + " does not begin where it says");
    BOOST_TEST(found.result.objects_not_decoded == 0u);
  }
}

BOOST_AUTO_TEST_SUITE_END()
