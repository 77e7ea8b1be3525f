// SPDX-License-Identifier: Apache-2.0
#include "edit/sound_filter.hpp"

#include <boost/test/unit_test.hpp>
#include <support/selection_samples.hpp>
#include <tgmap/archive.hpp>

BOOST_AUTO_TEST_SUITE(sound_filters)

using namespace tgmap_test;
using tgmap::edit::sound_filter;
using tgmap::edit::sound_rule;

namespace {

/// Returns a message of two objects, of which the second one has another byte than its hash says.
bytes damaged_message() {
  bytes out = message({.objects = {bytes_object("first"), bytes_object("second")}});
  out[out.find("second")] = 'S';
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(damage_is_found_and_counted_by_rule) {
  const bytes data = damaged_message();
  const auto from = tgmap::archive::from_memory(span_of(data));
  const tgmap::message damaged = from[0];
  sound_filter unchecked(sound_rule::unchecked), verifying(sound_rule::verify), leaving_out(sound_rule::leave_out);
  BOOST_TEST(!unchecked.check("f", damaged, std::nullopt));
  const tgmap::failure why = verifying.check("f", damaged, std::nullopt);
  BOOST_TEST((why.code == tgmap::errc::hash_mismatch));
  BOOST_TEST((why.object == 1u));
  BOOST_TEST(verifying.left_out() == 0u);
  BOOST_TEST(!leaving_out.check("f", damaged, 0));
  BOOST_TEST((leaving_out.check("f", damaged, 1).code == tgmap::errc::hash_mismatch));
  BOOST_TEST(leaving_out.mismatches() == 1u);
  leaving_out.add_unreadable(2);
  BOOST_TEST(leaving_out.unreadable() == 2u);
  BOOST_TEST(leaving_out.left_out() == 3u);
}

BOOST_AUTO_TEST_SUITE_END()
