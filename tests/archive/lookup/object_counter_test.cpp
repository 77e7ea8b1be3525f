// SPDX-License-Identifier: Apache-2.0
// Counting the objects of one message after the other gives the same numbers and errors as counting those of each
// alone.
#include <boost/test/unit_test.hpp>
#include <support/builder.hpp>
#include <support/temporary.hpp>
#include <tgmap/tgmap.hpp>

#include "archive/access.hpp"
#include "archive/lookup/object_counter.hpp"

using namespace tgmap_test;
namespace inner = tgmap::detail;

BOOST_AUTO_TEST_SUITE(object_counter_test)

namespace {

tgmap::archive in_memory(const bytes& content) {
  return tgmap::archive::from_memory(std::as_bytes(std::span(content.data(), content.size())));
}

bytes message_of(int version, std::size_t objects, std::int64_t step = 1) {
  message_spec spec{.version = version};
  for (std::size_t i = 0; i < objects; ++i) {
    spec.objects.push_back(numbers_object<float>("float32", {1, 2, 3}));
    spec.base.push_back(cbor::map({cbor::key("step", cbor::integer(step))}));
  }
  return message(spec);
}

/// Returns the number of objects, or the text of the error.
std::string count_of(const tgmap::message& m) {
  tgmap::failure why;
  const std::size_t objects = m.size(why);
  return why ? why.text() : std::to_string(objects);
}

/// Counts message 1 after message 0, and alone. Both must agree.
void check(const bytes& content) {
  const tgmap::archive archive = in_memory(content);
  tgmap::failure damaged;
  if (archive.size(damaged) < 2 || damaged) return;
  const tgmap::archive alone = in_memory(content);
  const std::string expected = count_of(alone[1]);
  count_of(archive[0]);
  BOOST_TEST_REQUIRE(count_of(archive[1]) == expected);
}

/// Checks if the second message is counted by the index of the first one.
bool is_counted_fast(const tgmap::archive& archive) {
  inner::object_counter counter;
  const tgmap::message first = archive[0], second = archive[1];
  const auto& state = *inner::access::state(first);
  tgmap::io::window window(state.bytes());
  inner::common_header header;
  BOOST_TEST_REQUIRE(inner::read_common_header(state, window, first.position(), 0, UINT64_MAX, header));
  counter.remember(first.position(), header);
  counter.pass(state, first.position());
  const auto counted = counter.count(state, second.position());
  if (counted) BOOST_TEST(*counted == second.size());
  return counted.has_value();
}

}  // namespace

BOOST_AUTO_TEST_CASE(equal_messages_are_counted_by_the_index_before) {
  for (const int version : {2, 3})
    for (const std::size_t objects : {1u, 2u, 4u}) {
      const bytes one = message_of(version, objects);
      BOOST_TEST(is_counted_fast(in_memory(one + one)));
      BOOST_TEST(is_counted_fast(in_memory(one + message_of(version, objects, 2))));  // other metadata
    }
}

BOOST_AUTO_TEST_CASE(a_mapped_file_is_counted_in_the_same_way) {
  const temporary_directory here;
  bytes all;
  for (int i = 0; i < 200; ++i) all += message_of(3, 1, i % 20);
  const tgmap::archive archive(here.file("a.tgm", all));
  std::size_t objects = 0;
  for (const tgmap::message& m : archive) objects += m.size();
  BOOST_TEST(objects == 200U);
  if (inner::access::state(archive[0])->bytes().direct()) BOOST_TEST(is_counted_fast(archive));
}

BOOST_AUTO_TEST_CASE(other_messages_are_not) {
  const bytes one = message_of(3, 1);
  BOOST_TEST(!is_counted_fast(in_memory(one + message_of(3, 2))));
  BOOST_TEST(!is_counted_fast(in_memory(one + message_of(2, 1))));
  BOOST_TEST(!is_counted_fast(in_memory(one + message_of(3, 1, 10'000'000'000))));  // longer metadata
  const bytes many = message_of(3, 5);
  BOOST_TEST(!is_counted_fast(in_memory(many + many)));
}

BOOST_AUTO_TEST_CASE(each_changed_byte_has_the_same_result) {
  for (const int version : {2, 3})
    for (const std::size_t objects : {1u, 2u}) {
      const bytes one = message_of(version, objects);
      bytes all = one + one;
      check(all);
      for (std::size_t at = one.size(); at < all.size(); ++at) {
        const char before = all[at];
        for (const int value : {before ^ 1, before ^ 0x10, 0, 0xff}) {
          all[at] = static_cast<char>(value);
          check(all);
        }
        all[at] = before;
      }
    }
}

BOOST_AUTO_TEST_CASE(a_wrong_index_is_not_trusted_twice) {
  message_spec lying{.objects = {numbers_object<float>("float32", {1, 2, 3})}};
  lying.lie = [](index_spec& index) { index.lengths[0] -= 8; };
  const bytes right = message_of(3, 1), wrong = message(lying);
  check(wrong + wrong);
  check(right + wrong);
  check(wrong + right);
}

BOOST_AUTO_TEST_CASE(options_hold_for_each_archive) {
  const bytes one = message_of(3, 2), all = one + one;
  const auto whole = std::as_bytes(std::span(all.data(), all.size()));
  const tgmap::archive archive = in_memory(all);
  count_of(archive[0]);
  count_of(archive[1]);
  const auto limited = tgmap::archive::from_memory(whole, {.max_objects = 1});
  for (const tgmap::message& m : limited) BOOST_TEST(count_of(m) != "2");
}

BOOST_AUTO_TEST_SUITE_END()
