// SPDX-License-Identifier: Apache-2.0
// Archives that are opened with the bytes of their index, as other processes get them.
#include <boost/test/unit_test.hpp>
#include <random>
#include <support/numbered.hpp>
#include <support/rounds.hpp>
#include <support/shared_data.hpp>

#include "index_file/page.hpp"
#include "index_file/reader.hpp"
#include "indexed.hpp"

using namespace tgmap_test;
using tgmap::errc;
using tgmap::index_use;
using tgmap::on_damage;

BOOST_AUTO_TEST_SUITE(index_bytes_test)

namespace {

/// Opens an archive with the bytes of its index, which must be used.
tgmap::archive opened_with(const std::filesystem::path& file, const bytes& index, tgmap::open_options options = {}) {
  tgmap::archive out(file, span_of(index), options);
  BOOST_TEST(out.index_status().is_used);
  return out;
}

tgmap::failure failure_with(const std::filesystem::path& file, const bytes& index, tgmap::open_options options = {}) {
  tgmap::failure why;
  BOOST_TEST(!tgmap::archive::open(file, span_of(index), options, why));
  return why;
}

/// An archive of 20 messages and its index, which is not beside it.
struct sample {
  temporary_directory temporary{};
  std::filesystem::path file = temporary.file("a.tgm", mixed_archive(20));
  tgmap::archive scanned{file};
  bytes index = index_of(scanned);
};

/// Changes numbers of the pages of an index, and renews their checksums.
class forger {
 public:
  explicit forger(bytes index) : index_(std::move(index)) {
    tgmap::failure unread;
    const auto reader =
        tgmap::index_file::reader::open(tgmap::io::source::from_memory(span_of(index_), {}, unread), unread);
    identity_ = reader->facts().identity;
  }

  void put(std::size_t page, std::size_t at, std::uint64_t number) {
    auto whole = std::as_writable_bytes(std::span(index_)).subspan(page * 4096).first<tgmap::index_file::page_size>();
    tgmap::wire::store_le(whole.data() + at, number);
    tgmap::index_file::seal_page(whole, identity_, page);
  }
  std::uint64_t get(std::size_t page, std::size_t at) const {
    return tgmap::wire::load_le<std::uint64_t>(span_of(index_).data() + page * 4096 + at);
  }
  const bytes& index() const { return index_; }

 private:
  bytes index_;
  std::uint64_t identity_ = 0;
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(they_are_the_bytes_of_the_index_file, sample) {
  write_file(index_path(file), index);
  for (const auto io : {tgmap::io_mode::map, tgmap::io_mode::read}) {
    const auto got = tgmap::archive(file, {.io = io}).index_bytes();
    BOOST_TEST((view_of(got) == index));
  }
  const auto again = opened_with(file, index).index_bytes();  // for a third process
  BOOST_TEST((view_of(again) == index));
}

BOOST_AUTO_TEST_CASE(every_file_gives_the_survey_of_a_scan) {
  std::size_t compared = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test_data())) {
    if (entry.path().extension() != ".tgm") continue;
    const bytes index = index_of(tgmap::archive(entry.path(), {.index = index_use::none}));
    for (const auto damage : {on_damage::stop, on_damage::skip})
      for (const auto io : {tgmap::io_mode::map, tgmap::io_mode::read}) {
        const tgmap::open_options options{.io = io, .damage = damage};
        BOOST_TEST(survey_of(opened_with(entry.path(), index, options)).text == survey_with(entry.path(), options).text,
                   entry.path().string());
      }
    ++compared;
  }
  BOOST_TEST(compared > 50u);
}

BOOST_FIXTURE_TEST_CASE(nothing_is_scanned_and_no_index_is_searched, sample) {
  write_file(index_path(file), "not an index");
  const auto archive = opened_with(file, index);
  BOOST_TEST(archive.scan_progress().messages == 20u);
  BOOST_TEST(archive.index_status().covered_bytes == archive.size_bytes());
  BOOST_TEST(!archive.index_status().refusal);
}

