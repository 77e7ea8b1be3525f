// SPDX-License-Identifier: Apache-2.0
// Masks of missing elements next to the elements.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <support/builder.hpp>
#include <support/decoded.hpp>
#include <support/failures.hpp>
#include <support/shared_data.hpp>
#include <support/temporary.hpp>
#include <tgmap/archive.hpp>

#include <support/manifest_file.hpp>

using namespace tgmap_test;
using nlohmann::json;
using tgmap::errc;

BOOST_AUTO_TEST_SUITE(masks_test)

namespace {

/// Returns elements 0 to 9. Elements 1 and 8 were NaN, and 9 was infinite.
object_spec missing_three(std::string dtype = "float32") {
  object_spec spec = numbers_object<float>("float32", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  spec.dtype = std::move(dtype);
  spec.masks = {{.kind = "nan", .blob = bytes("\x40\x80", 2)},
                {.kind = "inf+", .method = "rle", .blob = bytes("\0\x09\x01", 3)}};
  return spec;
}

/// Checks that decoding restores exactly the elements that masks mark. Returns their number.
std::size_t check_masks(const tgmap::object& o) {
  tgmap::failure why;
  const auto masks = o.masks(why);
  if (why) return 0;
  const auto with = o.decode({}, why), without = why ? tgmap::tensor() : o.decode({.restore_missing = false}, why);
  if (why) return 0;
  const std::size_t width = tgmap::element_size(with.dtype());
  std::size_t marked = 0, wrong = 0;
  for (const auto& mask : masks) {
    BOOST_TEST(mask.size() == with.size());
    BOOST_TEST(mask.bits().size() == (mask.size() + 7) / 8);
    marked += mask.count();
  }
  for (std::uint64_t i = 0; i < with.size(); ++i) {
    bool any = false;
    for (const auto& mask : masks) any = any || mask[i];
    const auto a = with.bytes().subspan(i * width, width), b = without.bytes().subspan(i * width, width);
    wrong += !any && !std::ranges::equal(a, b);
    if (with.dtype() == tgmap::dtype::float64) wrong += any == std::isfinite(with.view<double>().data()[i]) && any;
    if (with.dtype() == tgmap::dtype::float32) wrong += any == std::isfinite(with.view<float>().data()[i]) && any;
  }
  BOOST_TEST(wrong == 0u);
  return marked;
}

}  // namespace

BOOST_AUTO_TEST_CASE(masks_are_returned) {
  const temporary_directory files;
  const tgmap::archive a(files.file("masked.tgm", message({.objects = {missing_three()}})));
  const auto masks = a[0][0].masks();
  BOOST_TEST_REQUIRE(masks.size() == 2u);
  BOOST_TEST((masks[0].kind() == tgmap::mask_kind::nan));
  BOOST_TEST(masks[0].count() == 2u);
  BOOST_TEST(masks[0][1]);
  BOOST_TEST(masks[0][8]);
  BOOST_TEST(!masks[0][9]);
  BOOST_TEST((masks[1].kind() == tgmap::mask_kind::positive_infinity));
  BOOST_TEST(masks[1].count() == 1u);
  BOOST_TEST(masks[1][9]);
  BOOST_TEST(check_masks(a[0][0]) == 3u);
  BOOST_TEST(tgmap::missing_mask().count() == 0u);
  TGMAP_THROWS(tgmap::missing_mask().at(0), errc::out_of_range);
  const tgmap::missing_mask three(tgmap::mask_kind::nan, 3, {std::byte{0x20}});
  BOOST_TEST((!three.at(0) && three.at(2) && three[2]));
  TGMAP_THROWS(three.at(3), errc::out_of_range);
  TGMAP_THROWS(three.at(UINT64_MAX), errc::out_of_range);
}

BOOST_AUTO_TEST_CASE(integers_and_bits_have_no_masks) {
  const temporary_directory files;
  object_spec bits = missing_three("bitmask");
  bits.payload.resize(2);
  const tgmap::archive a(files.file("masked.tgm", message({.objects = {missing_three("int32"), bits}})));
  BOOST_TEST(a[0][0].masks().empty());
  BOOST_TEST(values_of<std::int32_t>(a[0][0].decode())[0] == 0);
  TGMAP_THROWS(a[0][1].masks(), errc::bad_combination);
}

BOOST_AUTO_TEST_CASE(limit_applies_to_masks) {
  const temporary_directory files;
  const auto path = files.file("masked.tgm", message({.objects = {missing_three()}}));
  const tgmap::archive a(path, {.max_decoded_bytes = 1});
  TGMAP_THROWS(a[0][0].masks(), errc::decoded_limit);
}

BOOST_AUTO_TEST_CASE(masks_of_the_reference_mark_restored_elements) {
  const auto shared = shared_data_or_skip("masks of 581 reference files");
  if (!shared) return;
  const auto directory = *shared / "data" / "tgm" / "reference";
  std::size_t marked = 0;
  for (const json& one : manifest_of(directory)) {
    const std::string file = one.at("file");
    const tgmap::archive a(directory / file, {.damage = tgmap::on_damage::skip});
    for (std::size_t i = 0; i < one.at("messages").size(); ++i)
      for (std::size_t j = 0; j < one["messages"][i].value("objects", json::array()).size(); ++j)
        BOOST_TEST_CONTEXT(file << " " << i << ":" << j) marked += check_masks(a[i][j]);
  }
  BOOST_TEST_MESSAGE(marked << " elements marked");
  BOOST_TEST(marked > 5000u);
}

BOOST_AUTO_TEST_SUITE_END()
