// SPDX-License-Identifier: Apache-2.0
// The writer and the reader.
#include "index_file/reader.hpp"

#include <boost/test/unit_test.hpp>
#include <support/failures.hpp>
#include <support/rounds.hpp>

#include "index_file/writer.hpp"

using namespace tgmap::index_file;
using tgmap::errc;

BOOST_AUTO_TEST_SUITE(reader_test)

namespace {

using file_bytes = std::vector<std::byte>;

listed_message message_of(std::uint64_t i) {
  return {.offset = i * 100, .length = 90 + i % 7, .version = 3, .first_object = i, .objects = 1};
}
listed_object object_of(std::uint64_t i) {
  return {.offset = i, .length = i * 3, .payload_length = i / 2, .descriptor_length = 7, .layout = 0};
}
std::vector<std::byte> layout_of(std::uint64_t i, std::size_t size) {
  return std::vector<std::byte>(size, static_cast<std::byte>(i));
}

constexpr tgmap::io::file_stamp some_stamp{.size = 20000, .time = 1'700'000'000'123'456'789};

/// Writes an index of `count` messages, each with an object.
file_bytes index_of(std::uint64_t count, std::uint64_t layouts = 3, std::size_t layout_size = 100) {
  tgmap::memory_sink to;
  writer out(to, 77);
  for (std::uint64_t i = 0; i < count; ++i) {
    TGMAP_SUCCEEDED(out.add(message_of(i)));
    TGMAP_SUCCEEDED(out.add(object_of(i)));
  }
  for (std::uint64_t i = 0; i < layouts; ++i) TGMAP_SUCCEEDED(out.add_layout(layout_of(i, layout_size)));
  TGMAP_SUCCEEDED(out.add({.begin = 3, .end = 4}));
  TGMAP_SUCCEEDED(out.add_sample(99));
  stamp_page stamps;
  stamps.add(some_stamp);
  TGMAP_SUCCEEDED(out.finish({.covered = 12345, .sample_seed = 5}, stamps));
  return to.release();
}

std::unique_ptr<const reader> opened(const file_bytes& bytes, tgmap::failure& why) {
  return reader::open(tgmap::io::source::from_memory(std::span(bytes), {}, why), why);
}

std::unique_ptr<const reader> opened(const file_bytes& bytes) {
  tgmap::failure why;
  auto out = opened(bytes, why);
  TGMAP_SUCCEEDED(why);
  BOOST_REQUIRE(out != nullptr);
  return out;
}

/// Returns the first failure of reading everything, and checks what is read.
tgmap::failure read_all(const reader& index, std::uint64_t count) {
  const trailer& facts = index.facts();
  BOOST_TEST(facts.messages == count);
  BOOST_TEST(facts.objects == count);
  for (std::uint64_t i = 0; i < facts.messages; ++i) {
    listed_message message;
    listed_object object;
    if (tgmap::failure why = index.read(i, message)) return why;
    if (tgmap::failure why = index.read(i, object)) return why;
    BOOST_REQUIRE(message == message_of(i));
    BOOST_REQUIRE(object == object_of(i));
  }
  for (std::uint64_t i = 0; i < facts.layouts; ++i) {
    std::vector<std::byte> item;
    if (tgmap::failure why = index.read_layout(i, item)) return why;
    BOOST_REQUIRE(item == layout_of(i, item.size()));
  }
  listed_gap gap;
  if (tgmap::failure why = index.read(0, gap)) return why;
  BOOST_TEST((gap == listed_gap{.begin = 3, .end = 4}));
  std::uint64_t digest = 0;
  if (tgmap::failure why = index.read_sample(0, digest)) return why;
  BOOST_TEST(digest == 99u);
  return {};
}

}  // namespace

BOOST_AUTO_TEST_CASE(records_come_back_as_they_were_added) {
  // 127 messages or objects fill a page; 1,024 pages a run.
  for (const std::uint64_t count :
       {1ul, 127ul, 128ul, 254ul, 255ul, 5000ul, 127ul * 1024, 127ul * 1024 + 1, 400'000ul}) {
    if (count > 5000 && !tgmap_test::all_rounds()) break;
    const file_bytes bytes = index_of(count);
    BOOST_TEST(bytes.size() % page_size == 0u);
    const auto index = opened(bytes);
    BOOST_TEST(index->facts().covered == 12345u);
    TGMAP_SUCCEEDED(read_all(*index, count));
    TGMAP_SUCCEEDED(index->check_pages());
  }
}

BOOST_AUTO_TEST_CASE(layouts_cross_pages_and_runs) {
  const file_bytes bytes = index_of(1, 500, 10'000);
  TGMAP_SUCCEEDED(read_all(*opened(bytes), 1));
}

BOOST_AUTO_TEST_CASE(an_index_of_nothing_can_be_read) {
  tgmap::memory_sink to;
  TGMAP_SUCCEEDED(writer(to, 1).finish({}));
  const file_bytes bytes = to.release();
  BOOST_TEST(bytes.size() == 3 * page_size);
  BOOST_TEST(opened(bytes)->records(section::messages) == 0u);
}

BOOST_AUTO_TEST_CASE(the_first_page_says_what_the_file_is) {
  const file_bytes bytes = index_of(1);
  BOOST_TEST(std::memcmp(bytes.data(), "TGMINDEX", 8) == 0);
}

BOOST_AUTO_TEST_CASE(every_flipped_bit_is_an_error_before_a_wrong_record) {
  file_bytes bytes = index_of(300);
  std::size_t noticed = 0;
  std::size_t tried = 0;
  const std::size_t stamps = bytes.size() / page_size - 2;
  for (std::size_t i = 0; i < bytes.size(); i += tgmap_test::stride(37)) {
    const std::size_t page = i / page_size;
    tried += page != 0 && page != stamps;
    bytes[i] ^= static_cast<std::byte>(1u << i % 8);
    tgmap::failure why;
    const auto index = opened(bytes, why);
    if (!why) why = read_all(*index, 300);
    noticed += static_cast<bool>(why);
    // The first page and that of the stamps have no records; all other pages are read.
    BOOST_REQUIRE_MESSAGE(why || page == 0 || page == stamps, "byte " << i);
    if (index && page != stamps) TGMAP_FAILED(index->check_pages(), errc::index_damaged);
    // A page of stamps that was written in part has none.
    if (index) BOOST_REQUIRE(index->stamps().contains(some_stamp) == (page != stamps));
    bytes[i] ^= static_cast<std::byte>(1u << i % 8);
  }
  BOOST_TEST(noticed == tried);
}

BOOST_AUTO_TEST_CASE(every_cut_is_an_error) {
  const file_bytes bytes = index_of(300);
  for (std::size_t size = 0; size < bytes.size(); size += size % page_size == 0 ? 1 : 61) {
    tgmap::failure why;
    BOOST_REQUIRE(opened(file_bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)), why) == nullptr);
    BOOST_REQUIRE(why);
  }
}

