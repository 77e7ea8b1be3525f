// SPDX-License-Identifier: Apache-2.0
// What shells offer behind a part of a command line.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <sstream>
#include <support/shared_data.hpp>

#include "../process.hpp"
#include "../samples.hpp"

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(completion)

namespace {

using words = std::vector<std::string>;

words lines_of(const std::string& text) {
  words out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) out.push_back(line);
  return out;
}

bool holds(const words& all, const std::string& one) { return std::find(all.begin(), all.end(), one) != all.end(); }

bool installed(const std::string& program) {
  if (shell("command -v " + program).status == 0) return true;
  say_skipped("completion in " + program, "not installed");
  return false;
}

/// Two archives, some other file and a directory.
struct place {
  temporary_directory files;
  place() {
    const auto null = [](const char* name) { return cbor::key(name, cbor::null()); };
    const bytes mars = cbor::map({cbor::key("param", cbor::text("2t")), cbor::key("step", cbor::integer(6))});
    const bytes keys = cbor::map({cbor::key("mars", mars), null("$(touch gone)"), null("a b"), null("`touch gone`"),
                                  null("it's"), null("x;y"), null("*")});
    files.file("f.tgm", message({.objects = {bytes_object("abcd")}, .base = {keys}}));
    files.file("g h.tgm", forecast());
    files.file("notes.txt", "");
    std::filesystem::create_directory(files / "folder");
  }

  std::string here() const { return "cd '" + files.path().string() + "' && "; }

  /// What bash offers for the last of these words.
  words bash(const words& line) const {
    std::string script = here() + "exec bash -c 'source <(\"$TGMAP\" completion bash); COMP_WORDS=(\"$TGMAP\"";
    for (const std::string& word : line) script += " \"" + word + "\"";
    script += "); COMP_CWORD=" + std::to_string(line.size()) +
              "; _tgmap; ((${#COMPREPLY[@]} == 0)) || printf \"%s\\n\" \"${COMPREPLY[@]}\"'";
    const outcome seen = shell(script);
    BOOST_TEST(seen.status == 0, seen.err);
    BOOST_TEST(seen.err == "");
    words out = lines_of(seen.out);
    std::sort(out.begin(), out.end());
    return out;
  }

  words fish(const std::string& line) const {
    const outcome seen =
        shell(here() +
              "mkdir -p bin home && ln -sf \"$TGMAP\" bin/tgmap && export HOME=$PWD/home && "
              "PATH=$PWD/bin:$PATH && exec fish -N -c 'tgmap completion fish | source; complete -C \"" +
              line + "\"'");
    BOOST_TEST(seen.status == 0, seen.err);
    words out = lines_of(seen.out);
    for (std::string& each : out) each.erase(std::min(each.find('\t'), each.size()));
    return out;
  }
};

/// Types each of its arguments and a tab into an interactive zsh, and prints the line that comes of it.
constexpr const char* zsh_driver = R"zsh(zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z "PS1=; autoload -Uz compinit; compinit -u -D; source <(tgmap completion zsh); bindkey ^I complete-word; print rea\"\"dy"
zpty -r z out "*ready*"
for line; do
  zpty -w -n z "$line"$'\t\001print -r -- "@""@ \005@""@"\n'
  zpty -r z out "*@@ *@@*"
  print -r -- "${${out##*@@ }%%@@*}"
done
zpty -d z
)zsh";

}  // namespace

BOOST_FIXTURE_TEST_CASE(bash_offers_verbs_and_options, place) {
  if (!installed("bash")) return;
  const words verbs = bash({""});
  BOOST_TEST(holds(verbs, "ls"));
  BOOST_TEST(holds(verbs, "completion"));
  BOOST_TEST(!holds(verbs, "__complete"));
  BOOST_TEST((bash({"va"}) == words{"validate"}));
  BOOST_TEST((bash({"--io", "map", "va"}) == words{"validate"}));
  BOOST_TEST((bash({"ls", "--wh"}) == words{"--where", "--where-plain"}));
  BOOST_TEST((bash({"ls", "f.tgm", "--io", ""}) == words{"automatic", "map", "read"}));
  BOOST_TEST((bash({"ls", "--color", "a"}) == words{"always", "auto"}));
  BOOST_TEST((bash({"ls", "--io", "=", "m"}) == words{"map"}));  // as COMP_WORDBREAKS cuts it
  BOOST_TEST((bash({"extract", "--format", ""}) == words{"npy", "raw"}));
  BOOST_TEST((bash({"completion", ""}) == words{"bash", "fish", "zsh"}));
  BOOST_TEST((bash({"help", "exi"}) == words{"exit-codes"}));
  BOOST_TEST(bash({"ls", "--limit", ""}).empty());
}

BOOST_FIXTURE_TEST_CASE(bash_offers_verbs_below_verbs, place) {
  if (!installed("bash") || !has_zeromq_or_skip("completion of tens")) return;
  const words verbs = bash({"tens", ""});
  BOOST_TEST(holds(verbs, "show"));
  BOOST_TEST(!holds(verbs, "ls"));
  BOOST_TEST((bash({"tens", "exp"}) == words{"export"}));
  BOOST_TEST((bash({"tens", "show", "--js"}) == words{"--json"}));
  BOOST_TEST(bash({"show", "--enc"}).empty());
  BOOST_TEST((bash({"tens", "--io", "map", "export", "--fo"}) == words{"--force", "--form"}));
  BOOST_TEST((bash({"tens", "show", "n"}) == words{"notes.txt"}));
  BOOST_TEST((bash({"tens", "export", "f"}) == words{"f.tgm", "folder"}));
  BOOST_TEST((bash({"help", "tens-s"}) == words{"tens-show"}));
}

