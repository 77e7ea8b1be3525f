// SPDX-License-Identifier: Apache-2.0
// Paths of keys and elements, where keys may hold dots and brackets themselves.
#include <boost/test/unit_test.hpp>
#include <optional>
#include <string>
#include <support/cbor.hpp>
#include <support/failures.hpp>
#include <tgmap/cbor_view.hpp>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(cbor_view_path_test)

namespace {

tgmap::cbor_view of(const bytes& data) { return tgmap::cbor_view(span_of(data)); }

std::optional<std::int64_t> number(const bytes& data, std::string_view path) {
  const auto found = of(data).at_path(path);
  return found ? found->get<std::int64_t>() : std::nullopt;
}

bytes map1(std::string_view key, const bytes& item) { return cbor::map({cbor::key(key, item)}); }

}  // namespace

BOOST_AUTO_TEST_CASE(keys_and_elements_are_followed) {
  const bytes data = map1(
      "mars", cbor::map({cbor::key("param", cbor::integer(1)),
                         cbor::key("levelist",
                                   cbor::array({cbor::integer(10),
                                                cbor::array({cbor::integer(20), map1("x", cbor::integer(30))})}))}));
  BOOST_TEST((number(data, "mars.param") == 1));
  BOOST_TEST((number(data, "mars.levelist[0]") == 10));
  BOOST_TEST((number(data, "mars.levelist[1][0]") == 20));
  BOOST_TEST((number(data, "mars.levelist[1][1].x") == 30));
  for (const auto* absent :
       {"mars.", ".mars", "mars.levelist[2]", "mars.levelist[-1]", "mars.levelist[]", "mars.levelist[0",
        "mars.levelist[0]x", "mars..param", "mars.param.x", "mars.param[0]", "levelist", "mars.levelist[x]",
        "mars.levelist[18446744073709551616]", "mars.levelist[0x0]", "mars.levelist[ 0]"})
    BOOST_TEST(!of(data).at_path(absent), absent);
}

BOOST_AUTO_TEST_CASE(keys_with_dots_are_found_at_any_level) {
  const bytes data =
      cbor::map({cbor::key("a.b", map1("c", cbor::integer(1))), cbor::key("d", map1("e.f", cbor::integer(2))),
                 cbor::key("g.h.i", cbor::integer(3)), cbor::key("", map1("", cbor::integer(4)))});
  BOOST_TEST((number(data, "a.b.c") == 1));
  BOOST_TEST((number(data, "d.e.f") == 2));
  BOOST_TEST((number(data, "g.h.i") == 3));
  BOOST_TEST((number(data, ".") == 4));
}

BOOST_AUTO_TEST_CASE(the_shortest_keys_come_first) {
  const bytes data = cbor::map({cbor::key("a.b", cbor::integer(1)), cbor::key("a", map1("b", cbor::integer(2)))});
  BOOST_TEST((number(data, "a.b") == 2));
  const bytes without = cbor::map({cbor::key("a.b", cbor::integer(1)), cbor::key("a", map1("c", cbor::integer(2)))});
  BOOST_TEST((number(without, "a.b") == 1));
}

BOOST_AUTO_TEST_CASE(keys_with_brackets_are_found_too) {
  const bytes data = cbor::map({cbor::key("x[0]", cbor::integer(1)), cbor::key("y", cbor::array({cbor::integer(2)})),
                                cbor::key("z", map1("[0]", cbor::integer(3)))});
  BOOST_TEST((number(data, "x[0]") == 1));
  BOOST_TEST((number(data, "y[0]") == 2));
}

BOOST_AUTO_TEST_CASE(element_numbers_need_an_array) {
  const bytes data = map1("m", map1("0", cbor::integer(1)));
  BOOST_TEST(!of(data).at_path("m[0]"));
  BOOST_TEST((number(data, "m.0") == 1));
}

BOOST_AUTO_TEST_CASE(an_ambiguous_path_without_a_value_is_not_found) {
  // a, a.a, a.a.a, … at each of 24 levels.
  bytes core = cbor::integer(1);
  for (unsigned level = 0; level < 24; ++level) {
    std::vector<cbor::pair> keys;
    std::string key;
    for (unsigned length = 1; length <= 8; ++length) {
      key += length == 1 ? "a" : ".a";
      if (length > 1) keys.push_back(cbor::key(key, map1("b", cbor::integer(2))));
    }
    keys.push_back(cbor::key("a", core));
    core = cbor::map(keys);
  }
  std::string path = "a";
  for (unsigned n = 0; n < 40; ++n) path += ".a";
  path += ".never";
  BOOST_TEST(!of(core).at_path(path));
}

BOOST_AUTO_TEST_CASE(paths_have_at_most_a_thousand_levels) {
  bytes arrays = cbor::integer(5), maps = cbor::integer(6);
  std::string elements, keys;
  for (unsigned level = 1; level <= 1025; ++level) {
    arrays = cbor::array({arrays});
    maps = map1("a", maps);
    elements += "[0]";
    keys += level == 1 ? "a" : ".a";
    if (level < 1024) continue;
    BOOST_TEST((number(arrays, elements) == (level == 1024 ? std::optional<std::int64_t>(5) : std::nullopt)));
    BOOST_TEST((number(maps, keys) == (level == 1024 ? std::optional<std::int64_t>(6) : std::nullopt)));
  }
}

BOOST_AUTO_TEST_CASE(keys_may_end_in_dots_and_brackets) {
  for (const char* key : {".", "a.", "[", "a[", "a[1", "a[1]", "a..", "a.[", "a[].", "[0]", "..."}) {
    const bytes inner = cbor::map({cbor::key(key, cbor::integer(1))}), outer = cbor::map({cbor::key("m", inner)});
    BOOST_TEST(of(inner).at_path(key).has_value(), key);
    BOOST_TEST(of(outer).at_path("m." + bytes(key)).has_value(), key);
    BOOST_TEST(!of(outer).at_path(key).has_value(), key);
  }
}

BOOST_AUTO_TEST_SUITE_END()
