// SPDX-License-Identifier: Apache-2.0
// Archives that check their index when they are opened, or make one.
#include <sys/stat.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <support/samples.hpp>
#include <thread>

#include "indexed.hpp"

using namespace tgmap_test;
using tgmap::errc;
using tgmap::index_trust;
using tgmap::index_use;

BOOST_AUTO_TEST_SUITE(open_archive_test)

namespace {

constexpr tgmap::open_options making{.index = index_use::create};
constexpr tgmap::open_options checking{.index = index_use::checked};

std::size_t files_in(const std::filesystem::path& folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

bool is_used(const std::filesystem::path& file, const tgmap::open_options& options = {}) {
  return tgmap::archive(file, options).index_status().is_used;
}

tgmap::failure refusal(const std::filesystem::path& file, const tgmap::open_options& options = {}) {
  return tgmap::archive(file, options).index_status().refusal;
}

/// An archive of which one message was changed behind its preamble, where no sample is.
struct changed_archive {
  temporary_directory temporary;
  std::filesystem::path file = temporary.file("a.tgm", several(0, 2000, 5000));

  changed_archive() {
    write_index(file);
    bytes data = read_file(file);
    const tgmap::archive scanned(file, {.index = index_use::none});
    for (std::size_t i = 0; i < 2000; ++i) {
      bytes changed = data;
      changed[scanned[i][0].frame().offset() + 8] ^= 1;  // the length of the frame
      write_file(file, changed);
      if (is_used(file) && refusal(file, checking)) return;
    }
    BOOST_FAIL("each change is noticed by the samples");
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(levels_have_names) {
  BOOST_TEST(to_string_view(index_trust::sampled) == "sampled");
  BOOST_TEST(to_string_view(index_trust::checked) == "checked");
}

BOOST_AUTO_TEST_CASE(a_sound_index_is_checked_as_a_whole) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", mixed_archive(100));
  BOOST_TEST(!is_used(file, checking));
  BOOST_TEST(!refusal(file, checking));
  write_index(file);
  BOOST_CHECK(tgmap::archive(file).index_status().trust == index_trust::sampled);
  const tgmap::archive checked(file, checking);
  BOOST_TEST(checked.index_status().is_used);
  BOOST_CHECK(checked.index_status().trust == index_trust::checked);
  BOOST_CHECK(checked.reopen().index_status().trust == index_trust::checked);
  BOOST_TEST(checked.size() == 100u);
  append_file(file, numbered(7));
  BOOST_CHECK(tgmap::archive(file, checking).index_status().trust == index_trust::checked);
  BOOST_TEST(tgmap::archive(file, checking).size() == 101u);
}

BOOST_AUTO_TEST_CASE(what_samples_miss_is_noticed_by_a_check) {
  const changed_archive changed;
  TGMAP_FAILED(refusal(changed.file, checking), errc::index_mismatch);
  BOOST_TEST(!is_used(changed.file, checking));
  BOOST_TEST(survey_with(changed.file, checking).text == survey_with(changed.file, {.index = index_use::none}).text);
  const std::string named = index_path(changed.file).string();
  TGMAP_THROWS(tgmap::archive(changed.file, {.index = index_use::checked, .index_path = named}), errc::index_mismatch);
}

BOOST_AUTO_TEST_CASE(an_index_that_leaves_out_messages_is_noticed_by_a_check) {
  const temporary_directory temporary;
  const bytes sound = several(0, 500, 20'000);
  const auto file = temporary.file("a.tgm", sound);
  const tgmap::archive scanned(file, {.index = index_use::none});
  std::size_t used = 0;
  for (std::size_t i = 100; i < 500; i += 100) {
    bytes damaged = sound;
    damaged[scanned[i].offset()] ^= 1;  // an index of this has a gap, and a message less
    write_file(file, damaged);
    write_index(file);
    const auto time = std::filesystem::last_write_time(file);
    write_file(file, sound);
    std::filesystem::last_write_time(file, time);  // else the index is not current
    if (!is_used(file)) continue;                  // the byte is in a sample
    ++used;
    BOOST_TEST(tgmap::archive(file, {.damage = tgmap::on_damage::skip}).size() == 499u);
    TGMAP_FAILED(refusal(file, checking), errc::index_mismatch);
    BOOST_TEST(tgmap::archive(file, checking).size() == 500u);
  }
  BOOST_TEST(used > 0u);
}

BOOST_AUTO_TEST_CASE(a_flipped_byte_anywhere_is_noticed_by_a_check) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", mixed_archive(20));
  bytes index = index_of(tgmap::archive(file));
  for (std::size_t i = 0; i < index.size(); i += 997) {
    if (i / 4096 == index.size() / 4096 - 2) continue;  // stamps: without them it is not current, but sound
    index[i] = static_cast<char>(index[i] ^ 1 << i % 8);
    write_file(index_path(file), index);
    BOOST_TEST(!is_used(file, checking));
    index[i] = static_cast<char>(index[i] ^ 1 << i % 8);
  }
}

BOOST_AUTO_TEST_CASE(an_index_is_made_where_none_is) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", mixed_archive(100));
  BOOST_REQUIRE(::chmod(file.c_str(), 0640) == 0);
  const tgmap::archive made(file, making);
  BOOST_TEST(made.index_status().is_used, made.index_status().refusal.text());
  BOOST_CHECK(made.index_status().trust == index_trust::checked);
  BOOST_TEST(made.scan_progress().messages == 100u);
  BOOST_TEST(survey_of(made).text == survey_with(file, {.index = index_use::none}).text);
  struct ::stat facts {};
  BOOST_TEST(::stat(index_path(file).c_str(), &facts) == 0);
  BOOST_TEST((facts.st_mode & 0137) == 0u);  // no more than the archive allows
  BOOST_TEST(files_in(temporary.path()) == 2u);

  const bytes first = read_file(index_path(file));
  BOOST_CHECK(tgmap::archive(file, making).index_status().trust == index_trust::sampled);
  BOOST_TEST(read_file(index_path(file)) == first, "a fitting index is kept");
}

BOOST_AUTO_TEST_CASE(no_other_mode_writes) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", mixed_archive(10));
  for (const auto use : {index_use::none, index_use::use, index_use::checked})
    BOOST_TEST(!is_used(file, {.index = use}));
  BOOST_TEST(files_in(temporary.path()) == 1u);
}

BOOST_AUTO_TEST_CASE(a_wrong_index_is_made_anew) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", mixed_archive(100));
  const bytes sound = index_of(tgmap::archive(file));
  bytes damaged = sound, newer = sound;
  damaged[damaged.size() - 1] ^= 1;
  newer[newer.size() - 4096 + 8] = 99;
  const bytes stale = index_of(tgmap::archive(temporary.file("b.tgm", numbered_archive(5))));
  for (const bytes& wrong : {damaged, newer, stale}) {
    write_file(index_path(file), wrong);
    BOOST_TEST(!is_used(file));
    BOOST_TEST(is_used(file, making));
    BOOST_TEST(is_used(file));
  }
}

