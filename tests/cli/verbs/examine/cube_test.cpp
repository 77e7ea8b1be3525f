// SPDX-License-Identifier: Apache-2.0
// The verb becomes another program. Here that is mostly a script that shows what it was given; python/tests has what
// the package prints.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <support/shared_data.hpp>
#include <support/temporary.hpp>
#include <tgmap/version.hpp>

#include "../../process.hpp"
#include "../../samples.hpp"

using namespace tgmap_test;

namespace {

/// A folder with an archive and with programs that stand in for Python.
class programs {
 public:
  programs() {
    files_.file("f.tgm", forecast());
    // Prints each argument behind -c and the code, between brackets.
    program("shows", "shift 2; for each; do printf '[%s]\\n' \"$each\"; done");
    program("exits", "exit 7");
    program("dies", "kill -TERM $$");
    program("copies", "cat; echo said >&2");
    program("bare", "PYTHONPATH=$MODULES exec python3 -S \"$@\"");  // Python without any installed package
  }

  std::string path(std::string_view name) const { return (files_ / name).string(); }

  outcome cube(const std::string& program, std::vector<std::string> arguments, std::string_view input = {}) const {
    std::vector<std::string> all{"cube", "--python", path(program)};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return run(all, input);
  }

  const temporary_directory& files() const { return files_; }

 private:
  void program(std::string_view name, const std::string& body) const {
    const auto at = files_.file(name, "#!/bin/sh\n" + body + "\n");
    std::filesystem::permissions(at, std::filesystem::perms::owner_all);
  }

