// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <encode/encoded.hpp>
#include <support/builder.hpp>
#include <support/failures.hpp>
#include <support/shared_data.hpp>
#include <tgmap/tgmap.hpp>

#include "codec/compressor.hpp"

using namespace tgmap_test;

using tgmap::compression;
using tgmap::dtype;
using tgmap::encoding;
using tgmap::errc;
using tgmap::filter;
using tgmap::mask_method;
using tgmap::pipeline;

BOOST_AUTO_TEST_SUITE(validate_pipeline_test)

BOOST_AUTO_TEST_CASE(unknown_stages) {
  TGMAP_FAILED(validate_pipeline({.encoding = encoding::other}, dtype::float64), errc::unknown_codec);
  TGMAP_FAILED(validate_pipeline({.filter = filter::other}, dtype::float64), errc::unknown_codec);
  TGMAP_FAILED(validate_pipeline({.compression = compression::other}, dtype::float64), errc::unknown_codec);
  TGMAP_FAILED(validate_pipeline({.compression = static_cast<compression>(77)}, dtype::float64), errc::unknown_codec);
}

BOOST_AUTO_TEST_CASE(no_compression_and_shuffle_accept_every_dtype) {
  for (const dtype type : every_dtype) {
    TGMAP_SUCCEEDED(validate_pipeline({}, type));
    TGMAP_SUCCEEDED(validate_pipeline({.filter = filter::shuffle}, type));
  }
}

BOOST_AUTO_TEST_CASE(packing_accepts_only_doubles) {
  for (const dtype type : every_dtype) {
    const auto why = validate_pipeline({.encoding = encoding::simple_packing}, type);
    if (type == dtype::float64) {
      TGMAP_SUCCEEDED(why);
      continue;
    }
    TGMAP_FAILED(why, errc::unsupported_dtype);
    BOOST_TEST(why.expected == static_cast<std::uint64_t>(dtype::float64));
    BOOST_TEST(why.found == static_cast<std::uint64_t>(type));
  }
  TGMAP_FAILED(validate_pipeline({.encoding = encoding::simple_packing, .packing = {.bits = 65}}, dtype::float64),
               errc::bad_parameter);
  TGMAP_FAILED(
      validate_pipeline({.encoding = encoding::simple_packing, .filter = filter::shuffle, .packing = {.bits = 0}},
                        dtype::float64),
      errc::bad_parameter);
}

BOOST_AUTO_TEST_CASE(szip_would_lose_bits) {
  if (tgmap::codec::find_compressor(compression::szip) == nullptr) return;
  for (unsigned bits = 1; bits <= 64; ++bits) {
    const pipeline how{
        .encoding = encoding::simple_packing, .compression = compression::szip, .packing = {.bits = bits}};
    const auto why = validate_pipeline(how, dtype::float64);
    if (bits % 8 == 0 && bits <= 32)
      TGMAP_SUCCEEDED(why);
    else {
      TGMAP_FAILED(why, errc::unsupported_sample_bits);
      BOOST_TEST(why.found == bits);
    }
  }
  for (const dtype type : every_dtype) {
    const bool narrow = element_size(type) != 0 && element_size(type) <= 4;
    BOOST_TEST(!validate_pipeline({.compression = compression::szip}, type) == narrow, to_string_view(type));
    TGMAP_SUCCEEDED(validate_pipeline({.filter = filter::shuffle, .compression = compression::szip}, type));
  }
  TGMAP_SUCCEEDED(validate_pipeline({.encoding = encoding::simple_packing,
                                     .compression = compression::szip,
                                     .packing = {.bits = 13, .max_error = 0.5}},
                                    dtype::float64));
}

