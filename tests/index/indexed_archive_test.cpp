// SPDX-License-Identifier: Apache-2.0
// Archives that are opened with an index give the same answers as those that are scanned.
#include <boost/test/unit_test.hpp>
#include <random>
#include <support/samples.hpp>
#include <support/shared_data.hpp>
#include <thread>

#include "archive/access.hpp"
#include "archive/archive_state.hpp"
#include "indexed.hpp"

using namespace tgmap_test;
using tgmap::errc;
using tgmap::index_use;
using tgmap::on_damage;

BOOST_AUTO_TEST_SUITE(indexed_archive_test)

namespace {

/// Opens an archive that must use its index.
tgmap::archive indexed(const std::filesystem::path& file, tgmap::open_options options = {}) {
  tgmap::archive out(file, options);
  BOOST_TEST(out.index_status().is_used, out.index_status().refusal.text());
  return out;
}

tgmap::archive scanned(const std::filesystem::path& file, tgmap::open_options options = {}) {
  options.index = index_use::none;
  tgmap::archive out(file, options);
  BOOST_TEST(!out.index_status().is_used);
  return out;
}

void compare_all(const std::filesystem::path& file) {
  for (const auto damage : {on_damage::stop, on_damage::skip})
    for (const auto io : {tgmap::io_mode::map, tgmap::io_mode::read}) {
      const tgmap::open_options options{.io = io, .damage = damage};
      BOOST_TEST(survey_of(indexed(file, options)).text == survey_of(scanned(file, options)).text, file.string());
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_file_gives_the_same_survey) {
  const temporary_directory temporary;
  std::size_t compared = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test_data())) {
    if (entry.path().extension() != ".tgm") continue;
    const auto file = temporary.file(entry.path().filename().string(), read_file(entry.path()));
    write_index(file);
    compare_all(file);
    ++compared;
  }
  BOOST_TEST(compared > 50u);
}

BOOST_AUTO_TEST_CASE(nothing_is_scanned) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", mixed_archive(1000));
  write_index(file);
  const auto archive = indexed(file);
  BOOST_TEST(archive.scan_progress().messages == 1000u);
  BOOST_TEST(archive.scan_progress().scanned_bytes == std::filesystem::file_size(file));
  BOOST_TEST(archive.index_status().messages == 1000u);
  BOOST_TEST(archive.index_status().covered_bytes == std::filesystem::file_size(file));
  BOOST_TEST(archive[734].index().value() == 734u);
}

BOOST_AUTO_TEST_CASE(messages_in_any_order_and_from_any_thread_are_those_of_a_scan) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", mixed_archive(2000));
  write_index(file);
  const auto with = indexed(file), without = scanned(file);
  BOOST_TEST(without.size() == 2000u);
  const auto compare = [&](unsigned seed) {
    std::mt19937 random(seed);
    bool same = true;
    for (int k = 0; k < 4000; ++k) {
      const std::size_t i = random() % 2000;
      const auto a = with[i], b = without[i];
      same = same && a.offset() == b.offset() && a.length() == b.length() && a.version() == b.version() &&
             a.is_streamed() == b.is_streamed() && a.index() == b.index() && a.size() == b.size() &&
             a[0].payload_offset() == b[0].payload_offset();
    }
    return same;
  };
  std::vector<int> same(4, 0);
  {
    std::vector<std::jthread> threads;
    for (unsigned t = 0; t < same.size(); ++t) threads.emplace_back([&, t] { same[t] = compare(t); });
  }
  for (const int each : same) BOOST_TEST(each == 1);
}

BOOST_AUTO_TEST_CASE(messages_found_by_offset_or_from_the_end_have_their_numbers) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", mixed_archive(300));
  write_index(file);
  const auto with = indexed(file), without = scanned(file);
  for (std::size_t i = 0; i < 300; ++i) {
    BOOST_TEST(with.at_offset(without[i].offset()).index().value() == i);
    BOOST_TEST(with.nth_from_end(i).offset() == without[299 - i].offset());
  }
  BOOST_TEST(!with.at_offset(without[5].offset()).index() == false);
  TGMAP_THROWS(with[300], errc::out_of_range);
}