BOOST_AUTO_TEST_CASE(other_files_and_indexes_of_others_are_not_replaced) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", mixed_archive(10));
  write_file(index_path(file), "something else");
  TGMAP_FAILED(refusal(file, making), errc::not_an_index);
  BOOST_TEST(read_file(index_path(file)) == "something else");
  if (::geteuid() != 0) return;  // only root can give files away
  write_file(index_path(file), index_of(tgmap::archive(file)));
  BOOST_REQUIRE(::chown(index_path(file).c_str(), 12345, 12345) == 0);
  TGMAP_FAILED(refusal(file, making), errc::index_not_owned);
}

BOOST_AUTO_TEST_CASE(an_archive_that_has_grown_by_much_gets_a_new_index) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", mixed_archive(100));
  BOOST_TEST(is_used(file, making));
  const bytes first = read_file(index_path(file));
  append_file(file, mixed_archive(5));
  BOOST_TEST(tgmap::archive(file, making).index_status().messages == 100u);
  append_file(file, mixed_archive(100));
  BOOST_TEST(tgmap::archive(file).index_status().messages == 100u);
  BOOST_TEST(tgmap::archive(file, making).index_status().messages == 205u);
  BOOST_TEST(tgmap::archive(file).index_status().messages == 205u);
  // An end that cannot be indexed is a reason to make another index once: then it is current.
  append_file(file, bytes(std::filesystem::file_size(file), 'x'));
  BOOST_TEST(tgmap::archive(file, making).index_status().messages == 205u);
  const bytes second = read_file(index_path(file));
  BOOST_TEST(tgmap::archive(file, making).index_status().is_current);
  BOOST_TEST(read_file(index_path(file)) == second);
  BOOST_TEST(second != first);
}

