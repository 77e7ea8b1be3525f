// SPDX-License-Identifier: Apache-2.0
#include <tgmap/query/metadata_key.hpp>

#include <boost/test/unit_test.hpp>
#include <support/bytes.hpp>
#include <support/cbor.hpp>
#include <vector>

using namespace tgmap_test;
using tgmap::key_result;
using tgmap::sort_key;

BOOST_AUTO_TEST_SUITE(sort_values)

namespace {

sort_key of_item(const bytes& item) { return sort_key(key_result(tgmap::cbor_view(span_of(item)))); }

/// From the least to the greatest.
std::vector<sort_key> ladder() {
  std::vector<sort_key> out;
  out.push_back(of_item(cbor::integer(-5)));
  out.push_back(of_item(cbor::real(-0.5)));
  out.push_back(of_item(cbor::integer(0)));
  out.push_back(of_item(cbor::real(1.5)));
  out.push_back(sort_key(key_result(std::uint64_t{12})));
  out.push_back(of_item(cbor::unsigned_integer(std::uint64_t{1} << 53)));
  out.push_back(of_item(cbor::unsigned_integer((std::uint64_t{1} << 53) + 1)));
  out.push_back(of_item(cbor::real(1e300)));
  out.push_back(of_item(cbor::real(std::numeric_limits<double>::quiet_NaN())));
  out.push_back(of_item(cbor::text("")));
  out.push_back(of_item(cbor::text("10")));  // text is text, whatever it looks like
  out.push_back(of_item(cbor::text("9")));
  out.push_back(sort_key(key_result(std::string_view("float32"))));
  out.push_back(sort_key(key_result(true)));  // "true"
  out.push_back(sort_key());
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(numbers_then_text_then_nothing) {
  const auto all = ladder();
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < all.size(); ++j) BOOST_TEST(((all[i] <=> all[j]) == (i <=> j)), i << " beside " << j);
}

BOOST_AUTO_TEST_CASE(the_same_number_is_equivalent_whatever_it_is_stored_as) {
  BOOST_TEST((of_item(cbor::integer(3)) == of_item(cbor::real(3))));
  BOOST_TEST((of_item(cbor::integer(3)) == sort_key(key_result(std::uint64_t{3}))));
  BOOST_TEST((sort_key() == sort_key(key_result())));
  BOOST_TEST(!sort_key());
  BOOST_TEST(static_cast<bool>(of_item(cbor::integer(0))));
}

BOOST_AUTO_TEST_SUITE_END()
