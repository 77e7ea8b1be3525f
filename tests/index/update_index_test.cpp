// SPDX-License-Identifier: Apache-2.0
// What update_index copies, adds and refuses.
#include <boost/test/unit_test.hpp>
#include <support/samples.hpp>
#include <support/selection_samples.hpp>
#include <thread>

#include "extended.hpp"
#include "index_file/reader.hpp"
#include "index_file/samples.hpp"

using namespace tgmap_test;
using tgmap::errc;
using tgmap::index_use;
namespace fs = std::filesystem;

BOOST_AUTO_TEST_SUITE(update_index_test)

namespace {

tgmap::archive scanned(const fs::path& file) { return tgmap::archive(file, {.index = index_use::none}); }

/// Returns why the index beside an archive cannot be extended.
tgmap::failure update_failure(const fs::path& file, const tgmap::index_options& options = {}) {
  tgmap::memory_sink nowhere;
  tgmap::failure why;
  tgmap::update_index(scanned(file), index_path(file), nowhere, options, why);
  return why;
}

std::shared_ptr<const tgmap::index_file::reader> index_beside(const fs::path& file) {
  tgmap::failure why;
  auto bytes = tgmap::io::source::from_file(tgmap::io::file::open(index_path(file), why), {}, why);
  std::shared_ptr<const tgmap::index_file::reader> out = tgmap::index_file::reader::open(std::move(bytes), why);
  BOOST_REQUIRE(!why);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_extended_index_is_as_one_that_was_made_at_once) {
  const temporary_directory temporary;
  const auto file = temporary / "a.tgm";
  const bytes data = mixed_archive(40);
  const auto whole = open(data);
  for (std::size_t k = 0; k < whole.size(); ++k) BOOST_TEST_CONTEXT("cut at message " << k)
  check_extended(file, grow(file, data, {static_cast<std::size_t>(whole[k].offset())}));
}

BOOST_AUTO_TEST_CASE(an_index_of_many_pages_grows_in_steps) {
  const temporary_directory temporary;
  const auto file = temporary / "a.tgm";
  const bytes data = several(0, 3000, 100);
  std::vector<std::size_t> sizes;
  for (std::size_t part = 1; part < 10; ++part) sizes.push_back(data.size() / 3000 * 300 * part + part);
  const auto extended = grow(file, data, sizes);
  check_extended(file, extended);
  BOOST_TEST(extended.messages == 3000u);
}

BOOST_AUTO_TEST_CASE(records_take_no_more_pages_than_in_a_new_index) {
  const temporary_directory temporary;
  const auto file = temporary / "a.tgm";
  const bytes data = several(0, 60, 100);
  const auto whole = open(data);
  std::vector<std::size_t> sizes;
  for (std::size_t k = 1; k < whole.size(); ++k) sizes.push_back(static_cast<std::size_t>(whole[k].offset()));
  const auto extended = grow(file, data, sizes);
  BOOST_TEST(extended.columns.size() > 0u);
  BOOST_TEST(extended.index_bytes < index_of(scanned(file)).size() + 60 * 512);
}

BOOST_AUTO_TEST_CASE(without_new_messages_nothing_is_added) {
  const temporary_directory temporary;
  const auto file = temporary / "a.tgm";
  const bytes data = mixed_archive(20);
  const bytes ends[] = {"", data.substr(0, 30), "garbage"};
  for (const bytes& end : ends) {
    write_file(file, data);
    write_index(file);
    const auto before = tgmap::describe_index(index_path(file));
    append_file(file, end);
    for (int round = 0; round < 3; ++round) {
      const auto after = extend_index(file);
      BOOST_TEST(after.messages == before.messages);
      BOOST_TEST(after.structure == before.structure);
      BOOST_TEST(after.index_bytes == before.index_bytes);
      BOOST_CHECK(after.columns == before.columns);
    }
    check_extended(file, extend_index(file));
  }
}

BOOST_AUTO_TEST_CASE(an_incomplete_end_becomes_a_message_or_a_gap) {
  const temporary_directory temporary;
  const auto file = temporary / "a.tgm";
  const bytes old = mixed_archive(5), next = numbered_stream(5, 3, 1000);
  for (std::size_t cut = 1; cut < next.size(); cut += 37) {
    check_extended(file, grow(file, old + next, {old.size() + cut}));
    const auto gaps = grow(file, old + next.substr(0, cut) + mixed_archive(2), {old.size() + cut});
    check_extended(file, gaps);
    BOOST_TEST(gaps.gaps == 1u);
  }
}

BOOST_AUTO_TEST_CASE(gaps_continue) {
  const temporary_directory temporary;
  const auto file = temporary / "a.tgm";
  const bytes part = numbered(0) + "damage" + numbered(1);
  const auto extended = grow(file, part + "more" + part + numbered(9), {part.size(), part.size() * 2});
  BOOST_TEST(extended.gaps == 3u);
  check_extended(file, extended);
}

BOOST_AUTO_TEST_CASE(equal_layouts_are_shared_with_the_old_ones) {
  const temporary_directory temporary;
  const auto file = temporary / "a.tgm";
  const bytes old = several(0, 3, 100) + several(3, 3, 200);
  BOOST_TEST(grow(file, old + several(6, 3, 200) + several(9, 3, 100), {old.size()}).layouts == 2u);
  BOOST_TEST(grow(file, old + several(6, 3, 300), {old.size()}).layouts == 3u);
}

BOOST_AUTO_TEST_CASE(known_messages_are_not_read) {
  const temporary_directory temporary;
  const auto file = temporary / "a.tgm";
  const bytes old = several(0, 200, 5000), data = old + several(200, 20, 5000);
  const auto expected = grow(file, data, {old.size()}).structure;
  // All bytes that the index covers are zeros, but those of its samples.
  write_file(file, old);
  write_index(file);
  const auto index = index_beside(file);
  bytes holes(old.size(), '\0');
  for (std::uint64_t i = 0; i < index->facts().samples; ++i) {
    const auto at = tgmap::index_file::sample_at(index->facts().sample_seed, i, index->facts().covered);
    std::copy_n(data.begin() + static_cast<std::ptrdiff_t>(at.offset), at.size,
                holes.begin() + static_cast<std::ptrdiff_t>(at.offset));
  }
  write_file(file, holes + data.substr(old.size()));
  const auto extended = extend_index(file);
  BOOST_TEST(extended.messages == 220u);
  BOOST_TEST(extended.structure == expected);
}

BOOST_AUTO_TEST_CASE(an_index_that_is_not_current_is_made_anew_with_its_keys) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", six_messages());
  tgmap::write_index(file, {.keys = {"absent"}, .default_keys = false});
  append_file(file, two_named_objects());
  tgmap::memory_sink to;
  const auto made = tgmap::update_index(scanned(file), index_path(file), to);
  BOOST_TEST(made.messages == 7u);
  BOOST_REQUIRE(made.columns.size() == 1u);
  BOOST_TEST(made.columns[0].key == "absent");
  BOOST_TEST(made.is_stamped);
}

