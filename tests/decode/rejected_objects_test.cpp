// SPDX-License-Identifier: Apache-2.0
// Objects that cannot be decoded are rejected before memory is allocated.
#include <boost/test/unit_test.hpp>
#include <support/builder.hpp>
#include <support/failures.hpp>
#include <support/temporary.hpp>
#include <tgmap/archive.hpp>
#include <tgmap/decode/part_reader.hpp>

using namespace tgmap_test;
using tgmap::errc;

BOOST_AUTO_TEST_SUITE(rejected_objects_test)

namespace {

/// Returns why an object cannot be decoded.
tgmap::failure refusal(const object_spec& spec, const tgmap::open_options& options = {}) {
  const temporary_directory files;
  const tgmap::archive a(files.file("one.tgm", message({.objects = {spec}})), options);
  tgmap::failure why, of_size;
  a[0][0].decode({}, why);
  bytes room(a[0][0].decoded_size(of_size), '?');
  if (!of_size) {
    tgmap::failure into;
    a[0][0].decode_into(std::as_writable_bytes(std::span(room)), {}, into);
    BOOST_TEST((into.code == why.code));
  }
  if (why) {
    BOOST_TEST(why.message == 0);
    BOOST_TEST(why.object == 0);
    BOOST_TEST(why.offset != 0u);
  }
  return why;
}

object_spec eight() { return bytes_object("abcdefgh"); }

object_spec packed(std::uint64_t bits, bytes payload, std::uint64_t elements, std::string dtype = "float64") {
  object_spec spec{.dtype = std::move(dtype), .shape = {elements}, .payload = std::move(payload)};
  spec.encoding = "simple_packing";
  spec.more = {cbor::key("sp_reference_value", cbor::real(1.5)), cbor::key("sp_binary_scale_factor", cbor::integer(1)),
               cbor::key("sp_decimal_scale_factor", cbor::integer(0)),
               cbor::key("sp_bits_per_value", cbor::integer(bits))};
  return spec;
}

}  // namespace

BOOST_AUTO_TEST_CASE(unknown_names) {
  for (const int stage : {0, 1, 2}) {
    object_spec spec = eight();
    (stage == 0 ? spec.encoding : stage == 1 ? spec.filter : spec.compression) = "magic";
    TGMAP_FAILED(refusal(spec), errc::unknown_codec);
  }
}

BOOST_AUTO_TEST_CASE(wrong_payload_sizes) {
  object_spec spec = eight();
  spec.shape = {9};
  TGMAP_FAILED(refusal(spec), errc::decoded_size_mismatch);
  TGMAP_FAILED(refusal(packed(12, "1234", 3)), errc::decoded_size_mismatch);
  BOOST_TEST(!refusal(packed(12, "12345", 3)));
}

BOOST_AUTO_TEST_CASE(packing_needs_doubles_and_all_parameters) {
  TGMAP_FAILED(refusal(packed(8, "123", 3, "float32")), errc::bad_combination);
  TGMAP_FAILED(refusal(packed(65, "123", 3)), errc::bad_parameter);
  for (std::size_t i = 0; i < 4; ++i) {
    object_spec spec = packed(8, "123", 3);
    spec.more.erase(spec.more.begin() + static_cast<std::ptrdiff_t>(i));
    TGMAP_FAILED(refusal(spec), errc::bad_parameter);
  }
}

BOOST_AUTO_TEST_CASE(shuffle_needs_a_size_that_fits) {
  object_spec spec = eight();
  spec.filter = "shuffle";
  TGMAP_FAILED(refusal(spec), errc::bad_parameter);
  for (const std::uint64_t size : {0u, 3u, 16u}) {
    spec.more = {cbor::key("shuffle_element_size", cbor::integer(size))};
    TGMAP_FAILED(refusal(spec), errc::bad_parameter);
  }
  spec.more = {cbor::key("shuffle_element_size", cbor::integer(4))};
  BOOST_TEST(!refusal(spec));
}

BOOST_AUTO_TEST_CASE(forged_sizes_allocate_nothing) {
  object_spec spec = eight();
  spec.shape = {std::uint64_t{1} << 40};
  spec.compression = "zstd";
  TGMAP_FAILED(refusal(spec), errc::decoded_limit);
  TGMAP_FAILED(refusal(packed(0, "", std::uint64_t{1} << 40)), errc::decoded_limit);
  TGMAP_FAILED(refusal(eight(), {.max_decoded_bytes = 7}), errc::decoded_limit);
  BOOST_TEST(!refusal(eight(), {.max_decoded_bytes = 8}));
}