BOOST_AUTO_TEST_CASE(invalid_numbers) {
  for (const auto compression : {compression::zfp, compression::sz3}) {
    if (tgmap::codec::find_compressor(compression) == nullptr) continue;
    TGMAP_SUCCEEDED(validate_pipeline({.compression = compression}, dtype::float64));
    TGMAP_FAILED(validate_pipeline({.compression = compression}, dtype::float32), errc::unsupported_dtype);
    TGMAP_FAILED(validate_pipeline({.compression = compression, .missing = {.check_elements = false}}, dtype::float64),
                 errc::bad_combination);
  }
  TGMAP_FAILED(
      validate_pipeline({.encoding = encoding::simple_packing, .missing = {.check_elements = false}}, dtype::float64),
      errc::bad_combination);
  TGMAP_SUCCEEDED(validate_pipeline({.missing = {.check_elements = false}}, dtype::float64));
}

BOOST_AUTO_TEST_CASE(methods_of_masks) {
  for (const auto method : {mask_method::none, mask_method::rle, mask_method::roaring, mask_method::lz4,
                            mask_method::zstd, mask_method::blosc2, static_cast<mask_method>(6)}) {
    pipeline how;
    how.missing.positive_infinity = method;
    TGMAP_SUCCEEDED(validate_pipeline(how, dtype::float32));  // not allowed, and not needed
    how.missing.allow_nan = true;
    how.missing.nan = mask_method::none;
    TGMAP_SUCCEEDED(validate_pipeline(how, dtype::float32));
    how.missing.allow_infinity = true;
    how.missing.negative_infinity = mask_method::none;
    const auto code = validate_pipeline(how, dtype::float32).code;
    if (static_cast<int>(method) > 5)
      BOOST_TEST((code == errc::unknown_codec));
    else
      BOOST_TEST((!code || code == errc::codec_absent));
    TGMAP_SUCCEEDED(validate_pipeline(how, dtype::int32));  // has none
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(pipeline_of_test)

namespace {

/// Returns the pipeline of a descriptor with additional keys.
struct described {
  bytes data;
  tgmap::archive from = tgmap::archive::from_memory(std::as_bytes(std::span(data)));

  explicit described(object_spec one) : data(message({.objects = {std::move(one)}})) {}
  tgmap::descriptor what() const { return from[0][0].descriptor(); }
};

object_spec doubles(const std::string& compression, std::vector<cbor::pair> more) {
  object_spec out{.dtype = "float64", .shape = {1}, .payload = "12345678"};
  out.compression = compression;
  out.more = std::move(more);
  return out;
}

tgmap::failure refusal(const object_spec& of) {
  const described one(of);
  tgmap::failure why;
  static_cast<void>(tgmap::pipeline_of(one.what(), why));
  return why;
}

}  // namespace

BOOST_AUTO_TEST_CASE(round_trip_of_parameters) {
  const std::vector<double> elements{1, 2, 3, 4.5};
  const std::vector<tgmap::pipeline> ways{
      {},
      {.filter = tgmap::filter::shuffle, .shuffle_size = 4},
      {.encoding = tgmap::encoding::simple_packing,
       .packing = {.bits = 12, .decimal_scale = 1, .reference = 1.0, .binary_scale = -3}},
      {.compression = tgmap::compression::zstd, .zstd_level = 7},
      {.compression = tgmap::compression::lz4},
      {.encoding = tgmap::encoding::simple_packing,
       .compression = tgmap::compression::szip,
       .packing = {.bits = 24},
       .szip = {.rsi = 64, .block_size = 8, .flags = 9}},
      {.compression = tgmap::compression::blosc2, .blosc2 = {.codec = tgmap::blosc2_codec::zlib, .level = 2}},
      {.compression = tgmap::compression::zfp, .zfp = {.mode = tgmap::zfp_mode::fixed_rate, .rate = 20}},
      {.compression = tgmap::compression::zfp, .zfp = {.mode = tgmap::zfp_mode::fixed_precision, .precision = 40}},
      {.compression = tgmap::compression::zfp, .zfp = {.mode = tgmap::zfp_mode::fixed_accuracy, .tolerance = 0.5}},
      {.compression = tgmap::compression::sz3, .sz3 = {.mode = tgmap::sz3_bound::relative, .bound = 0.25}},
  };
  for (const tgmap::pipeline& way : ways) {
    if (validate_pipeline(way, tgmap::dtype::float64).code == tgmap::errc::codec_absent) continue;
    tgmap::new_message message;
    auto one = tgmap::new_object::of(std::span<const double>(elements));
    one.pipeline = way;
    message.objects.emplace_back(one);
    const auto made = tgmap::to_bytes(message);
    const auto from = tgmap::archive::from_memory(made);
    const tgmap::pipeline found = tgmap::pipeline_of(from[0][0].descriptor());
    BOOST_TEST((found.encoding == way.encoding));
    BOOST_TEST((found.filter == way.filter));
    BOOST_TEST((found.compression == way.compression));
    BOOST_TEST(found.shuffle_size == way.shuffle_size);
    if (way.encoding == tgmap::encoding::simple_packing) {
      BOOST_TEST(found.packing.bits == way.packing.bits);
      BOOST_TEST(found.packing.decimal_scale == way.packing.decimal_scale);
      BOOST_TEST(found.packing.reference.value() == 1.0);
      if (way.packing.binary_scale) BOOST_TEST(found.packing.binary_scale.value() == *way.packing.binary_scale);
    }
    BOOST_TEST(found.szip.rsi == way.szip.rsi);
    BOOST_TEST(found.szip.block_size == way.szip.block_size);
    BOOST_TEST(found.szip.flags == way.szip.flags);
    BOOST_TEST(found.zstd_level == way.zstd_level);
    BOOST_TEST((found.blosc2.codec == way.blosc2.codec));
    BOOST_TEST(found.blosc2.level == way.blosc2.level);
    BOOST_TEST((found.zfp.mode == way.zfp.mode));
    BOOST_TEST(found.zfp.rate == way.zfp.rate);
    BOOST_TEST(found.zfp.precision == way.zfp.precision);
    BOOST_TEST(found.zfp.tolerance == way.zfp.tolerance);
    BOOST_TEST((found.sz3.mode == way.sz3.mode));
    BOOST_TEST(found.sz3.bound == way.sz3.bound);
  }
}

BOOST_AUTO_TEST_CASE(required_parameters) {
  using cbor::key;
  const auto bad = make_error_code(tgmap::errc::bad_parameter);
  BOOST_TEST((refusal(doubles("szip", {key("szip_rsi", cbor::integer(1))})).code == bad));
  BOOST_TEST((refusal(doubles("szip", {key("szip_rsi", cbor::integer(1)), key("szip_block_size", cbor::integer(8)),
                                       key("szip_flags", cbor::integer(-1))}))
                  .code == bad));
  BOOST_TEST((refusal(doubles("zfp", {})).code == bad));
  BOOST_TEST((refusal(doubles("zfp", {key("zfp_mode", cbor::text("reversible"))})).code == bad));
  BOOST_TEST((refusal(doubles("zfp", {key("zfp_mode", cbor::text("fixed_rate"))})).code == bad));
  BOOST_TEST((refusal(doubles("sz3", {key("sz3_error_bound", cbor::real(1))})).code == bad));
  object_spec packed = doubles("none", {});
  packed.encoding = "simple_packing";
  BOOST_TEST((refusal(packed).code == bad));
  object_spec shuffled = doubles("none", {});
  shuffled.filter = "shuffle";
  BOOST_TEST((refusal(shuffled).code == bad));
  BOOST_TEST((refusal(doubles("brotli", {})).code == make_error_code(tgmap::errc::unknown_codec)));
  const described fine(
      doubles("sz3", {key("sz3_error_bound", cbor::integer(2)), key("sz3_error_bound_mode", cbor::text("psnr"))}));
  BOOST_TEST(tgmap::pipeline_of(fine.what()).sz3.bound == 2.0);
}

BOOST_AUTO_TEST_CASE(unneeded_levels) {
  using cbor::key;
  const described none(doubles("zstd", {})), odd(doubles("zstd", {key("zstd_level", cbor::text("high"))})),
      named(doubles("blosc2", {key("blosc2_codec", cbor::text("zlib"))}));
  BOOST_TEST(!tgmap::pipeline_of(none.what()).store_levels);
  BOOST_TEST(tgmap::pipeline_of(odd.what()).zstd_level == 3);
  BOOST_TEST((tgmap::pipeline_of(named.what()).blosc2.codec == tgmap::blosc2_codec::zlib));
  BOOST_TEST(tgmap::pipeline_of(named.what()).blosc2.level == 5);
}

BOOST_AUTO_TEST_CASE(masks_and_raw_numbers) {
  object_spec masked = doubles("none", {});
  masked.masks = {{.kind = "nan", .method = "rle", .blob = "x"}};
  const described one(masked), raw(doubles("none", {}));
  const auto found = tgmap::pipeline_of(one.what()).missing;
  BOOST_TEST(found.check_elements);
  BOOST_TEST(found.allow_nan);
  BOOST_TEST(!found.allow_infinity);
  BOOST_TEST((found.nan == tgmap::mask_method::rle));
  BOOST_TEST(found.small_mask_bytes == 0u);
  BOOST_TEST(!tgmap::pipeline_of(raw.what()).missing.check_elements);
  masked.masks[0].method = "mist";
  BOOST_TEST((refusal(masked).code == make_error_code(tgmap::errc::unknown_codec)));
}

BOOST_AUTO_TEST_CASE(new_object_like_another) {
  object_spec spec = numbers_object<std::int16_t>("int16", {1, 2, 3});
  spec.more = {cbor::key("note", cbor::text("kept")), cbor::key("zfp_mode", cbor::text("stray"))};
  spec.compression = "none";
  const described one(spec);
  const auto elements = one.from[0][0].decode();
  const auto again = tgmap::new_object::like(elements, one.what());
  BOOST_TEST((again.dtype == tgmap::dtype::int16));
  BOOST_TEST((again.stored_byte_order == tgmap::byte_order::little));
  BOOST_TEST(again.type == "ntensor");
  BOOST_TEST(again.descriptor_extra.view().find("note")->text() == "kept");
  BOOST_TEST(again.descriptor_extra.view().size() == 1u);
}

BOOST_AUTO_TEST_CASE(new_object_like_none) {
  const described one(doubles("zfp", {cbor::key("zfp_mode", cbor::text("mist"))}));
  const described other(doubles("none", {}));
  const tgmap::tensor elements = other.from[0][0].decode();
  tgmap::failure why;
  const auto none = tgmap::new_object::like(elements, one.what(), why);
  BOOST_TEST((why.code == refusal(doubles("zfp", {cbor::key("zfp_mode", cbor::text("mist"))})).code));
  BOOST_TEST(none.data.empty());
  BOOST_CHECK_THROW(tgmap::new_object::like(elements, one.what()), tgmap::error);
}

BOOST_AUTO_TEST_CASE(key_in_pieces) {
  object_spec spec = numbers_object<std::int16_t>("int16", {1, 2, 3});
  spec.compression = "none";
  spec.more = {{cbor::text_in_pieces({"no", "te"}), cbor::text_in_pieces({"ke", "pt"})}};
  const described one(spec);
  const auto again = tgmap::new_object::like(one.from[0][0].decode(), one.what());
  BOOST_TEST_REQUIRE(again.descriptor_extra.view().find("note").has_value());
  BOOST_TEST(again.descriptor_extra.view().find("note")->text() == "kept");
}

BOOST_AUTO_TEST_CASE(descriptors_of_all_samples) {
  unsigned described_objects = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test_data())) {
    if (entry.path().extension() != ".tgm") continue;
    const tgmap::archive archive(entry.path(), {.damage = tgmap::on_damage::skip});
    for (const tgmap::message& m : archive) {
      tgmap::failure why;
      for (std::size_t j = 0, count = m.size(why); j < count; ++j) {
        const auto what = m[j].descriptor();
        const auto found = tgmap::pipeline_of(what, why);
        BOOST_TEST(!why, entry.path() << ": " << why.text());
        BOOST_TEST((found.compression == what.compression));
        ++described_objects;
      }
    }
  }
  BOOST_TEST(described_objects > 100u);
}

BOOST_AUTO_TEST_SUITE_END()
