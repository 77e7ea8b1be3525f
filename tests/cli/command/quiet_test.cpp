// SPDX-License-Identifier: Apache-2.0
// -q: every verb takes it, does the same with it, and prints nothing but errors on standard error.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <set>
#include <sstream>
#include <support/shared_data.hpp>

#include "../process.hpp"
#include "../samples.hpp"
#include "cli/command/command.hpp"
#include "cli/command/option_model.hpp"

using namespace tgmap_test;

namespace {

using words = std::vector<std::string>;

/// Calls of each verb on files in the working folder, most of them with something to tell besides results.
const std::map<std::string, std::vector<words>> quiet_calls{
    {"info", {{"info", "hurt.tgm"}}},
    {"ls", {{"ls", "hurt.tgm:0..9"}, {"ls", "gone.tgm"}}},
    {"get", {{"get", "-p", "@offset", "hurt.tgm"}, {"get", "-p", "nothing", "f.tgm"}}},
    {"count", {{"count", "-w", "dtpe=x", "f.tgm"}, {"count", "hurt.tgm"}}},
    {"stats", {{"stats", "hurt.tgm"}}},
    {"show", {{"show", "hurt.tgm:0:0"}, {"show", "hurt.tgm"}}},
    {"extract", {{"extract", "hurt.tgm", "-o", "out/"}, {"extract", "bad.tgm", "-o", "bad.npz"}}},
    {"create", {{"create", "made.tgm", "a.npy", "--encoding", "simple_packing"}, {"create", "-", "a.npy"}}},
    {"copy", {{"copy", "hurt.tgm", "copied.tgm"}, {"copy", "f.tgm", "-"}, {"copy", "-w", "k=1", "f.tgm", "none.tgm"}}},
    {"split", {{"split", "--count", "1", "hurt.tgm", "-o", "part.tgm"}}},
    {"set", {{"set", "-s", "a=1", "hurt.tgm", "set.tgm"}, {"set", "-s", "a=1", "f.tgm", "-"}}},
    {"rehash", {{"rehash", "hurt.tgm", "rehashed.tgm"}}},
    {"reindex", {{"reindex", "--index", "footer", "hurt.tgm", "reindexed.tgm"}}},
    {"reshuffle", {{"reshuffle", "hurt.tgm", "-o", "reshuffled.tgm"}}},
    {"merge", {{"merge", "hurt.tgm", "-o", "merged.tgm"}, {"merge", "f.tgm", "-o", "-"}}},
    {"append", {{"append", "appended.tgm", "hurt.tgm"}}},
    {"send", {{"send", "--timeout", "0", "--to", "ipc://nobody", "f.tgm"}}},
    {"recv", {{"recv", "--timeout", "0", "--from", "ipc://nobody", "-o", "received.tgm"}}},
    {"index create", {{"index", "create", "hurt.tgm"}}},
    {"index update", {{"index", "update", "f.tgm"}}},
    {"index check", {{"index", "check", "f.tgm"}}},
    {"index show", {{"index", "show", "f.tgm"}}},
    {"index drop", {{"index", "drop", "f.tgm"}}},
    {"upgrade", {{"upgrade", "hurt.tgm", "upgraded.tgm"}}},
    {"convert", {{"convert", "--compression", "none", "hurt.tgm", "converted.tgm"}}},
    {"diff", {{"diff", "hurt.tgm", "f.tgm"}, {"diff", "--limit", "0", "hurt.tgm", "f.tgm"}}},
    {"dump", {{"dump", "hurt.tgm"}}},
    {"du", {{"du", "hurt.tgm"}}},
    {"validate", {{"validate", "hurt.tgm"}, {"validate", "--full", "bad.tgm"}, {"validate", "lying.tgm"}}},
    {"explain", {{"explain", "hurt.tgm:0:0"}}},
    {"cube", {{"cube", "hurt.tgm"}}},
    {"import grib", {{"import", "grib", "hurt.grib", "grib.tgm"}, {"import", "grib", "f.tgm", "none.tgm"}}},
    {"export grib", {{"export", "grib", "f.tgm", "out.grib"}}},
    {"tens show", {{"tens", "show", "plain.frame"}, {"tens", "show", "f.tgm"}}},
    {"tens import", {{"tens", "import", "plain.frame", "-o", "imported.tgm"}}},
    {"tens export", {{"tens", "export", "hurt.tgm", "-o", "frames/"}, {"tens", "export", "f.tgm:0", "-o", "-"}}},
    {"tens keys", {{"tens", "keys", "keys"}}},
    {"constant check", {{"constant", "check", "table.json"}, {"constant", "check", "f.tgm"}}},
    {"constant cells", {{"constant", "cells", "table.json"}}},
    {"constant get", {{"constant", "get", "table.json", "key=abc", "x=2"}}},
    {"constant import", {{"constant", "import", "table.json", "-o", "table.tgm"}}},
    {"constant export", {{"constant", "export", "table.json"}}},
    {"constant sample", {{"constant", "sample", "--type", "tensor<float>(key{},x[3])"}}},
    {"doctor", {{"doctor"}}},
    {"completion", {{"completion", "bash"}}},
    {"help", {{"help", "ls"}, {"help", "nothing"}}},
};

/// Verbs whose results have times or random numbers.
const std::set<std::string> changing_results{"explain", "send", "recv", "tens keys", "doctor"};

/// A folder with the files of the quiet_calls, in which they run.
class quiet_samples {
 public:
  quiet_samples() {
    const bytes sound = two_objects() + old_message();
    files_.file("f.tgm", sound);
    files_.file("hurt.tgm", two_objects() + "garbage" + old_message() + streamed_message().substr(0, 300));
    files_.file("bad.tgm", packed_message());
    files_.file("lying.tgm", lying_message());
    files_.file("hurt.grib", "text" + read_file(test_data() / "grib/simple_16.grib") + "GRIB");
    files_.file("plain.frame", read_file(test_data() / "tens/plain.frame"));
    files_.file("table.json", read_file(test_data() / "constants/table.json"));
    std::filesystem::current_path(files_.path());
    run({"extract", "f.tgm:0:0", "-o", "a.npy"});
  }
  ~quiet_samples() { std::filesystem::current_path(before_); }
  quiet_samples(const quiet_samples&) = delete;
  quiet_samples& operator=(const quiet_samples&) = delete;