BOOST_FIXTURE_TEST_CASE(an_archive_inside_a_file_is_opened_with_its_index, sample) {
  const bytes inside = mixed_archive(20);
  const auto outer = temporary.file("a.bin", "header  " + inside + "footer");
  for (const auto io : {tgmap::io_mode::map, tgmap::io_mode::read}) {
    const tgmap::open_options options{.io = io, .offset = 8, .length = inside.size()};
    const auto archive = opened_with(outer, index, options);
    BOOST_TEST(survey_of(archive).text == survey_of(scanned).text);
    BOOST_TEST((archive.partition(4) == scanned.partition(4)));
  }
  TGMAP_FAILED(failure_with(outer, index), errc::index_mismatch);
}

BOOST_FIXTURE_TEST_CASE(the_bytes_may_have_any_alignment, sample) {
  for (std::size_t shift = 1; shift < 8; ++shift) {
    const bytes shifted = bytes(shift, ' ') + index;
    const auto archive = tgmap::archive(file, span_of(shifted).subspan(shift));
    BOOST_TEST(survey_of(archive).text == survey_of(scanned).text);
  }
}

BOOST_FIXTURE_TEST_CASE(reopening_keeps_them, sample) {
  const auto before = opened_with(file, index);
  append_file(file, numbered(20) + numbered_stream(21));
  const auto after = before.reopen();
  BOOST_TEST(after.index_status().is_used);
  BOOST_TEST(!after.index_status().is_current);
  BOOST_TEST(after.scan_progress().messages == 0u);  // all is scanned later
  BOOST_TEST(after.size() == 22u);
  BOOST_TEST(before.size() == 20u);
  const auto got = after.index_bytes();
  BOOST_TEST((view_of(got) == index));
  BOOST_TEST((after.partition(5) == tgmap::archive(file).partition(5)));
}

BOOST_FIXTURE_TEST_CASE(an_archive_without_an_index_has_no_bytes, sample) {
  TGMAP_THROWS(tgmap::archive().index_bytes(), errc::no_archive);
  TGMAP_THROWS(scanned.index_bytes(), errc::no_index);
  TGMAP_THROWS(open(mixed_archive(2)).index_bytes(), errc::no_index);
  write_file(index_path(file), "not an index");
  tgmap::failure why;
  BOOST_TEST(tgmap::archive(file).index_bytes(why).empty());
  TGMAP_FAILED(why, errc::no_index);
  write_file(index_path(file), index);
  BOOST_TEST(tgmap::archive(file).index_bytes(why).size() == index.size());
  TGMAP_SUCCEEDED(why);
}

BOOST_FIXTURE_TEST_CASE(an_index_file_that_was_cut_is_not_copied, sample) {
  write_file(index_path(file), index);
  const tgmap::archive archive(file);
  std::filesystem::resize_file(index_path(file), 4096);
  TGMAP_THROWS(archive.index_bytes(), errc::file_shrank);
}

BOOST_FIXTURE_TEST_CASE(bytes_that_do_not_fit_are_errors, sample) {
  const auto other = temporary.file("b.tgm", several(100, 20, 500));
  for (const bytes& wrong : {bytes(), bytes("x"), bytes(4096, '\0'), bytes(8192, 'x'), mixed_archive(50),
                             index.substr(1), index + "x", index.substr(0, 8192)})
    TGMAP_FAILED(failure_with(file, wrong), errc::not_an_index);
  TGMAP_FAILED(failure_with(file, index.substr(0, 4096)), errc::unknown_index_version);  // no trailer
  TGMAP_FAILED(failure_with(other, index), errc::index_mismatch);
  TGMAP_FAILED(failure_with(file, index, {.max_objects = 9}), errc::index_mismatch);
  BOOST_TEST((failure_with(temporary / "absent", index).code == std::errc::no_such_file_or_directory));
  TGMAP_FAILED(failure_with(temporary.path(), index), errc::is_directory);
  try {
    tgmap::archive(other, span_of(index));
    BOOST_ERROR("opened");
  } catch (const tgmap::error& e) {
    BOOST_TEST(std::string(e.what()).find(other.string()) != std::string::npos, e.what());
  }
}

