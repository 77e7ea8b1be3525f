// SPDX-License-Identifier: Apache-2.0
// The command as a whole: usage, help, several files, pipes, odd names.
#include <unistd.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <map>
#include <tgmap/version.hpp>

#include "../process.hpp"
#include "../samples.hpp"
#include "cli/command/command.hpp"
#include "cli/command/option_model.hpp"

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(command)

BOOST_AUTO_TEST_CASE(version) {
  for (const char* flag : {"--version", "-V"}) {
    const outcome seen = run({flag});
    BOOST_TEST(seen.status == 0);
    BOOST_TEST(seen.out == "tgmap " TGMAP_VERSION_STRING "\n");
  }
}

BOOST_AUTO_TEST_CASE(help_names_every_verb_and_every_verb_has_its_own) {
  for (const char* flag : {"--help", "-h"}) {
    const outcome all = run({flag});
    BOOST_TEST(all.status == 0);
    BOOST_TEST(all.err == "");
    for (const char* verb : {"info", "ls", "extract", "doctor"}) {
      BOOST_TEST(all.out.find(std::string("\n  ") + verb + " ") != std::string::npos, all.out);
      const outcome one = run({verb, flag});
      BOOST_TEST(one.status == 0);
      BOOST_TEST(one.out.find(std::string("tgmap ") + verb) != std::string::npos, one.out);
    }
  }
  for (const char* verb : {"info", "ls", "extract"})
    BOOST_TEST(run({verb, "--help"}).out.find("--io automatic|map|read") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(mistakes_are_usage_errors) {
  const std::vector<std::vector<std::string>> senseless{{},
                                                        {"frobnicate"},
                                                        {"--frobnicate"},
                                                        {"count"},
                                                        {"extract"},
                                                        {"ls", "--frobnicate", "f"},
                                                        {"info", "-x", "f"},
                                                        {"info", "--io", "magic", "f"},
                                                        {"info", "--io", "f"},
                                                        {"--io", "0", "info", "f"},
                                                        {"--json", "info", "f"}};
  for (const auto& arguments : senseless) {
    const outcome seen = run(arguments);
    BOOST_TEST(seen.status == 2, seen.err);
    BOOST_TEST(seen.out == "");
    BOOST_TEST(seen.err.starts_with("tgmap: "));
    const bool has_next_step = seen.err.ends_with("--help`\n") || seen.err.ends_with("?\n");
    BOOST_TEST(has_next_step, seen.err);
  }
}

BOOST_AUTO_TEST_CASE(every_verb_needs_a_file_and_takes_no_pipe_without_a_name) {
  // Verbs that read no files, and the options that the others need.
  const std::vector<std::string> without_files{"recv",       "doctor",    "completion",     "help",
                                               "__complete", "tens keys", "constant sample"};
  const std::map<std::string, std::vector<std::string>> options{{"get", {"-p", "name"}},
                                                                {"set", {"-s", "a=1"}},
                                                                {"extract", {"-o", "x.npy"}},
                                                                {"split", {"-o", "x"}},
                                                                {"reindex", {"--index", "header"}},
                                                                {"reshuffle", {"-o", "x"}},
                                                                {"merge", {"-o", "x"}},
                                                                {"send", {"--to", "tcp://127.0.0.1:9"}},
                                                                {"tens import", {"-o", "x"}},
                                                                {"tens export", {"-o", "x"}},
                                                                {"constant import", {"-o", "x"}},
                                                                {"constant export", {"-o", "x"}}};
  tgmap::cli::session state;
  tgmap::cli::command all(state);
  std::vector<std::vector<std::string>> verbs;
  for (const auto& each : tgmap::cli::verbs_of(all.app())) {
    if (each.verbs.empty()) verbs.push_back({each.name});
    for (const auto& below : each.verbs) verbs.push_back({each.name, below.name});
  }
  BOOST_TEST(verbs.size() > 25u);
  for (std::vector<std::string> call : verbs) {
    const std::string name = call.size() == 1 ? call[0] : call[0] + " " + call[1];
    if (std::find(without_files.begin(), without_files.end(), name) != without_files.end()) continue;
    if (const auto more = options.find(name); more != options.end())
      call.insert(call.end(), more->second.begin(), more->second.end());
    const outcome seen = run(call, forecast());
    BOOST_TEST(seen.status == 2, name + ": " + seen.err);
    BOOST_TEST(seen.out == "", name);
    const bool is_named = seen.err.find(" is required; ") != seen.err.npos || seen.err.find(" needs ") != seen.err.npos;
    BOOST_TEST(is_named, seen.err);
  }
}

BOOST_AUTO_TEST_CASE(options_for_writing_are_accepted_by_any_verb) {
  const temporary_directory files;
  const auto path = files.file("f.tgm", forecast()).string();
  const std::string wanted = run({"info", path}).out;
  BOOST_TEST(run({"--allow-nan", "info", path}).out == wanted);
  BOOST_TEST(run({"info", "--allow-inf=true", "--small-mask-threshold", "128", path}).out == wanted);
  BOOST_TEST(run({"--nan-mask-method", "rle", "info", path}).out == wanted);
}

BOOST_AUTO_TEST_CASE(misspelled_words_are_reported) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> mistakes{
      {{"lss", "f"}, "there is no verb 'lss'; did you mean 'ls'?"},
      {{"validat"}, "there is no verb 'validat'; did you mean 'validate'?"},
      {{"repair", "f"}, "there is no verb 'repair'; did you mean `tgmap copy --sound FILE OUT`?"},
      {{"rescue", "f"}, "there is no verb 'rescue'; did you mean `tgmap copy --sound FILE OUT`?"},
      {{"recover", "f"}, "there is no verb 'recover'; did you mean `tgmap copy --sound FILE OUT`?"},
      {{"get_data", "f"}, "there is no verb 'get_data'; did you mean `tgmap extract --format csv`?"},
      {{"dump", "-v", "f"}, "dump has no option '-v'; did you mean `tgmap extract --format csv`?"},
      {{"cp", "f", "g"}, "there is no verb 'cp'; did you mean `tgmap copy`?"},
      {{"list", "f"}, "there is no verb 'list'; did you mean `tgmap ls`?"},
      {{"plot", "f"}, "there is no verb 'plot'; did you mean `tgmap show`?"},
      {{"csv", "f"}, "there is no verb 'csv'; did you mean `tgmap extract --format csv`?"},
      {{"cat", "f"}, "there is no verb 'cat'; did you mean `tgmap copy FILE... OUT`?"},
      {{"head", "f"}, "there is no verb 'head'; did you mean `tgmap ls FILE:..9`?"},
      {{"tail", "f"}, "there is no verb 'tail'; did you mean `tgmap ls FILE:-10..`?"},
      {{"check", "f"}, "there is no verb 'check'; did you mean `tgmap validate`?"},
      {{"grep", "f"}, "there is no verb 'grep'; did you mean `tgmap ls -w CONDITION`?"},
      {{"xyzzy"}, "there is no verb 'xyzzy'; run `tgmap --help`"},
      {{"__complet"}, "there is no verb '__complet'; run `tgmap --help`"},
      {{""}, "there is no verb ''; run `tgmap --help`"},
      {{}, "a verb is missing; run `tgmap --help`"},
      {{"--io", "map"}, "a verb is missing; run `tgmap --help`"},
      {{"--verison"}, "tgmap has no option '--verison'; did you mean '--version'?"},
      {{"-j", "ls", "f"}, "tgmap has no option '-j' before the verb; run `tgmap ls --help`"},
      {{"ls", "f", "--jsn"}, "ls has no option '--jsn'; did you mean '--json'?"},
      {{"ls", "--objets=1", "f"}, "ls has no option '--objets=1'; did you mean '--objects'?"},
      {{"ls", "f", "-x"}, "ls has no option '-x'; run `tgmap ls --help`"},
      {{"count"}, "FILE is required; run `tgmap count --help`"}};
  for (const auto& [arguments, text] : mistakes) BOOST_TEST(run(arguments).err == "tgmap: " + text + "\n");
}

BOOST_AUTO_TEST_CASE(mistakes_of_options_name_the_option_and_the_variable) {
  const std::vector<std::pair<std::string, std::string>> mistakes{
      {"count f --limit 1 --limit 2", "--limit is given 2 times; give it once"},
      {"extract f --format tiff -o o", "--format: 'tiff' is not one of npy|raw|csv|text|json"},
      {"completion tcsh", "SHELL: 'tcsh' is not one of bash|zsh|fish"},
      {"count f --limit", "--limit has no value; write --limit N"},
      {"ls --objects=maybe f", "--objects takes no value, but 'maybe' was given"},
      {"diff a b c", "too many arguments: 'c'"},
      {"show --width x f", "--width: 'x' is not a number from 20 to 1000"},
      {"validate f --quick --full", "--quick and --full cannot be combined; leave one out"},
      {"ls --no-such-option", "ls has no option '--no-such-option'"},
      {"ls --threads x f", "--threads: 'x' is not an integer of at least 0"}};
  for (const auto& [line, text] : mistakes) {
    const outcome seen = shell("\"$TGMAP\" " + line);
    BOOST_TEST(seen.status == 2);
    BOOST_TEST(seen.err == "tgmap: " + text + "; run `tgmap " + line.substr(0, line.find(' ')) + " --help`\n");
  }
  BOOST_TEST(shell("TENSOGRAM_THREADS=x \"$TGMAP\" ls f").err ==
             "tgmap: environment variable TENSOGRAM_THREADS: 'x' is not an integer of at least 0; run `tgmap ls "
             "--help`\n");
}

BOOST_AUTO_TEST_CASE(subverbs_are_distinguished) {
  if (!has_zeromq_or_skip("verbs below tens")) return;
  const std::vector<std::pair<std::vector<std::string>, std::string>> mistakes{
      {{"tens", "shwo", "f"}, "tens has no verb 'shwo'; did you mean 'show'?"},
      {{"tens", "xyzzy"}, "tens has no verb 'xyzzy'; run `tgmap tens --help`"},
      {{"tens", "ls"}, "tens has no verb 'ls'; run `tgmap tens --help`"},
      {{"tens", "--frob"}, "tens has no option '--frob'; run `tgmap tens --help`"},
      {{"tens", "-j", "show", "f"}, "tgmap tens has no option '-j' before the verb; run `tgmap tens show --help`"},
      {{"-j", "tens", "show", "f"}, "tgmap has no option '-j' before the verb; run `tgmap tens show --help`"},
      {{"tens", "show", "f", "--jsn"}, "tens show has no option '--jsn'; did you mean '--json'?"},
      {{"tens", "show"}, "FRAME is required; run `tgmap tens show --help`"},
      {{"tens", "show", "-", "-"},
       "standard input can be read only once; save it to a file first; run `tgmap tens show --help`"}};
  for (const auto& [arguments, text] : mistakes) BOOST_TEST(run(arguments).err == "tgmap: " + text + "\n");
  const outcome none = run({"tens", "-q"});
  BOOST_TEST(none.status == 2);
  BOOST_TEST(none.err.starts_with("tgmap: tens needs a verb: show, "), none.err);
}

BOOST_AUTO_TEST_CASE(a_senseless_target_is_found_before_anything_is_printed) {
  const temporary_directory files;
  const auto path = files.file("f.tgm", forecast()).string();
  const outcome seen = run({"ls", path, path + ":x"});
  BOOST_TEST(seen.status == 2);
  BOOST_TEST(seen.out == "");
}

BOOST_AUTO_TEST_CASE(every_file_is_reported) {
  const temporary_directory files;
  const auto good = files.file("f.tgm", forecast()).string();
  const auto gone = (files / "gone.tgm").string(), directory = files.path().string();
  for (const char* verb : {"info", "ls"}) {
    const outcome seen = run({verb, "-j", gone, good, directory, gone, good});
    BOOST_TEST(seen.status == 1);
    BOOST_TEST(json_lines(seen.out).size() == (verb == std::string("info") ? 2u : 6u));
    BOOST_TEST(seen.err == "tgmap: " + gone + ": No such file or directory; check the name\ntgmap: " + directory +
                               ": is a directory; name the archives in the directory\ntgmap: " + gone +
                               ": No such file or directory; check the name\n");
  }
}

BOOST_AUTO_TEST_CASE(a_file_that_may_not_be_read_says_so) {
  if (::geteuid() == 0) return;  // root may read everything
  const temporary_directory files;
  const auto path = files.file("f.tgm", forecast());
  std::filesystem::permissions(path, std::filesystem::perms::none);
  const outcome seen = run({"info", path.string()});
  BOOST_TEST(seen.status == 1);
  BOOST_TEST(seen.err.find("Permission denied; check the permissions") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(standard_input_from_file_and_pipe) {
  const temporary_directory files;
  const auto path = files.file("f.tgm", forecast()).string();
  BOOST_TEST(json_lines(run({"info", "-j", "-"}, forecast()).out).at(0)["messages"] == 3);
  BOOST_TEST(json_lines(run({"info", "-j", "-"}, forecast()).out).at(0)["file"] == "-");
  BOOST_TEST(json_lines(shell("cat '" + path + "' | \"$TGMAP\" ls -j -").out).size() == 3u);
  BOOST_TEST(json_lines(shell("cat '" + path + "' | \"$TGMAP\" ls -j -:-1").out).at(0)["streamed"] == true);
}

BOOST_AUTO_TEST_CASE(a_file_that_is_not_there_is_named_without_its_numbers) {
  const temporary_directory files;
  const auto gone = (files / "gone.tgm").string();
  for (const char* selector : {":1", ":1:-1", "@0x10:2"})
    BOOST_TEST(run({"ls", gone + selector}).err == "tgmap: " + gone + ": No such file or directory; check the name\n");
}

BOOST_AUTO_TEST_CASE(a_closed_pipe_is_the_quiet_end) {
  const temporary_directory files;
  bytes many;
  for (int i = 0; i < 3000; ++i) many += two_objects();
  const auto path = files.file("f.tgm", many).string();
  for (const std::string verb : {"ls", "ls -j", "ls --objects"}) {
    const outcome seen = shell("{ \"$TGMAP\" " + verb + " '" + path + "'; echo \"status $?\" >&2; } | head -n 1");
    BOOST_TEST(seen.err == "status 0\n");
    const outcome ignored =
        shell("trap '' PIPE; { \"$TGMAP\" " + verb + " '" + path + "'; echo \"status $?\" >&2; } | head -n 1");
    BOOST_TEST(ignored.err == "status 0\n");
  }
}

BOOST_AUTO_TEST_CASE(a_full_disk_is_an_error) {
  const temporary_directory files;
  const auto path = files.file("f.tgm", forecast()).string();
  for (const std::string verb : {"info", "ls", "--version", "doctor"}) {
    const outcome seen =
        shell("\"$TGMAP\" " + verb + (verb == "info" || verb == "ls" ? " '" + path + "'" : "") + " > /dev/full");
    BOOST_TEST(seen.status == 1);
    BOOST_TEST(seen.err == "tgmap: standard output: No space left on device; make room and try again\n");
  }
}

BOOST_AUTO_TEST_CASE(names_that_are_no_text_stay_harmless) {
  const temporary_directory files;
  const auto path = files.file("a\n\x1b[31m\u202e\xff.tgm", forecast()).string();
  const std::string shown = files.path().string() + "/a\\n\\x1b[31m\\u{202e}\\xff.tgm";
  BOOST_TEST(run({"info", path}).out.starts_with("File: " + shown + "\n"));
  BOOST_TEST(run({"ls", path, path}).out.starts_with(shown + ":\n"));
  BOOST_TEST(run({"ls", path + "gone"}).err.starts_with("tgmap: " + shown + "gone: "));
  BOOST_TEST(run({"ls", path + ":x"}).err.find('\x1b') == std::string::npos);
  BOOST_TEST(run({"ls", "--\x1b[31m", path}).err.find('\x1b') == std::string::npos);
  for (const char* verb : {"info", "ls"}) {
    const auto lines = json_lines(run({verb, "-j", path}).out);
    BOOST_TEST(lines.at(0)["file"] == files.path().string() + "/a\n\x1b[31m\u202e\ufffd.tgm");
  }
}

BOOST_AUTO_TEST_CASE(files_may_be_named_like_verbs_and_selectors) {
  const temporary_directory files;
  for (const char* name : {"ls", "info", "doctor", "f.tgm:0", "a@b:c.tgm"}) {
    files.file(name, forecast());
    const std::string line = std::string("cd '") + files.path().string() + "' && \"$TGMAP\" ls -j " + name;
    BOOST_TEST(json_lines(shell(line).out).size() == 3u, name);
    BOOST_TEST(json_lines(shell(line + ":1").out).size() == 1u, name);
  }
}

BOOST_AUTO_TEST_SUITE_END()
