// SPDX-License-Identifier: Apache-2.0
// Completions that shells offer.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <map>
#include <sstream>
#include <support/shared_data.hpp>

#include "../../process.hpp"
#include "../../samples.hpp"
#include "cli/command/command.hpp"
#include "cli/command/option_model.hpp"

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

/// A directory with two archives, another file and a subdirectory.
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

  /// Returns the completions of bash for the last of these words.
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

/// Types each argument and a tab into an interactive zsh, and prints the resulting line.
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
  BOOST_TEST((bash({"extract", "--format", ""}) == words{"csv", "json", "npy", "raw", "text"}));
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
  BOOST_TEST((bash({"help", "tens", "s"}) == words{"show"}));
  BOOST_TEST((bash({"help", "info", "l"}) == words{}));
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

namespace {

/// An option with a list of values: "convert", "--filter", and the values.
struct listed_option {
  std::string path, name;
  words values;
};

void add_listed(const std::string& path, const tgmap::cli::verb_model& verb, std::vector<listed_option>& into) {
  for (const auto& option : verb.options)
    if (!option.argument && !option.words.empty()) into.push_back({path, option.names.back(), option.words});
  for (const auto& below : verb.verbs) add_listed(path + " " + below.name, below, into);
}

std::vector<listed_option> listed_options() {
  tgmap::cli::session run;
  tgmap::cli::command command(run);
  std::vector<listed_option> out;
  for (const auto& verb : tgmap::cli::verbs_of(command.app())) add_listed(verb.name, verb, out);
  return out;
}

std::string joined(const words& all) {
  std::string out;
  for (const std::string& each : all) out += (out.empty() ? "" : " ") + each;
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(options_with_a_list_are_known) {
  std::map<std::string, words> found;
  for (const listed_option& each : listed_options()) found[each.path + " " + each.name] = each.values;
  std::map<std::string, words> wanted{{"show --cmap", {"lagoon", "gray", "ember_r"}},
                                      {"convert --encoding", {"none", "simple_packing"}},
                                      {"convert --filter", {"none", "shuffle"}},
                                      {"convert --compression", {"none", "zstd", "szip"}},
                                      {"create --compression-level", {"3", "9", "22"}},
                                      {"create --align", {"8", "4096"}},
                                      {"create --index", {"header", "footer"}},
                                      {"create --blosc2-codec", {"lz4hc"}},
                                      {"create --nan-mask-method", {"roaring"}},
                                      {"extract --format", {"npy", "raw"}},
                                      {"ls --io", {"map"}},
                                      {"ls --color", {"always"}}};
  if (has_zeromq_or_skip("values of tens")) wanted["tens export --level"] = {"0", "8"};
  if (has_simdjson_or_skip("values of constant")) {
    wanted["constant export --form"] = {"hex", "tbf"};
    wanted["constant check --cell-type"] = {"bfloat16", "int8"};
  }
  for (const auto& [option, values] : wanted)
    for (const std::string& value : values) BOOST_TEST(holds(found[option], value), option << " " << value);
}

BOOST_AUTO_TEST_CASE(every_list_of_values_is_offered_by_bash) {
  if (!installed("bash")) return;
  const std::vector<listed_option> all = listed_options();
  BOOST_TEST(all.size() > 100u);
  std::string script = "source <(\"$TGMAP\" completion bash)\n";
  for (const listed_option& each : all)
    script += "COMP_WORDS=(tgmap " + each.path + " " + each.name +
              " ''); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _tgmap; echo \"${COMPREPLY[@]}\"\n";
  const temporary_directory files;
  const outcome seen = shell("exec bash '" + files.file("offered", script).string() + "'");
  BOOST_TEST(seen.err == "");
  const words lines = lines_of(seen.out);
  BOOST_TEST_REQUIRE(lines.size() == all.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    BOOST_TEST(lines[i] == joined(all[i].values), all[i].path << " " << all[i].name);
}

BOOST_AUTO_TEST_CASE(every_list_of_values_is_offered_by_zsh_and_fish) {
  const std::string zsh = run({"completion", "zsh"}).out, fish = run({"completion", "fish"}).out;
  for (const listed_option& each : listed_options()) {
    const std::string values = joined(each.values), verb = each.path.substr(each.path.rfind(' ') + 1);
    // A specification of zsh is one word in quotes that ends with the values; the verb's options follow its name.
    const std::string first = each.path.substr(0, each.path.find(' '));
    std::size_t verb_at = zsh.find("        " + first + ") _arguments");
    if (first != verb) verb_at = zsh.find("        " + verb + ") _arguments", verb_at);
    BOOST_TEST_REQUIRE(verb_at != zsh.npos, verb);
    const std::size_t option_at = zsh.find("'*" + each.name + "=[", verb_at);
    BOOST_TEST_REQUIRE(option_at != zsh.npos, each.path << " " << each.name);
    const std::string specification = zsh.substr(option_at, zsh.find('\n', option_at) - option_at);
    BOOST_TEST(specification.find(":(" + values + ")'") != specification.npos, specification);

    bool offered = false;
    for (const std::string& line : lines_of(fish))
      offered = offered || (line.find("__fish_seen_subcommand_from " + verb) != line.npos &&
                            line.find(" -l " + each.name.substr(2) + " ") != line.npos &&
                            line.find(" -x -a '" + values + "'") != line.npos);
    BOOST_TEST(offered, each.path << " " << each.name << " in fish");
  }
}

BOOST_FIXTURE_TEST_CASE(names_of_files_and_keys_are_offered_where_they_are_needed, place) {
  if (!installed("bash")) return;
  BOOST_TEST((bash({"split", "f.tgm", "-o", "n"}) == words{"notes.txt"}));
  BOOST_TEST((bash({"set", "f.tgm", "-s", "mars.s"}) == words{"mars.step"}));
  BOOST_TEST((bash({"ls", "f.tgm", "--sort", "mars.s"}) == words{"mars.step"}));
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