BOOST_AUTO_TEST_CASE(objects_are_listed_where_their_frames_are) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", mixed_archive(30));
  write_index(file);
  const auto with = indexed(file), without = scanned(file);
  const auto& listed = tgmap::detail::access::state(with)->scan().listed();
  for (std::size_t i = 0; i < 30; ++i) {
    tgmap::detail::object_place place{};
    std::uint64_t objects = 0;
    BOOST_TEST(listed.find_object(with[i].position(), 0, place, objects));
    BOOST_TEST(place.offset == without[i][0].frame().offset_in_message());
    BOOST_TEST(place.length == without[i][0].frame().length());
    BOOST_TEST(objects == 1u);
    BOOST_TEST(!listed.find_object(with[i].position(), 1, place, objects));
  }
}

BOOST_AUTO_TEST_CASE(appended_messages_follow_the_listed_ones) {
  const temporary_directory temporary;
  for (const unsigned listed : {1u, 255u, 256u, 300u}) {
    const auto file = temporary.file("a.tgm", mixed_archive(listed));
    write_index(file);
    append_file(file, numbered(1) + numbered_stream(2) + "damage" + numbered(3) + numbered(4).substr(0, 50));
    compare_all(file);
    BOOST_TEST(indexed(file, {.damage = on_damage::skip}).size() == listed + 3);
  }
}

BOOST_AUTO_TEST_CASE(reopening_keeps_the_index_and_sees_what_was_appended) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", mixed_archive(300) + numbered(1).substr(0, 60));
  write_index(file);
  const auto before = indexed(file);
  BOOST_TEST(before.size() == 300u);
  write_file(file, mixed_archive(300) + numbered(1) + numbered(2));
  const auto after = before.reopen();
  BOOST_TEST(after.index_status().is_used);
  BOOST_TEST(after.size() == 302u);
  BOOST_TEST(survey_of(after).text == survey_of(scanned(file)).text);
  BOOST_TEST(before.size() == 300u);
}

BOOST_AUTO_TEST_CASE(an_index_elsewhere_is_named_and_then_required) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", mixed_archive(30));
  const std::string named = temporary.file("other", index_of(tgmap::archive(file))).string();
  BOOST_TEST(!tgmap::archive(file).index_status().is_used);
  BOOST_TEST(indexed(file, {.index_path = named}).size() == 30u);
  const std::string absent = (temporary / "absent").string();
  tgmap::failure why;
  BOOST_TEST(!tgmap::archive::open(file, {.index_path = absent}, why));
  BOOST_TEST((why.code == std::errc::no_such_file_or_directory));
  const std::string wrong = file.string();
  TGMAP_THROWS(tgmap::archive(file, {.index_path = wrong}), errc::not_an_index);
}

BOOST_AUTO_TEST_CASE(copies_and_moved_files_keep_their_index) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", mixed_archive(30));
  write_index(file);
  const auto moved = temporary / "b.tgm";
  std::filesystem::copy_file(file, moved);
  std::filesystem::rename(index_path(file), index_path(moved));
  BOOST_TEST(indexed(moved).size() == 30u);
}

BOOST_AUTO_TEST_CASE(an_archive_inside_a_file_has_an_index_of_its_own) {
  const temporary_directory temporary;
  const bytes inside = mixed_archive(30);
  const auto file = temporary.file("a.bin", "header  " + inside + "footer");
  tgmap::open_options options{.offset = 8, .length = inside.size()};
  options.index = index_use::none;
  write_file(index_path(file), index_of(tgmap::archive(file, options)));
  options.index = index_use::use;
  BOOST_TEST(indexed(file, options).size() == 30u);
  BOOST_TEST(!tgmap::archive(file).index_status().is_used);
}

BOOST_AUTO_TEST_CASE(other_limits_than_those_of_the_index_mean_a_scan) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", mixed_archive(30));
  write_index(file);
  for (const tgmap::open_options& options :
       {tgmap::open_options{.max_metadata_bytes = 1000}, tgmap::open_options{.max_objects = 9},
        tgmap::open_options{.max_padding = 100}}) {
    const tgmap::archive archive(file, options);
    BOOST_TEST(!archive.index_status().is_used);
    TGMAP_FAILED(archive.index_status().refusal, errc::index_mismatch);
    BOOST_TEST(archive.size() == 30u);
  }
}

BOOST_AUTO_TEST_SUITE_END()
