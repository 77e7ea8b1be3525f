// SPDX-License-Identifier: Apache-2.0
// Indexes in the cache folder are found by what an archive contains.
#include <sys/stat.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cstdlib>
#include <support/rounds.hpp>
#include <support/samples.hpp>
#include <thread>
#include <vector>

#include "indexed.hpp"

using namespace tgmap_test;
using tgmap::errc;
using tgmap::index_use;

namespace {

/// A variable of the environment, restored at the end.
class variable {
 public:
  variable(const char* name, const std::string& value) : name_(name) {
    if (const char* const old = std::getenv(name)) old_ = old;
    ::setenv(name, value.c_str(), 1);
  }
  ~variable() { old_ ? ::setenv(name_, old_->c_str(), 1) : ::unsetenv(name_); }
  variable(const variable&) = delete;
  variable& operator=(const variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> old_{};
};

/// A cache folder that is not made yet.
struct caching {
  temporary_directory temporary;
  std::filesystem::path cache = temporary / "cache" / "tgmap";
  variable folder{"XDG_CACHE_HOME", (temporary / "cache").string()};

  static constexpr tgmap::open_options looking{.index_cache = true};
  static constexpr tgmap::open_options making{.index = index_use::create, .index_cache = true};

  std::vector<std::filesystem::path> entries() const {
    std::vector<std::filesystem::path> out;
    if (std::filesystem::exists(cache))
      for (const auto& each : std::filesystem::recursive_directory_iterator(cache))
        if (each.is_regular_file()) out.push_back(each.path());
    return out;
  }
  static std::uint64_t listed(const std::filesystem::path& file, const tgmap::open_options& options = looking) {
    const auto status = tgmap::archive(file, options).index_status();
    BOOST_TEST(!status.refusal, status.refusal.text());
    return status.messages;
  }
};

unsigned mode_of(const std::filesystem::path& file) {
  struct ::stat facts {};
  BOOST_REQUIRE(::stat(file.c_str(), &facts) == 0);
  return facts.st_mode & 0777;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(index_cache_test, caching)

BOOST_AUTO_TEST_CASE(an_index_is_made_in_the_cache_and_found_there) {
  const auto file = temporary.file("a.tgm", mixed_archive(100));
  BOOST_TEST(listed(file) == 0u);
  BOOST_TEST(!std::filesystem::exists(temporary / "cache"), "looking makes no folder");
  BOOST_TEST(listed(file, making) == 100u);
  BOOST_TEST(!std::filesystem::exists(index_path(file)));
  BOOST_REQUIRE(entries().size() == 1u);
  BOOST_TEST(mode_of(entries()[0]) == 0600u);
  BOOST_TEST(mode_of(entries()[0].parent_path()) == 0700u);
  BOOST_TEST(mode_of(cache) == 0700u);
  BOOST_TEST(listed(file) == 100u);
  BOOST_TEST(listed(file, {}) == 0u, "only when it is asked for");
  BOOST_TEST(survey_with(file, looking).text == survey_with(file, {.index = index_use::none}).text);
}

BOOST_AUTO_TEST_CASE(names_of_archives_do_not_matter) {
  const auto file = temporary.file("a.tgm", mixed_archive(100));
  BOOST_TEST(listed(file, making) == 100u);
  const auto copy = temporary.file("b.tgm", read_file(file));
  std::filesystem::remove(file);
  BOOST_TEST(listed(copy) == 100u);
  write_file(copy, mixed_archive(99));
  BOOST_TEST(listed(copy) == 0u);
}

BOOST_AUTO_TEST_CASE(an_archive_that_grows_keeps_its_index_whatever_its_size) {
  for (const unsigned begin : {1U, 2U, 5U, 12U, 13U, 14U, 15U, 30U, 100U}) {
    const auto file = temporary.file("a.tgm", mixed_archive(begin));
    BOOST_TEST(listed(file, making) == begin);
    for (unsigned more = 1; more < rounds(5000U); more *= 7) {
      append_file(file, several(1000, more, 20));
      BOOST_TEST(listed(file) == begin, begin << " and " << more);
    }
    std::filesystem::remove_all(cache);
  }
}

BOOST_AUTO_TEST_CASE(an_index_in_the_cache_is_updated_where_there_is_one) {
  const auto file = temporary.file("a.tgm", mixed_archive(30));
  const auto update = [&] { return tgmap::update_cached_index(tgmap::archive(file, {.index = index_use::none})); };
  BOOST_TEST(update().path.empty());
  BOOST_TEST(entries().empty());
  BOOST_TEST(listed(file, making) == 30u);
  append_file(file, several(1000, 12, 20));
  const auto updated = update();
  BOOST_TEST(updated.summary.messages == 42u);
  BOOST_REQUIRE(entries().size() == 1u);
  BOOST_TEST(updated.path == entries()[0]);
  BOOST_TEST(listed(file) == 42u);
  TGMAP_THROWS(tgmap::update_cached_index(tgmap::archive()), errc::no_archive);
}

BOOST_AUTO_TEST_CASE(a_new_index_replaces_those_of_the_same_archive) {
  const auto file = temporary.file("a.tgm", mixed_archive(5));
  for (const unsigned count : {5U, 50U, 100U, 300U}) {
    write_file(file, mixed_archive(count));
    BOOST_TEST(listed(file, making) == count);
    BOOST_TEST(entries().size() == 1u);
  }
}

BOOST_AUTO_TEST_CASE(archives_with_the_same_beginning_have_their_own_indexes) {
  const bytes begin = mixed_archive(200);
  std::vector<std::filesystem::path> files;
  for (unsigned k = 0; k < 5; ++k) {
    files.push_back(temporary.file("f" + std::to_string(k), begin + several(1000 + k, 100, 50)));
    BOOST_TEST(listed(files.back(), making) == 300u);
  }
  BOOST_TEST(entries().size() == 5u);
  for (std::size_t k = 0; k < files.size(); ++k) {
    BOOST_TEST(listed(files[k]) == 300u);
    BOOST_TEST(survey_with(files[k], looking).text == survey_with(files[k], {.index = index_use::none}).text);
  }
  const auto shared = temporary.file("shared", begin);
  BOOST_TEST(listed(shared, making) == 200u);
  BOOST_TEST(entries().size() == 6u);
  for (const auto& each : files) BOOST_TEST(listed(each) == 300u, "the one that covers the most");
}

BOOST_AUTO_TEST_CASE(equal_copies_keep_stamps_of_their_own) {
  const auto file = temporary.file("a.tgm", mixed_archive(50));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));  // so that the copy has another time
  const auto copy = temporary.file("b.tgm", mixed_archive(50));
  const auto is_current = [](const std::filesystem::path& which) {
    return tgmap::archive(which, looking).index_status().is_current;
  };
  BOOST_TEST(tgmap::create_cached_index(tgmap::archive(file)).summary.is_stamped);
  BOOST_TEST(is_current(file));
  BOOST_TEST(!is_current(copy));
  BOOST_TEST(tgmap::create_cached_index(tgmap::archive(copy)).summary.is_stamped);
  BOOST_TEST(entries().size() == 1u);
  BOOST_TEST(is_current(file));
  BOOST_TEST(is_current(copy));
  // The index of a copy that has grown does not take away that of the other one.
  append_file(copy, numbered(1));
  BOOST_TEST(!is_current(copy));
  BOOST_TEST(tgmap::create_cached_index(tgmap::archive(copy)).summary.is_stamped);
  BOOST_TEST(is_current(copy));
  BOOST_TEST(is_current(file));
}

BOOST_AUTO_TEST_CASE(an_index_beside_the_file_comes_first) {
  const auto file = temporary.file("a.tgm", mixed_archive(100));
  write_index(file);
  append_file(file, mixed_archive(10));
  BOOST_TEST(listed(file, looking) == 100u);
  const tgmap::archive plain(file, {.index = index_use::none});
  BOOST_TEST(tgmap::create_cached_index(plain).summary.messages == 110u);
  BOOST_TEST(listed(file, looking) == 110u, "the one beside the file is not current");
  tgmap::check_index(plain, index_path(file));
  BOOST_TEST(listed(file, looking) == 100u);
  write_file(index_path(file), "wrong");
  BOOST_TEST(listed(file, looking) == 110u);
  BOOST_TEST(listed(file, making) == 110u);
  BOOST_TEST(read_file(index_path(file)) == "wrong");
}

BOOST_AUTO_TEST_CASE(wrong_entries_are_not_used) {
  const auto file = temporary.file("a.tgm", mixed_archive(100));
  BOOST_TEST(listed(file, making) == 100u);
  const auto entry = entries().at(0);
  const bytes sound = read_file(entry);
  bytes damaged = sound;
  damaged[damaged.size() - 9] ^= 1;
  write_file(entry, damaged);
  TGMAP_FAILED(tgmap::archive(file, looking).index_status().refusal, errc::index_damaged);
  BOOST_TEST(listed(file, making) == 100u);
  BOOST_TEST(listed(file) == 100u);
  // Of another archive, under the name that this one looks for.
  write_file(entry, index_of(tgmap::archive(temporary.file("b.tgm", numbered_archive(5)))));
  TGMAP_FAILED(tgmap::archive(file, looking).index_status().refusal, errc::index_mismatch);
  // Other files in the folder.
  write_file(entry, sound);
  for (const char* name : {"x", "7-8.tgx", "99999999999999999999-0000000000000000.tgx", "-.tgx", "12"})
    write_file(entry.parent_path() / name, sound);
  BOOST_TEST(listed(file) == 100u);
}

BOOST_AUTO_TEST_CASE(an_entry_of_another_user_is_not_used) {
  if (::geteuid() != 0) return;  // only root can give files away
  const auto file = temporary.file("a.tgm", mixed_archive(100));
  BOOST_TEST(listed(file, making) == 100u);
  BOOST_REQUIRE(::chown(entries().at(0).c_str(), 12345, 12345) == 0);
  TGMAP_FAILED(tgmap::archive(file, looking).index_status().refusal, errc::index_not_owned);
  BOOST_TEST(listed(file, making) == 100u);
}

BOOST_AUTO_TEST_CASE(the_folder_follows_the_rules_of_xdg) {
  const auto file = temporary.file("a.tgm", mixed_archive(100));
  const variable home("HOME", temporary.path().string());
  {
    const variable relative("XDG_CACHE_HOME", "relative");
    BOOST_TEST(listed(file, making) == 100u);
    BOOST_TEST(std::filesystem::exists(temporary / ".cache" / "tgmap"));
    BOOST_TEST(!std::filesystem::exists("relative"));
  }
  BOOST_TEST(listed(file) == 0u);
  const variable no_home("HOME", ""), no_cache("XDG_CACHE_HOME", "");
  const tgmap::archive without(file, making);
  BOOST_TEST(without.size() == 100u);
  BOOST_TEST(without.index_status().refusal.text() == "the cache folder: No such file or directory");
}

BOOST_AUTO_TEST_CASE(an_archive_without_messages_has_nothing_to_cache) {
  for (const bytes& data : {bytes(), bytes("TENSOGRM"), bytes(100, 'x')}) {
    const auto file = temporary.file("a.tgm", data);
    const auto status = tgmap::archive(file, making).index_status();
    BOOST_TEST(!status.is_used);
    BOOST_TEST(!status.refusal, status.refusal.text());
    BOOST_TEST(tgmap::create_cached_index(tgmap::archive(file)).path.empty());
    BOOST_TEST(entries().empty());
  }
}

BOOST_AUTO_TEST_CASE(the_functions_of_the_cache_name_its_files) {
  const auto file = temporary.file("a.tgm", mixed_archive(100));
  const tgmap::archive plain(file);
  BOOST_TEST(tgmap::find_cached_index(plain).path.empty());
  const auto made = tgmap::create_cached_index(plain);
  BOOST_TEST(made.path == entries().at(0));
  BOOST_TEST(made.summary.messages == 100u);
  const auto found = tgmap::find_cached_index(plain);
  BOOST_TEST(found.path == made.path);
  BOOST_TEST(found.summary.structure == made.summary.structure);
  BOOST_TEST(tgmap::check_index(plain, found.path).messages == 100u);
  TGMAP_THROWS(tgmap::find_cached_index({}), errc::no_archive);
  TGMAP_THROWS(tgmap::create_cached_index({}), errc::no_archive);
}

BOOST_AUTO_TEST_CASE(memory_and_parts_of_files_may_be_cached) {
  const bytes inside = mixed_archive(100);
  const auto file = temporary.file("a.bin", "header  " + inside + "footer");
  const tgmap::open_options part{.index = index_use::create, .index_cache = true, .offset = 8, .length = inside.size()};
  BOOST_TEST(listed(file, part) == 100u);
  const auto memory = tgmap::archive::from_memory(std::as_bytes(std::span(inside)));
  BOOST_TEST(tgmap::find_cached_index(memory).path == entries().at(0));
}

BOOST_AUTO_TEST_CASE(many_at_once_end_with_one_index) {
  const auto file = temporary.file("a.tgm", mixed_archive(300));
  std::vector<std::uint64_t> seen(4, 0);
  {
    std::vector<std::jthread> threads;
    for (auto& each : seen) threads.emplace_back([&] { each = tgmap::archive(file, making).index_status().messages; });
  }
  for (const auto each : seen) BOOST_TEST(each == 300u);
  BOOST_TEST(entries().size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_pipe_in_the_cache_is_not_waited_for) {
  const auto file = temporary.file("a.tgm", mixed_archive(20));
  const auto made = tgmap::create_cached_index(tgmap::archive(file));
  std::filesystem::remove(made.path);
  BOOST_REQUIRE(::mkfifo(made.path.c_str(), 0600) == 0);
  const tgmap::archive opened(file, looking);
  TGMAP_FAILED(opened.index_status().refusal, errc::not_an_index);
  BOOST_TEST(opened.size() == 20u);
  tgmap::failure why;
  BOOST_TEST(tgmap::find_cached_index(opened, why).path.empty());
  TGMAP_FAILED(why, errc::not_an_index);
}

BOOST_AUTO_TEST_SUITE_END()
