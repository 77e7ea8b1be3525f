// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <support/shared_data.hpp>

#include "../../process.hpp"
#include "../../samples.hpp"

using namespace tgmap_test;

namespace {

bytes parameter(const std::string& param, int step) {
  return message(
      {.objects = {bytes_object(param)},
       .base = {cbor::map({cbor::key("param", cbor::text(param)), cbor::key("step", cbor::integer(step))})}});
}

struct copying {
  temporary_directory files;
  std::vector<bytes> parts{parameter("2t", 6), parameter("10u", 0), parameter("2t", 0), two_objects(),
                           streamed_message()};
  bytes all = parts[0] + parts[1] + parts[2] + parts[3] + parts[4];
  std::string in = files.file("in.tgm", all).string();

  std::string path(const std::string& name) const { return (files / name).string(); }
  bytes read(const std::string& name) const { return read_file(files / name); }
  bool exists(const std::string& name) const { return std::filesystem::exists(files / name); }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(copy, copying)

BOOST_AUTO_TEST_CASE(everything_is_copied_as_it_is) {
  const outcome seen = run({"copy", in, path("o")});
  BOOST_TEST(seen.status == 0);
  BOOST_TEST(seen.err == "");
  BOOST_TEST(seen.out == path("o") + ": 5 messages, " + std::to_string(all.size()) + " bytes\n");
  BOOST_TEST((read("o") == all));
}

BOOST_AUTO_TEST_CASE(every_archive_comes_back) {
  for (const auto& entry : std::filesystem::directory_iterator(test_data())) {
    if (entry.path().extension() != ".tgm") continue;
    const outcome seen = run({"copy", "--no-sync", entry.path().string(), path("o")});
    const outcome counted = run({"count", entry.path().string()}), listed = run({"validate", entry.path().string()});
    BOOST_TEST_CONTEXT(entry.path().filename()) {
      if (seen.status == 0) BOOST_TEST((read("o") == read_file(entry.path())));
      if (seen.status == 3) BOOST_TEST(read("o").size() < read_file(entry.path()).size());
      if (counted.out == "0\n") {
        BOOST_TEST(seen.status == 1);
      } else {
        BOOST_TEST(seen.status == counted.status);
        BOOST_TEST(run({"count", path("o")}).status == 0);  // damage does not travel
      }
    }
    std::filesystem::remove(files / "o");
  }
}

BOOST_AUTO_TEST_CASE(addresses_ranges_and_several_archives) {
  const std::string second = files.file("second.tgm", old_message()).string();
  const auto copied = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"copy", "--no-sync"});
    arguments.push_back(path("o"));
    const outcome seen = run(arguments);
    BOOST_TEST(seen.status == 0, seen.err);
    return read("o");
  };
  BOOST_TEST((copied({in + ":1"}) == parts[1]));
  BOOST_TEST((copied({in + ":-2..", second}) == parts[3] + parts[4] + old_message()));
  BOOST_TEST((copied({in + "@" + std::to_string(parts[0].size()), in + ":0"}) == parts[1] + parts[0]));
  BOOST_TEST((copied({second, in + ":0", second}) == old_message() + parts[0] + old_message()));
  BOOST_TEST((copied({"-w", "param=2t", in}) == parts[0] + parts[2]));
  BOOST_TEST((copied({"--sort", "step,param", "-w", "step>=0", in, second}) == parts[1] + parts[2] + parts[0]));
  BOOST_TEST((copied({"--limit", "2", in}) == parts[0] + parts[1]));
  BOOST_TEST((copied({"--io", "read", in}) == all));
}

BOOST_AUTO_TEST_CASE(sorted_into_files) {
  const outcome seen = run({"copy", "--json", in, path("d/[param]/[step].tgm")});
  BOOST_TEST(seen.status == 0, seen.err);
  BOOST_TEST((read("d/2t/6.tgm") == parts[0]));
  BOOST_TEST((read("d/10u/0.tgm") == parts[1]));
  BOOST_TEST((read("d/2t/0.tgm") == parts[2]));
  BOOST_TEST((read("d/unknown/unknown.tgm") == parts[3] + parts[4]));
  const auto lines = json_lines(seen.out);
  BOOST_TEST(lines.size() == 4u);
  BOOST_TEST(lines[0]["output"] == path("d/2t/6.tgm"));
  BOOST_TEST(lines[3]["messages"] == 2);
  BOOST_TEST(lines[3]["bytes"] == (parts[3] + parts[4]).size());
}

