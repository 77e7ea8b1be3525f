// SPDX-License-Identifier: Apache-2.0
// Verbs beside an index whose archive has changed: they print what they print without an index, and say so once.
#include <sys/stat.h>

#include <boost/test/unit_test.hpp>
#include <functional>
#include <map>
#include <support/samples.hpp>
#include <support/selection_samples.hpp>

#include "../../rewriting.hpp"

using namespace tgmap_test;
namespace fs = std::filesystem;

namespace {

struct changing : rewriting {
  outcome create(const std::string& file) const { return run({"index", "create", "--no-sync", file}); }
  bool has_index(const std::string& name) const { return fs::exists(path(name) + ".tgx"); }

  static bytes several_times(const bytes& part, int count) {
    bytes out;
    for (int k = 0; k < count; ++k) out += part;
    return out;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(index_current, changing)

BOOST_AUTO_TEST_CASE(every_verb_answers_for_the_bytes_that_are_there) {
  const bytes old = several_times(six_messages(), 10);
  bytes edited = old;
  for (std::size_t at = old.size() / 2; (at = edited.find("10u", at)) != edited.npos; ++at)
    edited.replace(at, 3, "77u");
  const std::map<std::string, std::function<void(const std::string&)>> ways{
      {"in place", [&](const std::string& f) { write_file(f, edited); }},
      {"by rename",
       [&](const std::string& f) {
         write_file(f + ".new", edited);
         fs::rename(f + ".new", f);
       }},
      {"grown", [&](const std::string& f) { append_file(f, edited); }},
      {"shrunk", [&](const std::string& f) { fs::resize_file(f, old.size() / 10 * 3); }},
      {"touched", [](const std::string& f) { fs::last_write_time(f, fs::file_time_type::clock::now()); }},
      {"copied",
       [](const std::string& f) {
         fs::copy_file(f, f + ".new");
         fs::rename(f + ".new", f);
       }},
  };
  for (const auto& [what, change] : ways) {
    const std::string file = make("f.tgm", old);
    BOOST_TEST_REQUIRE(create(file).status == 0);
    change(file);
    const std::string where = "mars.param=77u";
    for (const std::vector<std::string>& call : {std::vector<std::string>{"count", "-w", where, file},
                                                 {"count", "--objects", "-w", where, file},
                                                 {"ls", "-w", where, file},
                                                 {"ls", "-p", "mars.param,mars.step", file},
                                                 {"get", "-p", "mars.step", "-w", where, file},
                                                 {"stats", "-w", where, file},
                                                 {"du", "-w", where, file},
                                                 {"dump", "-j", "-w", where, file},
                                                 {"copy", "-w", where, file, "-"},
                                                 {"count", file},
                                                 {"ls", file},
                                                 {"info", file},
                                                 {"validate", file}}) {
      std::vector<std::string> without = call;
      without.insert(without.begin(), "--no-index");
      const outcome expected = run(without), with = run(call);
      const std::string name = what + ": " + call.front();
      BOOST_TEST(with.status == expected.status, name);
      BOOST_TEST(with.out == expected.out, name);
    }
    const outcome said = run({"count", file});
    const bool is_said = said.err.find("its index is not") != said.err.npos;
    BOOST_TEST(is_said, what << ": " << said.err);
    BOOST_TEST(run({"-q", "count", file}).err == "");
    BOOST_TEST(run({"index", "drop", file}).status == 0);
  }
}

BOOST_AUTO_TEST_CASE(a_verb_that_replaces_an_archive_removes_its_index_and_says_so) {
  const std::string file = make("f.tgm", several_times(six_messages(), 3));
  for (const std::vector<std::string>& call :
       {std::vector<std::string>{"set", "-s", "mars.expver=0077", file + ":3", file},
        {"copy", file + ":0..2", file},
        {"rehash", file, file},
        {"reindex", "--index", "footer", file, file},
        {"convert", "--compression", "zstd", file, file},
        {"reshuffle", file, "-o", file}}) {
    BOOST_TEST_REQUIRE(create(file).status == 0);
    std::vector<std::string> replacing = call;
    replacing.insert(replacing.begin() + 1, {"-f", "--no-sync"});
    const outcome done = run(replacing);
    BOOST_TEST(done.status == 0, call.front() << ": " << done.err);
    BOOST_TEST(!has_index("f.tgm"), call.front());
    BOOST_TEST(done.err.find("f.tgm.tgx: removed, since the archive was replaced") != done.err.npos, done.err);
  }
  BOOST_TEST_REQUIRE(create(file).status == 0);
  BOOST_TEST(run({"set", "-f", "--no-sync", "--write-index", "-s", "mars.expver=0078", file, file}).status == 0);
  BOOST_TEST(has_index("f.tgm"));
  const outcome counted = run({"count", "-j", "-w", "mars.expver=0078", file});
  BOOST_TEST(counted.err == "");
  BOOST_TEST(json_lines(counted.out).at(0)["trust"] == "sampled");
}

BOOST_AUTO_TEST_CASE(append_keeps_a_current_index_current) {
  const std::string file = make("f.tgm", several_times(six_messages(), 3)), more = make("more.tgm", six_messages());
  BOOST_TEST_REQUIRE(create(file).status == 0);
  BOOST_TEST(run({"append", "--no-sync", file, more}).status == 0);
  const auto shown = json_lines(run({"index", "show", "-j", file}).out).at(0);
  BOOST_TEST(shown["state"] == "used");
  BOOST_TEST(shown["messages"] == 24);
  // One that is not current stays as it is.
  append_file(file, six_messages());
  BOOST_TEST(run({"append", "--no-sync", file, more}).status == 0);
  BOOST_TEST(json_lines(run({"index", "show", "-j", file}).out).at(0)["state"] == "not current");
  BOOST_TEST(run({"index", "update", "--no-sync", file}).status == 0);
  BOOST_TEST(json_lines(run({"index", "show", "-j", file}).out).at(0)["messages"] == 36);
}

BOOST_AUTO_TEST_CASE(check_stamps_and_says_what_is_not_listed) {
  const std::string file = make("f.tgm", six_messages());
  BOOST_TEST_REQUIRE(create(file).status == 0);
  append_file(file, six_messages());
  const outcome checked = run({"index", "check", "-j", file});
  BOOST_TEST(checked.status == 0, checked.err);
  BOOST_TEST(json_lines(checked.out).at(0)["current"] == true);
  BOOST_TEST(checked.err.find("6 messages appended later are not in the index") != checked.err.npos, checked.err);
  BOOST_TEST(run({"count", file}).err == "");
  BOOST_TEST(run({"count", file}).out == "12\n");
}

BOOST_AUTO_TEST_CASE(an_index_with_a_time_that_says_nothing_is_said_to_be_not_current) {
  const std::string file = make("f.tgm", six_messages());
  const ::timespec both[] = {{0, 0}, {0, 0}};
  BOOST_REQUIRE(::utimensat(-100, file.c_str(), both, 0) == 0);
  const outcome made = create(file);
  BOOST_TEST(made.status == 0);
  BOOST_TEST(made.err.find("its index is not current") != made.err.npos, made.err);
}

BOOST_AUTO_TEST_SUITE_END()
