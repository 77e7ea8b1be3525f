// SPDX-License-Identifier: Apache-2.0
// Arrays, maps and tags, of definite and of indefinite length.
#include <boost/test/unit_test.hpp>
#include <string>
#include <support/cbor.hpp>
#include <support/failures.hpp>
#include <tgmap/cbor_view.hpp>
#include <vector>

using namespace tgmap_test;
using tgmap::cbor_kind;

BOOST_AUTO_TEST_SUITE(cbor_view_container_test)

namespace {

tgmap::cbor_view of(const bytes& data) { return tgmap::cbor_view(span_of(data)); }

std::vector<bytes> items(unsigned count) {
  std::vector<bytes> out;
  for (unsigned i = 0; i < count; ++i) out.push_back(cbor::integer(i * 3));
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(elements_of_arrays) {
  for (const unsigned count : {0u, 1u, 23u, 24u, 300u})
    for (const auto& data : {cbor::array(items(count)), cbor::array_until_break(items(count))}) {
      BOOST_TEST(of(data).size() == count);
      BOOST_TEST(of(data).kind() == cbor_kind::array);
      for (unsigned i = 0; i < count; ++i) BOOST_TEST((of(data).at(i)->get<std::uint64_t>() == i * 3));
      BOOST_TEST(!of(data).at(count));
      BOOST_TEST(!of(data).at(~std::uint64_t{0}));
      BOOST_TEST(!of(data).find("a"));
      std::uint64_t next = 0;
      BOOST_TEST(of(data).visit([&](std::uint64_t index, const tgmap::cbor_view& item) {
        BOOST_TEST(index == next++);
        BOOST_TEST((item.get<std::uint64_t>() == index * 3));
        return true;
      }));
      BOOST_TEST(next == count);
      BOOST_TEST(of(data).bytes().size() == data.size());
    }
}

BOOST_AUTO_TEST_CASE(values_of_maps_by_text_keys) {
  const std::vector<cbor::pair> pairs = {cbor::key("a", cbor::integer(1)),
                                         cbor::key("", cbor::integer(2)),
                                         cbor::key("a.b", cbor::integer(3)),
                                         {cbor::integer(7), cbor::integer(4)},
                                         {cbor::blob("c"), cbor::integer(5)},
                                         {cbor::text_in_pieces({"long", "key"}), cbor::integer(6)},
                                         {cbor::array({cbor::text("c")}), cbor::integer(8)}};
  for (const auto& data : {cbor::map(pairs), cbor::map_until_break(pairs)}) {
    BOOST_TEST(of(data).size() == pairs.size());
    BOOST_TEST((of(data).find("a")->get<std::int64_t>() == 1));
    BOOST_TEST((of(data).find("")->get<std::int64_t>() == 2));
    BOOST_TEST((of(data).find("a.b")->get<std::int64_t>() == 3));
    BOOST_TEST((of(data).find("longkey")->get<std::int64_t>() == 6));
    BOOST_TEST(!of(data).find("7"));
    BOOST_TEST(!of(data).find("c"));
    BOOST_TEST(!of(data).find("A"));
    BOOST_TEST(!of(data).at(0));
    std::size_t seen = 0;
    BOOST_TEST(of(data).visit([&](const tgmap::cbor_view& key, const tgmap::cbor_view&) {
      BOOST_TEST(view_of(key.bytes()) == pairs[seen].first);
      ++seen;
      return true;
    }));
    BOOST_TEST(seen == pairs.size());
  }
}

BOOST_AUTO_TEST_CASE(the_last_of_repeated_keys_wins) {
  const bytes data =
      cbor::map({cbor::key("a", cbor::integer(1)), cbor::key("b", cbor::integer(2)), cbor::key("a", cbor::integer(3))});
  BOOST_TEST((of(data).find("a")->get<std::int64_t>() == 3));
  BOOST_TEST((of(data).at_path("a")->get<std::int64_t>() == 3));
}

BOOST_AUTO_TEST_CASE(a_visitor_can_stop) {
  const bytes list = cbor::array(items(5));
  std::size_t seen = 0;
  BOOST_TEST(!of(list).visit([&](std::uint64_t, const tgmap::cbor_view&) { return ++seen < 3; }));
  BOOST_TEST(seen == 3u);
  const bytes scalar = cbor::integer(1);
  BOOST_TEST(of(scalar).visit([&](std::uint64_t, const tgmap::cbor_view&) { return false; }));
}

BOOST_AUTO_TEST_CASE(tags_are_seen_through_on_request) {
  const bytes data = cbor::tag(1000000, cbor::tag(2, cbor::blob("\x01"))), plain = cbor::integer(5);
  BOOST_TEST((of(data).tag() == 1000000u));
  BOOST_TEST((of(data).untagged().tag() == 2u));
  BOOST_TEST(of(data).untagged().untagged().kind() == cbor_kind::bytes);
  BOOST_TEST(!of(plain).tag());
  BOOST_TEST((of(plain).untagged().get<std::int64_t>() == 5));
  BOOST_TEST(!of(data).get<std::span<const std::byte>>());
  BOOST_TEST(of(data).bytes().size() == data.size());
}

BOOST_AUTO_TEST_CASE(containers_know_where_they_end) {
  const bytes inner = cbor::map_until_break(
      {cbor::key("x", cbor::array_until_break({cbor::text_in_pieces({"a"}), cbor::tag(3, cbor::real(1))}))});
  const bytes data = cbor::array({inner, cbor::integer(9)}) + "trailing";
  BOOST_TEST(view_of(of(data).at(0)->bytes()) == inner);
  BOOST_TEST((of(data).at(1)->get<std::int64_t>() == 9));
  BOOST_TEST(of(data).bytes().size() == data.size() - 8);
}

BOOST_AUTO_TEST_SUITE_END()
