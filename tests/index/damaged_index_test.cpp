// SPDX-License-Identifier: Apache-2.0
// Wrong indexes: the answer is that of a scan, or an error, but never another one.
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <support/rounds.hpp>
#include <support/samples.hpp>

#include "index_file/page.hpp"
#include "index_file/reader.hpp"
#include "indexed.hpp"

using namespace tgmap_test;
using tgmap::errc;
using tgmap::index_use;

BOOST_AUTO_TEST_SUITE(damaged_index_test)

namespace {

struct outcome {
  bool same = false;   ///< all answers of a scan
  bool error = false;  ///< at least one failure that names the index
};

bool names_index(const tgmap::failure& why) {
  return why.code == make_error_code(errc::index_damaged) || why.code == make_error_code(errc::index_mismatch);
}

/// Compares all messages with those of a scan. A message is right, or it is an error.
outcome compare(const tgmap::archive& with, const tgmap::archive& scanned) {
  outcome out{.same = true};
  const std::size_t count = scanned.size();
  tgmap::failure why;
  const std::size_t size = with.size(why);
  BOOST_REQUIRE(!why);
  BOOST_REQUIRE(size == count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto m = with.at(i, why);
    if (why) {
      BOOST_REQUIRE_MESSAGE(names_index(why), why.text());
      BOOST_TEST(why.message == i);
      out.error = true;
      out.same = false;
      continue;
    }
    BOOST_REQUIRE(m.offset() == scanned[i].offset());
    BOOST_REQUIRE(m.length() == scanned[i].length());
    BOOST_REQUIRE(m.is_streamed() == scanned[i].is_streamed());
  }
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_flipped_byte_gives_the_answers_of_a_scan_or_an_error) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", mixed_archive(20));
  const tgmap::archive scanned(file, {.index = index_use::none});
  bytes index = index_of(scanned);
  std::size_t refused = 0, errors = 0, same = 0;
  for (std::size_t i = 0; i < index.size(); i += stride(23) + i % 3) {
    const char was = index[i];
    index[i] = static_cast<char>(was ^ 1 << i % 8);
    write_file(index_path(file), index);
    const tgmap::archive with(file);
    const auto status = with.index_status();
    BOOST_REQUIRE(status.is_used != static_cast<bool>(status.refusal));
    const outcome found = compare(with, scanned);
    refused += !status.is_used;
    errors += found.error;
    same += found.same;
    index[i] = was;
  }
  BOOST_TEST(refused > 0u);
  BOOST_TEST(errors > 0u);
  BOOST_TEST(same > refused);  // pages that no message needs
}

BOOST_AUTO_TEST_CASE(every_cut_means_a_scan) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", mixed_archive(20));
  const tgmap::archive scanned(file, {.index = index_use::none});
  const bytes index = index_of(scanned);
  for (std::size_t size = 0; size < index.size(); size += size % 4096 == 0 ? 1 : 273) {
    write_file(index_path(file), index.substr(0, size));
    const tgmap::archive with(file);
    BOOST_REQUIRE(!with.index_status().is_used);
    BOOST_REQUIRE(with.index_status().refusal);
    BOOST_REQUIRE(compare(with, scanned).same);
  }
}

BOOST_AUTO_TEST_CASE(an_index_of_another_archive_is_refused) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", several(0, 50, 500));
  const auto other = temporary.file("b.tgm", several(1000, 50, 500));
  BOOST_REQUIRE(std::filesystem::file_size(file) < std::filesystem::file_size(other));
  write_file(index_path(other), index_of(tgmap::archive(file)));
  write_file(index_path(file), index_of(tgmap::archive(other, {.index = index_use::none})));
  for (const auto& each : {file, other}) {
    TGMAP_FAILED(tgmap::archive(each).index_status().refusal, errc::index_mismatch);
    BOOST_TEST(tgmap::archive(each).size() == 50u);
  }
}

BOOST_AUTO_TEST_CASE(an_archive_that_was_cut_is_scanned) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", mixed_archive(50));
  write_index(file);
  write_file(file, mixed_archive(49));
  TGMAP_FAILED(tgmap::archive(file).index_status().refusal, errc::index_mismatch);
  BOOST_TEST(tgmap::archive(file).size() == 49u);
}

