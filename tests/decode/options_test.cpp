// SPDX-License-Identifier: Apache-2.0
// What an archive may use, where elements go, and as what they come.
#include <boost/test/unit_test.hpp>
#include <complex>
#include <support/builder.hpp>
#include <support/decoded.hpp>
#include <support/failures.hpp>
#include <support/temporary.hpp>
#include <tgmap/archive.hpp>

using namespace tgmap_test;
using tgmap::codec_set;
using tgmap::compression;
using tgmap::errc;

BOOST_AUTO_TEST_SUITE(options_test)

namespace {

/// 16 bits as run lengths: eight of 0, eight of 1.
object_spec run_lengths() {
  object_spec spec{.dtype = "bitmask", .shape = {16}, .payload = big_endian(16, 4) + bytes("\0\x08\x08", 3)};
  spec.compression = "rle";
  return spec;
}

object_spec masked() {
  object_spec spec = numbers_object<float>("float32", {1, 2, 3});
  spec.masks = {{.kind = "nan", .method = "rle", .blob = bytes("\0\x01\x01\x01", 4)}};
  return spec;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_set_of_codecs) {
  constexpr codec_set few{compression::rle, compression::zstd};
  static_assert(few.contains(compression::rle) && !few.contains(compression::lz4));
  static_assert(codec_set::all().contains(compression::other) && !codec_set().contains(compression::none));
  codec_set all = codec_set::all();
  all.erase(compression::szip);
  BOOST_TEST(!all.contains(compression::szip));
  all.insert(compression::szip);
  BOOST_TEST((all == codec_set::all()));
}

BOOST_AUTO_TEST_CASE(what_is_left_out_is_not_decoded) {
  const temporary_directory files;
  const auto path =
      files.file("a.tgm", message({.objects = {run_lengths(), masked(), numbers_object<float>("float32", {1, 2})}}));
  const tgmap::archive all(path), none(path, {.codecs = {compression::none}}),
      rle(path, {.codecs = {compression::rle}});
  BOOST_TEST((bytes_of(all[0][0].decode())[1] == '\xff'));
  BOOST_TEST(all[0][1].masks().size() == 1u);
  TGMAP_THROWS(none[0][0].decode(), errc::codec_forbidden);
  TGMAP_THROWS(none[0][1].decode(), errc::codec_forbidden);
  TGMAP_THROWS(none[0][1].masks(), errc::codec_forbidden);
  TGMAP_THROWS(none[0][0].decode_range(0, 1), errc::codec_forbidden);
  BOOST_TEST(values_of<float>(none[0][1].decode({.restore_missing = false}))[1] == 2.0f);
  BOOST_TEST(none[0][2].decode().size() == 2u);
  object_spec bare = masked();
  bare.masks = {{.kind = "nan", .blob = "\x40"}};  // bits as they are: no codec
  const tgmap::archive few(files.file("b.tgm", message({.objects = {bare}})), {.codecs = {compression::zstd}});
  BOOST_TEST(few[0][0].masks()[0].count() == 1u);
  BOOST_TEST(rle[0][0].decode().size() == 16u);
}

BOOST_AUTO_TEST_CASE(a_tensor_serves_again) {
  const temporary_directory files;
  const tgmap::archive a(files.file(
      "a.tgm",
      message({.objects = {numbers_object<float>("float32", {1, 2, 3, 4}), numbers_object<float>("float32", {5, 6}),
                           numbers_object<double>("float64", {7, 8, 9, 10, 11})}})));
  tgmap::tensor kept;
  a[0][0].decode_into(kept);
  const std::byte* const first = kept.bytes().data();
  BOOST_TEST(!kept.is_borrowed());
  BOOST_TEST(kept.view<float>().values()[3] == 4.0f);
  a[0][1].decode_into(kept);
  BOOST_TEST(kept.bytes().data() == first);
  BOOST_TEST(kept.size() == 2u);
  BOOST_TEST(kept.view<float>().values()[1] == 6.0f);
  kept.mutable_bytes()[0] = std::byte{1};  // it is the caller's to change
  a[0][2].decode_into(kept);
  BOOST_TEST(kept.view<double>().values()[4] == 11.0);
  tgmap::failure why;
  tgmap::object().decode_into(kept, {}, why);
  TGMAP_FAILED(why, errc::no_archive);
  BOOST_TEST(kept.size() == 0u);
  BOOST_TEST(kept.bytes().empty());
}

BOOST_AUTO_TEST_CASE(elements_as_another_type) {
  const temporary_directory files;
  const tgmap::archive a(files.file(
      "a.tgm", message({.objects = {numbers_object<float>("float32", {1, 2.5f, 300, -1}), run_lengths(), masked()}})));
  const auto doubles = a[0][0].decode_as<double>();
  BOOST_TEST((doubles.dtype() == tgmap::dtype::float64));
  BOOST_TEST(doubles.view<double>().values()[1] == 2.5);
  BOOST_TEST(doubles.shape()[0] == 4u);
  BOOST_TEST((values_of<std::complex<double>>(a[0][0].decode_as<std::complex<double>>())[3] == -1.0));
  tgmap::failure why;
  a[0][0].decode_as(tgmap::dtype::int16, {}, why);
  TGMAP_FAILED(why, errc::not_representable);
  BOOST_TEST(why.found == 1u);
  BOOST_TEST(why.object == 0);
  TGMAP_THROWS(a[0][2].decode_as<std::int32_t>(), errc::not_representable);  // NaN
  BOOST_TEST(a[0][2].decode_as<std::int32_t>({.restore_missing = false}).size() == 3u);
  BOOST_TEST(values_of<std::uint8_t>(a[0][1].decode_as<std::uint8_t>())[8] == 1);
  BOOST_TEST(a[0][0].decode_as<float>().is_borrowed());
  const tgmap::archive tight(files.file("b.tgm", message({.objects = {numbers_object<float>("float32", {1, 2})}})),
                             {.max_decoded_bytes = 12});
  TGMAP_THROWS(tight[0][0].decode_as<double>(), errc::decoded_limit);
}

BOOST_AUTO_TEST_SUITE_END()