BOOST_FIXTURE_TEST_CASE(bash_offers_files, place) {
  if (!installed("bash")) return;
  BOOST_TEST((bash({"ls", ""}) == words{"f.tgm", "folder", "g h.tgm"}));
  BOOST_TEST((bash({"extract", "f.tgm:0:0", "-o", "n"}) == words{"notes.txt"}));
}

BOOST_FIXTURE_TEST_CASE(bash_offers_keys, place) {
  if (!installed("bash")) return;
  BOOST_TEST((bash({"ls", "f.tgm", "-p", "mars."}) == words{"mars.param", "mars.step"}));
  BOOST_TEST((bash({"get", "f.tgm", ":", "0", "-p", "shape,mars.s"}) == words{"shape,mars.step"}));
  BOOST_TEST((bash({"ls", "f.tgm", "-w", "mars.p"}) == words{"mars.param"}));
  BOOST_TEST((bash({"ls", "-p", "dty"}) == words{"dtype"}));
}

BOOST_FIXTURE_TEST_CASE(keys_that_a_shell_would_run_are_not_offered, place) {
  const words all = lines_of(shell(here() + "\"$TGMAP\" __complete keys -- '' f.tgm").out);
  BOOST_TEST(holds(all, "mars.step"));
  BOOST_TEST(holds(all, "@offset"));
  for (const std::string& each : all) BOOST_TEST(each.find_first_of(" $`'\"\\;&|<>()*?[]") == std::string::npos, each);
  if (!installed("bash")) return;
  bash({"ls", "f.tgm", "-p", ""});
  BOOST_TEST(!std::filesystem::exists(files / "gone"));
}

BOOST_FIXTURE_TEST_CASE(keys_are_silent, place) {
  files.file("broken.tgm", "TENSOGRM and then nothing");
  shell(here() + "mkfifo pipe.tgm");
  for (const char* file : {"gone.tgm", "notes.txt", "broken.tgm", "folder", "pipe.tgm", "-", "f.tgm:x", "--", "-p"}) {
    const outcome seen = shell(here() + "timeout 10 \"$TGMAP\" __complete keys -- mars. " + file + " f.tgm");
    BOOST_TEST(seen.status == 0, file << ": " << seen.err);
    BOOST_TEST(seen.err == "");
    BOOST_TEST(holds(lines_of(seen.out), "mars.param"), file);
  }
}

BOOST_FIXTURE_TEST_CASE(fish_offers_the_same, place) {
  if (!installed("fish")) return;
  BOOST_TEST(holds(fish("tgmap "), "validate"));
  BOOST_TEST(!holds(fish("tgmap "), "__complete"));
  BOOST_TEST((fish("tgmap va") == words{"validate"}));
  BOOST_TEST(holds(fish("tgmap ls --wh"), "--where-plain"));
  BOOST_TEST((fish("tgmap ls --io m") == words{"map"}));
  BOOST_TEST((fish("tgmap ls f.tgm -p mars.") == words{"mars.param", "mars.step"}));
  BOOST_TEST(holds(fish("tgmap ls "), "f.tgm"));
  if (!has_zeromq_or_skip("completion of tens in fish")) return;
  BOOST_TEST((fish("tgmap tens exp") == words{"export"}));
  BOOST_TEST((fish("tgmap tens show --js") == words{"--json"}));
  BOOST_TEST(fish("tgmap tens show --cma").empty());  // of the verb show
}

BOOST_FIXTURE_TEST_CASE(zsh_offers_the_same, place) {
  if (!installed("zsh")) return;
  files.file("driver", zsh_driver);
  const outcome seen =
      shell(here() +
            "mkdir bin && ln -s \"$TGMAP\" bin/tgmap && PATH=$PWD/bin:$PATH && exec timeout 60 zsh -f driver "
            "'tgmap va' 'tgmap ls --io re' 'tgmap ls g' 'tgmap help exi' 'tgmap extract --format n' "
            "'tgmap ls f.tgm -p mars.s' 'tgmap get f.tgm -p shape,mars.p'");
  BOOST_TEST(seen.status == 0, seen.err);
  words lines = lines_of(seen.out);
  for (std::string& each : lines) each.erase(each.find_last_not_of(" \r") + 1);
  const words expected{"tgmap validate",
                       "tgmap ls --io read",
                       "tgmap ls g\\ h.tgm",
                       "tgmap help exit-codes",
                       "tgmap extract --format npy",
                       "tgmap ls f.tgm -p mars.step",
                       "tgmap get f.tgm -p shape,mars.param"};
  BOOST_TEST(lines == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(scripts_are_well_formed) {
  for (const std::string name : {"bash", "zsh", "fish"}) {
    const outcome made = run({"completion", name});
    BOOST_TEST(made.status == 0);
    BOOST_TEST(made.out.size() > 2000u);
    if (!installed(name)) continue;
    const temporary_directory files;
    const auto path = files.file("script", made.out).string();
    const outcome seen = shell(name + " -n '" + path + "'");
    BOOST_TEST(seen.status == 0, seen.err);
    BOOST_TEST(seen.err == "");
  }
  BOOST_TEST(run({"completion", "tcsh"}).status == 2);
}

BOOST_AUTO_TEST_SUITE_END()
