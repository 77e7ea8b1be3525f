// SPDX-License-Identifier: Apache-2.0
// Enumerators have unique names, from which they are found.
#include <boost/test/unit_test.hpp>
#include <support/enum_checks.hpp>
#include <tgmap/tgmap.hpp>

using namespace tgmap_test;

// README.md states the size of a handle.
#if defined(__LP64__)
static_assert(sizeof(tgmap::message) == 32);
#endif

BOOST_AUTO_TEST_SUITE(enum_names)

BOOST_AUTO_TEST_CASE(every_enumerator_has_a_name_of_its_own) {
  public_enums enums(std::filesystem::path(TGMAP_SOURCE_DIR) / "include/tgmap");
  for (const char* of_tools : {"coordinate_kind", "coordinate_source", "difference_kind", "edit_error",
                               "grid_obstacle_kind", "template_error"})
    enums.leave_out(of_tools);  // of the component tools, whose tests check them
  enums.check<tgmap::access_route>("access_route");
  enums.check<tgmap::access_stage>("access_stage");
  enums.check<tgmap::blosc2_codec>("blosc2_codec");
  enums.check<tgmap::byte_order>("byte_order");
  enums.check<tgmap::cbor_kind>("cbor_kind");
  enums.check<tgmap::column_type>("column_type");
  enums.check<tgmap::compression>("compression");
  enums.check<tgmap::condition>("condition");
  enums.check<tgmap::dtype>("dtype");
  enums.check<tgmap::encoding>("encoding");
  enums.check<tgmap::errc>("errc");
  enums.check<tgmap::filter>("filter");
  enums.check<tgmap::finding_code>("finding_code");
  enums.check<tgmap::frame_type>("frame_type");
  enums.check<tgmap::guard_use>("guard_use");
  enums.check<tgmap::hash_result>("hash_result");
  enums.check<tgmap::index_answer>("index_answer");
  enums.check<tgmap::index_location>("index_location");
  enums.check<tgmap::index_placement>("index_placement");
  enums.check<tgmap::index_trust>("index_trust");
  enums.check<tgmap::index_use>("index_use");
  enums.check<tgmap::io_mode>("io_mode");
  enums.check<tgmap::mask_kind>("mask_kind");
  enums.check<tgmap::mask_method>("mask_method");
  enums.check<tgmap::memory>("memory");
  enums.check<tgmap::object_lookup>("object_lookup");
  enums.check<tgmap::on_damage>("on_damage");
  enums.check<tgmap::on_failure>("on_failure");
  enums.check<tgmap::on_mismatch>("on_mismatch");
  enums.check<tgmap::on_tail>("on_tail");
  enums.check<tgmap::output_byte_order>("output_byte_order");
  enums.check<tgmap::search_purpose>("search_purpose");
  enums.check<tgmap::selection_error>("selection_error");
  enums.check<tgmap::selection_syntax>("selection_syntax");
  enums.check<tgmap::severity>("severity");
  enums.check<tgmap::storage_order>("storage_order");
  enums.check<tgmap::stride_policy>("stride_policy");
  enums.check<tgmap::sz3_bound>("sz3_bound");
  enums.check<tgmap::validation_level>("validation_level");
  enums.check<tgmap::validation_mode>("validation_mode");
  enums.check<tgmap::zfp_mode>("zfp_mode");
}

BOOST_AUTO_TEST_CASE(names_in_files_are_those_of_the_specification) {
  using namespace tgmap;
  BOOST_TEST(to_string_view(byte_order::big) == "big");
  BOOST_TEST(to_string_view(mask_kind::positive_infinity) == "inf+");
  BOOST_TEST(to_string_view(encoding::simple_packing) == "simple_packing");
  BOOST_TEST((from_string<mask_kind>("inf-") == mask_kind::negative_infinity));
  BOOST_TEST((from_string<mask_kind>("nan") == mask_kind::nan));
  BOOST_TEST((from_string<byte_order>("little") == byte_order::little));
  BOOST_TEST((from_string<filter>("shuffle") == filter::shuffle));
  BOOST_TEST((from_string<compression>("szip") == compression::szip));
  BOOST_TEST((from_string<compression>("roaring") == compression::roaring));
  BOOST_TEST((from_string<blosc2_codec>("lz4hc") == blosc2_codec::lz4hc));
  BOOST_TEST((from_string<zfp_mode>("fixed_accuracy") == zfp_mode::fixed_accuracy));
  BOOST_TEST((from_string<sz3_bound>("rel") == sz3_bound::relative));
  BOOST_TEST((from_string<mask_method>("rle") == mask_method::rle));
  BOOST_TEST((from_string<dtype>("bfloat16") == dtype::bfloat16));
}

BOOST_AUTO_TEST_CASE(names_of_the_command_and_of_python) {
  using namespace tgmap;
  BOOST_TEST((from_string<index_placement>("both") == index_placement::both));
  BOOST_TEST((from_string<index_use>("checked") == index_use::checked));
  BOOST_TEST((from_string<on_damage>("skip") == on_damage::skip));
  BOOST_TEST((from_string<io_mode>("automatic") == io_mode::automatic));
  BOOST_TEST((from_string<frame_type>("data object") == frame_type::object));
  BOOST_TEST((from_string<condition>("io") == condition::io));
  BOOST_TEST((from_string<errc>("hash_mismatch") == errc::hash_mismatch));
  BOOST_TEST((from_string<cbor_kind>("tag") == cbor_kind::tag));
  BOOST_TEST(to_string_view(static_cast<frame_type>(65535)) == "unknown");
}

BOOST_AUTO_TEST_SUITE_END()
