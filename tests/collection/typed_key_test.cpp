// SPDX-License-Identifier: Apache-2.0
// Types of keys, and values in these types. The printed forms are tested with the command.
#include <boost/test/unit_test.hpp>
#include <support/failures.hpp>
#include <support/numbered.hpp>
#include <support/selection_samples.hpp>

#include "collection/typed_key.hpp"

using namespace tgmap_test;
using tgmap::archives::typed_key;

BOOST_AUTO_TEST_SUITE(typed_keys)

namespace {

typed_key parse(const std::string& text) {
  tgmap::failure why;
  typed_key out = typed_key::parse(text, why);
  BOOST_TEST(!why);
  return out;
}

/// Returns the value of a key as text, or "-" if there is none in its type.
std::string value_of(const std::string& key) {
  const bytes data = with_keys({cbor::key("step", cbor::integer(6)), cbor::key("time", cbor::text("0600")),
                                cbor::key("half", cbor::real(1.5)), cbor::key("a:i", cbor::text("of that name"))});
  const auto from = open(data);
  tgmap::key_lookup keys(from[0]);
  const auto found = parse(key).find(keys);
  return found ? found.get().text() : "-";
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_suffix_is_a_type) {
  BOOST_TEST(parse("mars.step:d").name() == "mars.step");
  BOOST_TEST((parse("mars.step:d").type() == tgmap::archives::key_type::floating));
  BOOST_TEST(!parse("mars.step:x").has_type());
  BOOST_TEST(!parse(":i").has_type());
  tgmap::failure why;
  static_cast<void>(typed_key::parse("@ofset:i", why));
  TGMAP_FAILED(why, tgmap::errc::bad_key);
  BOOST_TEST(why.expected == 6U);
}

BOOST_AUTO_TEST_CASE(values_are_converted_if_nothing_is_lost) {
  BOOST_TEST(value_of("time:i") == "600");
  BOOST_TEST(value_of("time:d") == "600");
  BOOST_TEST(value_of("half:i") == "-");
  BOOST_TEST(value_of("half:s") == "1.5");
  BOOST_TEST(value_of("a:i") == "of that name");
  BOOST_TEST(value_of("none:s") == "-");
}

BOOST_AUTO_TEST_CASE(the_last_of_keys_with_one_name_counts) {
  const bytes data = with_keys({cbor::key("a", cbor::integer(1)), cbor::key("b", cbor::integer(2))});
  const auto from = open(data);
  tgmap::key_lookup keys(from[0]);
  const std::vector<typed_key> wanted{parse("a"), parse("c"), parse("b"), parse("a:s")};
  const auto found = find_values(wanted, keys);
  BOOST_TEST_REQUIRE(found.size() == 2U);
  BOOST_TEST((found[0].key->name() == "a" && found[0].value.is_converted()));
  BOOST_TEST(found[1].key->name() == "b");
}

BOOST_AUTO_TEST_SUITE_END()
