// SPDX-License-Identifier: Apache-2.0
// Copies are complete or absent, whatever system calls fail.
#include <boost/test/unit_test.hpp>
#include <support/builder.hpp>

#include "faults.hpp"

using namespace tgmap_test;

namespace {

struct two_archives {
  temporary_directory files;
  bytes a = large_message(300000, 1) + large_message(1000, 2), b = large_message(200001, 3);
  bytes all = a + b;

  two_archives() {
    files.file("a", a);
    files.file("b", b);
    files.file("o", "old");
  }
  outcome copy(const std::string& faults) const { return run_with_faults(files.path(), "copy a b o", faults); }

  void expect_whole(const std::string& faults) const {
    files.file("o", "old");
    const outcome seen = copy(faults);
    BOOST_TEST(seen.status == 0, faults << ": " << seen.err);
    BOOST_TEST(seen.err == "", faults);
    BOOST_TEST((read_file(files / "o") == all), faults);
    BOOST_TEST(contents_of(files.path()).size() == 3u, faults);
  }
  void expect_nothing(const std::string& faults, const std::string& text) const {
    files.file("o", "old");
    const outcome seen = copy(faults);
    BOOST_TEST(seen.status == 1, faults);
    BOOST_TEST(seen.err.find("tgmap: o: ") != std::string::npos, faults << ": " << seen.err);
    BOOST_TEST(seen.err.find(text) != std::string::npos, faults << ": " << seen.err);
    BOOST_TEST(seen.out == "", faults);
    BOOST_TEST((read_file(files / "o") == "old"));
    BOOST_TEST(contents_of(files.path()).size() == 3u, faults);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(copy_faults, two_archives)

BOOST_AUTO_TEST_CASE(large_ranges_are_copied_by_the_kernel) {
  const auto calls = calls_of(files.path(), "copy a b o");
  BOOST_TEST(calls.at("copy_file_range") == 2);  // one for each archive: what follows each other is one range
  BOOST_TEST(calls.count("write") == 0u);
  BOOST_TEST((read_file(files / "o") == all));
}

BOOST_AUTO_TEST_CASE(other_ranges_are_copied_through_memory) {
  for (const std::string error : {"EXDEV", "EINVAL", "EOPNOTSUPP", "ENOSYS", "EPERM", "EBADF", "EIO", "nothing"}) {
    expect_whole("copy_file_range:*:" + error);
    expect_whole("copy_file_range:0:short,copy_file_range:1:" + error);  // in the middle of a range
    BOOST_TEST(calls_of(files.path(), "copy a b o", "copy_file_range:*:" + error).at("write") == 2);
  }
}

BOOST_AUTO_TEST_CASE(short_and_interrupted_calls_are_continued) {
  for (const int n : {0, 1, 2}) {
    expect_whole("copy_file_range:" + std::to_string(n) + ":short");
    expect_whole("copy_file_range:" + std::to_string(n) + ":EINTR");
  }
  expect_whole("copy_file_range:0:short,copy_file_range:1:short,copy_file_range:2:short,copy_file_range:3:EINTR");
  expect_whole("copy_file_range:*:EXDEV,write:0:short,write:1:EINTR,write:2:short");
}

BOOST_AUTO_TEST_CASE(a_full_disk_leaves_nothing) {
  expect_nothing("copy_file_range:0:ENOSPC", "No space left on device; make room");
  expect_nothing("copy_file_range:1:EDQUOT", "quota");
  expect_nothing("copy_file_range:*:EXDEV,write:1:ENOSPC", "No space left on device; make room");
  expect_nothing("fsync:0:EIO", "Input/output error");
  expect_nothing("fsync:0:ENOSPC", "No space left on device");
}

BOOST_AUTO_TEST_CASE(without_o_tmpfile_named_files_are_used) {
  for (const std::string error : {"EOPNOTSUPP", "EINVAL", "EPERM", "EACCES", "EIO"}) {
    expect_whole("tmpfile:0:" + error);
    expect_whole("linkat:*:" + error);  // as without /proc: the bytes are copied to a named file
    expect_nothing("copy_file_range:0:ENOSPC,tmpfile:*:" + error, "No space left");
    expect_nothing("rename:0:EIO,tmpfile:*:" + error, "Input/output error");
  }
  expect_nothing("tmpfile:0:EINVAL,open:0:EPERM", "Operation not permitted");
  expect_nothing("rename:0:EPERM", "Operation not permitted");
  expect_nothing("linkat:*:EPERM,write:0:ENOSPC", "No space left");
  expect_nothing("linkat:*:EPERM,open:0:EPERM", "Operation not permitted");
}

BOOST_AUTO_TEST_CASE(file_systems_of_clusters_and_containers) {
  for (const std::string error : {"EPERM", "ENOSYS"}) expect_whole("statx:*:" + error);  // old filters of system calls
  expect_whole("proc:*:EACCES");
  expect_whole("proc:*:EACCES,statx:*:EPERM");
}

BOOST_AUTO_TEST_CASE(without_locks_nothing_is_left) {
  for (const std::string error : {"ENOSYS", "ENOLCK", "EOPNOTSUPP", "524", "EINVAL", "EPERM"}) {
    const outcome seen = run_with_faults(files.path(), "append new a", "flock:*:" + error);
    BOOST_TEST(seen.status == 1, error);
    BOOST_TEST(seen.err.find("new: the archive cannot be locked") != std::string::npos, seen.err);
    BOOST_TEST(seen.err.find("add --no-lock") != std::string::npos, seen.err);
    BOOST_TEST(contents_of(files.path()).size() == 3u, error);
    BOOST_TEST(run_with_faults(files.path(), "append --no-lock new a", "flock:*:" + error).status == 0, error);
    BOOST_TEST((read_file(files / "new") == a));
    std::filesystem::remove(files / "new");
  }
  const outcome other = run_with_faults(files.path(), "append new a", "flock:*:EIO");
  BOOST_TEST(other.err.find("Input/output error") != std::string::npos, other.err);
}

BOOST_AUTO_TEST_CASE(files_whose_numbers_change) {
  const std::string faults = "number:*:EIO";
  expect_whole(faults + ",tmpfile:*:EINVAL");
  BOOST_TEST(run_with_faults(files.path(), "append new a b", faults).status == 0);
  BOOST_TEST((read_file(files / "new") == all));
}

BOOST_AUTO_TEST_CASE(a_limit_on_sizes_is_an_error_and_no_signal) {
  const outcome seen = shell("cd '" + files.path().string() + "' && ulimit -f 600 && exec \"$TGMAP\" copy a b o");
  BOOST_TEST(seen.status == 1);
  BOOST_TEST(seen.err.find("tgmap: o: File too large; allow larger files") != std::string::npos, seen.err);
  BOOST_TEST((read_file(files / "o") == "old"));
  BOOST_TEST(contents_of(files.path()).size() == 3u);
}

BOOST_AUTO_TEST_CASE(a_disk_that_is_really_full) {
  const std::string place =
      "mkdir -p '" + (files / "m").string() + "' && mount -t tmpfs -o size=256k none '" + (files / "m").string() + "'";
  if (shell("unshare -m sh -c \"" + place + "\"").status != 0) {
    BOOST_TEST_MESSAGE("SKIPPED: a file system of 256 KiB (nothing may be mounted here)");
    return;
  }
  const outcome seen = shell("exec unshare -m sh -c \"" + place + " && cd '" + files.path().string() +
                             "' && echo old > m/o; '$TGMAP' copy a b m/o; echo \\$?; cat m/o; ls -A m\"");
  BOOST_TEST(seen.out == "1\nold\no\n");
  BOOST_TEST(seen.err.find("m/o: No space left on device; make room") != std::string::npos, seen.err);
}

BOOST_AUTO_TEST_CASE(no_clobber_is_checked_at_the_end) {
  std::filesystem::remove(files / "o");
  for (const std::string faults : {"", "tmpfile:*:EINVAL", "tmpfile:*:EINVAL,renameat2:*:EINVAL"}) {
    BOOST_TEST(run_with_faults(files.path(), "copy --no-clobber a b o", faults).status == 0, faults);
    BOOST_TEST((read_file(files / "o") == all), faults);
    BOOST_TEST(contents_of(files.path()).size() == 3u, faults);
    std::filesystem::remove(files / "o");
  }
  for (const std::string faults : {"", "tmpfile:*:EINVAL", "tmpfile:*:EINVAL,renameat2:*:EINVAL"}) {
    const outcome seen = run_with_faults(files.path(), "copy --no-clobber a b o", "fsync:0:make=o," + faults);
    BOOST_TEST(seen.status == 1, faults);
    BOOST_TEST(seen.err.find("tgmap: o: File exists; ") != std::string::npos, seen.err);
    BOOST_TEST((read_file(files / "o") == ""), faults);  // as another made it meanwhile
    BOOST_TEST(contents_of(files.path()).size() == 3u, faults);
    std::filesystem::remove(files / "o");
  }
}

BOOST_AUTO_TEST_CASE(many_files_are_synced_together) {
  const auto calls = calls_of(files.path(), "copy a a a a 'out/[index].tgm'");
  BOOST_TEST(calls.at("syncfs") == 1);
  BOOST_TEST(calls.at("fsync") == 1);  // the folder
  const auto few = calls_of(files.path(), "copy a b o");
  BOOST_TEST(few.at("fsync") == 2);
  BOOST_TEST(few.count("syncfs") == 0u);
  const auto none = calls_of(files.path(), "copy --no-sync a a a a 'out/[index].tgm'");
  BOOST_TEST(none.count("fsync") + none.count("syncfs") == 0u);
}

// Of 100 outputs 36 are closed in between; meanwhile their temporary names have been replaced by links.
BOOST_AUTO_TEST_CASE(replaced_links_are_not_followed) {
  const temporary_directory folder, elsewhere;
  const auto victim = elsewhere.file("victim", "kept");
  bytes rounds;
  for (int round = 0; round < 2; ++round)
    for (int i = 0; i < 100; ++i)
      rounds += message({.objects = {bytes_object(bytes(70000, static_cast<char>('a' + round)))},
                         .base = {cbor::map({cbor::key("k", cbor::integer(i))})}});
  folder.file("in", rounds);
  for (const std::string named : {"", ",tmpfile:*:EOPNOTSUPP"}) {
    const outcome seen =
        run_with_faults(folder.path(), "copy -f in '[k].tgm'", "copy_file_range:150:swap=" + victim.string() + named);
    BOOST_TEST(seen.status == 1);
    BOOST_TEST(seen.err.find("was removed or replaced; run the command again") != std::string::npos, seen.err);
    BOOST_TEST(read_file(victim) == "kept");
    BOOST_TEST(contents_of(folder.path()).size() == 1u);  // no output, and nothing temporary
  }
  BOOST_TEST(run_with_faults(folder.path(), "copy in '[k].tgm'", "").status == 0);
  BOOST_TEST(contents_of(folder.path()).size() == 101u);
}

BOOST_AUTO_TEST_SUITE_END()
