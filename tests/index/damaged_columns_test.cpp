// SPDX-License-Identifier: Apache-2.0
// Indexes whose columns are wrong: answers are those of a scan, or errors, or of forged ones at least true.
#include <boost/test/unit_test.hpp>
#include <random>
#include <support/rounds.hpp>
#include <support/selection_samples.hpp>

#include "index/read_column.hpp"
#include "index_file/page.hpp"
#include "index_file/writer.hpp"
#include "indexed.hpp"

using namespace tgmap_test;
using tgmap::errc;
using tgmap::index_use;
using tgmap::selection;
using tgmap::index_file::column_kind;
using tgmap::index_file::listed_column;
using tgmap::index_file::listed_value;
using tgmap::index_file::text_place;

BOOST_AUTO_TEST_SUITE(damaged_columns_test)

namespace {

bytes several_messages() {
  bytes out;
  for (int k = 0; k < 4; ++k) out += six_messages() + two_named_objects();
  return out;
}

/// Returns the numbers of the messages, and true if the index failed. Each message that is found must match.
std::pair<std::string, bool> found(const tgmap::archive& in, const selection& wanted) {
  std::pair<std::string, bool> out;
  auto range = in.find(wanted);
  tgmap::selected_message each;
  tgmap::failure why;
  for (int k = 0; k < 100; ++k) {
    const bool more = range.next(each, why);
    if (!more && !why) break;
    out.second = out.second || why;
    if (why)
      BOOST_REQUIRE_MESSAGE(why.code == errc::index_damaged || why.code == errc::index_mismatch, why.text());
    else
      out.first += std::to_string(each.index) + ' ';
    if (more) BOOST_REQUIRE(wanted.matches(each.message));
    if (why && out.first.empty() && k > 50) break;
  }
  return out;
}

const std::vector<selection>& wanted_selections() {
  static const std::vector<selection> all{selection("mars.param=2t and mars.step>=6"), selection("name!=10u"),
                                          selection("not (has unit or x<2)"), selection("mars.step=0/12 or name=a")};
  return all;
}

/// A column in an index of 100 messages, with anything in its record.
struct made_column {
  listed_column record{};
  std::vector<listed_value> values{};
  bytes items{};

