// SPDX-License-Identifier: Apache-2.0
#include "edit/metadata/new_metadata.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(metadata_of_new_objects)

using namespace tgmap;
using namespace tgmap::edit;

namespace {

using fault = new_metadata_fault::kind;

fault take(const cbor_value& meta) {
  new_metadata out;
  return out.take(meta).what;
}

void set(new_metadata& in, std::string_view key, const cbor_value& value) {
  failure why;
  in.set(
      key, [&] { return value; }, why);
  BOOST_TEST(!why, key);
}

}  // namespace

BOOST_AUTO_TEST_CASE(one_map_is_for_every_object) {
  new_metadata given;
  BOOST_TEST((given.take(cbor_value::map({{"a", 1}, {"name", "mine"}})).what == fault::none));
  set(given, "a", 2);
  set(given, "extra.title", "t");
  BOOST_TEST(given.covers(1000));
  BOOST_TEST(given.listed() == 0u);
  BOOST_TEST((given.base(7, "x") == cbor_value::map({{"a", 2}, {"name", "mine"}})));
  BOOST_TEST((given.extra() == cbor_value::map({{"title", "t"}})));
  BOOST_TEST((new_metadata().base(0, "x") == cbor_value::map({{"name", "x"}})));
}

BOOST_AUTO_TEST_CASE(a_list_is_for_each_object) {
  new_metadata given;
  const cbor_value first = cbor_value::map({{"a", 1}}), second = cbor_value::map();
  const cbor_value meta =
      cbor_value::map({{"base", cbor_value::array({first, second})}, {"extra", cbor_value::map({{"title", "t"}})}});
  BOOST_TEST((given.take(meta).what == fault::none));
  BOOST_TEST(given.covers(2));
  BOOST_TEST(!given.covers(3));
  BOOST_TEST(given.listed() == 2u);
  BOOST_TEST((given.base(0, "") == first));
  BOOST_TEST((given.base(1, "") == second));
  BOOST_TEST((given.extra() == cbor_value::map({{"title", "t"}})));
}

BOOST_AUTO_TEST_CASE(values_that_are_no_metadata) {
  const cbor_value map = cbor_value::map(), reserved = cbor_value::map({{"_reserved_", 1}});
  BOOST_TEST((take(1) == fault::no_map));
  BOOST_TEST((take(reserved) == fault::reserved_key));
  BOOST_TEST((take(cbor_value::map({{"extra", reserved}})) == fault::reserved_key));
  BOOST_TEST((take(cbor_value::map({{"base", cbor_value::array({reserved})}})) == fault::reserved_key));
  BOOST_TEST((take(cbor_value::map({{"base", map}})) == fault::other_keys));
  BOOST_TEST((take(cbor_value::map({{"extra", map}, {"a", 1}})) == fault::other_keys));
  new_metadata given;
  const new_metadata_fault found = given.take(cbor_value::map({{"base", cbor_value::array({map, 3})}}));
  BOOST_TEST((found.what == fault::no_base_map));
  BOOST_TEST(found.number == 1u);
}

BOOST_AUTO_TEST_CASE(keys_that_cannot_be_set_for_all) {
  new_metadata given;
  failure why;
  const auto never = []() -> cbor_value { throw std::logic_error("the value is not needed"); };
  for (const char* key : {"base[0].a", "objects.0.units"}) {
    given.set(key, never, why);
    BOOST_TEST(why.expected == static_cast<std::uint64_t>(edit_error::no_object), key);
  }
  given.set("shape", never, why);
  BOOST_TEST(why.expected == static_cast<std::uint64_t>(edit_error::storage));
  given.set(
      "l[3]", [] { return cbor_value(1); }, why);
  BOOST_TEST(why.expected == static_cast<std::uint64_t>(edit_error::no_element));
}

BOOST_AUTO_TEST_SUITE_END()
