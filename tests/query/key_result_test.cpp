// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <map>
#include <support/bytes.hpp>
#include <support/cbor.hpp>
#include <support/failures.hpp>
#include <support/selection_samples.hpp>
#include <tgmap/query/metadata_key.hpp>
#include <vector>

using namespace tgmap_test;
using tgmap::key_result;
using tgmap::sort_key;

BOOST_AUTO_TEST_SUITE(flattened)

BOOST_AUTO_TEST_CASE(maps_are_flattened_and_other_items_are_text) {
  const bytes data = six_messages();
  const auto archive = open(data);
  const auto keys = tgmap::flatten(archive[1][0].metadata());
  BOOST_TEST(keys.at("name") == "10u");
  BOOST_TEST(keys.at("mars.param") == "10u");
  BOOST_TEST(keys.at("mars.step") == "0");
  BOOST_TEST(keys.at("mars.levelist") == "[500,850]");
  BOOST_TEST(keys.at("x") == "1.5");
  BOOST_TEST(keys.at("ok") == "true");
  BOOST_TEST(keys.count("mars") == 0u);
  for (const auto& [key, text] : keys) {
    const auto found = archive[1][0].metadata().find(key);
    BOOST_TEST_REQUIRE(found.has_value(), key);
    BOOST_TEST(tgmap::key_result(*found).text() == text);
  }
}

BOOST_AUTO_TEST_CASE(keys_with_dots_have_the_value_that_find_returns) {
  const bytes data =
      with_keys({cbor::key("a.b", cbor::integer(1)), cbor::key("a", cbor::map({cbor::key("b", cbor::integer(2))})),
                 cbor::key("empty", cbor::map(std::vector<cbor::pair>{}))});
  const auto archive = open(data);
  const auto keys = tgmap::flatten(archive[0][0].metadata());
  BOOST_TEST(keys.at("a.b") == tgmap::key_result(*archive[0][0].metadata().find("a.b")).text());
  BOOST_TEST(keys.at("empty") == "{}");
}

// A forged file must not make paths that are much longer than itself.
BOOST_AUTO_TEST_CASE(paths_take_memory_in_proportion) {
  const auto nested = [](std::size_t long_key, std::size_t keys) {
    std::vector<cbor::pair> inner;
    for (std::size_t i = 0; i < keys; ++i) inner.push_back(cbor::key(std::to_string(i), cbor::integer(1)));
    return with_keys({cbor::key(std::string(long_key, 'k'), cbor::map(inner))});
  };
  const bytes usual = nested(100, 1000);
  const auto small = open(usual);
  const auto found = tgmap::flatten(small[0][0].metadata());
  BOOST_TEST(found.size() == 1000u);
  std::size_t path_bytes = 0;
  for (const auto& [path, text] : found) path_bytes += path.size();
  BOOST_TEST(path_bytes == 100u * 1000 + 1000 + 10 + 90 * 2 + 900 * 3);

  const bytes forged = nested(20'000, 10'000);  // 200 MB of paths
  const auto archive = open(forged);
  BOOST_CHECK_EXCEPTION(tgmap::flatten(archive[0][0].metadata()), tgmap::error, [&](const tgmap::error& why) {
    const tgmap::failure& details = why.details();
    return details.code == tgmap::errc::metadata_limit && details.found > details.expected &&
           details.found <= details.expected + 20'005 && details.expected <= 64 * forged.size() + 65536;
  });
}

BOOST_AUTO_TEST_CASE(no_metadata_has_no_keys) { BOOST_TEST(tgmap::flatten({}).empty()); }

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(sort_keys)

namespace {

sort_key of_item(const bytes& item) { return sort_key(key_result(tgmap::cbor_view(span_of(item)))); }

/// Returns sort keys in ascending order.
std::vector<sort_key> ascending() {
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
  out.push_back(of_item(cbor::text("10")));  // text is no number, even if it looks like one
  out.push_back(of_item(cbor::text("9")));
  out.push_back(sort_key(key_result(std::string_view("float32"))));
  out.push_back(sort_key(key_result(true)));  // "true"
  out.push_back(sort_key());
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(numbers_then_text_then_nothing) {
  const auto all = ascending();
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < all.size(); ++j) BOOST_TEST(((all[i] <=> all[j]) == (i <=> j)), i << " with " << j);
}

BOOST_AUTO_TEST_CASE(equal_numbers_of_different_types_are_equivalent) {
  BOOST_TEST((of_item(cbor::integer(3)) == of_item(cbor::real(3))));
  BOOST_TEST((of_item(cbor::integer(3)) == sort_key(key_result(std::uint64_t{3}))));
  BOOST_TEST((sort_key() == sort_key(key_result())));
  BOOST_TEST(!sort_key());
  BOOST_TEST(static_cast<bool>(of_item(cbor::integer(0))));
}

BOOST_AUTO_TEST_SUITE_END()
