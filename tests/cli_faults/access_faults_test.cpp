// SPDX-License-Identifier: Apache-2.0
// Permissions of outputs, and messages about them, when system calls for permissions fail.
#include <sys/stat.h>
#include <sys/xattr.h>

#include <boost/test/unit_test.hpp>
#include <support/access_list.hpp>

#include "faults.hpp"

using namespace tgmap_test;

namespace {

struct one_archive {
  temporary_directory files;
  bytes a = large_message(1000, 1);

  one_archive() {
    files.file("a", a);
    files.file("o", "old");
    ::chmod((files / "o").c_str(), 0664);
  }

  outcome copy(const std::string& faults) const { return run_with_faults(files.path(), "copy -f a o", faults); }

  mode_t mode() const {
    struct stat facts {};
    ::stat((files / "o").c_str(), &facts);
    return facts.st_mode & 07777;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(access_faults, one_archive)

BOOST_AUTO_TEST_CASE(the_group_is_kept_if_the_owner_cannot_be) {
  BOOST_TEST(copy("fchown:0:EPERM").status == 0);
  BOOST_TEST(mode() == 0664u);
  BOOST_TEST(calls_of(files.path(), "copy -f a o", "fchown:0:EPERM").at("fchown") == 2);
  BOOST_TEST((read_file(files / "o") == a));
}

BOOST_AUTO_TEST_CASE(a_changed_group_gets_no_permissions) {
  BOOST_TEST(copy("fchown:*:EPERM").status == 0);
  BOOST_TEST(mode() == 0604u);
}

BOOST_AUTO_TEST_CASE(without_an_access_list_the_group_gets_no_permissions) {
  if (!give_access_list(files / "o", access_list_for_one)) return;  // a file system without lists
  BOOST_TEST(copy("fsetxattr:0:EPERM").status == 0);
  BOOST_TEST(access_list_of(files / "o").empty());
  BOOST_TEST(mode() == (access_list_mode & ~070u));

  BOOST_TEST_REQUIRE(give_access_list(files / "o", access_list_for_one));
  BOOST_TEST(copy("fchown:*:EPERM").status == 0);  // what it says of the group would be of another one
  BOOST_TEST(access_list_of(files / "o").empty());
  BOOST_TEST(mode() == (access_list_mode & ~070u));
}

BOOST_AUTO_TEST_CASE(a_folder_that_cannot_be_listed) {
  const outcome seen = copy("folder:*:EACCES");
  BOOST_TEST(seen.status == 0, seen.err);
  BOOST_TEST((read_file(files / "o") == a));
  const outcome failed = copy("folder:*:EIO");
  BOOST_TEST(failed.status == 1);
}

BOOST_AUTO_TEST_CASE(an_unopenable_file_lists_the_existing_ones) {
  files.file("a", a + a + a);
  for (const char* name : {"0000.tgm", "0001.tgm", "0002.tgm"}) files.file(name, "old");
  const outcome seen = run_with_faults(files.path(), "copy -f a '[index].tgm'", "rename:2:EPERM");
  BOOST_TEST(seen.status == 1);
  BOOST_TEST(
      seen.err.find(
          "tgmap: 0002.tgm: Operation not permitted; these outputs were written before: 0000.tgm, 0001.tgm; check") !=
          std::string::npos,
      seen.err);
  BOOST_TEST((read_file(files / "0001.tgm") == a));
  BOOST_TEST(read_file(files / "0002.tgm") == "old");
  const outcome first = run_with_faults(files.path(), "copy -f a '[index].tgm'", "rename:0:EPERM");
  BOOST_TEST(first.status == 1);
  BOOST_TEST(first.err.find("written before") == std::string::npos, first.err);
}

BOOST_AUTO_TEST_SUITE_END()
