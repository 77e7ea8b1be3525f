// SPDX-License-Identifier: Apache-2.0
// Objects of many messages in one.
#include "edit/merged_message.hpp"

#include <boost/test/unit_test.hpp>
#include <support/selection_samples.hpp>
#include <tgmap/archive.hpp>
#include <tgmap/write/sink.hpp>
#include <tgmap/write/writer.hpp>

using namespace tgmap_test;
using tgmap::edit::merge_strategy;
using tgmap::edit::merged_message;

namespace {

void no_damage(const std::string*, const tgmap::message&, const tgmap::failure&) { BOOST_ERROR("damage"); }

tgmap::cbor_value keys(std::string_view value) { return tgmap::cbor_value::map({{"k", tgmap::cbor_value(value)}}); }

}  // namespace

BOOST_AUTO_TEST_SUITE(merged_messages)

BOOST_AUTO_TEST_CASE(objects_keep_their_frames) {
  const bytes data = two_named_objects();
  const auto from = tgmap::archive::from_memory(span_of(data));
  const tgmap::message first = from[0];
  merged_message all(merge_strategy::first);
  all.add(first, 1);
  all.add(first, 0);
  BOOST_TEST(all.objects() == 2u);
  BOOST_TEST(all.version() == 3);
  tgmap::memory_sink to;
  tgmap::writer(to).write(all.build(no_damage));
  const auto merged = tgmap::archive::from_memory(to.bytes());
  BOOST_TEST((merged[0][0].stored_hash() == from[0][1].stored_hash()));
  BOOST_TEST((merged[0][1].stored_hash() == from[0][0].stored_hash()));
}

BOOST_AUTO_TEST_CASE(strategies_choose_the_value_of_a_key) {
  for (const auto strategy : {merge_strategy::first, merge_strategy::last}) {
    merged_message all(strategy);
    BOOST_TEST(!all.add_keys(keys("a")));
    BOOST_TEST(!all.add_keys(keys("b")));
    const tgmap::new_message made = all.build(no_damage);
    const auto value = made.extra.view().find("k")->get<std::string_view>();
    BOOST_TEST(value.value_or("") == (strategy == merge_strategy::first ? "a" : "b"));
  }
  merged_message all(merge_strategy::error);
  BOOST_TEST(!all.add_keys(keys("a")));
  BOOST_TEST(!all.add_keys(keys("a")));
  BOOST_TEST(all.add_keys(keys("b")).value_or("") == "k");
  BOOST_TEST(all.messages() == 3u);
}

BOOST_AUTO_TEST_SUITE_END()