BOOST_AUTO_TEST_CASE(an_archive_opens_where_no_index_can_be_written) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", mixed_archive(10));
  std::filesystem::create_directory(index_path(file));  // also root cannot replace a folder
  const tgmap::archive opened(file, making);
  BOOST_TEST(opened.size() == 10u);
  BOOST_TEST(!opened.index_status().is_used);
  BOOST_TEST(static_cast<bool>(opened.index_status().refusal));
  BOOST_TEST(files_in(temporary.path()) == 2u);

  const std::string nowhere = (temporary / "absent" / "x.tgx").string();
  tgmap::failure why;
  BOOST_TEST(!tgmap::archive::open(file, {.index = index_use::create, .index_path = nowhere}, why));
  BOOST_TEST((why.code == std::errc::no_such_file_or_directory));
  const std::string named = (temporary / "x.tgx").string();
  BOOST_TEST(is_used(file, {.index = index_use::create, .index_path = named}));
  BOOST_TEST(std::filesystem::exists(named));
}

BOOST_AUTO_TEST_CASE(a_folder_without_writing_is_said_to_be_the_reason) {
  if (::geteuid() == 0) return;  // root may write everywhere
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", mixed_archive(10));
  BOOST_REQUIRE(::chmod(temporary.path().c_str(), 0500) == 0);
  const auto why = refusal(file, making);
  BOOST_TEST(why.text() == "the index file: Permission denied");
  BOOST_REQUIRE(::chmod(temporary.path().c_str(), 0700) == 0);
}

BOOST_AUTO_TEST_CASE(a_part_of_a_file_does_not_replace_the_index_of_the_whole) {
  const temporary_directory temporary;
  const bytes inside = mixed_archive(10);
  const auto file = temporary.file("a.tgm", numbered(1) + inside);
  BOOST_TEST(is_used(file, making));
  const bytes whole = read_file(index_path(file));
  const auto why = refusal(file, {.index = index_use::create, .offset = numbered(1).size()});
  TGMAP_FAILED(why, errc::invalid_option);
  BOOST_TEST(read_file(index_path(file)) == whole);
}

BOOST_AUTO_TEST_CASE(many_at_once_all_get_an_index) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", mixed_archive(300));
  for (int round = 0; round < 5; ++round) {
    std::filesystem::remove(index_path(file));
    std::vector<int> used(4, 0);
    {
      std::vector<std::jthread> threads;
      for (int& each : used)
        threads.emplace_back([&] {
          const tgmap::archive opened(file, making);
          each = opened.index_status().is_used && opened.size() == 300 && opened[299].index() == 299;
        });
    }
    for (const int each : used) BOOST_TEST(each == 1);
    BOOST_TEST(files_in(temporary.path()) == 2u);
    BOOST_TEST(is_used(file));
  }
}

BOOST_AUTO_TEST_SUITE_END()
