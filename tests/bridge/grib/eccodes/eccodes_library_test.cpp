// SPDX-License-Identifier: Apache-2.0
// The library ecCodes, loaded at its first use.
#include "bridge/grib/eccodes/eccodes_library.hpp"

#include <boost/test/unit_test.hpp>

#include "../needs_eccodes.hpp"

using namespace tgmap_test;
using tgmap::bridge::grib::eccodes_call;
using tgmap::bridge::grib::eccodes_handle;
using tgmap::bridge::grib::eccodes_library;

BOOST_AUTO_TEST_SUITE(eccodes_test)

BOOST_AUTO_TEST_CASE(what_was_loaded_is_described) {
  if (!has_eccodes()) return;
  const auto found = tgmap::bridge::find_eccodes();
  BOOST_REQUIRE(found);
  BOOST_TEST(found->version.starts_with("2."));
  BOOST_TEST(found->version.size() >= 5u);  // 2.1.0
  BOOST_TEST(!found->definitions.empty());
}

BOOST_AUTO_TEST_CASE(the_library_cannot_change_once_it_was_looked_for) {
  const bool was_there = eccodes_library::get() != nullptr;
  BOOST_TEST(!tgmap::bridge::set_eccodes_library("/nowhere/libeccodes.so"));
  BOOST_TEST((eccodes_library::get() != nullptr) == was_there);
}

BOOST_AUTO_TEST_CASE(calls_give_keys) {
  if (!has_eccodes()) return;
  const eccodes_library& library = *eccodes_library::get();
  const eccodes_call call(library);
  const eccodes_handle handle(library, library.codes_grib_handle_new_from_samples(nullptr, "GRIB2"));
  BOOST_REQUIRE(handle);
  long edition = 0;
  BOOST_TEST(library.codes_get_long(handle.get(), "edition", &edition) == 0);
  BOOST_TEST(edition == 2);
}

BOOST_AUTO_TEST_CASE(errors_print_nothing) {
  if (!has_eccodes()) return;
  const eccodes_library& library = *eccodes_library::get();
  const auto fail = [&] { BOOST_TEST(library.codes_grib_handle_new_from_samples(nullptr, "nothing") == nullptr); };
  std::string printed, printed_in_call;
  {
    const captured_standard_error capture(printed_in_call);
    const eccodes_call call(library);
    fail();
  }
  {
    const captured_standard_error capture(printed);
    fail();
  }
  BOOST_TEST(printed_in_call == "");
  BOOST_TEST(printed != "");  // outside, ecCodes prints as before
}

BOOST_AUTO_TEST_SUITE_END()