BOOST_AUTO_TEST_CASE(an_index_of_many_parts_is_made_anew) {
  const temporary_directory temporary;
  const auto file = temporary / "a.tgm";
  write_file(file, two_named_objects());
  write_file(index_path(file), [&] {
    tgmap::memory_sink to;
    tgmap::create_index(scanned(file), to, {.keys = {"absent"}});
    return bytes(view_of(to.release()));
  }());
  const auto keys = [&] {
    std::vector<std::string> out;
    for (const auto& each : tgmap::describe_index(index_path(file)).columns) out.push_back(each.key);
    std::ranges::sort(out);
    return out;
  };
  const auto before = keys();
  std::uint64_t most = 0, least = UINT64_MAX;
  for (int round = 0; round < 70; ++round) {
    append_file(file, two_named_objects());
    extend_index(file);
    const std::uint64_t columns = index_beside(file)->records(tgmap::index_file::section::columns);
    most = std::max(most, columns);
    least = std::min(least, columns);
  }
  BOOST_TEST(most / least == 64u);  // parts of each column
  BOOST_CHECK(keys() == before);
  check_extended(file, extend_index(file));
}

BOOST_AUTO_TEST_CASE(an_index_of_other_bytes_is_refused) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", several(0, 20, 500));
  write_index(file);
  write_file(file, several(1, 25, 500));
  TGMAP_FAILED(update_failure(file), errc::index_mismatch);
  write_file(file, several(0, 10, 500));
  TGMAP_FAILED(update_failure(file), errc::index_mismatch);
  tgmap::memory_sink nowhere;
  tgmap::failure why;
  tgmap::update_index(tgmap::archive(file, {.max_objects = 3}), index_path(file), nowhere, {}, why);
  TGMAP_FAILED(why, errc::index_mismatch);
}

