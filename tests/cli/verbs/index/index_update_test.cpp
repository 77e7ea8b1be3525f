// SPDX-License-Identifier: Apache-2.0
// `tgmap index update`, and --write-index of the verbs that write archives.
#include <boost/test/unit_test.hpp>
#include <support/samples.hpp>

#include "../../rewriting.hpp"

using namespace tgmap_test;

namespace {

struct updating : rewriting {
  outcome index(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "index");
    if (arguments.at(1) == "create" || arguments.at(1) == "update") arguments.emplace_back("--no-sync");
    return run(arguments);
  }
  void append(const std::string& name, const bytes& data) const { append_file(files / name, data); }

  /// Checks that the index beside a file is sound and describes all of it.
  void check_covered(const std::string& name, std::uint64_t messages) const {
    const outcome checked = index({"check", "-j", path(name)});
    BOOST_TEST_REQUIRE(checked.status == 0, checked.err);
    const auto facts = json_lines(checked.out).at(0);
    BOOST_TEST(facts["messages"] == messages);
    BOOST_TEST(facts["covered_bytes"] == std::filesystem::file_size(path(name)));
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(index_update, updating)

BOOST_AUTO_TEST_CASE(what_was_appended_is_added_and_said) {
  const std::string file = make("f.tgm", mixed_archive(20));
  BOOST_TEST(index({"create", file}).status == 0);
  append("f.tgm", numbered(20, 3, 1000) + numbered(21, 3, 1000));
  const outcome updated = index({"update", file});
  BOOST_TEST(updated.status == 0, updated.err);
  BOOST_TEST(updated.out.starts_with(file + ".tgx: updated: 22 messages, 22 objects, "), updated.out);
  BOOST_TEST(updated.out.find("\n  added: 2 messages, 2 objects, ") != updated.out.npos, updated.out);
  BOOST_TEST(updated.out.ends_with(" of the archive\n"), updated.out);
  check_covered("f.tgm", 22);
  const outcome again = index({"update", file});
  BOOST_TEST(again.status == 0, again.err);
  BOOST_TEST(again.out.ends_with("\n  added: nothing\n"), again.out);
}

BOOST_AUTO_TEST_CASE(json_says_what_was_added) {
  const std::string file = make("f.tgm", mixed_archive(3));
  BOOST_TEST(index({"create", file}).status == 0);
  const bytes more = "damage" + numbered(3);
  append("f.tgm", more);
  const outcome updated = index({"update", "-j", file});
  BOOST_TEST(updated.status == 3, updated.err);  // there is damage
  const auto facts = json_lines(updated.out).at(0);
  BOOST_TEST(facts["state"] == "updated");
  BOOST_TEST(facts["messages"] == 4);
  BOOST_TEST(facts["gaps"] == 1);
  BOOST_TEST(facts["added"]["messages"] == 1);
  BOOST_TEST(facts["added"]["objects"] == 1);
  BOOST_TEST(facts["added"]["gaps"] == 1);
  BOOST_TEST(facts["added"]["bytes"] == more.size());
}

BOOST_AUTO_TEST_CASE(an_incomplete_end_is_said) {
  const std::string file = make("f.tgm", mixed_archive(3));
  BOOST_TEST(index({"create", file}).status == 0);
  append("f.tgm", numbered(4).substr(0, 60));
  const outcome updated = index({"update", file});
  BOOST_TEST(updated.status == 0, updated.err);
  BOOST_TEST(updated.out.ends_with("\n  added: nothing\n"), updated.out);
  BOOST_TEST(updated.err.find("f.tgm: its last 60 ") != updated.err.npos, updated.err);
}

BOOST_AUTO_TEST_CASE(without_an_index_or_with_a_foreign_one_nothing_is_written) {
  const std::string file = make("f.tgm", mixed_archive(20)), other = make("g.tgm", numbered_archive(9));
  const outcome absent = index({"update", file});
  BOOST_TEST(absent.status == 1);
  BOOST_TEST(absent.err.find("there is no index; make it with `tgmap index create`") != absent.err.npos, absent.err);
  BOOST_TEST(!exists("f.tgm.tgx"));
  BOOST_TEST(index({"create", file}).status == 0);
  const bytes before = read("f.tgm.tgx");
  const outcome foreign = index({"update", other, "--index", path("f.tgm.tgx")});
  BOOST_TEST(foreign.status == 1);
  BOOST_TEST(foreign.err.find("tgmap index create") != foreign.err.npos, foreign.err);
  BOOST_TEST(read("f.tgm.tgx") == before);
  BOOST_TEST(index({"update", file, "--index", other}).status == 1);
  BOOST_TEST(read("g.tgm") == numbered_archive(9));
  BOOST_TEST(index({"update", "-"}).status == 2);
  BOOST_TEST(index({"update", file, "--index", "x", "--cache"}).status == 2);
}

BOOST_AUTO_TEST_CASE(an_index_in_the_cache_is_replaced) {
  const std::string file = make("f.tgm", mixed_archive(20)), cache = path("cache");
  const auto cached = [&](const std::string& arguments) {
    return shell("XDG_CACHE_HOME='" + cache + "' \"$TGMAP\" index " + arguments + " --cache '" + file + "'");
  };
  BOOST_TEST(cached("update").status == 1);
  BOOST_TEST(cached("create").status == 0);
  append("f.tgm", mixed_archive(2));
  const outcome updated = cached("update");
  BOOST_TEST(updated.status == 0, updated.err);
  BOOST_TEST(updated.out.find("\n  added: 2 messages, 2 objects, ") != updated.out.npos, updated.out);
  BOOST_TEST(cached("check").out.find(": sound, checked: 22 messages, ") != std::string::npos);
  std::size_t indexes = 0;
  for (const auto& each : std::filesystem::recursive_directory_iterator(cache)) indexes += each.is_regular_file();
  BOOST_TEST(indexes == 1u);
}

BOOST_AUTO_TEST_CASE(verbs_that_write_archives_write_their_index_when_asked) {
  const std::string file = make("f.tgm", mixed_archive(20));
  const std::vector<std::vector<std::string>> calls{{"copy", file, path("o.tgm")},
                                                    {"set", "-s", "zz:i=5", file, path("o.tgm")},
                                                    {"rehash", file, path("o.tgm")},
                                                    {"reshuffle", file, "-o", path("o.tgm")},
                                                    {"append", path("o.tgm"), file},
                                                    {"reindex", "--index", "footer", file, path("o.tgm")},
                                                    {"convert", "--compression", "zstd", file, path("o.tgm")},
                                                    {"upgrade", file, path("o.tgm")},
                                                    {"merge", file + ":3", "-o", path("o.tgm")}};
  for (const auto& call : calls) {
    std::filesystem::remove(path("o.tgm"));
    std::filesystem::remove(path("o.tgm.tgx"));
    const std::string verb = call.front();
    auto asked = call;
    asked.insert(asked.begin() + 1, {"--no-sync", "--write-index"});
    const outcome with = run(asked);
    BOOST_TEST(with.status == 0, verb << ": " << with.err);
    check_covered("o.tgm", verb == "merge" ? 1 : 20);
    std::filesystem::remove(path("o.tgm"));
    std::filesystem::remove(path("o.tgm.tgx"));
    BOOST_TEST(run(call).out == with.out, verb);
    BOOST_TEST(!exists("o.tgm.tgx"), verb);
  }
}

BOOST_AUTO_TEST_CASE(each_of_several_outputs_gets_an_index) {
  const std::string file = make("f.tgm", mixed_archive(4));
  BOOST_TEST(run({"split", "--no-sync", "--write-index", file, "-o", path("[index].tgm")}).status == 0);
  for (const char* name : {"0000.tgm", "0001.tgm", "0002.tgm", "0003.tgm"}) check_covered(name, 1);
}

BOOST_AUTO_TEST_CASE(append_extends_the_index_that_is_there) {
  const std::string file = make("f.tgm", mixed_archive(20)), more = make("more.tgm", mixed_archive(2));
  BOOST_TEST(index({"create", "--only-keys", "-k", "some.key", file}).status == 0);
  for (std::uint64_t messages : {22U, 24U, 26U}) {
    BOOST_TEST(run({"append", "--no-sync", "--write-index", file, more}).status == 0);
    check_covered("f.tgm", messages);
    const auto facts = json_lines(index({"show", "-j", file}).out).at(0);
    BOOST_TEST(facts["columns"].size() == 1u);  // those of the old index
  }
}

BOOST_AUTO_TEST_CASE(an_index_of_an_older_output_is_replaced_but_no_other_file) {
  const std::string file = make("f.tgm", mixed_archive(20)), out = path("o.tgm");
  BOOST_TEST(run({"copy", "--no-sync", "--write-index", file + ":2..5", out}).status == 0);
  check_covered("o.tgm", 4);
  BOOST_TEST(run({"copy", "--no-sync", "--write-index", file, out}).status == 0);
  check_covered("o.tgm", 20);
  BOOST_TEST(run({"set", "--no-sync", "--write-index", "-s", "zz:i=1", out, out}).status == 0);
  check_covered("o.tgm", 20);
  make("o.tgm.tgx", bytes(5000, 'x'));
  const outcome refused = run({"copy", "--no-sync", "--write-index", file, out});
  BOOST_TEST(refused.status == 1);
  BOOST_TEST(
      refused.err.find("o.tgm.tgx: the archive is complete, but its index was not written: ") != refused.err.npos,
      refused.err);
  BOOST_TEST(read("o.tgm.tgx") == bytes(5000, 'x'));
  BOOST_TEST(read("o.tgm") == mixed_archive(20));
}

BOOST_AUTO_TEST_CASE(outputs_without_a_place_and_dry_runs_get_no_index) {
  const std::string file = make("f.tgm", mixed_archive(3));
  const outcome refused = run({"copy", "--write-index", file, "-"});
  BOOST_TEST(refused.status == 2, refused.err);
  BOOST_TEST(refused.err.find("has no place for an index") != refused.err.npos, refused.err);
  BOOST_TEST(run({"copy", "--dry-run", "--write-index", file, path("o.tgm")}).status == 0);
  BOOST_TEST(run({"append", "--dry-run", "--write-index", file, file}).status == 0);
  BOOST_TEST(!exists("o.tgm.tgx"));
  BOOST_TEST(!exists("f.tgm.tgx"));
}

BOOST_AUTO_TEST_SUITE_END()
