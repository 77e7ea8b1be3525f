// SPDX-License-Identifier: Apache-2.0
#include "index_file/checked_records.hpp"

#include <boost/test/unit_test.hpp>
#include <functional>
#include <support/failures.hpp>

#include "index_file/writer.hpp"

using namespace tgmap::index_file;
using tgmap::errc;
using tgmap::failure;

BOOST_AUTO_TEST_SUITE(checked_records_test)

namespace {

/// Records of an index of 10,000 bytes.
struct records {
  std::vector<listed_message> messages{};
  std::vector<listed_object> objects{};
  std::vector<listed_gap> gaps{};

  std::unique_ptr<const reader> write() const {
    tgmap::memory_sink to;
    writer file(to, 7);
    for (const auto& each : messages) TGMAP_SUCCEEDED(file.add(each));
    for (const auto& each : objects) TGMAP_SUCCEEDED(file.add(each));
    for (const auto& each : gaps) TGMAP_SUCCEEDED(file.add(each));
    TGMAP_SUCCEEDED(file.finish({.covered = 10'000}));
    failure why;
    auto out = reader::open(tgmap::io::source::from_memory(to.release(), {}, why), why);
    TGMAP_SUCCEEDED(why);
    return out;
  }

  failure message(std::uint64_t i) const {
    listed_message out;
    const failure why = read_message(*write(), i, out);
    if (!why) BOOST_CHECK(out == messages[i]);
    return why;
  }
  failure object(std::uint64_t i, std::uint64_t j) const {
    listed_object out;
    const failure why = read_object(*write(), messages[i], j, out);
    if (!why) BOOST_CHECK(out == objects[messages[i].first_object + j]);
    return why;
  }
  failure gap(std::uint64_t k) const {
    listed_gap out;
    const failure why = read_gap(*write(), k, out);
    if (!why) BOOST_CHECK(out == gaps[k]);
    return why;
  }
};

/// Messages of 1,000 bytes at 0, 1,000, 2,500 (behind a gap), 3,500 and so on to 9,500, and a gap at the end. Each has
/// three objects.
records sound() {
  records out;
  for (std::uint64_t i = 0; i < 9; ++i) {
    out.messages.push_back(
        {.offset = i * 1000 + (i < 2 ? 0 : 500), .length = 1000, .version = 3, .first_object = 3 * i, .objects = 3});
    for (std::uint64_t j = 0; j < 3; ++j)
      out.objects.push_back({.offset = 24 + 300 * j, .length = j == 1 ? 300u : 250u});
  }
  out.gaps = {{.begin = 2000, .end = 2500, .messages_before = 2, .code = 10},
              {.begin = 9500, .end = 10'000, .messages_before = 9, .code = 10}};
  return out;
}

/// Checks that a change is found in the messages and objects around it, and nowhere else.
void check_changed(const std::function<void(records&)>& change, const std::vector<std::uint64_t>& wrong) {
  records forged = sound();
  change(forged);
  for (std::uint64_t i = 0; i < forged.messages.size(); ++i) {
    const failure why = forged.message(i);
    const bool is_wrong = std::find(wrong.begin(), wrong.end(), i) != wrong.end();
    BOOST_TEST(static_cast<bool>(why) == is_wrong, i);
    if (!why) continue;
    TGMAP_FAILED(why, errc::index_mismatch);
    BOOST_TEST(why.message == i);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(sound_records_are_read) {
  check_changed([](records&) {}, {});
  const records all = sound();
  for (std::uint64_t i = 0; i < 9; ++i)
    for (std::uint64_t j = 0; j < 3; ++j) TGMAP_SUCCEEDED(all.object(i, j));
  for (std::uint64_t k = 0; k < 2; ++k) TGMAP_SUCCEEDED(all.gap(k));
}

BOOST_AUTO_TEST_CASE(messages_neither_overlap_nor_leave_bytes_out) {
  for (const std::uint64_t offset :
       {std::uint64_t{0}, std::uint64_t{4499}, std::uint64_t{4501}, std::uint64_t{5500}, listed_message::max_offset})
    check_changed([&](records& all) { all.messages[4].offset = offset; }, {3, 4, 5});
  for (const std::uint64_t length :
       {std::uint64_t{200}, std::uint64_t{999}, std::uint64_t{1001}, std::uint64_t{2000}, listed_message::max_length})
    check_changed([&](records& all) { all.messages[4].length = length; }, {4, 5});
  check_changed([](records& all) { all.messages[5] = all.messages[4]; }, {4, 5, 6});
  check_changed([](records& all) { all.messages.assign(9, all.messages[0]); }, {0, 1, 2, 3, 4, 5, 6, 7, 8});
}

BOOST_AUTO_TEST_CASE(the_failure_names_the_place) {
  records forged = sound();
  forged.messages[4].offset = 4400;
  failure why = forged.message(4);
  BOOST_TEST(why.offset == 4500u);
  BOOST_TEST(why.expected == 4500u);
  BOOST_TEST(why.found == 4400u);
  forged = sound();
  forged.messages[4].first_object = 13;
  why = forged.message(4);
  BOOST_TEST(why.offset == 4500u);
  BOOST_TEST(why.expected == 12u);
  BOOST_TEST(why.found == 13u);
}

BOOST_AUTO_TEST_CASE(the_first_and_the_last_message_reach_the_ends) {
  check_changed([](records& all) { all.messages.front() = {.offset = 10, .length = 990, .version = 3, .objects = 3}; },
                {0});
  check_changed([](records& all) { all.messages.back().length = 900; }, {8});
  check_changed([](records& all) { all.gaps.pop_back(); }, {8});
}

BOOST_AUTO_TEST_CASE(only_gaps_are_between_messages) {
  check_changed([](records& all) { all.gaps.erase(all.gaps.begin()); }, {1, 2});
  for (const std::uint64_t wrong : {std::uint64_t{1990}, std::uint64_t{2010}})
    check_changed([&](records& all) { all.gaps[0].begin = wrong; }, {1, 2});
  for (const std::uint64_t wrong : {std::uint64_t{2490}, std::uint64_t{2510}})
    check_changed([&](records& all) { all.gaps[0].end = wrong; }, {1, 2});
  // An index that was extended can have two of them, and an empty one stands behind an incomplete message.
  check_changed(
      [](records& all) {
        all.gaps[0].end = 2100;
        all.gaps.insert(all.gaps.begin() + 1, {.begin = 2100, .end = 2500, .messages_before = 2, .code = 10});
        all.gaps.insert(all.gaps.begin(), {.begin = 2000, .end = 2000, .messages_before = 2, .code = 10});
      },
      {});
}

BOOST_AUTO_TEST_CASE(objects_follow_those_of_the_message_before) {
  for (const std::uint64_t first :
       {std::uint64_t{0}, std::uint64_t{11}, std::uint64_t{13}, listed_message::max_first_object})
    check_changed([&](records& all) { all.messages[4].first_object = first; }, {3, 4, 5});
  for (const std::uint64_t count : {0u, 2u, 4u})
    check_changed([&](records& all) { all.messages[4].objects = count; }, {4, 5});
  check_changed([](records& all) { all.objects.pop_back(); }, {8});
  // As many objects as frames fit into the message, and more.
  for (const auto& [count, wrong] :
       std::vector<std::pair<std::uint32_t, std::vector<std::uint64_t>>>{{27, {}}, {28, {4}}, {1003, {4}}})
    check_changed(
        [count = count](records& all) {
          all.messages[4].objects = count;
          for (std::size_t i = 5; i < 9; ++i) all.messages[i].first_object += count - 3;
          all.objects.resize(all.objects.size() + count - 3);
        },
        wrong);
}

BOOST_AUTO_TEST_CASE(frames_of_objects_neither_overlap_nor_leave_the_message) {
  const auto check = [](std::uint64_t object, std::uint64_t offset, std::uint64_t length,
                        const std::vector<int>& wrong) {
    records forged = sound();
    forged.objects[12 + object].offset = offset;
    forged.objects[12 + object].length = length;
    for (int j = 0; j < 3; ++j) {
      const failure why = forged.object(4, static_cast<std::uint64_t>(j));
      const bool is_wrong = std::find(wrong.begin(), wrong.end(), j) != wrong.end();
      BOOST_TEST(static_cast<bool>(why) == is_wrong, j);
      if (why) TGMAP_FAILED(why, errc::index_mismatch);
    }
    TGMAP_SUCCEEDED(forged.object(3, 2));
    TGMAP_SUCCEEDED(forged.object(5, 0));
  };
  check(1, 324, 300, {});
  check(1, 323, 300, {});
  check(1, 324, 301, {1, 2});
  check(1, 273, 300, {0, 1});
  check(1, 24, 250, {0, 1});
  check(1, UINT64_MAX, 10, {1, 2});
  check(1, 324, UINT64_MAX, {1, 2});
  check(0, 23, 250, {0});
  check(2, 750, 250, {});
  check(2, 751, 250, {2});
  check(2, UINT64_MAX - 5, 250, {2});
}

BOOST_AUTO_TEST_CASE(gaps_lie_between_the_messages) {
  const auto check = [](const std::function<void(listed_gap&)>& change) {
    records forged = sound();
    change(forged.gaps[0]);
    TGMAP_FAILED(forged.gap(0), errc::index_mismatch);
  };
  check([](listed_gap& gap) { gap.begin = 1999; });
  check([](listed_gap& gap) { gap.begin = 2001; });
  check([](listed_gap& gap) { gap.end = 2501; });
  check([](listed_gap& gap) { gap.end = UINT64_MAX; });
  check([](listed_gap& gap) { gap.begin = 2501; });
  check([](listed_gap& gap) { gap.messages_before = 1; });
  check([](listed_gap& gap) { gap.messages_before = 3; });
  check([](listed_gap& gap) { gap.messages_before = 10; });
  check([](listed_gap& gap) { gap.messages_before = UINT64_MAX; });
  check([](listed_gap& gap) { gap.code = 0; });
  records forged = sound();
  forged.gaps[1].messages_before = 1;  // descends
  TGMAP_FAILED(forged.gap(1), errc::index_mismatch);
  forged = sound();
  forged.gaps[1] = forged.gaps[0];  // the same bytes twice
  TGMAP_FAILED(forged.gap(1), errc::index_mismatch);
  forged = sound();
  forged.gaps[1].end = 10'001;  // beyond the covered bytes
  TGMAP_FAILED(forged.gap(1), errc::index_mismatch);
}

BOOST_AUTO_TEST_CASE(records_on_two_pages_are_compared) {
  records all;
  constexpr std::uint64_t on_page = records_per_page(record_size(section::messages));
  for (std::uint64_t i = 0; i < 2 * on_page; ++i)
    all.messages.push_back({.offset = i * 20, .length = 20, .version = 3});
  all.gaps = {{.begin = all.messages.size() * 20, .end = 10'000, .messages_before = all.messages.size(), .code = 10}};
  for (const std::uint64_t i : {on_page - 1, on_page, 2 * on_page - 1}) TGMAP_SUCCEEDED(all.message(i));
  all.messages[on_page].offset -= 20;
  for (const std::uint64_t i : {on_page - 1, on_page, on_page + 1}) TGMAP_FAILED(all.message(i), errc::index_mismatch);
  TGMAP_SUCCEEDED(all.message(on_page - 2));
  TGMAP_SUCCEEDED(all.message(on_page + 2));
}

BOOST_AUTO_TEST_SUITE_END()