  std::unique_ptr<const tgmap::index_file::reader> write() const {
    tgmap::memory_sink to;
    tgmap::index_file::writer file(to, 1);
    for (std::uint64_t i = 0; i < 100; ++i)
      TGMAP_SUCCEEDED(file.add(tgmap::index_file::listed_message{.offset = i * 100, .length = 100, .version = 3}));
    text_place place;
    TGMAP_SUCCEEDED(file.add_column_items(std::as_bytes(std::span(items)), place));
    std::vector<std::byte> places(values.size() * listed_value::size);
    for (std::size_t k = 0; k < values.size(); ++k) values[k].store(places.data() + k * listed_value::size);
    listed_column stored = record;
    TGMAP_SUCCEEDED(file.add_column_items(places, place));
    if (stored.values_at == 0) stored.values_at = place.offset;
    if (stored.values == 0) stored.values = values.size();
    if (stored.bytes == 0) stored.bytes = items.size() + places.size();
    TGMAP_SUCCEEDED(file.add(stored));
    TGMAP_SUCCEEDED(file.finish({.covered = 10'000}));
    held_ = to.release();
    tgmap::failure why;
    auto out = tgmap::index_file::reader::open(tgmap::io::source::from_memory(held_, {}, why), why);
    TGMAP_SUCCEEDED(why);
    return out;
  }

  /// Returns the failure of reading the column, and counts the rows that it gave.
  tgmap::failure read(std::uint64_t& rows) const {
    const auto index = write();
    tgmap::failure why;
    const auto columns = tgmap::detail::read_columns(*index, why);
    rows = 0;
    for (const auto& each : columns) {
      if (why) break;
      why = tgmap::detail::read_column(*index, each, [&](auto, tgmap::index_file::row_run run) {
        BOOST_TEST((run.begin < run.end && run.end <= 100));
        rows += run.count();
      });
    }
    return why;
  }

 private:
  mutable std::vector<std::byte> held_{};
};

/// Items: the name "k", the value 7, rows 0 to 9, rows 10 to 99.
made_column sound_column() {
  made_column out;
  out.items = "k" + cbor::integer(7) + cbor::integer(8) + bytes("\x01\x08\x15\x58");
  out.record = {.name = {0, 1}, .rows = 100, .kind = column_kind::messages};
  out.values = {{.item = {1, 1}, .rows = {3, 2}}, {.item = {2, 1}, .rows = {5, 2}}};
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_flipped_byte_gives_the_answers_of_a_scan_or_an_error) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", several_messages());
  const tgmap::archive scanned(file, {.index = index_use::none});
  std::vector<std::string> right;
  for (const selection& each : wanted_selections()) right.push_back(found(scanned, each).first);
  bytes index = index_of(scanned);
  std::size_t errors = 0, same = 0;
  for (std::size_t i = 0; i < index.size(); i += stride(307) + i % 5) {
    const char was = index[i];
    index[i] = static_cast<char>(was ^ 1 << i % 8);
    write_file(index_path(file), index);
    const tgmap::archive with(file);
    for (std::size_t k = 0; k < right.size(); ++k) {
      const auto [numbers, failed] = found(with, wanted_selections()[k]);
      errors += failed;
      same += numbers == right[k];
      BOOST_REQUIRE((failed || numbers == right[k]));
    }
    index[i] = was;
  }
  BOOST_TEST(errors > 0u);
  BOOST_TEST(same > errors);
}

BOOST_AUTO_TEST_CASE(forged_columns_find_only_what_matches) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", several_messages());
  const tgmap::archive scanned(file, {.index = index_use::none});
  const bytes sound = index_of(scanned);
  std::vector<std::string> right;
  for (const selection& each : wanted_selections()) right.push_back(found(scanned, each).first);
  const std::size_t pages = sound.size() / 4096;
  const std::uint64_t identity = get(bytes(sound.substr(sound.size() - 4096 + 16, 8)), 0, 8);
  std::mt19937 random(11);
  std::size_t used = 0, wrong = 0;
  for (int round = 0; round < rounds(300); ++round) {
    bytes forged = sound;
    for (unsigned k = 0; k <= random() % 3; ++k) {
      const std::size_t page = 1 + random() % (pages - 2), at = random() % 600;
      forged[page * 4096 + at] = static_cast<char>(random());
      auto whole = std::as_writable_bytes(std::span(forged)).subspan(page * 4096).first<tgmap::index_file::page_size>();
      tgmap::index_file::seal_page(whole, __builtin_bswap64(identity), page);
    }
    write_file(index_path(file), forged);
    const tgmap::archive with(file);
    used += with.index_status().is_used;
    bool is_wrong = false;
    for (std::size_t k = 0; k < right.size(); ++k) {
      const selection& each = wanted_selections()[k];
      is_wrong = is_wrong || found(with, each).first != right[k];
      tgmap::failure why;
      const auto objects = tgmap::indexed_selection::of_objects(with, each, why);
      for (std::size_t i = 0; i < 40; ++i) BOOST_TEST(objects.next(i) >= i);
    }
    if (!is_wrong) continue;
    ++wrong;
    tgmap::failure why;
    tgmap::check_index(scanned, index_path(file), {}, why);
    BOOST_TEST(static_cast<bool>(why), "the check notices each index that gives wrong answers");
  }
  BOOST_TEST(used > 0u);
  if (all_rounds()) BOOST_TEST(wrong > 0u);
}

BOOST_AUTO_TEST_CASE(a_sound_column_is_read) {
  std::uint64_t rows = 0;
  TGMAP_SUCCEEDED(sound_column().read(rows));
  BOOST_TEST(rows == 100u);
}

BOOST_AUTO_TEST_CASE(places_beyond_the_items_are_damage) {
  for (const std::uint64_t wrong : {std::uint64_t{72}, std::uint64_t{1'000'000}, UINT64_MAX, UINT64_MAX - 1}) {
    std::uint64_t rows = 0;
    for (text_place listed_value::*const place : {&listed_value::item, &listed_value::rows}) {
      made_column column = sound_column();
      (column.values[1].*place).offset = wrong;
      TGMAP_FAILED(column.read(rows), errc::index_damaged);
      column = sound_column();
      (column.values[1].*place).size = wrong;
      TGMAP_FAILED(column.read(rows), errc::index_damaged);
    }
    made_column column = sound_column();
    column.record.unknown.size = wrong;
    TGMAP_FAILED(column.read(rows), errc::index_damaged);
    column = sound_column();
    column.record.values = wrong;
    TGMAP_FAILED(column.read(rows), errc::index_damaged);
    column = sound_column();
    column.record.values_at = wrong;
    TGMAP_FAILED(column.read(rows), errc::index_damaged);
    column = sound_column();
    column.record.name.offset = wrong;
    TGMAP_FAILED(column.read(rows), errc::index_damaged);
  }
}

BOOST_AUTO_TEST_CASE(rows_beyond_the_messages_are_damage) {
  std::uint64_t rows = 0;
  for (const std::uint64_t wrong : {std::uint64_t{101}, UINT64_MAX}) {
    made_column column = sound_column();
    column.record.rows = wrong;
    TGMAP_FAILED(column.read(rows), errc::index_damaged);
    column = sound_column();
    column.record.first_row = wrong - 100;
    TGMAP_FAILED(column.read(rows), errc::index_damaged);
  }
  made_column shorter = sound_column();
  shorter.record.rows = 50;
  TGMAP_FAILED(shorter.read(rows), errc::index_damaged);
}

BOOST_AUTO_TEST_CASE(a_row_has_one_value) {
  made_column column = sound_column();
  column.values.push_back(column.values[1]);
  std::uint64_t rows = 0;
  TGMAP_FAILED(column.read(rows), errc::index_damaged);
  BOOST_TEST(rows <= 100u);
}

BOOST_AUTO_TEST_CASE(values_cannot_share_the_bytes_of_a_long_list) {
  // Many values with one list would take time in proportion to their product.
  made_column column = sound_column();
  column.items += bytes(5000, '\x02');  // every other row, more of them than there are messages
  column.record.rows = 100;
  column.values.clear();
  for (int k = 0; k < 200; ++k) column.values.push_back({.item = {1, 1}, .rows = {7, 50}});
  std::uint64_t rows = 0;
  TGMAP_FAILED(column.read(rows), errc::index_damaged);
  BOOST_TEST(rows <= 100u);
}

BOOST_AUTO_TEST_CASE(a_column_takes_no_more_bytes_than_it_says) {
  std::uint64_t rows = 0;
  made_column column = sound_column();
  column.record.bytes = 10;  // its two values alone take 70
  TGMAP_FAILED(column.read(rows), errc::index_damaged);
  for (const std::uint64_t wrong : {std::uint64_t{72}, UINT64_MAX}) {
    column.record.bytes = wrong;
    TGMAP_FAILED(column.read(rows), errc::index_damaged);
  }
}

BOOST_AUTO_TEST_CASE(columns_cannot_share_names_or_bytes) {
  // Each of many columns would read all of the items.
  const auto many = [](const listed_column& record, std::size_t size) {
    tgmap::memory_sink to;
    tgmap::index_file::writer file(to, 1);
    for (std::uint64_t i = 0; i < 100; ++i)
      TGMAP_SUCCEEDED(file.add(tgmap::index_file::listed_message{.offset = i * 100, .length = 100, .version = 3}));
    text_place place;
    TGMAP_SUCCEEDED(file.add_column_items(std::vector<std::byte>(size), place));
    for (std::uint64_t i = 0; i < 50; ++i) {
      listed_column each = record;
      each.first_row = i;
      each.rows = 1;
      TGMAP_SUCCEEDED(file.add(each));
    }
    TGMAP_SUCCEEDED(file.finish({.covered = 10'000}));
    const auto held = to.release();
    tgmap::failure why;
    const auto index = tgmap::index_file::reader::open(tgmap::io::source::from_memory(held, {}, why), why);
    TGMAP_SUCCEEDED(why);
    static_cast<void>(tgmap::detail::read_columns(*index, why));
    return why;
  };
  constexpr std::size_t size = 10'000;
  const listed_column sound{.name = {0, 1}, .bytes = size / 50, .kind = column_kind::messages};
  TGMAP_SUCCEEDED(many(sound, size));
  listed_column wrong = sound;
  wrong.name.size = size;
  TGMAP_FAILED(many(wrong, size), errc::index_damaged);
  wrong = sound;
  wrong.bytes = size;
  TGMAP_FAILED(many(wrong, size), errc::index_damaged);
}

BOOST_AUTO_TEST_SUITE_END()
