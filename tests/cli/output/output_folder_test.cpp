// SPDX-License-Identifier: Apache-2.0
// Outputs in folders: a name that ends with "/", or one with keys in brackets, has its folder made.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <support/selection_samples.hpp>

#include "../process.hpp"

using namespace tgmap_test;

namespace {

using words = std::vector<std::string>;

struct folders {
  temporary_directory files{};
  std::string in = files.file("f.tgm", six_messages()).string();
  std::string path(const std::string& name) const { return (files / name).string(); }

  /// Returns the names in a folder, and removes it.
  words taken(const std::string& folder) const {
    words out;
    if (!std::filesystem::exists(files / folder)) return {"no folder"};
    for (const auto& each : std::filesystem::recursive_directory_iterator(files / folder))
      if (!each.is_directory()) out.push_back(each.path().lexically_relative(files / folder).string());
    std::sort(out.begin(), out.end());
    std::filesystem::remove_all(files / folder);
    return out;
  }

  /// Calls of the verbs that choose names in a folder. OUT is the last argument.
  std::vector<words> calls() const {
    std::vector<words> out{
        {"copy", in}, {"split", in, "-o"}, {"split", "--count", "4", in, "-o"}, {"extract", in + ":0", "-o"}};
    if (has_zeromq_or_skip("tens export into folders")) out.push_back({"tens", "export", in + ":0", "-o"});
    return out;
  }
};

words with(words call, const std::string& output) {
  call.push_back(output);
  return call;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(output_folders, folders)

BOOST_AUTO_TEST_CASE(a_slash_makes_the_folder_and_names_are_chosen) {
  BOOST_TEST(run({"copy", in, path("a/b/")}).status == 0);
  BOOST_TEST((taken("a") == words{"b/f.tgm"}));
  BOOST_TEST(run({"split", in + ":..1", "-o", path("a/")}).status == 0);
  BOOST_TEST((taken("a") == words{"f_0000.tgm", "f_0001.tgm"}));
  BOOST_TEST(run({"split", "--count", "4", in, "-o", path("a/")}).status == 0);
  BOOST_TEST((taken("a") == words{"f_0000.tgm", "f_0001.tgm"}));
  BOOST_TEST(run({"split", "--by", "mars.param,mars.step", in + ":..2", "-o", path("a/")}).status == 0);
  BOOST_TEST((taken("a") == words{"f_10u_0.tgm", "f_2t_0.tgm", "f_2t_6.tgm"}));
  BOOST_TEST(run({"extract", in + ":..1", "-o", path("a/")}).status == 0);
  BOOST_TEST((taken("a") == words{"0_0.npy", "1_0.npy"}));
  BOOST_TEST(run({"copy", "-", path("a/")}, six_messages()).status == 0);
  BOOST_TEST((taken("a") == words{"stdin.tgm"}));
  if (!has_zeromq_or_skip("tens export into folders")) return;
  BOOST_TEST(run({"tens", "export", in + ":..1", "-o", path("a/")}).status == 0);
  BOOST_TEST((taken("a") == words{"f_0000.frame", "f_0001.frame"}));
}

BOOST_AUTO_TEST_CASE(a_folder_that_exists_needs_no_slash) {
  for (const words& call : calls()) {
    std::filesystem::create_directory(files / "a");
    BOOST_TEST(run(with(call, path("a"))).status == 0, call.front());
    BOOST_TEST(!taken("a").empty(), call.front());
  }
}

BOOST_AUTO_TEST_CASE(folders_of_patterns_are_made) {
  for (const words& call : calls()) {
    BOOST_TEST(run(with(call, path("a/[mars.param]/[@message]_[index].npy"))).status == 0, call.front());
    BOOST_TEST(taken("a").front().ends_with(".npy"), call.front());
    BOOST_TEST(run(with(call, path("a/[mars.param]/"))).status == 0, call.front());
    BOOST_TEST(std::filesystem::is_directory(files / "a/2t"), call.front());
    taken("a");
  }
}

BOOST_AUTO_TEST_CASE(no_other_folder_is_made_and_the_error_says_what_to_write) {
  const std::string problem = "the folder '" + path("new") + "' does not exist; create it, or ";
  for (const words& call : calls()) {
    const outcome seen = run(with(call, path("new/x.npy")));
    BOOST_TEST(seen.status == 1, call.front());
    BOOST_TEST(seen.err.find(problem + "write '" + path("new") + "/' to have it created\n") != std::string::npos,
               seen.err);
    BOOST_TEST(!std::filesystem::exists(files / "new"));
  }
  for (const words& call : std::vector<words>{{"set", "-s", "a=1", in}, {"reshuffle", in, "-o"}, {"merge", in, "-o"}}) {
    const outcome seen = run(with(call, path("new/x.tgm")));
    BOOST_TEST(seen.status == 1, call.front());
    BOOST_TEST(seen.err.find(problem + "name another file\n") != std::string::npos, seen.err);
    const outcome folder = run(with(call, path("new/")));
    BOOST_TEST(folder.status == 1, call.front());
    BOOST_TEST(folder.err.find("is the name of a folder; name a file in it") != std::string::npos, folder.err);
  }
  const outcome appended = run({"append", path("new/x.tgm"), in});
  BOOST_TEST(appended.status == 1);
  BOOST_TEST(appended.err.find(problem + "name another file\n") != std::string::npos, appended.err);
}

BOOST_AUTO_TEST_CASE(a_dry_run_makes_no_folder) {
  for (const words& call : calls()) {
    if (call.front() == "extract") continue;  // it has none
    words dry = with(call, path("a/"));
    dry.insert(dry.begin() + (call.front() == "tens" ? 2 : 1), "--dry-run");
    const outcome seen = run(dry);
    BOOST_TEST(seen.status == 0, seen.err);
    BOOST_TEST(!std::filesystem::exists(files / "a"));
    dry.back() = path("a/x.tgm");
    BOOST_TEST(run(dry).status == 1);
  }
}

BOOST_AUTO_TEST_CASE(archives_of_one_name_are_not_mixed) {
  std::filesystem::create_directory(files / "d");
  const std::string other = files.file("d/f.tgm", six_messages()).string();
  const outcome seen = run({"copy", in, other, path("a/")});
  BOOST_TEST(seen.status == 1);
  BOOST_TEST(seen.err.find("the archive is '" + in + "' in some and '" + other + "' in others") != std::string::npos,
             seen.err);
  BOOST_TEST(run({"copy", in + ":0", in + ":3..", path("a/")}).status == 0);
  BOOST_TEST(run({"count", path("a/f.tgm")}).out == "4\n");
}

BOOST_AUTO_TEST_SUITE_END()