 private:
  std::filesystem::path before_ = std::filesystem::current_path();
  temporary_directory files_;
};

words printed_lines(const std::string& text) {
  words out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) out.push_back(line);
  return out;
}

words quietly(words call, std::size_t verb_words) {
  call.insert(call.begin() + static_cast<std::ptrdiff_t>(verb_words), "-q");
  return call;
}

bool has_verb(const std::string& verb) {
  const bool zio = verb.starts_with("tens") || verb == "send" || verb == "recv";
  if (zio) return has_zeromq_or_skip(verb + " -q");
  return !verb.starts_with("constant") || has_simdjson_or_skip(verb + " -q");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(quiet)

BOOST_AUTO_TEST_CASE(every_verb_has_a_call_here) {
  tgmap::cli::session run;
  tgmap::cli::command command(run);
  const auto check = [](const std::string& path, const tgmap::cli::verb_model& verb) {
    if (verb.verbs.empty()) BOOST_TEST(quiet_calls.count(path) == 1u, path << " has no call");
    BOOST_TEST(std::any_of(verb.options.begin(), verb.options.end(),
                           [](const auto& each) {
                             return each.names == words{"-q", "--quiet"};
                           }),
               path << " does not take -q");
  };
  for (const auto& verb : tgmap::cli::verbs_of(command.app())) {
    check(verb.name, verb);
    for (const auto& below : verb.verbs) check(verb.name + " " + below.name, below);
  }
}

BOOST_AUTO_TEST_CASE(nothing_but_errors_is_printed) {
  std::size_t talkative = 0;
  for (const auto& [verb, of_verb] : quiet_calls) {
    if (!has_verb(verb)) continue;
    const std::size_t verb_words = verb.find(' ') == verb.npos ? 1 : 2;
    for (const words& call : of_verb) {
      BOOST_TEST_CONTEXT(verb << " " << call.back()) {
        outcome loud, seen, at_terminal;
        {
          const quiet_samples here;
          loud = run(call);
        }
        {
          const quiet_samples here;
          seen = run(quietly(call, verb_words));
        }
        {
          const quiet_samples here;
          at_terminal = run_at_terminal(quietly(call, verb_words),
                                        {.columns = 80, .rows = 24, .environment = {{"TGMAP_PROGRESS_DELAY", "0"}}});
        }
        BOOST_TEST(seen.status == loud.status);
        if (seen.out.starts_with("TENSOGRM"))  // has the time of writing
          BOOST_TEST(seen.out.size() == loud.out.size());
        else if (changing_results.count(verb) == 0)
          BOOST_TEST(seen.out == loud.out);
        if (seen.status == 0 || seen.status == 3) BOOST_TEST(seen.err == "");
        const words all = printed_lines(loud.err);
        for (const std::string& line : printed_lines(seen.err)) {
          BOOST_TEST((std::find(all.begin(), all.end(), line) != all.end()), line);
          BOOST_TEST(line.find("nothing was written because") == line.npos, line);
        }
        BOOST_TEST(at_terminal.out.find("\r\x1b[K") == std::string::npos, at_terminal.out);
        talkative += loud.err.size() > seen.err.size() ? 1 : 0;
      }
    }
  }
  BOOST_TEST(talkative >= 15u);
}

BOOST_AUTO_TEST_CASE(before_the_verb_it_is_the_same) {
  const quiet_samples here;
  BOOST_TEST(run({"count", "hurt.tgm"}).err != "");
  BOOST_TEST(run({"-q", "count", "hurt.tgm"}).err == "");
  BOOST_TEST(run({"count", "hurt.tgm", "--quiet"}).err == "");
}

BOOST_AUTO_TEST_SUITE_END()