BOOST_AUTO_TEST_CASE(other_calls_fail_with_the_reason) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", mixed_archive(3));
  BOOST_CHECK(update_failure(file).code == std::errc::no_such_file_or_directory);
  write_file(index_path(file), mixed_archive(9));
  TGMAP_FAILED(update_failure(file), errc::not_an_index);
  write_index(file);
  TGMAP_FAILED(update_failure(file, {.keys = {"mars.param"}}), errc::invalid_option);
  tgmap::memory_sink nowhere;
  TGMAP_THROWS(tgmap::update_index({}, index_path(file), nowhere), errc::no_archive);
}

BOOST_AUTO_TEST_CASE(every_flipped_byte_of_the_old_index_is_an_error_or_harmless) {
  const temporary_directory temporary;
  const bytes old = six_messages();
  const auto file = temporary.file("a.tgm", old);
  write_index(file);
  append_file(file, two_named_objects());
  const bytes made_before = read_file(index_path(file));
  const auto sound = extend_index(file);
  write_file(index_path(file), made_before);
  stamp(file);
  const bytes index = read_file(index_path(file));
  const std::size_t stamps = index.size() / 4096 - 2;
  std::size_t failed = 0;
  for (std::size_t i = 0; i < index.size(); i += 61) {
    if (i / 4096 == stamps) continue;  // it is not current then, and made anew
    bytes flipped = index;
    flipped[i] = static_cast<char>(flipped[i] ^ 1 << i % 8);
    write_file(index_path(file), flipped);
    tgmap::memory_sink to;
    tgmap::failure why;
    const auto made = tgmap::update_index(scanned(file), index_path(file), to, {}, why);
    failed += static_cast<bool>(why);
    if (why) continue;
    BOOST_TEST(made.structure == sound.structure);
    BOOST_CHECK(made.columns == sound.columns);
  }
  BOOST_TEST(failed > 0u);
}

BOOST_AUTO_TEST_CASE(records_that_are_not_those_of_the_digest_are_refused) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", mixed_archive(5));
  write_index(file);
  bytes index = read_file(index_path(file));
  auto last = std::as_writable_bytes(std::span(index)).last<tgmap::index_file::page_size>();
  auto facts = tgmap::index_file::trailer::load(last);
  ++facts.structure;
  facts.store(last);
  tgmap::index_file::seal_page(last, facts.identity, facts.pages - 1);
  write_file(index_path(file), index);
  append_file(file, numbered(5));
  stamp(file);
  TGMAP_FAILED(update_failure(file), errc::index_damaged);
}

BOOST_AUTO_TEST_CASE(an_update_can_be_stopped_and_reports_progress) {
  const temporary_directory temporary;
  const bytes old = several(0, 10, 50);
  const auto file = temporary.file("a.tgm", old);
  write_index(file);
  append_file(file, several(10, 5000, 50));
  std::uint64_t done = old.size();
  tgmap::memory_sink to;
  tgmap::update_index(scanned(file), index_path(file), to, {.progress = [&](std::uint64_t bytes) {
                        BOOST_TEST(bytes > done);
                        done = bytes;
                      }});
  BOOST_TEST(done > old.size());
  std::stop_source stop;
  stop.request_stop();
  tgmap::memory_sink unused;
  BOOST_TEST(tgmap::update_index(scanned(file), index_path(file), unused, {.stop = stop.get_token()}).stopped);
}

BOOST_AUTO_TEST_CASE(indexes_are_extended_while_a_writer_appends) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", several(0, 10, 500));
  write_index(file);
  {
    const std::jthread writer([&] {
      for (unsigned i = 10; i < 300; ++i) {
        const bytes next = numbered(i, 3, 500);
        for (std::size_t half : {std::size_t{0}, next.size() / 2})  // readers see incomplete messages
          append_file(file, half == 0 ? next.substr(0, next.size() / 2) : next.substr(half));
      }
    });
    for (int round = 0; round < 40; ++round) {
      const auto before = tgmap::describe_index(index_path(file)).messages;
      BOOST_TEST(extend_index(file).messages >= before);
    }
  }
  const auto extended = extend_index(file);
  BOOST_TEST(extended.messages == 300u);
  check_extended(file, extended);
}

BOOST_AUTO_TEST_SUITE_END()
