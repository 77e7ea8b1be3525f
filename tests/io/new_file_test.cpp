// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <support/temporary.hpp>
#include <thread>
#include <vector>

#include "io/new_file.hpp"

using namespace tgmap_test;
using tgmap::failure;
using tgmap::io::new_file;

BOOST_AUTO_TEST_SUITE(new_file_test)

namespace {

std::size_t files_in(const std::filesystem::path& folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

void write(const new_file& to, const bytes& what) {
  BOOST_REQUIRE(::write(to.descriptor(), what.data(), what.size()) == static_cast<ssize_t>(what.size()));
}

unsigned mode_of(const std::filesystem::path& file) {
  struct ::stat facts {};
  BOOST_REQUIRE(::stat(file.c_str(), &facts) == 0);
  return facts.st_mode & 0777;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_file_appears_when_it_is_complete) {
  const temporary_directory temporary;
  failure why;
  new_file file(temporary.path(), 0600, why);
  BOOST_REQUIRE(!why);
  write(file, "all of it");
  BOOST_TEST(!std::filesystem::exists(temporary / "f"));
  BOOST_TEST(!file.publish(temporary / "f"));
  BOOST_TEST(read_file(temporary / "f") == "all of it");
  BOOST_TEST(files_in(temporary.path()) == 1u);
}

BOOST_AUTO_TEST_CASE(a_file_that_is_not_published_is_gone) {
  const temporary_directory temporary;
  failure why;
  { new_file file(temporary.path(), 0600, why); }
  BOOST_TEST(!why);
  BOOST_TEST(files_in(temporary.path()) == 0u);
}

BOOST_AUTO_TEST_CASE(it_replaces_a_file_that_others_still_read) {
  const temporary_directory temporary;
  const auto path = temporary.file("f", "old");
  failure why;
  const auto old = tgmap::io::file::open(path, why);
  new_file file(temporary.path(), 0600, why);
  write(file, "new");
  BOOST_TEST(!file.publish(path));
  BOOST_TEST(read_file(path) == "new");
  std::array<std::byte, 3> seen;
  BOOST_TEST(!old.read(0, seen));
  BOOST_TEST(static_cast<char>(seen[0]) == 'o');
}

BOOST_AUTO_TEST_CASE(permissions_are_limited_by_the_umask) {
  const temporary_directory temporary;
  const ::mode_t before = ::umask(027);
  for (const unsigned wanted : {0666U, 0600U, 0644U}) {
    failure why;
    new_file file(temporary.path(), wanted, why);
    BOOST_TEST(!file.publish(temporary / "f"));
    BOOST_TEST(mode_of(temporary / "f") == (wanted & ~027U));
  }
  ::umask(before);
}

BOOST_AUTO_TEST_CASE(another_folder_may_get_it) {
  const temporary_directory temporary;
  std::filesystem::create_directory(temporary / "inner");
  failure why;
  new_file file(temporary.path(), 0600, why);
  write(file, "x");
  BOOST_TEST(!file.publish(temporary / "inner/f"));
  BOOST_TEST(read_file(temporary / "inner/f") == "x");
}

BOOST_AUTO_TEST_CASE(failures_are_those_of_the_system) {
  const temporary_directory temporary;
  failure why;
  const new_file nowhere(temporary / "absent", 0600, why);
  BOOST_TEST((why.code == std::errc::no_such_file_or_directory));
  new_file file(temporary.path(), 0600, why);
  BOOST_TEST(!why);
  why = file.publish(temporary / "absent/f");
  BOOST_TEST((why.code == std::errc::no_such_file_or_directory));
  std::filesystem::create_directory(temporary / "folder");
  why = file.publish(temporary / "folder");
  BOOST_TEST(static_cast<bool>(why));
}

BOOST_AUTO_TEST_CASE(many_at_once_leave_one_whole_file) {
  const temporary_directory temporary;
  const auto path = temporary / "f";
  const auto publish = [&](char letter) {
    for (int round = 0; round < 50; ++round) {
      failure why;
      new_file file(temporary.path(), 0600, why);
      const bytes all(5000, letter);
      if (why || ::write(file.descriptor(), all.data(), all.size()) != 5000 || file.publish(path)) return;
      const bytes seen = read_file(path);
      if (seen != bytes(5000, seen.front())) return;
    }
    append_file(temporary / "done", {&letter, 1});
  };
  {
    std::vector<std::jthread> threads;
    for (const char letter : {'a', 'b', 'c'}) threads.emplace_back(publish, letter);
  }
  BOOST_TEST(read_file(temporary / "done").size() == 3u);
  BOOST_TEST(files_in(temporary.path()) == 2u);
}

BOOST_AUTO_TEST_SUITE_END()