BOOST_AUTO_TEST_CASE(files_are_replaced_once_in_a_run) {
  for (int i = 0; i < 2; ++i) {
    BOOST_TEST(run({"copy", in, path("[param].tgm")}).status == 0);
    BOOST_TEST((read("2t.tgm") == parts[0] + parts[2]));
  }
}

BOOST_AUTO_TEST_CASE(many_small_messages_keep_their_order) {
  bytes data;
  std::map<std::string, bytes> expected;
  for (int i = 0; i < 5000; ++i) {
    const bytes one = parameter("p" + std::to_string(i * i % 7), i);
    data += one;
    expected["p" + std::to_string(i * i % 7)] += one;
  }
  files.file("many.tgm", data);
  for (const char* mode : {"map", "read"}) {
    BOOST_TEST(run({"copy", "--io", mode, "--no-sync", path("many.tgm"), path("out/[param]")}).status == 0);
    for (const auto& [param, bytes_of] : expected) BOOST_TEST((read("out/" + param) == bytes_of));
  }
}

BOOST_AUTO_TEST_CASE(values_do_not_leave_their_folder) {
  files.file("evil.tgm", parameter("../../../outside", 0) + parameter("..", 1) + parameter("-", 2));
  BOOST_TEST(run({"copy", path("evil.tgm"), path("d/[param]")}).status == 0);
  BOOST_TEST(exists("d/______.._outside") + exists("d/___.._.._outside") == 1);
  BOOST_TEST(exists("d/__"));
  const outcome dash = shell("cd '" + files.path().string() + "' && \"$TGMAP\" copy evil.tgm:2 '[param]'");
  BOOST_TEST(dash.out == "./-: 1 message, " + std::to_string(parameter("-", 2).size()) + " bytes\n");
  BOOST_TEST((read("-") == parameter("-", 2)));
}

BOOST_AUTO_TEST_CASE(messages_that_differ_never_share_a_file) {
  for (const std::string other : {"x_y", "x/y"}) {
    files.file("in.tgm", parameter("x/y", 1) + parameter(other, 2) + parameter("z", 3));
    std::filesystem::create_directory(files / "o");
    write_file(files / "o/x_y.tgm", "old");
    const outcome seen = run({"copy", "-f", in, path("o/[param].tgm")});
    if (other == "x/y") {
      BOOST_TEST(seen.status == 0, seen.err);
      BOOST_TEST((read("o/x_y.tgm") == parameter("x/y", 1) + parameter("x/y", 2)));
    } else {
      BOOST_TEST(seen.status == 1);
      BOOST_TEST(seen.err.find("[param] is 'x/y' in some and 'x_y' in others") != std::string::npos, seen.err);
      BOOST_TEST(seen.err.find("nothing was written") != std::string::npos, seen.err);
      BOOST_TEST(read("o/x_y.tgm") == "old");
      BOOST_TEST(!exists("o/z.tgm"));
    }
    std::filesystem::remove_all(files / "o");
  }
  files.file("in.tgm", parameter("a", 1) + parameter("b", 2));
  std::filesystem::create_symlink("a.tgm", files / "b.tgm");
  const outcome seen = run({"copy", "-f", in, path("[param].tgm")});
  BOOST_TEST(seen.status == 1);
  BOOST_TEST(seen.err.find("b.tgm: is the same file as") != std::string::npos, seen.err);
  BOOST_TEST(!std::filesystem::exists(files / "a.tgm"));
}

BOOST_AUTO_TEST_CASE(links_of_others_are_not_followed) {
  if (::geteuid() != 0) return say_skipped("copy to links of another user", "only root can make them");
  std::filesystem::create_directory(files / "d");
  const auto victim = files.file("victim", "kept");
  std::filesystem::create_symlink("../victim", files / "d/link");
  ::chmod((files / "d").c_str(), 01777);
  BOOST_TEST_REQUIRE(::lchown((files / "d/link").c_str(), 12345, 12345) == 0);
  for (const std::string verb : {"copy", "append"}) {
    const outcome seen = verb == "copy" ? run({"copy", "-f", in, path("d/link")}) : run({"append", path("d/link"), in});
    BOOST_TEST(seen.status == 1);
    BOOST_TEST(seen.err.find("d/link: is a link of another user in a folder that everybody may write to; name the file "
                             "that it leads to") != std::string::npos,
               seen.err);
    BOOST_TEST(read_file(victim) == "kept");
  }
}

