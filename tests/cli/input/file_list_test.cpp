// SPDX-License-Identifier: Apache-2.0
// Lists of files: @LIST and --from LIST, in every verb that takes several files.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <support/shared_data.hpp>

#include "../process.hpp"
#include "../samples.hpp"
#include "cli/command/command.hpp"
#include "cli/command/option_model.hpp"

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(file_lists)

namespace {

using words = std::vector<std::string>;

/// A call of a verb: the words before its files, its files, and the words after them.
struct call {
  words before, files, after{};
};

const std::vector<call> calls{
    {{"info"}, {"a.tgm", "b.tgm"}},
    {{"ls"}, {"a.tgm:0", "b.tgm"}},
    {{"ls", "-p", "dtype"}, {"a.tgm", "b.tgm"}},
    {{"get", "-p", "@offset"}, {"a.tgm", "b.tgm"}},
    {{"count"}, {"a.tgm", "b.tgm"}},
    {{"stats"}, {"a.tgm", "b.tgm"}},
    {{"show"}, {"a.tgm:0:0", "a.tgm:0:1[1:]"}},
    {{"extract", "--json", "-o", "out/"}, {"a.tgm", "b.tgm:0:0[:1]"}},
    {{"create", "-n", "--json", "made.tgm"}, {"x.npy", "y.npy"}},
    {{"copy", "-n", "--json"}, {"a.tgm", "b.tgm"}, {"c.tgm"}},
    {{"merge", "-n", "--json", "-o", "c.tgm"}, {"a.tgm", "a.tgm"}},
    {{"append", "-n", "--json", "c.tgm"}, {"a.tgm", "b.tgm"}},
    {{"send", "--timeout", "0", "--to", "ipc://nobody"}, {"a.tgm", "b.tgm"}},
    {{"dump"}, {"a.tgm", "b.tgm"}},
    {{"du"}, {"a.tgm", "b.tgm"}},
    {{"validate"}, {"a.tgm", "b.tgm"}},
    {{"explain", "--json"}, {"a.tgm:0", "b.tgm:0"}},
    {{"cube", "--json", "--duplicates", "first"}, {"a.tgm", "b.tgm"}},
    {{"index", "create", "--no-sync"}, {"a.tgm", "b.tgm"}},
    {{"index", "update", "--no-sync"}, {"a.tgm", "b.tgm"}},
    {{"index", "check"}, {"a.tgm", "b.tgm"}},
    {{"index", "show"}, {"a.tgm", "b.tgm"}},
    {{"index", "drop"}, {"c.tgm", "d.tgm"}},
    {{"import", "grib", "-n", "--json", "-o", "c.tgm"}, {"g.grib", "h.grib"}},
    {{"export", "grib", "-n", "--json", "-o", "c.grib"}, {"a.tgm", "b.tgm"}},
    {{"tens", "show"}, {"p.frame", "q.frame"}},
    {{"tens", "import", "-n", "--json", "-o", "c.tgm"}, {"p.frame", "q.frame"}},
    {{"tens", "export", "-n", "--json", "-o", "out/"}, {"a.tgm:0", "b.tgm:0"}},
    {{"constant", "check"}, {"t.json", "u.json"}},
    {{"constant", "import", "-n", "--json", "-o", "c.tgm"}, {"t.json", "u.json"}},
};

/// Verbs whose output has times.
bool changes(const std::string& verb) { return verb == "explain" || verb == "send"; }

bool has_verb(const std::string& verb) {
  if (verb == "tens" || verb == "send") return has_zeromq_or_skip("lists of " + verb);
  return verb != "constant" || has_simdjson_or_skip("lists of " + verb);
}

/// A folder with the files, which is the working folder.
struct list_samples {
  list_samples() {
    files.file("a.tgm", two_objects());
    files.file("b.tgm", old_message());
    files.file("g.grib", read_file(test_data() / "grib/simple_16.grib"));
    files.file("h.grib", read_file(test_data() / "grib/ccsds_12.grib"));
    for (const char* const frame : {"p.frame", "q.frame"})
      files.file(frame, read_file(test_data() / "tens/plain.frame"));
    for (const char* const table : {"t.json", "u.json"})
      files.file(table, read_file(test_data() / "constants/table.json"));
    std::filesystem::current_path(files.path());
    run({"extract", "a.tgm:0:0", "-o", "x.npy"});
    run({"extract", "a.tgm:0:1", "-o", "y.npy"});
  }
  ~list_samples() { std::filesystem::current_path(before); }
  list_samples(const list_samples&) = delete;
  list_samples& operator=(const list_samples&) = delete;

