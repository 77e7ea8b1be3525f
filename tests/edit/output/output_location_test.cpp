// SPDX-License-Identifier: Apache-2.0
// Where the names of outputs lead.
#include "edit/output/output_location.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <support/shared_data.hpp>
#include <support/temporary.hpp>

using tgmap::edit::is_standard_output;
using tgmap::edit::locate_output;
using tgmap::edit::named_descriptor;
using tgmap::edit::write_error;
using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(output_locations)

BOOST_AUTO_TEST_CASE(errors_name_the_file) {
  const temporary_directory files;
  const auto expect = [](const std::filesystem::path& path, int number) {
    BOOST_CHECK_EXCEPTION(locate_output(path), write_error, [&](const write_error& why) {
      return why.fault().name == path.string() && why.code().value() == number;
    });
  };
  expect(files.path(), EISDIR);
  expect(files / "gone" / "o", ENOENT);
  expect(files.file("f", "") / "o", ENOTDIR);
}

// As in Linux if fs.protected_symlinks, fs.protected_fifos and fs.protected_regular are 1.
BOOST_AUTO_TEST_CASE(links_and_files_of_others_in_a_shared_folder_are_refused) {
  if (::geteuid() != 0) return say_skipped("links and files of another user", "only root can make them");
  constexpr uid_t other = 12345, third = 54321;
  struct given {
    mode_t folder;
    uid_t of_folder, of_file;
    bool fine;
  };
  const given all[] = {{01777, 0, other, false}, {01777, other, third, false}, {01777, other, other, true},
                       {01777, other, 0, true},  {0777, 0, other, true},       {01755, 0, other, true},
                       {01770, 0, other, true},  {01777, 0, 0, true}};
  for (const given& each : all) {
    const temporary_directory files;
    const auto victim = files.file("victim", "kept"), folder = files / "d";
    std::filesystem::create_directory(folder);
    std::filesystem::create_symlink("../victim", folder / "link");
    std::filesystem::create_symlink("../nothing", folder / "dangling");
    std::filesystem::create_symlink("/dev/stdout", folder / "stdout");
    std::filesystem::create_symlink("d/link", files / "first");
    write_file(folder / "file", "theirs");
    ::mkfifo((folder / "pipe").c_str(), 0666);
    ::chmod(folder.c_str(), each.folder);
    BOOST_TEST_REQUIRE(::chown(folder.c_str(), each.of_folder, 0) == 0);
    for (const auto& in : std::filesystem::directory_iterator(folder))
      BOOST_TEST_REQUIRE(::lchown(in.path().c_str(), each.of_file, 0) == 0);
    const auto refuses = [&](const std::filesystem::path& name, const std::filesystem::path& at_fault, bool is_link) {
      BOOST_TEST_CONTEXT(name << " " << std::oct << each.folder << " " << each.of_folder << " " << each.of_file) {
        if (each.fine) {
          BOOST_CHECK_NO_THROW(locate_output(name));
        } else {
          BOOST_CHECK_EXCEPTION(locate_output(name), write_error, [&](const write_error& why) {
            const auto& of = why.fault();
            return of.why.code == tgmap::errc::foreign_file && of.name == name.string() &&
                   of.where.path.lexically_normal() == at_fault && S_ISLNK(of.where.status.mode) == is_link;
          });
        }
      }
    };
    for (const char* name : {"link", "dangling", "stdout"}) refuses(folder / name, folder / name, true);
    refuses(files / "first", folder / "link", true);
    for (const char* name : {"file", "pipe"}) refuses(folder / name, folder / name, false);
    BOOST_TEST(is_standard_output((folder / "stdout").string()) == each.fine);
    BOOST_CHECK_NO_THROW(locate_output(folder / "new"));
    if (each.fine) BOOST_TEST(locate_output(folder / "link").path.lexically_normal() == victim);
    BOOST_TEST(read_file(victim) == "kept");
  }
}

BOOST_AUTO_TEST_CASE(links_to_descriptors) {
  const temporary_directory files;
  std::filesystem::create_symlink("/dev/stdout", files / "second");
  std::filesystem::create_symlink("second", files / "first");
  std::filesystem::create_symlink("/proc/self/fd/7", files / "seven");
  std::filesystem::create_symlink("-", files / "dash");
  BOOST_TEST(locate_output(files / "first").inherited_descriptor == STDOUT_FILENO);
  BOOST_TEST(is_standard_output((files / "first").string()));
  BOOST_TEST((named_descriptor((files / "seven").string()) == 7));
  BOOST_TEST(locate_output(files / "dash").path == files / "-");  // a file of that name
  BOOST_TEST(!named_descriptor((files / "dash").string()));
  BOOST_TEST(!named_descriptor((files / "gone" / "o").string()));
}

BOOST_AUTO_TEST_CASE(standard_output_has_several_names) {
  for (const char* name : {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}) {
    BOOST_TEST(is_standard_output(name), name);
    BOOST_TEST(locate_output(name).inherited_descriptor == STDOUT_FILENO, name);
  }
  for (const char* name : {"", "./-", "/dev/stderr", "/dev/fd/11", "/dev/fd/", "/dev/fd/1x", "stdout"})
    BOOST_TEST(!is_standard_output(name), name);
  BOOST_TEST(locate_output("/dev/stderr").inherited_descriptor == STDERR_FILENO);
  BOOST_CHECK_THROW(locate_output("/dev/fd/999"), write_error);
}

BOOST_AUTO_TEST_CASE(the_file_that_an_output_overwrites) {
  using tgmap::edit::overwritten_file;
  const temporary_directory files;
  const std::string file = files.file("f", "x").string(), link = (files / "l").string(), gone = (files / "g").string();
  std::filesystem::create_hard_link(file, link);
  BOOST_TEST(overwritten_file(link, false).is(file));
  BOOST_TEST(!overwritten_file(link, true).is(file));  // it is replaced by a temporary file
  BOOST_TEST(!overwritten_file(gone, false).is(file));
  BOOST_TEST(!overwritten_file(gone, false).is(gone));
  BOOST_TEST(!overwritten_file(files.path().string(), false).is(files.path().string()));  // not a regular file
  for (const auto& [flags, is_overwritten] :
       {std::pair(O_RDWR, true), std::pair(O_WRONLY | O_APPEND, false), std::pair(O_RDONLY, false)}) {
    const int descriptor = ::open(file.c_str(), flags);
    const std::string name = "/dev/fd/" + std::to_string(descriptor);
    BOOST_TEST(overwritten_file(name, true).is(link) == is_overwritten);
    ::close(descriptor);
  }
}

BOOST_AUTO_TEST_SUITE_END()