BOOST_AUTO_TEST_CASE(an_output_may_be_an_input) {
  BOOST_TEST(run({"copy", in + ":2..", in + ":0", in}).status == 0);
  BOOST_TEST((read("in.tgm") == parts[2] + parts[3] + parts[4] + parts[0]));
}

BOOST_AUTO_TEST_CASE(nothing_selected_is_no_file) {
  files.file("o", "old");
  for (const std::vector<std::string>& what :
       {std::vector<std::string>{"-w", "param=zz", in}, {"--limit", "0", in}, {files.file("e", "").string()}}) {
    std::vector<std::string> arguments{"copy"};
    arguments.insert(arguments.end(), what.begin(), what.end());
    arguments.push_back(path("o"));
    const outcome seen = run(arguments);
    BOOST_TEST(seen.status == 1);
    BOOST_TEST(seen.err.find("no message is selected; nothing was written") != std::string::npos, seen.err);
    BOOST_TEST(seen.out == "");
    BOOST_TEST(read("o") == "old");
  }
}

BOOST_AUTO_TEST_CASE(unreadable_input_leaves_no_file) {
  const outcome gone = run({"copy", in, path("gone"), path("o")});
  BOOST_TEST(gone.status == 1);
  BOOST_TEST(!exists("o"));
  BOOST_TEST(gone.err.find("o: nothing was written because of the error above") != std::string::npos, gone.err);
  files.file("lying", lying_message());
  BOOST_TEST(run({"copy", "-w", "param=2t", in, path("lying"), path("o")}).status == 1);
  BOOST_TEST(!exists("o"));
  BOOST_TEST(run({"copy", path("lying"), path("o")}).status == 0);  // nothing of it needs to be understood
  BOOST_TEST((read("o") == lying_message()));
}

BOOST_AUTO_TEST_CASE(damage_is_left_out_and_reported) {
  files.file("gap", parts[0] + "noise" + parts[1]);
  const outcome seen = run({"copy", path("gap"), path("o")});
  BOOST_TEST(seen.status == 3);
  BOOST_TEST((read("o") == parts[0] + parts[1]));
  BOOST_TEST(seen.err.find("the file is damaged") != std::string::npos);

  const bytes cut = streamed_message().substr(0, streamed_message().size() - 10);
  files.file("cut", parts[0] + cut);
  const outcome unfinished = run({"copy", path("cut"), in, path("o")});
  BOOST_TEST(unfinished.status == 3, unfinished.err);
  BOOST_TEST((read("o") == parts[0] + all));
}