  std::filesystem::path before = std::filesystem::current_path();
  temporary_directory files;
};

std::string lines(const words& of) {
  std::string out;
  for (const std::string& each : of) out += each + "\n";
  return out;
}

words joined(std::initializer_list<words> parts) {
  words out;
  for (const words& each : parts) out.insert(out.end(), each.begin(), each.end());
  return out;
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(every_verb_takes_the_files_of_a_list, list_samples) {
  for (const call& each : calls) {
    if (!has_verb(each.before.front())) continue;
    BOOST_TEST_CONTEXT(each.before.front() << " " << each.before.back()) {
      files.file("list", lines(each.files));
      files.file("second", "\n" + each.files.back() + "\r\n");
      const words first{each.files.front()};
      const outcome wanted = run(joined({each.before, each.files, each.after}));
      for (const outcome& seen : {run(joined({each.before, {"@list"}, each.after})),
                                  run(joined({each.before, {"--from", "list"}, each.after})),
                                  run(joined({each.before, {"--from", "-"}, each.after}), lines(each.files)),
                                  run(joined({each.before, first, {"@second"}, each.after})),
                                  run(joined({each.before, first, {"--from", "second"}, each.after}))}) {
        BOOST_TEST(seen.status == wanted.status);
        if (changes(each.before.front())) continue;
        BOOST_TEST(seen.out == wanted.out);
        BOOST_TEST(seen.err == wanted.err);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(every_verb_with_several_files_is_tried) {
  tgmap::cli::session of_command;
  tgmap::cli::command command(of_command);
  const auto check = [](const words& path, const tgmap::cli::verb_model& verb) {
    const bool takes_several = std::any_of(verb.options.begin(), verb.options.end(), [](const auto& each) {
      return each.repeated && (each.names.front() == "FILE" || each.names.front() == "FRAME");
    });
    const bool is_tried = std::any_of(calls.begin(), calls.end(), [&](const call& each) {
      return std::equal(path.begin(), path.end(), each.before.begin());
    });
    BOOST_TEST(is_tried == takes_several, path.back());
  };
  for (const auto& verb : tgmap::cli::verbs_of(command.app())) {
    if (verb.verbs.empty()) check({verb.name}, verb);
    for (const auto& below : verb.verbs) check({verb.name, below.name}, below);
  }
}

BOOST_FIXTURE_TEST_CASE(the_output_and_the_archive_that_grows_are_not_in_the_list, list_samples) {
  files.file("list", "a.tgm\nb.tgm\n");
  BOOST_TEST(run({"copy", "--from", "list", "c.tgm"}).out.starts_with("c.tgm: 2 messages, "));
  BOOST_TEST(run({"append", "c.tgm", "@list"}).out.starts_with("c.tgm: 2 messages added, "));
  BOOST_TEST(run({"count", "c.tgm"}).out == "4\n");
  BOOST_TEST(run({"copy", "--from", "list"}).status == 2);
}

BOOST_FIXTURE_TEST_CASE(wrong_lists_are_errors, list_samples) {
  files.file("list", "a.tgm\n-\n");
  files.file("empty", "\n\r\n");
  const auto error_of = [](const words& arguments, int status) {
    const outcome seen = run(arguments, "a.tgm\n");
    BOOST_TEST(seen.status == status, seen.err);
    BOOST_TEST(seen.out == "");
    return seen.err;
  };
  BOOST_TEST(error_of({"count", "--from", "none"}, 1) == "tgmap: none: No such file or directory; check the name\n");
  BOOST_TEST(error_of({"count", "--from", "a.tgm"}, 1) ==
             "tgmap: a.tgm: is not a list of addresses: it has zero bytes; name an archive without @ and --from\n");
  BOOST_TEST(error_of({"count", "@empty"}, 2) == "tgmap: the list 'empty' names no files; write one address a line\n");
  for (const words& twice :
       {words{"count", "--from", "-", "-"}, words{"count", "@-", "@-"}, words{"count", "-", "@list"}})
    BOOST_TEST(error_of(twice, 2) ==
               "tgmap: standard input can be read only once; save the list or the archive to a file first\n");
  for (const words& one : {words{"set", "-s", "a=1", "@list", "c.tgm"}, words{"split", "@list", "-o", "c.tgm"},
                           words{"diff", "@list", "a.tgm"}})
    BOOST_TEST(error_of(one, 2) ==
               "tgmap: '@list' is a list of files, which can be used only where several files can; name an archive\n");
}

BOOST_FIXTURE_TEST_CASE(a_file_with_that_name_is_no_list, list_samples) {
  files.file("list", "a.tgm\n");
  files.file("@list", old_message() + old_message());
  BOOST_TEST(run({"count", "@list"}).out == "2\n");
  files.file("names", "@list\n");
  BOOST_TEST(run({"count", "@names"}).out == "2\n");
}

BOOST_AUTO_TEST_SUITE_END()