BOOST_AUTO_TEST_CASE(forged_compressed_sizes_allocate_nothing) {
  object_spec spec = bytes_object(bytes(1000, 'x'));
  spec.shape = {1};
  spec.compression = "zstd";
  const auto why = refusal(spec, {.max_decoded_bytes = 999});
  TGMAP_FAILED(why, errc::decoded_limit);
  BOOST_TEST(why.found == 1000u);
  object_spec masked = numbers_object<float>("float32", {1, 2, 3});
  masked.masks = {{.kind = "nan", .method = "rle", .blob = bytes(1000, '\x01')}};
  TGMAP_FAILED(refusal(masked, {.max_decoded_bytes = 999}), errc::decoded_limit);
}

// Elements that are neither compressed nor shuffled are read without the others.
BOOST_AUTO_TEST_CASE(parts_count_alone) {
  object_spec bits{.dtype = "bitmask", .shape = {64}, .payload = "abcdefgh"};
  object_spec shuffled = eight();
  shuffled.filter = "shuffle";
  shuffled.more = {cbor::key("shuffle_element_size", cbor::integer(4))};
  const std::uint64_t many = std::uint64_t{1} << 40;
  object_spec masked = packed(0, "", many);
  masked.masks = {{.kind = "nan", .method = "rle", .blob = bytes(1, '\0')}};
  const bytes data = message({.objects = {eight(), bits, packed(0, "", many), shuffled, masked}});
  const tgmap::archive archive = tgmap::archive::from_memory(std::as_bytes(std::span(data)), {.max_decoded_bytes = 4});
  const auto at = [&](std::size_t j) { return archive[0][j]; };
  BOOST_TEST((at(0).decode_range(3, 4).size() == 4u));
  TGMAP_THROWS(at(0).decode_range(3, 5), errc::decoded_limit);
  TGMAP_THROWS(at(0).decode_slab({{0}, {5}}), errc::decoded_limit);
  const tgmap::tensor part = at(1).decode_slab({{8}, {32}});
  BOOST_TEST((part.bytes()[0] == std::byte{'b'}));
  TGMAP_THROWS(at(1).decode_slab({{8}, {33}}), errc::decoded_limit);
  TGMAP_THROWS(at(2).decode_range(0, 1), errc::decoded_limit);  // a double
  TGMAP_THROWS(at(3).decode_range(0, 1), errc::decoded_limit);
  const auto large = tgmap::archive::from_memory(std::as_bytes(std::span(data)), {.max_decoded_bytes = 1 << 20});
  BOOST_TEST((large[0][2].decode_range(many - 1, 1).size() == 1u));
  TGMAP_THROWS(large[0][2].decode(), errc::decoded_limit);
  TGMAP_THROWS(large[0][4].decode_range(0, 1), errc::decoded_limit);  // masks are read whole
}

BOOST_AUTO_TEST_CASE(payload_without_elements_is_checked) {
  object_spec spec = bytes_object("no frame of zstd");
  spec.shape = {0};
  spec.compression = "zstd";
  TGMAP_FAILED(refusal(spec), errc::codec_failed);
}

BOOST_AUTO_TEST_CASE(masks_of_bits) {
  object_spec spec{.dtype = "bitmask", .shape = {8}, .payload = "x"};
  spec.masks = {{.kind = "nan", .method = "none", .blob = "y"}};
  TGMAP_FAILED(refusal(spec), errc::bad_combination);
  object_spec numbers = numbers_object<float>("float32", {1, 2, 3});
  numbers.masks = {{.kind = "nan", .method = "magic", .blob = "y"}};
  TGMAP_FAILED(refusal(numbers), errc::unknown_codec);
  numbers.masks = {{.kind = "nan", .method = "none", .blob = "yy"}};
  const tgmap::failure why = refusal(numbers);
  TGMAP_FAILED(why, errc::bad_mask);
  BOOST_TEST((why.expected == 3u && why.found == 16u));  // elements
}

BOOST_AUTO_TEST_SUITE_END()
