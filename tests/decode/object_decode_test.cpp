// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <complex>
#include <random>
#include <support/builder.hpp>
#include <support/decoded.hpp>
#include <support/failures.hpp>
#include <support/numbered.hpp>
#include <support/temporary.hpp>
#include <tgmap/archive.hpp>
#include <tgmap/decode/part_reader.hpp>

using namespace tgmap_test;

// Objects decoded into the caller's memory.

using tgmap::errc;

BOOST_AUTO_TEST_SUITE(decode_into_test)

BOOST_AUTO_TEST_CASE(output_has_the_exact_size_and_type) {
  const temporary_directory files;
  const tgmap::archive a(
      files.file("plain.tgm", message({.objects = {numbers_object<float>("float32", {1, 2, 3, 4, 5, 6})}})));
  const tgmap::object o = a[0][0];
  BOOST_TEST(o.decoded_size() == 24u);
  std::array<float, 6> all{};
  o.decode_into(std::span(all));
  BOOST_TEST(all[0] == 1.0f);
  BOOST_TEST(all[5] == 6.0f);
  std::array<float, 5> few{};
  TGMAP_THROWS(o.decode_into(std::span(few)), errc::invalid_option);
  std::array<std::int32_t, 6> others{};
  TGMAP_THROWS(o.decode_into(std::span(others)), errc::dtype_mismatch);
}

BOOST_AUTO_TEST_CASE(a_default_constructed_object_has_nothing) {
  const tgmap::object none;
  TGMAP_THROWS(none.decode(), errc::no_archive);
  TGMAP_THROWS(none.decoded_size(), errc::no_archive);
  std::array<std::byte, 4> out{};
  TGMAP_THROWS(none.decode_into(std::span<std::byte>(out)), errc::no_archive);
}

BOOST_AUTO_TEST_SUITE_END()

// Options of decoding.

using tgmap::codec_set;
using tgmap::compression;
using tgmap::errc;

BOOST_AUTO_TEST_SUITE(options_test)

namespace {

/// Returns 16 bits as run lengths: eight of 0 and eight of 1.
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

BOOST_AUTO_TEST_CASE(allowed_codecs) {
  constexpr codec_set few{compression::rle, compression::zstd};
  static_assert(few.contains(compression::rle) && !few.contains(compression::lz4));
  static_assert(codec_set::all().contains(compression::other) && !codec_set().contains(compression::none));
  codec_set all = codec_set::all();
  all.erase(compression::szip);
  BOOST_TEST(!all.contains(compression::szip));
  all.insert(compression::szip);
  BOOST_TEST((all == codec_set::all()));
}

BOOST_AUTO_TEST_CASE(unneeded_masks_are_not_decoded) {
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
  bare.masks = {{.kind = "nan", .blob = "\x40"}};  // plain bits need no codec
  const tgmap::archive few(files.file("b.tgm", message({.objects = {bare}})), {.codecs = {compression::zstd}});
  BOOST_TEST(few[0][0].masks()[0].count() == 1u);
  BOOST_TEST(rle[0][0].decode().size() == 16u);
}

BOOST_AUTO_TEST_CASE(reused_tensor) {
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
  kept.mutable_bytes()[0] = std::byte{1};  // the caller may change it
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

// Shuffling with any element size has the same values as no shuffling, whole and in any parts.

BOOST_AUTO_TEST_SUITE(unshuffled_test)

namespace {

bytes any_bytes(std::size_t size) {
  std::mt19937 next(4);
  bytes out(size, '\0');
  for (char& each : out) each = static_cast<char>(next() % 127);  // all numbers are finite
  return out;
}

bytes shuffled(const bytes& plain, std::size_t size) {
  const std::size_t n = plain.size() / size;
  bytes out(plain.size(), '\0');
  for (std::size_t e = 0; e < n; ++e)
    for (std::size_t b = 0; b < size; ++b) out[b * n + e] = plain[e * size + b];
  return out;
}

object_spec doubles_of(unsigned bits, std::uint64_t elements) {
  object_spec spec{.dtype = "float64", .shape = {elements}, .payload = any_bytes(elements * bits / 8)};
  spec.encoding = "simple_packing";
  spec.more = {cbor::key("sp_reference_value", cbor::real(-3)), cbor::key("sp_binary_scale_factor", cbor::integer(-2)),
               cbor::key("sp_decimal_scale_factor", cbor::integer(0)),
               cbor::key("sp_bits_per_value", cbor::integer(bits))};
  return spec;
}

/// Returns a message with shuffled bytes and one with the same plain bytes.
void check(object_spec spec, std::size_t size) {
  const bytes plain_message = message({.objects = {spec}});
  spec.filter = "shuffle";
  spec.payload = shuffled(spec.payload, size);
  spec.more.push_back(cbor::key("shuffle_element_size", cbor::integer(static_cast<std::int64_t>(size))));
  const bytes shuffled_message = message({.objects = {spec}});
  const auto plain = open(plain_message), other = open(shuffled_message);
  for (const auto order : {tgmap::output_byte_order::native, tgmap::output_byte_order::stored}) {
    const auto whole = plain[0][0].decode({.byte_order = order});
    const bytes wanted(view_of(whole.bytes()));
    BOOST_TEST((bytes_of(other[0][0].decode({.byte_order = order})) == wanted), spec.dtype << " by " << size);
    const tgmap::part_reader parts(other[0][0], {.byte_order = order});
    const std::size_t elements = whole.size(), width = wanted.size() / elements;
    unsigned wrong = 0;
    for (const std::size_t first : {std::size_t{0}, std::size_t{1}, std::size_t{7}, elements / 3, elements - 9})
      for (const std::size_t count : {std::size_t{1}, std::size_t{8}, (elements - first) / 2, elements - first}) {
        const auto found = parts.range(first, std::min(count, elements - first));
        wrong += view_of(found.bytes()) != wanted.substr(first * width, found.bytes().size());
      }
    BOOST_TEST(wrong == 0u, wrong << " parts of " << spec.dtype << " by " << size);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(elements_of_another_size) {
  for (const char* const dtype : {"uint8", "int16", "float32", "float64", "complex128"})
    for (const char* const order : {"little", "big"})
      for (const std::size_t size : {1, 2, 3, 4, 6, 8, 16, 24, 1023, 1024, 1025}) {
        const std::size_t bytes_of_all = size * 16 * (60'000 / (size * 16) + 1);
        object_spec spec{.dtype = dtype, .payload = any_bytes(bytes_of_all)};
        const std::string_view name = dtype;
        spec.shape = {bytes_of_all / (name == "uint8"     ? 1
                                      : name == "int16"   ? 2
                                      : name == "float32" ? 4
                                      : name == "float64" ? 8
                                                          : 16)};
        spec.byte_order = order;
        check(spec, size);
      }
}

BOOST_AUTO_TEST_CASE(packed_elements) {
  for (const unsigned bits : {1, 8, 12, 16, 24, 33, 48, 64})
    for (const std::size_t size : {1, 2, 3, 4, 8, 1023, 1024})
      check(doubles_of(bits, 8 * size * (9000 / (8 * size) + 1)), size);
}

BOOST_AUTO_TEST_SUITE_END()