BOOST_AUTO_TEST_CASE(standard_input_and_output) {
  const outcome seen = run({"copy", "-", "-"}, all);
  BOOST_TEST(seen.status == 0);
  BOOST_TEST((seen.out == all));
  BOOST_TEST(seen.err == "tgmap: -: 5 messages, " + std::to_string(all.size()) + " bytes\n");
  BOOST_TEST((run({"copy", "-q", "-:1", "/dev/stdout"}, all).out == parts[1]));
  BOOST_TEST((shell("cat '" + in + "' | \"$TGMAP\" copy -q - - | cat").out == all));  // pipes
  BOOST_TEST(
      (shell("echo before; \"$TGMAP\" copy -q '" + in + "' -; echo behind").out == "before\n" + all + "behind\n"));
  BOOST_TEST(run({"copy", "--json", in, "-"}).status == 2);
  BOOST_TEST(shell("\"$TGMAP\" copy -q '" + in + "' /dev/full").err.find("/dev/full: No space left") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_dry_run_tells_the_same_and_writes_nothing) {
  files.file("o", "old");
  const outcome dry = run({"copy", "--dry-run", in, path("d/[param]")});
  BOOST_TEST(dry.status == 0);
  BOOST_TEST(!exists("d"));
  BOOST_TEST(without_dry(dry.out) == run({"copy", in, path("d/[param]")}).out);
  BOOST_TEST(run({"copy", "-n", in, path("o")}).status == 0);
  BOOST_TEST(read("o") == "old");
  BOOST_TEST(run({"copy", "-n", "--no-clobber", in, path("o")}).status == 1);
}

BOOST_AUTO_TEST_CASE(contradictory_arguments_are_usage_errors) {
  BOOST_TEST(run({"copy", in}).status == 2);
  BOOST_TEST(run({"copy", in, path("[")}).status == 2);
  BOOST_TEST(run({"copy", "--force", "--no-clobber", in, path("o")}).status == 2);
}

BOOST_AUTO_TEST_CASE(permissions_of_a_file_stay_the_same) {
  files.file("o", "old");
  std::filesystem::permissions(files / "o", std::filesystem::perms(0640));
  BOOST_TEST(run({"copy", in, path("o")}).status == 0);
  BOOST_TEST((std::filesystem::status(files / "o").permissions() == std::filesystem::perms(0640)));
}

BOOST_AUTO_TEST_CASE(people_are_asked_at_a_terminal) {
  files.file("o", "old");
  const auto answered = [&](const std::string& text, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "copy");
    return run_at_terminal(arguments, {.typed = text});
  };
  const outcome no = answered("n\n", {in, path("o")});
  BOOST_TEST(no.status == 1);
  BOOST_TEST(
      no.out.find("tgmap: '" + path("o") + "' already exists; replace it? [y]es, [a]ll, [N]o ") != std::string::npos,
      no.out);
  BOOST_TEST(no.out.find("o: was not replaced; name another file") != std::string::npos, no.out);
  BOOST_TEST(answered("\n", {in, path("o")}).status == 1);
  BOOST_TEST(read("o") == "old");
  BOOST_TEST(answered("y\n", {in, path("o")}).status == 0);
  BOOST_TEST((read("o") == all));
  const outcome forced = answered("n\n", {"-f", in, path("o")});
  BOOST_TEST(forced.status == 0);
  BOOST_TEST(forced.out.find("replace it?") == std::string::npos);

  for (const char* name : {"2t", "10u", "unknown"}) files.file(name, "old");
  BOOST_TEST(answered("y\nn\n", {in, path("[param]")}).status == 1);
  BOOST_TEST(read("2t") == "old");  // all or nothing
  const outcome every = answered("a\n", {in, path("[param]")});
  BOOST_TEST(every.status == 0, every.out);
  BOOST_TEST((read("2t") == parts[0] + parts[2]));
}

BOOST_AUTO_TEST_CASE(binary_output_at_a_terminal_is_refused) {
  const std::string in = (test_data() / "w0.24.0_one_float32.tgm").string();
  for (const std::vector<std::string>& how : {std::vector<std::string>{"copy", in, "-"},
                                              {"set", "-s", "a=1", in, "-"},
                                              {"merge", in, "-o", "-"},
                                              {"extract", in + ":0:0", "--format", "raw", "-o", "-"},
                                              {"copy", in, "/dev/stdout"}}) {
    const outcome seen = run_at_terminal(how);
    BOOST_TEST(seen.status == 2, how.front());
    BOOST_TEST(seen.out ==
                   "tgmap: the output is binary, and standard output is a terminal; name a file, or add `> FILE` or `| "
                   "PROGRAM`\n",
               how.front());
    BOOST_TEST(run(how).status == 0, how.front());
  }
  BOOST_TEST(run_at_terminal({"copy", "--dry-run", in, "-"}).status == 0);
}

BOOST_AUTO_TEST_CASE(binary_output_to_any_terminal_is_refused) {
  const std::string in = (test_data() / "w0.24.0_one_float32.tgm").string();
  for (const char* const name : {"/dev/stderr", "/dev/fd/2", "/proc/self/fd/2"}) {
    const outcome seen = run_at_terminal({"copy", in, name});
    BOOST_TEST(seen.status == 2, name);
    BOOST_TEST(seen.out == "tgmap: the output is binary, and '" + std::string(name) +
                               "' is a terminal; name a file, or add `> FILE` or `| PROGRAM`\n");
  }
}

BOOST_AUTO_TEST_SUITE_END()
