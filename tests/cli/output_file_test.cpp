// SPDX-License-Identifier: Apache-2.0
#include "cli/output_file.hpp"

#include <sys/stat.h>

#include <boost/test/unit_test.hpp>
#include <iterator>
#include <support/temporary.hpp>

#include "cli/complaint.hpp"

using tgmap::cli::file_error;
using tgmap::cli::output_file;
using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(output_files)

namespace {

void write(output_file& out, std::string_view text) { out.write(span_of(text)); }

std::size_t entries(const temporary_directory& files) {
  const std::filesystem::directory_iterator all(files.path());
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

mode_t mode_of(const std::filesystem::path& path) {
  struct stat facts {};
  ::stat(path.c_str(), &facts);
  return facts.st_mode & 07777;
}

}  // namespace

BOOST_AUTO_TEST_CASE(nothing_is_there_before_the_commit) {
  const temporary_directory files;
  output_file out(files / "o");
  write(out, "abc");
  BOOST_TEST(!std::filesystem::exists(files / "o"));
  write(out, "def");
  out.commit();
  BOOST_TEST(read_file(files / "o") == "abcdef");
  BOOST_TEST(entries(files) == 1u);
}

BOOST_AUTO_TEST_CASE(without_a_commit_nothing_is_left) {
  const temporary_directory files;
  const auto path = files.file("o", "old");
  {
    output_file out(path);
    write(out, "new");
  }
  BOOST_TEST(read_file(path) == "old");
  BOOST_TEST(entries(files) == 1u);
}

BOOST_AUTO_TEST_CASE(what_was_there_is_replaced_and_keeps_its_permissions) {
  const temporary_directory files;
  const auto path = files.file("o", "a longer old text");
  ::chmod(path.c_str(), 0640);
  output_file out(path);
  write(out, "new");
  out.commit();
  BOOST_TEST(read_file(path) == "new");
  BOOST_TEST(mode_of(path) == 0640u);
}

BOOST_AUTO_TEST_CASE(a_new_file_has_the_permissions_that_the_umask_leaves) {
  const temporary_directory files;
  const mode_t kept = ::umask(027);
  output_file out(files / "o");
  out.commit();
  ::umask(kept);
  BOOST_TEST(mode_of(files / "o") == 0640u);
}

BOOST_AUTO_TEST_CASE(a_link_stays_a_link) {
  const temporary_directory files;
  const auto path = files.file("o", "old");
  std::filesystem::create_symlink("o", files / "link");
  output_file out(files / "link");
  write(out, "new");
  out.commit();
  BOOST_TEST(std::filesystem::is_symlink(files / "link"));
  BOOST_TEST(read_file(path) == "new");
}

BOOST_AUTO_TEST_CASE(a_name_as_long_as_possible_works) {
  const temporary_directory files;
  const std::string name(255, 'x');
  output_file out(files / name);
  out.commit();
  BOOST_TEST(std::filesystem::exists(files / name));
}

BOOST_AUTO_TEST_CASE(two_at_once_do_not_meet) {
  const temporary_directory files;
  output_file a(files / "a"), b(files / "b");
  write(a, "a");
  write(b, "b");
  a.commit();
  b.commit();
  BOOST_TEST(read_file(files / "a") + read_file(files / "b") == "ab");
}

BOOST_AUTO_TEST_CASE(errors_name_the_file) {
  const temporary_directory files;
  const auto expect = [](const std::filesystem::path& path, int number) {
    BOOST_CHECK_EXCEPTION(output_file{path}, file_error, [&](const file_error& why) {
      return why.file() == path.string() && why.code().value() == number;
    });
  };
  expect(files.path(), EISDIR);
  expect(files / "gone" / "o", ENOENT);
  expect(files.file("f", "") / "o", ENOTDIR);
}

BOOST_AUTO_TEST_CASE(a_device_is_written_as_it_is) {
  output_file out("/dev/null");
  write(out, "abc");
  out.commit();
  BOOST_TEST(std::filesystem::is_character_file("/dev/null"));
  output_file full("/dev/full");
  BOOST_CHECK_THROW(write(full, "abc"), file_error);
}

BOOST_AUTO_TEST_SUITE_END()
