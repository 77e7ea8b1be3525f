// SPDX-License-Identifier: Apache-2.0
#include "edit/output/output_set.hpp"

#include <sys/resource.h>

#include <boost/test/unit_test.hpp>
#include <iterator>
#include <support/temporary.hpp>
#include <vector>

using namespace tgmap_test;
using tgmap::edit::output_fault;
using tgmap::edit::output_set;
using tgmap::edit::write_error;

namespace {

struct set_fixture {
  temporary_directory files;

  std::string path(std::string_view name) const { return (files / name).string(); }
  std::size_t count() const {
    const std::filesystem::directory_iterator all(files.path());
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
  }
  static void write(output_set::output& to, std::string_view text) { to.write(span_of(text)); }
  static bool is_fault(const write_error& why, output_fault::kind what, const std::string& name) {
    return why.fault().what == what && why.fault().name == name;
  }

  /// Checks that `name` cannot be opened, and why. `fault` is the file at fault.
  void expect(output_set& all, std::string_view name, bool make_folders, output_fault::kind what, int number,
              std::string_view fault) const {
    BOOST_CHECK_EXCEPTION(all.open(path(name), make_folders), write_error, [&](const write_error& why) {
      return is_fault(why, what, path(fault)) && why.code().value() == number;
    });
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(output_sets, set_fixture)

BOOST_AUTO_TEST_CASE(nothing_is_there_before_all_of_it_is) {
  files.file("a", "old");
  output_set all({});
  write(all.open(path("a")), "1");
  write(all.open(path("b")), "2");
  write(all.open(path("a")), "3");
  BOOST_TEST(read_file(files / "a") == "old");
  BOOST_TEST(count() == 1u);
  all.commit();
  BOOST_TEST(read_file(files / "a") == "13");
  BOOST_TEST(read_file(files / "b") == "2");
  BOOST_TEST(all.open(path("a")).bytes_written() == 2u);
}

BOOST_AUTO_TEST_CASE(two_names_of_a_file_are_one_output) {
  std::filesystem::create_directory(files / "d");
  std::filesystem::create_symlink("d", files / "e");
  std::filesystem::create_symlink("d/a", files / "link");
  output_set all({});
  auto& one = all.open(path("d/a"));
  for (const char* name : {"d/../d/a", "e/a", "link", "d//a"}) BOOST_TEST(&all.open(path(name)) == &one, name);
  BOOST_TEST(&all.open(path("a")) != &one);
  BOOST_TEST(one.name() == path("d/a"));
}

BOOST_AUTO_TEST_CASE(any_number_of_files_takes_turns) {
  constexpr int number = 300;
  output_set all({.sync = false});
  for (int round = 0; round < 3; ++round)
    for (int i = 0; i < number; ++i) write(all.open(path(std::to_string(i))), std::to_string(i * 10 + round) + " ");
  const std::filesystem::directory_iterator open("/proc/self/fd");
  BOOST_TEST(std::distance(begin(open), end(open)) < 100);
  all.commit();
  BOOST_TEST(count() == number);
  for (int i = 0; i < number; ++i) {
    const std::string n = std::to_string(i * 10),
                      expected = n + " " + std::to_string(i * 10 + 1) + " " + std::to_string(i * 10 + 2) + " ";
    BOOST_TEST(read_file(files / std::to_string(i)) == expected);
  }
}

BOOST_AUTO_TEST_CASE(names_are_swapped_while_100_are_open) {
  constexpr int number = 100;
  const temporary_directory elsewhere;
  const auto name = [&](int i) { return path("o" + std::to_string(i)); };
  {
    output_set all({});
    for (int i = 0; i < number; ++i) write(all.open(name(i)), "first");
    std::size_t swapped = 0;
    for (const auto& each :
         std::vector(begin(std::filesystem::directory_iterator(files.path())), std::filesystem::directory_iterator())) {
      const auto victim = elsewhere.file("victim" + std::to_string(swapped++), "kept");
      std::filesystem::remove(each.path());
      std::filesystem::create_symlink(victim, each.path());
    }
    BOOST_TEST(swapped >= 36u);  // those beyond 64
    std::size_t refused = 0;
    for (int i = 0; i < number; ++i) try {
        write(all.open(name(i)), "second");
      } catch (const write_error& why) {
        BOOST_TEST(why.fault().name == name(i));
        ++refused;
      }
    BOOST_TEST(refused >= swapped);
    BOOST_CHECK_THROW(all.commit(), write_error);
  }
  for (const auto& each : std::filesystem::directory_iterator(elsewhere.path()))
    BOOST_TEST(read_file(each.path()) == "kept");
  for (const auto& each : std::filesystem::directory_iterator(files.path()))
    BOOST_TEST(!each.path().filename().string().starts_with(".tgmap-"));
}

BOOST_AUTO_TEST_CASE(a_folder_is_swapped_while_100_are_open) {
  constexpr int number = 100;
  const temporary_directory elsewhere;
  std::filesystem::create_directory(files / "d");
  output_set all({});
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < number; ++i) write(all.open(path("d/" + std::to_string(i))), std::to_string(round));
    if (round == 1) continue;
    std::filesystem::rename(files / "d", files / "e");
    std::filesystem::create_directory_symlink(elsewhere.path(), files / "d");
  }
  all.commit();
  BOOST_TEST(std::filesystem::is_empty(elsewhere.path()));
  for (int i = 0; i < number; ++i) BOOST_TEST(read_file(files / "e" / std::to_string(i)) == "01");
}

BOOST_AUTO_TEST_CASE(more_folders_than_files_may_be_open) {
  constexpr int number = 300;
  rlimit usual{};
  BOOST_TEST_REQUIRE(::getrlimit(RLIMIT_NOFILE, &usual) == 0);
  if (usual.rlim_max < 1024) return;
  rlimit few = usual;
  few.rlim_cur = 200;
  BOOST_TEST_REQUIRE(::setrlimit(RLIMIT_NOFILE, &few) == 0);
  {
    output_set all({.sync = false});
    for (int round = 0; round < 2; ++round)
      for (int i = 0; i < number; ++i) write(all.open(path(std::to_string(i) + "/o"), true), std::to_string(round));
    all.commit();
  }
  ::setrlimit(RLIMIT_NOFILE, &usual);
  for (int i = 0; i < number; ++i) BOOST_TEST(read_file(files / std::to_string(i) / "o") == "01");
}

BOOST_AUTO_TEST_CASE(outputs_for_two_files_never_share_one) {
  std::filesystem::create_symlink("a", files / "link");
  output_set all({});
  auto& one = all.open_distinct(path("a"));
  BOOST_TEST(&all.open_distinct(path("a")) == &one);
  BOOST_CHECK_EXCEPTION(all.open_distinct(path("link")), write_error, [&](const write_error& why) {
    return is_fault(why, output_fault::kind::same_file, path("link")) && why.fault().other == path("a");
  });
  BOOST_CHECK_NO_THROW(all.open_distinct(path("b")));
}

BOOST_AUTO_TEST_CASE(removed_outputs_are_not_written) {
  output_set all({});
  write(all.open(path("a")), "1");
  write(all.open(path("b")), "2");
  all.remove(all.open(path("a")));
  all.commit();
  BOOST_TEST(!std::filesystem::exists(files / "a"));
  BOOST_TEST(read_file(files / "b") == "2");
}

BOOST_AUTO_TEST_CASE(removed_and_created_again) {
  output_set all({});
  write(all.open(path("a")), "1");
  all.remove(all.open(path("a")));
  write(all.open(path("a")), "2");
  all.commit();
  BOOST_TEST(read_file(files / "a") == "2");
}

BOOST_AUTO_TEST_CASE(no_clobber_refuses_what_is_there) {
  files.file("a", "old");
  output_set all({.replace = false});
  const auto names_it = [&](const write_error& why) { return is_fault(why, output_fault::kind::exists, path("a")); };
  BOOST_CHECK_EXCEPTION(all.open(path("a")), write_error, names_it);
  BOOST_CHECK_EXCEPTION(all.check_overwrite(path("a")), write_error, names_it);
  write(all.open("/dev/null"), "a device is no file that could be lost");
  write(all.open(path("b")), "1");
  all.commit();
  BOOST_TEST(read_file(files / "a") == "old");
  BOOST_TEST(read_file(files / "b") == "1");
}

BOOST_AUTO_TEST_CASE(a_dry_run_makes_nothing_and_refuses_as_ever) {
  files.file("a", "old");
  output_set all({.replace = false, .dry_run = true});
  auto& b = all.open(path("deep/er/b"), true);
  write(b, "12");
  b.add_written(3);
  BOOST_TEST(b.bytes_written() == 5u);
  BOOST_TEST(b.descriptor() == -1);
  BOOST_CHECK_THROW(all.open(path("a"), true), write_error);
  BOOST_TEST(count() == 1u);
}

BOOST_AUTO_TEST_CASE(a_dry_run_promises_no_file_that_could_not_be_made) {
  files.file("f", "");
  output_set all({.dry_run = true});
  expect(all, "d/a", false, output_fault::kind::no_folder, ENOENT, "d/a");
  expect(all, "f/a", false, output_fault::kind::failed, ENOTDIR, "f/a");
  expect(all, "f/a", true, output_fault::kind::failed, ENOTDIR, "f/a");
  expect(all, "f/d/e/a", true, output_fault::kind::failed, ENOTDIR, "f/d/e");
  BOOST_CHECK_EXCEPTION(all.open(files.path().string()), write_error,
                        [](const write_error& why) { return why.code() == std::errc::is_a_directory; });
  for (const std::string& name : {path("a"), path("f"), std::string("/dev/null"), std::string("-")}) all.open(name);
  all.open(path("d/e/a"), true);
  BOOST_TEST(count() == 1u);
}

BOOST_AUTO_TEST_CASE(folders_are_made_where_that_is_wanted) {
  output_set all({});
  expect(all, "d/e/a", false, output_fault::kind::no_folder, ENOENT, "d/e/a");
  write(all.open(path("d/e/a"), true), "1");
  all.commit();
  BOOST_TEST(read_file(files / "d" / "e" / "a") == "1");
  files.file("f", "");
  expect(all, "f/a", true, output_fault::kind::failed, ENOTDIR, "f");
}

BOOST_AUTO_TEST_CASE(files_are_replaced_only_with_consent) {
  files.file("a", "old");
  files.file("b", "old");
  std::vector<std::string> asked;
  output_set all({.may_replace = [&](const std::filesystem::path& name) {
    asked.push_back(name.string());
    return name == path("b");
  }});
  BOOST_CHECK_EXCEPTION(all.open(path("a")), write_error,
                        [&](const write_error& why) { return is_fault(why, output_fault::kind::declined, path("a")); });
  write(all.open(path("b")), "new");
  all.check_overwrite(path("b"));
  write(all.open(path("c")), "1");
  all.commit();
  BOOST_TEST((asked == std::vector{path("a"), path("b")}));
  BOOST_TEST(read_file(files / "a") == "old");
  BOOST_TEST(read_file(files / "b") == "new");
}

BOOST_AUTO_TEST_CASE(outputs_are_shown_before_they_are_written) {
  std::string seen;
  output_set all({}, {.opened = [&](const std::string& name, int descriptor) {
                   BOOST_TEST(descriptor >= 0);
                   seen = name;
                 }});
  write(all.open(path("a")), "1");
  BOOST_TEST(seen == path("a"));
  BOOST_TEST(all.bytes_in_place() == 0u);
  write(all.open("/dev/null"), "123");
  BOOST_TEST(all.bytes_in_place() == 3u);
}

BOOST_AUTO_TEST_CASE(the_index_of_a_replaced_file_is_removed) {
  files.file("a.tgm", "old");
  files.file("a.tgm.tgx", "not an index");
  std::string said;
  output_set all({.index_removed = [&](const std::filesystem::path& name, const tgmap::failure& why) {
    said = name.string() + (why ? " failed" : "");
  }});
  write(all.open(path("a.tgm")), "1");
  all.commit();
  BOOST_TEST(said == "");
  BOOST_TEST(read_file(files / "a.tgm.tgx") == "not an index");  // no index, so it is not removed
  output_set indexed({.write_index = true});
  BOOST_CHECK_EXCEPTION(indexed.open("/dev/null"), write_error, [&](const write_error& why) {
    return is_fault(why, output_fault::kind::no_index, "/dev/null");
  });
}

BOOST_AUTO_TEST_CASE(what_is_complete_is_told) {
  output_set all({.replace = false});
  write(all.open(path("a")), "1");
  write(all.open(path("b")), "2");
  files.file("b", "taken meanwhile");
  BOOST_CHECK_EXCEPTION(all.commit(), write_error, [&](const write_error& why) {
    return is_fault(why, output_fault::kind::failed, path("b")) && why.code() == std::errc::file_exists &&
           why.fault().complete == std::vector{path("a")};
  });
}

BOOST_AUTO_TEST_SUITE_END()