BOOST_AUTO_TEST_CASE(pages_of_another_place_or_file_are_errors) {
  const file_bytes bytes = index_of(5000);
  const auto page = [](file_bytes& in, std::size_t n) { return std::span(in).subspan(n * page_size, page_size); };
  file_bytes swapped = bytes;
  std::ranges::swap_ranges(page(swapped, 1), page(swapped, 2));
  TGMAP_FAILED(opened(swapped)->check_pages(), errc::index_damaged);
}

BOOST_AUTO_TEST_CASE(other_versions_and_unknown_features_are_refused) {
  const file_bytes bytes = index_of(10);
  for (const auto& [at, what] : {std::pair<std::size_t, unsigned>{8, 1}, {8, 2}, {8, 4}, {12, 1}, {15, 0x80}}) {
    file_bytes changed = bytes;
    changed[bytes.size() - page_size + at] = static_cast<std::byte>(what);
    tgmap::failure why;
    BOOST_TEST(opened(changed, why) == nullptr);
    TGMAP_FAILED(why, errc::unknown_index_version);
  }
}

BOOST_AUTO_TEST_CASE(impossible_trailers_with_a_right_checksum_are_refused) {
  const file_bytes bytes = index_of(300);
  const std::size_t last = bytes.size() / page_size - 1;
  const auto changed = [&](auto&& change) {
    file_bytes out = bytes;
    const page_bytes page(out.data() + last * page_size, page_size);
    trailer facts = trailer::load(page);
    change(facts, page);
    facts.store(page);
    seal_page(page, facts.identity, last);
    tgmap::failure why;
    BOOST_TEST(opened(out, why) == nullptr);
    TGMAP_FAILED(why, errc::index_damaged);
  };
  for (const std::uint64_t number : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{301}, UINT64_MAX}) {
    changed([&](trailer& facts, auto) { facts.messages = number; });
    changed([&](trailer& facts, auto) { facts.objects = number; });
    changed([&](trailer& facts, auto) { facts.layouts = number; });
    changed([&](trailer& facts, auto) { facts.pages = number; });
    if (number != 1) changed([&](trailer& facts, auto) { facts.gaps = facts.samples = number; });
    if (number != 301) changed([&](trailer& facts, auto) { facts.runs = number; });
  }
  const auto change_run = [&](auto&& change) {
    changed([&](trailer&, auto page) {
      std::byte* const at = page.data() + trailer::size;
      page_run run = page_run::load({at, page_run::size});
      change(run);
      run.store(at);
    });
  };
  for (const std::uint64_t number : {std::uint64_t{last}, std::uint64_t{last + 1}, UINT64_MAX})
    change_run([&](page_run& run) { run.first_page = number; });
  for (const std::uint64_t number : {std::uint64_t{0}, std::uint64_t{299}, UINT64_MAX})
    change_run([&](page_run& run) { run.records = number; });
  change_run([](page_run& run) { run.first_record = 1; });
  change_run([](page_run& run) { run.column = 1; });
}

BOOST_AUTO_TEST_CASE(runs_that_share_pages_are_refused) {
  file_bytes bytes = index_of(300);
  const std::size_t last = bytes.size() / page_size - 1;
  const page_bytes page(bytes.data() + last * page_size, page_size);
  trailer facts = trailer::load(page);
  page_run run = page_run::load(record_bytes(page).subspan(trailer::size));
  BOOST_REQUIRE(run.kind == section::messages);
  // The pages of the messages, again and again: more messages than the file has room for.
  std::memmove(page.data() + trailer::size + 50 * page_run::size, page.data() + trailer::size + page_run::size,
               static_cast<std::size_t>(facts.runs - 1) * page_run::size);
  for (std::size_t n = 1; n < 50; ++n) {
    run.first_record += run.records;
    run.store(page.data() + trailer::size + n * page_run::size);
  }
  facts.runs += 49;
  facts.messages = run.end_record();
  facts.store(page);
  seal_page(page, facts.identity, last);
  tgmap::failure why;
  BOOST_TEST(opened(bytes, why) == nullptr);
  TGMAP_FAILED(why, errc::index_damaged);
}

BOOST_AUTO_TEST_SUITE_END()
