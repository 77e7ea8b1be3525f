// SPDX-License-Identifier: Apache-2.0
// What people read if an output cannot be written.
#include "cli/app/write_error_text.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cerrno>

#include "cli/app/cli_error.hpp"
#include "cli/app/output.hpp"

using tgmap::errc;
using tgmap::cli::cli_error;
using tgmap::cli::file_error;
using tgmap::cli::throw_in_words;
using tgmap::cli::usage_error;
using tgmap::edit::output_fault;
using tgmap::edit::system_failure;
using kind = output_fault::kind;

namespace {

/// Returns the whole line.
std::string words_of(const output_fault& of) try { throw_in_words(of); } catch (const cli_error& why) {
  return why.file() + ": " + why.what() + "; " + why.next_step();
} catch (const usage_error& why) {
  return why.what();
} catch (const file_error& why) {
  return why.file() + ": error " + std::to_string(why.code().value());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(write_error_texts)

BOOST_AUTO_TEST_CASE(failures_of_the_system) {
  BOOST_TEST(words_of({.why = system_failure(ENOSPC), .name = "o"}) == "o: error " + std::to_string(ENOSPC));
  output_fault folder{.why = system_failure(EACCES), .name = "d/o"};
  folder.why.argument = "the folder";
  folder.where.path = "d/o";
  BOOST_TEST(words_of(folder) ==
             "d/o: its folder 'd' cannot be written: Permission denied; check the permissions of the file and of its "
             "directories");
  output_fault pipe{.why = system_failure(EPIPE), .name = "-"};
  BOOST_TEST(words_of(pipe) == "-: error " + std::to_string(EPIPE));
  pipe.where.inherited_descriptor = STDOUT_FILENO;
  BOOST_CHECK_THROW(throw_in_words(pipe), tgmap::cli::closed_pipe);
  BOOST_CHECK_THROW(throw_in_words({.why = {.code = errc::out_of_memory}}), tgmap::error);
}

BOOST_AUTO_TEST_CASE(files_of_others) {
  output_fault of{.why = {.code = errc::foreign_file}, .name = "o"};
  of.where.path = "o";
  BOOST_TEST(words_of(of) ==
             "o: is a file of another user in a folder that everybody may write to; choose another name, or "
             "a folder of your own");
  of.where.path = "t/link";
  of.where.status.mode = S_IFLNK;
  BOOST_TEST(words_of(of) ==
             "o: its path leads over 't/link', which is a link of another user in a folder that everybody "
             "may write to; name the file that it leads to, or a file in a folder of your own");
  BOOST_TEST(words_of({.why = {.code = errc::output_changed}, .name = "o"}) ==
             "o: its temporary file was removed or replaced; run the command again when nobody else changes the "
             "folder, or use another folder");
}

BOOST_AUTO_TEST_CASE(names_and_folders) {
  BOOST_TEST(words_of({.what = kind::folder_name, .name = "d/"}) == "d/: is the name of a folder; name a file in it");
  BOOST_TEST(words_of({.what = kind::no_folder, .name = "d/o", .other = "d"}) ==
             "d/o: the folder 'd' does not exist; create it, or name another file");
  BOOST_TEST(words_of({.what = kind::no_folder, .name = "d/o", .other = "d", .makes_folders = true}) ==
             "d/o: the folder 'd' does not exist; create it, or write 'd/' to have it created");
  BOOST_TEST(words_of({.what = kind::exists, .name = "o"}) ==
             "o: already exists; name another file, or omit --no-clobber to replace it");
  BOOST_TEST(words_of({.what = kind::declined, .name = "o"}) == "o: was not replaced; name another file");
  BOOST_TEST(words_of({.what = kind::same_file, .name = "o", .other = "p"}) ==
             "o: is the same file as 'p'; remove one of the links, or choose other names");
  BOOST_TEST(words_of({.what = kind::no_index, .name = "-"}) ==
             "--write-index needs a file; '-' has no place for an index");
  BOOST_TEST(
      words_of(
          {.what = kind::same_name, .name = "x_y", .differences = {{"[k]", "x/y", "x_y"}, {"", "a", std::nullopt}}}) ==
      "x_y: different messages would be written to one file: [k] is 'x/y' in some and 'x_y' in others, the "
      "archive is 'a' in some and missing in others; add [index] or another key to the name, or select fewer "
      "messages with -w");
}

BOOST_AUTO_TEST_CASE(outputs_that_are_complete_are_listed) {
  output_fault of{.why = system_failure(ENOSPC), .name = "o", .complete = {"a", "b"}};
  BOOST_TEST(words_of(of) ==
             "o: No space left on device; these outputs were written before: a, b; make room and try again");
  of.complete = {"1", "2", "3", "4", "5", "6", "7"};
  BOOST_TEST(words_of(of) ==
             "o: No space left on device; these outputs were written before: 1, 2, 3, 4, 5 and 2 more; "
             "make room and try again");
}

BOOST_AUTO_TEST_SUITE_END()
