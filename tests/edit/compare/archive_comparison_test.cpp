// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <stdexcept>
#include <support/builder.hpp>
#include <support/cbor.hpp>
#include <tgmap/archive.hpp>
#include <tgmap/tools/compare.hpp>

using namespace tgmap_test;
using tgmap::compare_options;
using tgmap::compared_pair;
using tgmap::comparison;
using tgmap::comparison_summary;
using tgmap::difference_kind;

BOOST_AUTO_TEST_SUITE(archives_compared)

namespace {

bytes one(int k, const char* payload) {
  return message({.objects = {bytes_object(payload)}, .base = {cbor::map({cbor::key("k", cbor::integer(k))})}});
}

struct result {
  comparison_summary counts{};
  std::vector<std::pair<compared_pair, comparison>> pairs{};
};

result compared(const bytes& left, const bytes& right, const compare_options& how = {}) {
  result out;
  const auto a = tgmap::archive::from_memory(span_of(left)), b = tgmap::archive::from_memory(span_of(right));
  out.counts = tgmap::compare(
      a, b, how, [&](const compared_pair& pair, const comparison& found) { out.pairs.emplace_back(pair, found); });
  return out;
}

const std::vector<tgmap::metadata_key> by_k{tgmap::metadata_key("k")};

}  // namespace

BOOST_AUTO_TEST_CASE(pairs_by_position) {
  BOOST_TEST((tgmap::pair_by_position(1, 2) == std::vector<compared_pair>{{0, 0}, {std::nullopt, 1}}));
  BOOST_TEST((tgmap::pair_by_position(2, 1) == std::vector<compared_pair>{{0, 0}, {1, std::nullopt}}));
  BOOST_TEST(tgmap::pair_by_position(0, 0).empty());
}

BOOST_AUTO_TEST_CASE(pairs_by_values) {
  const std::vector<std::string> left{"a", "b", "a", "c"}, right{"a", "x", "a", "b", "a"};
  BOOST_TEST(
      (tgmap::pair_by_values(left, right) ==
       std::vector<compared_pair>{{0, 0}, {1, 3}, {2, 2}, {3, std::nullopt}, {std::nullopt, 1}, {std::nullopt, 4}}));
}

BOOST_AUTO_TEST_CASE(messages_by_position) {
  const result same = compared(one(1, "a") + one(2, "b"), one(1, "a") + one(2, "b"));
  BOOST_TEST(same.counts.is_equal());
  BOOST_TEST(same.counts.pairs == 2u);
  const result found = compared(one(1, "a") + one(2, "b") + one(3, "c"), one(1, "a") + one(2, "x"));
  BOOST_TEST(!found.counts.is_equal());
  BOOST_TEST(found.counts.pairs == 3u);
  BOOST_TEST(found.counts.equal_pairs == 1u);
  BOOST_TEST(found.counts.differences == 2u);
  BOOST_TEST((found.pairs[1].second.differences.at(0).kind == difference_kind::values));
  BOOST_TEST((found.pairs[2].first == compared_pair{2, std::nullopt}));
  BOOST_TEST((found.pairs[2].second.differences.at(0).kind == difference_kind::only_left));
}

BOOST_AUTO_TEST_CASE(messages_by_keys) {
  const result found = compared(one(1, "a") + one(2, "b"), one(2, "b") + one(3, "c") + one(1, "a"), {.pair_by = by_k});
  BOOST_TEST(found.counts.pairs == 3u);
  BOOST_TEST(found.counts.equal_pairs == 2u);
  BOOST_TEST((found.pairs[0].first == compared_pair{0, 2}));
  BOOST_TEST((found.pairs[2].first == compared_pair{std::nullopt, 1}));
  BOOST_TEST((found.pairs[2].second.differences.at(0).kind == difference_kind::only_right));
}

BOOST_AUTO_TEST_CASE(messages_whose_keys_cannot_be_read) {
  const bytes unreadable = message({.objects = {bytes_object("a")}, .header_metadata = bytes("\xff")});
  const result found = compared(one(1, "a") + unreadable + one(2, "b"), one(2, "b") + one(1, "a"), {.pair_by = by_k});
  BOOST_TEST(found.counts.pairs == 3u);
  BOOST_TEST(found.counts.equal_pairs == 2u);
  BOOST_TEST(found.counts.failures == 1u);
  BOOST_TEST((found.pairs[1].first == compared_pair{2, 0}));
  BOOST_TEST((found.pairs[2].first == compared_pair{1, std::nullopt}));
  BOOST_TEST((found.pairs[2].second.failures.at(0).why.code == tgmap::errc::bad_cbor));
}

BOOST_AUTO_TEST_CASE(results_come_in_order_from_any_number_of_threads) {
  bytes left, right;
  for (int i = 0; i < 100; ++i) {
    left += one(i, "a");
    right += one(i, i % 3 == 0 ? "b" : "a");
  }
  const auto threads = tgmap::make_thread_executor(3);
  const result found = compared(left, right, {.executor = threads.get()});
  BOOST_TEST_REQUIRE(found.pairs.size() == 100u);
  for (std::size_t i = 0; i < 100; ++i) {
    BOOST_TEST((found.pairs[i].first == compared_pair{i, i}));
    BOOST_TEST(found.pairs[i].second.is_equal() == (i % 3 != 0));
  }
}

BOOST_AUTO_TEST_CASE(stopping) {
  bytes data;
  for (int i = 0; i < 40; ++i) data += one(i, "a");
  std::stop_source stop;
  const auto a = tgmap::archive::from_memory(span_of(data));
  const auto counts =
      tgmap::compare(a, a, {.stop = stop.get_token()}, [&](const auto&, const auto&) { stop.request_stop(); });
  BOOST_TEST(counts.stopped);
  BOOST_TEST(!counts.is_equal());
  BOOST_TEST(counts.pairs < 40u);
  const auto throwing = [](const compared_pair&, const comparison&) { throw std::runtime_error("enough"); };
  BOOST_CHECK_THROW(tgmap::compare(a, a, {}, throwing), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(lists_and_errors) {
  const bytes data = one(1, "a") + one(2, "b");
  const auto a = tgmap::archive::from_memory(span_of(data));
  const tgmap::compared_list left{a, {{a[0], 0}, {a[1], 0}}}, right{a, {{a[1], 0}}};
  std::vector<bool> equal;
  const std::vector<compared_pair> pairs{{0, 0}, {1, 0}};
  const auto counts = tgmap::compare(left, right, pairs, {.ignored_keys = {"k"}},
                                     [&](const auto&, const comparison& found) { equal.push_back(found.is_equal()); });
  BOOST_TEST(counts.pairs == 2u);
  BOOST_TEST((equal == std::vector<bool>{false, true}));
  tgmap::failure why;
  const std::vector<compared_pair> beyond{{0, 1}};
  tgmap::compare(left, right, beyond, {}, {}, why);
  BOOST_TEST((why.code == tgmap::errc::out_of_range));
  tgmap::compare(a, tgmap::archive(), {}, {}, why);
  BOOST_TEST((why.code == tgmap::errc::no_archive));
}

BOOST_AUTO_TEST_SUITE_END()