  temporary_directory files_;
};

/// Returns what the program `shows` prints of arguments that all calls have.
std::string after_common(const std::string& shown) {
  std::string out;
  for (std::size_t at = 0; at < shown.size();) {
    const std::size_t end = shown.find("]\n", at) + 2;
    const std::string line = shown.substr(at, end - at);
    if (!line.starts_with("[--io=") && !line.starts_with("[--width=")) out += line;
    at = end;
  }
  return out;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(cube_verb, programs)

BOOST_AUTO_TEST_CASE(arguments_are_passed_as_they_are) {
  const std::string odd = "a b'\"$(touch x)`touch y`\n;*\\";
  const outcome seen =
      cube("shows", {path("f.tgm"), "--rename", "t=" + odd, "--names", "cfgrib", "--at=step=6h", "--at", "number=1",
                     "--no-squeeze", "-j", "-w", "a=1", "-w", "b=2", "-q", "--no-index"});
  BOOST_TEST(seen.status == 0, seen.err);
  BOOST_TEST(after_common(seen.out) ==
             "[--index=none]\n[--quiet]\n[--names=cfgrib]\n[--no-squeeze]\n[--rename=t=" + odd +
                 "]\n[--at=step=6h]\n[--at=number=1]\n[--json]\n[--where=a=1]\n"
                 "[--where=b=2]\n[--]\n[" +
                 path("f.tgm") + "]\n");
  BOOST_TEST(!std::filesystem::exists("x"));
}

BOOST_AUTO_TEST_CASE(every_option_is_passed) {
  const std::vector<std::string> all{"--names=mars",       "--variable-key=k",  "--dims=a,b",
                                     "--ignore=c",         "--ensure-dims=d",   "--no-squeeze",
                                     "--fill=number=0",    "--dim-names=y,x",   "--control=member",
                                     "--duplicates=first", "--intervals=mixed", "--join=outer",
                                     "--promote",          "--time-unit=s",     "--mars-time=hours",
                                     "--rename=a=b",       "--group=g",         "--variable=t",
                                     "--at=step=1",        "--cells",           "--map"};
  std::vector<std::string> call = all;
  call.push_back(path("f.tgm"));
  std::string expected;
  for (const std::string& each : all) expected += "[" + each + "]\n";
  BOOST_TEST(after_common(cube("shows", call).out) == expected + "[--]\n[" + path("f.tgm") + "]\n");
}

BOOST_AUTO_TEST_CASE(terminals_are_told) {
  const std::string call = path("f.tgm");
  const outcome seen = run_at_terminal({"cube", "--python", path("shows"), call}, {.columns = 61, .rows = 20});
  for (const char* const each : {"[--terminal]\n", "[--colored]\n", "[--width=61]\n"})
    BOOST_TEST(seen.out.find(each) != seen.out.npos, seen.out);
  const outcome plain = run_at_terminal({"cube", "--color", "never", "--python", path("shows"), call});
  BOOST_TEST(plain.out.find("--colored") == plain.out.npos);
  BOOST_TEST(cube("shows", {call}).out.find("--terminal") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(it_is_the_other_program) {
  BOOST_TEST(cube("exits", {path("f.tgm")}).status == 7);
  BOOST_TEST(cube("dies", {path("f.tgm")}).status == 1000 + 15);
  const outcome seen = cube("copies", {"-"}, "of standard input");
  BOOST_TEST(seen.out == "of standard input");
  BOOST_TEST(seen.err == "said\n");
  BOOST_TEST(after_common(cube("shows", {"-"}).out) == "[--]\n[-]\n");
  BOOST_TEST(shell("TGMAP_PYTHON=" + path("exits") + " \"$TGMAP\" cube " + path("f.tgm")).status == 7);
}

BOOST_AUTO_TEST_CASE(many_files_go_through_a_file) {
  std::string list;
  for (int i = 0; i < 3000; ++i) list += path("f.tgm") + "\n";
  const auto named = files().file("list", list).string();
  const std::string code =
      "shift 2; for each; do case $each in --files-in=*) tr '\\0' '\\n' <&${each#--files-in=};; esac; done";
  const auto at = files().file("lists", "#!/bin/sh\n" + code + "\n");
  std::filesystem::permissions(at, std::filesystem::perms::owner_all);
  BOOST_TEST((cube("lists", {"@" + named}).out == list));
}

BOOST_AUTO_TEST_CASE(mistakes_are_found_before_the_program_starts) {
  const std::vector<std::vector<std::string>> wrong{{path("f.tgm"), "--names", "grib"},
                                                    {path("f.tgm"), "--duplicates=some"},
                                                    {path("f.tgm"), "-w", "and"},
                                                    {path("f.tgm"), "--frobnicate"},
                                                    {path("f.tgm") + ":0"},
                                                    {}};
  for (const auto& each : wrong) {
    const outcome seen = cube("exits", each);
    BOOST_TEST(seen.status == 2, seen.err);
    BOOST_TEST(seen.err.starts_with("tgmap: "), seen.err);
  }
  const outcome other = cube("exits", {files().file("a.grib", "GRIB0000").string()});
  BOOST_TEST(other.status == 1);
  BOOST_TEST(other.err.find("is not a Tensogram archive") != other.err.npos, other.err);
  const outcome absent = cube("exits", {path("absent.tgm")});
  BOOST_TEST(absent.status == 1, absent.err);
}

BOOST_AUTO_TEST_CASE(one_line_says_what_to_install) {
  const outcome seen = run({"cube", "--python", "/nonexistent/\x1b[python", path("f.tgm")});
  BOOST_TEST(seen.status == 1);
  BOOST_TEST(seen.out == "");
  BOOST_TEST(seen.err ==
             "tgmap: cube: needs Python, and '/nonexistent/\\x1b[python' cannot be started (No such file or "
             "directory); install it with `python3 -m pip install tgmap`, or name another interpreter by --python or "
             "TGMAP_PYTHON\n");
  const outcome bare = cube("bare", {path("f.tgm")});
  BOOST_TEST(bare.status == 1);
  BOOST_TEST(
      bare.err.starts_with("tgmap: cube: needs the package tgmap " TGMAP_VERSION_STRING " of Python, which is not in "),
      bare.err);
  BOOST_TEST(bare.err.find("(No module named 'tgmap'") != bare.err.npos, bare.err);
  BOOST_TEST(bare.err.ends_with(" or name another interpreter by --python or TGMAP_PYTHON\n"));
  BOOST_TEST(std::count(bare.err.begin(), bare.err.end(), '\n') == 1);
}

BOOST_AUTO_TEST_CASE(nothing_is_imported_from_the_working_folder) {
  const auto module = files() / "tgmap/cube_command";
  std::filesystem::create_directories(module);
  write_file(files() / "tgmap/__init__.py", "");
  write_file(module / "__init__.py", "def main(): print('from here')\n");
  const std::string line = "cd " + files().path().string() + " && \"$TGMAP\" cube --python ./bare f.tgm";
  const outcome seen = shell(line);
  BOOST_TEST(seen.out == "");
  BOOST_TEST(seen.status == 1);
  BOOST_TEST(shell("export MODULES=" + files().path().string() + "; " + line).out == "from here\n");
}

BOOST_AUTO_TEST_CASE(doctor_says_which_python_it_is) {
  const auto python = [&](const std::string& program) {
    const auto page = json_lines(shell("TGMAP_PYTHON=" + path(program) + " \"$TGMAP\" doctor --json").out).at(0);
    for (const auto& feature : page["features"])
      if (feature["kind"] == "program") return feature;
    return nlohmann::json();
  };
  const auto module = files() / "tgmap/cube_command";
  BOOST_TEST(python("bare")["state"] == "off");
  BOOST_TEST(python("bare")["origin"].get<std::string>().starts_with("the package tgmap is not in "));
  BOOST_TEST(python("exits")["origin"] == "'" + path("exits") + "' does not answer as Python does");
  BOOST_TEST(python("absent")["origin"] == "'" + path("absent") + "' cannot be started (No such file or directory)");
  std::filesystem::create_directories(module);
  write_file(files() / "tgmap/__init__.py", "__version__ = '1.2.3'\n");
  write_file(module / "__init__.py", "");
  const auto at =
      files().file("finds", "#!/bin/sh\nPYTHONPATH=" + files().path().string() + " exec python3 -S \"$@\"\n");
  std::filesystem::permissions(at, std::filesystem::perms::owner_all);
  const auto found = python("finds");
  BOOST_TEST(found["state"] == "on");
  BOOST_TEST(found["name"] == "Python");
  BOOST_TEST(found["origin"] == path("finds") + ", package tgmap 1.2.3");
  BOOST_TEST(found["version"].get<std::string>().starts_with("3."));
  const outcome text = shell("TGMAP_PYTHON=" + path("finds") + " \"$TGMAP\" doctor");
  BOOST_TEST(text.out.find("\nOther programs\n  Python         on  3.") != text.out.npos, text.out);
  BOOST_TEST(text.status == 0);
}

BOOST_AUTO_TEST_SUITE_END()
