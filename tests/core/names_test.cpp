// SPDX-License-Identifier: Apache-2.0
// Enumerators have unique names.
#include <boost/test/unit_test.hpp>
#include <set>
#include <string>
#include <tgmap/tgmap.hpp>

BOOST_AUTO_TEST_SUITE(names_test)

namespace {

/// Checks that the enumerators 0 … count-1 have as many names.
template <class Enum>
void all_named(unsigned count) {
  std::set<std::string> seen;
  for (unsigned i = 0; i < count; ++i) {
    const std::string name(tgmap::to_string_view(static_cast<Enum>(i)));
    BOOST_TEST(!name.empty());
    BOOST_TEST(seen.insert(name).second, name << " is there twice");
  }
}

}  // namespace

// README.md states the size of a handle.
#if defined(__LP64__)
static_assert(sizeof(tgmap::message) == 32);
#endif

BOOST_AUTO_TEST_CASE(every_enumerator_has_a_name_of_its_own) {
  all_named<tgmap::cbor_kind>(9);
  all_named<tgmap::dtype>(tgmap::dtype_count);
  all_named<tgmap::byte_order>(2);
  all_named<tgmap::mask_kind>(3);
  all_named<tgmap::hash_result>(4);
  all_named<tgmap::index_location>(4);
  all_named<tgmap::selection_error>(tgmap::selection_error_count);
}

BOOST_AUTO_TEST_CASE(names_in_files_are_those_of_the_specification) {
  BOOST_TEST(to_string_view(tgmap::byte_order::big) == "big");
  BOOST_TEST(to_string_view(tgmap::byte_order::little) == "little");
  BOOST_TEST(to_string_view(tgmap::mask_kind::nan) == "nan");
  BOOST_TEST(to_string_view(tgmap::mask_kind::positive_infinity) == "inf+");
  BOOST_TEST(to_string_view(tgmap::mask_kind::negative_infinity) == "inf-");
}

BOOST_AUTO_TEST_CASE(frame_types_have_names_and_the_others_are_unknown) {
  std::set<std::string> seen;
  for (unsigned type = 1; type <= 9; ++type) {
    const std::string name(tgmap::to_string_view(static_cast<tgmap::frame_type>(type)));
    BOOST_TEST(name != "unknown");
    BOOST_TEST(seen.insert(name).second, name << " is there twice");
  }
  for (const unsigned type : {0u, 10u, 255u, 65535u})
    BOOST_TEST(tgmap::to_string_view(static_cast<tgmap::frame_type>(type)) == "unknown");
}

BOOST_AUTO_TEST_CASE(names_of_cbor_kinds) {
  BOOST_TEST(to_string_view(tgmap::cbor_kind::null) == "null");
  BOOST_TEST(to_string_view(tgmap::cbor_kind::integer) == "integer");
  BOOST_TEST(to_string_view(tgmap::cbor_kind::map) == "map");
  BOOST_TEST(to_string_view(tgmap::cbor_kind::tag) == "tag");
}

BOOST_AUTO_TEST_SUITE_END()