BOOST_AUTO_TEST_CASE(a_message_that_changed_between_samples_is_an_error_when_it_is_reached) {
  const temporary_directory temporary;
  bytes data = several(0, 2000, 5000);  // 2,400 pages, of which 64 are samples
  const auto file = temporary.file("a.tgm", data);
  write_index(file);
  const auto time = std::filesystem::last_write_time(file);
  const tgmap::archive scanned(file, {.index = index_use::none});
  std::size_t found = 0;
  for (std::size_t i = 100; i < 2000; i += 100) {
    bytes changed = data;
    const std::size_t at = i % 200 == 0 ? 23 : 11;  // the length, or the flags
    changed[scanned[i].offset() + at] ^= 8;
    write_file(file, changed);
    std::filesystem::last_write_time(file, time);  // else the index is not current
    const tgmap::archive with(file);
    if (!with.index_status().is_used) continue;  // a sample has noticed it
    tgmap::failure why;
    with.at(i, why);
    TGMAP_FAILED(why, errc::index_mismatch);
    BOOST_TEST(why.message == i);
    BOOST_TEST(why.offset == scanned[i].offset());
    if (const auto before = with.at(i - 1, why); !why)
      BOOST_TEST(before.offset() == scanned[i - 1].offset());
    else  // by the next sample
      BOOST_TEST(why.offset == (scanned[i].offset() + at) / 4096 * 4096);
    ++found;
  }
  BOOST_TEST(found > 10u);
}

// Indexes with right checksums that lie: places are compared with the archive before they are used.
BOOST_AUTO_TEST_CASE(forged_places_are_errors) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", mixed_archive(20));
  const tgmap::archive scanned(file, {.index = index_use::none});
  const bytes sound = index_of(scanned);
  tgmap::failure unread;
  const auto reader = tgmap::index_file::reader::open(
      tgmap::io::source::from_memory(std::as_bytes(std::span(sound)), {}, unread), unread);
  const std::uint64_t identity = reader->facts().identity;
  const std::uint64_t flags_bits = std::uint64_t{scanned[1].flags()} << 48;
  std::size_t page = 1;  // of the messages, whose records have 32 bytes
  while (tgmap::wire::load_le<std::uint64_t>(std::as_bytes(std::span(sound)).subspan(page * 4096 + 32).data()) !=
         (scanned[1].offset() | flags_bits))
    ++page;
  const auto forge = [&](std::size_t at, std::uint64_t number) {
    bytes forged = sound;
    auto whole = std::as_writable_bytes(std::span(forged)).subspan(page * 4096).first<tgmap::index_file::page_size>();
    tgmap::wire::store_le(whole.data() + at, number);
    tgmap::index_file::seal_page(whole, identity, page);
    write_file(index_path(file), forged);
    const tgmap::archive with(file);
    BOOST_REQUIRE(with.index_status().is_current);
    tgmap::failure why;
    const auto m = with.at(1, why);
    if (why)
      BOOST_TEST(names_index(why), why.text());
    else
      BOOST_TEST(m.offset() + m.length() <= with.size_bytes());
    return static_cast<bool>(why);
  };
  for (const std::uint64_t offset : {std::uint64_t{0}, scanned[1].offset() + 1, scanned[2].offset(),
                                     scanned.size_bytes(), scanned.size_bytes() - 1, UINT64_MAX, UINT64_MAX - 23})
    BOOST_TEST(forge(32, offset | flags_bits));
  BOOST_TEST(forge(32, scanned[1].offset() | (flags_bits ^ std::uint64_t{1} << 63)));
  for (const std::uint64_t length : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{24}, UINT64_MAX >> 6})
    for (std::uint64_t flags = 0; flags < 16; ++flags) BOOST_TEST(forge(40, length | flags << 58));
}

BOOST_AUTO_TEST_CASE(an_index_of_another_user_is_not_used) {
  if (::geteuid() != 0) return;  // only root can give files away
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", mixed_archive(5));
  write_index(file);
  BOOST_REQUIRE(::chown(index_path(file).c_str(), 12345, 12345) == 0);
  const auto status = tgmap::archive(file).index_status();
  BOOST_TEST(!status.is_used);
  TGMAP_FAILED(status.refusal, errc::index_not_owned);
  BOOST_TEST(status.refusal.found == 12345u);
  const std::string named = index_path(file).string();
  BOOST_TEST(tgmap::archive(file, {.index_path = named}).index_status().is_used);
}

BOOST_AUTO_TEST_CASE(an_index_that_is_cut_while_it_is_used_is_an_error) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", mixed_archive(2000));
  write_index(file);
  for (const auto guard : {tgmap::guard_use::automatic, tgmap::guard_use::never}) {
    write_index(file);
    const tgmap::archive with(file, {.guard = guard});
    BOOST_TEST(with[0].offset() == 0u);
    std::filesystem::resize_file(index_path(file), 4096);
    tgmap::failure why;
    with.at(1999, why);
    TGMAP_FAILED(why, errc::file_shrank);
    BOOST_TEST(with[0].offset() == 0u);  // known
  }
}

BOOST_AUTO_TEST_SUITE_END()
