// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <support/builder.hpp>
#include <support/failures.hpp>
#include <support/shared_data.hpp>
#include <tgmap/tgmap.hpp>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(pipeline_of_test)

namespace {

/// What is read of a descriptor with those keys beside the usual ones.
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

BOOST_AUTO_TEST_CASE(what_is_written_is_read) {
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
    tgmap::new_message what;
    auto one = tgmap::new_object::of(std::span<const double>(elements));
    one.pipeline = way;
    what.objects.emplace_back(one);
    const auto made = tgmap::to_bytes(what);
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

BOOST_AUTO_TEST_CASE(parameters_that_are_needed) {
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

BOOST_AUTO_TEST_CASE(levels_that_no_reader_needs) {
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

BOOST_AUTO_TEST_CASE(an_object_like_another) {
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

BOOST_AUTO_TEST_CASE(an_object_like_none) {
  const described one(doubles("zfp", {cbor::key("zfp_mode", cbor::text("mist"))}));
  const described other(doubles("none", {}));
  const tgmap::tensor elements = other.from[0][0].decode();
  tgmap::failure why;
  const auto none = tgmap::new_object::like(elements, one.what(), why);
  BOOST_TEST((why.code == refusal(doubles("zfp", {cbor::key("zfp_mode", cbor::text("mist"))})).code));
  BOOST_TEST(none.data.empty());
  BOOST_CHECK_THROW(tgmap::new_object::like(elements, one.what()), tgmap::error);
}

BOOST_AUTO_TEST_CASE(a_key_that_lies_in_pieces_is_kept) {
  object_spec spec = numbers_object<std::int16_t>("int16", {1, 2, 3});
  spec.compression = "none";
  spec.more = {{cbor::text_in_pieces({"no", "te"}), cbor::text_in_pieces({"ke", "pt"})}};
  const described one(spec);
  const auto again = tgmap::new_object::like(one.from[0][0].decode(), one.what());
  BOOST_TEST_REQUIRE(again.descriptor_extra.view().find("note").has_value());
  BOOST_TEST(again.descriptor_extra.view().find("note")->text() == "kept");
}

BOOST_AUTO_TEST_CASE(every_descriptor_there_is) {
  unsigned described_objects = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test_data())) {
    if (entry.path().extension() != ".tgm") continue;
    const tgmap::archive from(entry.path(), {.damage = tgmap::on_damage::skip});
    for (const tgmap::message& m : from) {
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
