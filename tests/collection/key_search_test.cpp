// SPDX-License-Identifier: Apache-2.0
#include "collection/key_search.hpp"

#include <boost/test/unit_test.hpp>
#include <support/selection_samples.hpp>

BOOST_AUTO_TEST_SUITE(key_searches)

using namespace tgmap_test;
using tgmap::metadata_key;
using tgmap::archives::key_search;
using tgmap::archives::key_search_options;

namespace {

struct searched {
  std::vector<std::string> absent;
  bool is_cut;
};

searched search(const bytes& data, const std::vector<std::string>& names, const tgmap::selection& wanted = {},
                const key_search_options& how = {}, const tgmap::archive_address& where = {}) {
  std::vector<metadata_key> keys;
  for (const std::string& name : names) keys.emplace_back(name);
  key_search all(std::move(keys), {wanted, false}, how);
  all.look_in(where, tgmap::archive::from_memory(span_of(data)));
  searched out{{}, all.is_cut()};
  for (const metadata_key& each : all.absent()) out.absent.push_back(each.text());
  return out;
}

using words = std::vector<std::string>;

}  // namespace

BOOST_AUTO_TEST_CASE(keys_that_occur_nowhere) {
  const bytes data = six_messages();
  BOOST_TEST(search(data, {"mars.step", "mars.param"}).absent == words{});
  BOOST_TEST((search(data, {"mars.step", "mars.stp"}).absent == words{"mars.stp"}));
  BOOST_TEST(search(data, {"mars.stp"}, tgmap::selection("mars.step=-1")).absent == words{});  // nothing to look in
}

BOOST_AUTO_TEST_CASE(a_similar_key_is_suggested) {
  const bytes data = six_messages();
  key_search all({metadata_key("mars.stp")}, {{}, false});
  BOOST_TEST(all.goes_on());
  all.look_in({}, tgmap::archive::from_memory(span_of(data)));
  BOOST_TEST(all.nearest(metadata_key("mars.stp")) == "mars.step");
  all.fail();
  BOOST_TEST(!all.goes_on());
  BOOST_TEST(all.absent().empty());
}

BOOST_AUTO_TEST_CASE(the_search_ends_after_some_messages) {
  const searched some = search(six_messages(), {"mars.stp"}, {}, {.max_messages = 3});
  BOOST_TEST(some.is_cut);
  BOOST_TEST((some.absent == words{"mars.stp"}));
  BOOST_TEST(!search(six_messages(), {"mars.stp"}, {}, {.max_messages = 6}).is_cut);
}

BOOST_AUTO_TEST_CASE(keys_of_objects) {
  const bytes data = two_named_objects();
  BOOST_TEST((search(data, {"@dtype"}).absent == words{"@dtype"}));
  BOOST_TEST(search(data, {"@dtype"}, {}, {.in_objects = true}).absent == words{});
}

BOOST_AUTO_TEST_CASE(an_address_that_cannot_be_found) {
  const bytes data = six_messages();
  BOOST_CHECK_THROW(
      search(data, {"mars.stp"}, {}, {}, {.file = {}, .messages = {{.begin = 9}}, .offset = {}, .objects = {}}),
      tgmap::error);
}

BOOST_AUTO_TEST_SUITE_END()
