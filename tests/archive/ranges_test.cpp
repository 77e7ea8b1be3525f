// SPDX-License-Identifier: Apache-2.0
// Archives and messages as ranges: range adaptors scan no more than they need.
#include <boost/test/unit_test.hpp>
#include <support/failures.hpp>
#include <support/numbered.hpp>
#include <vector>

#ifndef __clang__  // clang cannot compile these adaptors of libstdc++ before version 16
#define TGMAP_RANGE_ADAPTORS
#include <algorithm>
#include <ranges>
#endif

using namespace tgmap_test;

static_assert(std::ranges::input_range<const tgmap::archive> && !std::ranges::sized_range<tgmap::archive>);
static_assert(!std::ranges::sized_range<const tgmap::archive>);
static_assert(std::forward_iterator<tgmap::message::iterator>);
static_assert(std::ranges::forward_range<const tgmap::message> && !std::ranges::sized_range<tgmap::message>);
static_assert(std::ranges::borrowed_range<tgmap::message>);

BOOST_AUTO_TEST_SUITE(ranges)

namespace {

message_spec with_objects(unsigned count) {
  message_spec spec;
  for (unsigned j = 0; j < count; ++j) spec.objects.push_back(bytes_object(payload_of(j)));
  return spec;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_message_is_a_range_of_its_objects) {
  for (const unsigned count : {0u, 1u, 5u, 40u}) {
    const bytes data = message(with_objects(count));
    const auto archive = open(data);
    std::vector<std::size_t> seen;
    for (const tgmap::object& o : archive[0]) seen.push_back(o.index());
    BOOST_TEST_REQUIRE(seen.size() == count);
    for (std::size_t j = 0; j < count; ++j) BOOST_TEST(seen[j] == j);
  }
}

BOOST_AUTO_TEST_CASE(iterators_of_a_message_outlive_its_handle) {
  const bytes data = message(with_objects(3));
  const auto archive = open(data);
  auto at = archive[0].begin();
  const auto first = at++;
  BOOST_TEST((*first).index() == 0u);
  BOOST_TEST((*at).index() == 1u);
  BOOST_TEST((at != first));
  BOOST_TEST((++at != std::default_sentinel));
  BOOST_TEST((++at == std::default_sentinel));
  BOOST_TEST((*first).index() == 0u);
}

BOOST_AUTO_TEST_CASE(a_message_that_cannot_be_counted_throws_at_its_beginning) {
  const bytes data = version_1_message({payload_of(1)});
  const auto archive = open(data);
  TGMAP_THROWS(archive[0].begin(), tgmap::errc::version_1);
  TGMAP_THROWS(tgmap::message().begin(), tgmap::errc::no_archive);
}

#ifdef TGMAP_RANGE_ADAPTORS

namespace {

constexpr unsigned many = 5000;

/// Returns how many messages of a new archive are known after `use`.
template <class Use>
std::uint64_t scanned_by(const bytes& data, Use&& use) {
  const auto archive = open(data);
  use(archive);
  return archive.scan_progress().messages;
}

}  // namespace

BOOST_AUTO_TEST_CASE(range_adaptors_scan_only_the_messages_they_visit) {
  namespace views = std::views;
  const bytes data = numbered_archive(many);
  const auto first_three = [](auto&& range) {
    std::size_t n = 0;
    for (const auto& each : range) {
      static_cast<void>(each);
      if (++n == 3) break;
    }
    return n;
  };
  const auto is_even = [](const tgmap::message& m) { return m.index().value_or(1) % 2 == 0; };
  const auto is_early = [](const tgmap::message& m) { return m.index().value_or(9) < 3; };
  const auto length = [](const tgmap::message& m) { return m.length(); };
  const auto objects = [](const tgmap::message& m) { return m; };

  // One step of the scan finds a batch of messages.
  const std::uint64_t few = scanned_by(data, [](const auto& a) { static_cast<void>(a[5]); });
  BOOST_TEST_REQUIRE(few < many / 4);
#define TGMAP_SCANS_FEW(adapted) \
  BOOST_TEST(scanned_by(data, [&](const auto& a) { BOOST_TEST(first_three(adapted) == 3u); }) <= few, #adapted)
  TGMAP_SCANS_FEW(a | views::take(3));
  TGMAP_SCANS_FEW(a | views::take_while(is_early));
  TGMAP_SCANS_FEW(a | views::drop(1));
  TGMAP_SCANS_FEW(a | views::drop_while([](const tgmap::message& m) { return m.index() == 0u; }));
  TGMAP_SCANS_FEW(a | views::filter(is_even));
  TGMAP_SCANS_FEW(a | views::transform(length));
  TGMAP_SCANS_FEW(a | views::all);
  TGMAP_SCANS_FEW(a | views::transform(length) | views::take(3));
  TGMAP_SCANS_FEW(a | views::transform(objects) | views::join);
  TGMAP_SCANS_FEW(views::counted(a.begin(), 3));
#undef TGMAP_SCANS_FEW
}

BOOST_AUTO_TEST_CASE(objects_of_all_messages_are_one_range) {
  const bytes data = message(with_objects(3)) + message(with_objects(0)) + message(with_objects(2));
  const auto archive = open(data);
  std::vector<std::size_t> seen;
  for (const tgmap::object& o : archive | std::views::join) seen.push_back(o.index());
  BOOST_TEST((seen == std::vector<std::size_t>{0, 1, 2, 0, 1}));
  BOOST_TEST(std::ranges::count_if(archive[0], [](const tgmap::object& o) { return o.index() > 0; }) == 2);
}

#endif

BOOST_AUTO_TEST_SUITE_END()