BOOST_FIXTURE_TEST_CASE(options_that_contradict_them_are_errors, sample) {
  const std::string path = index_path(file).string();
  for (const tgmap::open_options& options :
       {tgmap::open_options{.index = index_use::none}, tgmap::open_options{.index_path = path}}) {
    TGMAP_FAILED(failure_with(file, index, options), errc::invalid_option);
    TGMAP_THROWS(tgmap::archive(file, span_of(index), options), errc::invalid_option);
  }
}

BOOST_FIXTURE_TEST_CASE(every_changed_byte_gives_the_answers_of_a_scan_or_an_error, sample) {
  const auto expected = survey_of(scanned).text;
  const auto parts = scanned.partition(3);
  std::size_t refused = 0, errors = 0, same = 0;
  for (std::size_t i = 0; i < index.size(); i += stride(23) + i % 3) {
    bytes changed = index;
    changed[i] = static_cast<char>(changed[i] ^ 1 << i % 8);
    tgmap::failure why;
    const auto with = tgmap::archive::open(file, span_of(changed), {}, why);
    BOOST_REQUIRE(static_cast<bool>(with) != static_cast<bool>(why));
    refused += static_cast<bool>(why);
    if (why) continue;
    const auto found = with.partition(3, why);
    errors += static_cast<bool>(why);
    same += !why;
    if (why)
      TGMAP_FAILED(why, errc::index_damaged);
    else
      BOOST_REQUIRE((found == parts));
    if (!why && i % 64 == 0) BOOST_REQUIRE(survey_of(with).text == expected);
  }
  BOOST_TEST(refused > 0u);
  BOOST_TEST(errors > 0u);
  BOOST_TEST(same > 0u);
}

BOOST_FIXTURE_TEST_CASE(bytes_that_change_before_they_are_read_are_an_error, sample) {
  const auto first = opened_with(file, index);
  std::fill(index.begin() + 4096, index.end() - 4096, '\x55');  // as another process with the same memory could
  tgmap::failure why;
  first.at(3, why);
  TGMAP_FAILED(why, errc::index_damaged);
  BOOST_TEST(first.partition(3, why).empty());
  TGMAP_FAILED(why, errc::index_damaged);
}

// Checksums that are right, and offsets of messages that are not: parts are in order, or there is an error.
BOOST_AUTO_TEST_CASE(parts_of_a_forged_index_are_in_order) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", several(100, 40, 200));  // all have the same length
  const tgmap::archive scanned(file);
  const forger sound(index_of(scanned));
  const std::uint64_t flags = std::uint64_t{scanned[1].flags()} << 48;  // all have the same
  std::size_t page = 1;
  while (sound.get(page, 32) != (scanned[1].offset() | flags)) ++page;
  std::mt19937 random(11);
  std::size_t errors = 0, divided = 0;
  for (unsigned round = 0; round < rounds(2000u); ++round) {
    forger forged = sound;
    for (unsigned k = 0, changes = 1 + random() % 8; k < changes; ++k) {
      const std::uint64_t places[] = {scanned[random() % 40].offset() | flags, random() % scanned.size_bytes(),
                                      UINT64_MAX - 9};
      forged.put(page, random() % 40 * 32, places[random() % 8 < 6 ? 0 : random() % 3]);
    }
    const auto with = opened_with(file, forged.index());
    for (const std::size_t count : {2u, 5u, 40u}) {
      tgmap::failure why;
      const auto parts = with.partition(count, why);
      errors += static_cast<bool>(why);
      divided += !why;
      if (why) {
        TGMAP_FAILED(why, errc::index_mismatch);
        BOOST_REQUIRE(parts.empty());
        continue;
      }
      std::uint64_t at = 0;
      std::size_t messages = 0;
      for (const auto& each : parts) {
        BOOST_REQUIRE((each.begin == at && each.end > at && each.first_message == messages && each.messages > 0));
        at = each.end;
        messages += each.messages;
      }
      BOOST_REQUIRE((at == scanned.size_bytes() && messages == 40 && parts.size() <= count));
    }
  }
  BOOST_TEST(errors > 0u);
  BOOST_TEST(divided > 0u);
}

BOOST_AUTO_TEST_SUITE_END()
