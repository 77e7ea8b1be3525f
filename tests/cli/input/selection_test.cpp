// SPDX-License-Identifier: Apache-2.0
// Keys and selections on the command line. The first cases compare with output of the reference implementation.
#include <boost/test/unit_test.hpp>

#include <support/selection_samples.hpp>
#include "../process.hpp"

using namespace tgmap_test;

namespace {

/// The two files, and runs of the command on them.
struct two_files {
  temporary_directory files{};
  std::string f = files.file("f.tgm", six_messages()).string(),
              two = files.file("two.tgm", two_named_objects()).string();
};

void prints(const std::vector<std::string>& arguments, const std::string& out, const std::string& err = {}) {
  const outcome seen = run(arguments);
  BOOST_TEST(seen.status == 0, seen.err);
  BOOST_TEST(seen.out == out);
  BOOST_TEST(seen.err == err);
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(selection, two_files)

BOOST_AUTO_TEST_CASE(ls_has_a_header_and_tabs) {
  prints({"ls", "-p", "mars.param,mars.step,nokey", f},
         "mars.param\tmars.step\tnokey\n2t\t0\tN/A\n10u\t0\tN/A\n2t\t6\tN/A\n10u\t6\tN/A\n2t\t12\tN/A\n10u\t12\tN/A\n",
         "tgmap: no selected message has the key 'nokey'; run `tgmap dump " + f + "` to see all keys\n");
  prints({"ls", "-p", "version", two}, "version\n3\n");
  prints({"ls", "-q", "-p", " name , ,x", "-w", "mars.step=0", f}, "name\t\tx\n2t\tN/A\t1.5\n10u\tN/A\t1.5\n");
  prints({"ls", "-q", "-p", "", "-w", "mars.param=2t,mars.step=0", f}, "\nN/A\n");
}

BOOST_AUTO_TEST_CASE(ls_has_one_header_for_all_files) {
  prints({"ls", "-p", "title", "-w", "name=a/2t", f, two}, "title\nN/A\nN/A\nN/A\ntwo\n");
}

BOOST_AUTO_TEST_CASE(get_has_values_and_blanks) {
  prints({"get", "-p", "mars.param,mars.step", "-w", "mars.step!=0/6", f}, "2t 12\n10u 12\n");
  prints({"get", "-p", "version,ok,x,source", f + ":0"}, "3 true 1.5 demo\n");
  BOOST_TEST(run({"get", "-p", "name", "-w", "name=none", f}).out == "");
  prints({"get", "-p", "mars.levelist,mars.levelist[0]", f + ":-1"}, "[500,850] 500\n");
}

BOOST_AUTO_TEST_CASE(get_ends_at_a_key_that_is_not_there) {
  const outcome seen = run({"get", "-p", "unit", two, f, two});
  BOOST_TEST(seen.status == 1);
  BOOST_TEST(seen.out == "K\n");  // the lines before it, and none after
  BOOST_TEST(seen.err ==
             "tgmap: " + f + ": key not found: unit; run `tgmap ls -p unit " + f + "` to see which messages have it\n");
  const outcome near = run({"get", "-p", "mars.parm", f});
  BOOST_TEST(near.status == 1);
  BOOST_TEST(near.out == "");
  BOOST_TEST(near.err == "tgmap: " + f + ": key not found: mars.parm; did you mean 'mars.param'?\n");
  BOOST_TEST(run({"get", "-p", "name,", f}).status == 1);
}

BOOST_AUTO_TEST_CASE(json_has_the_texts_that_are_there) {
  const auto lines = json_lines(run({"ls", "-j", "-p", "mars.step,nokey,ok,shape", f + ":3"}).out);
  BOOST_TEST_REQUIRE(lines.size() == 1u);
  BOOST_TEST(lines[0] == nlohmann::json({{"file", f}, {"mars.step", 6}, {"ok", true}, {"shape", {2, 3}}}));
  BOOST_TEST(json_lines(run({"get", "-j", "-p", "name", two}).out).at(0) ==
             nlohmann::json({{"file", two}, {"name", "a"}}));
  const auto counts = json_lines(run({"count", "-j", "-w", "name=2t", f, two}).out);
  BOOST_TEST(counts.at(0) == nlohmann::json({{"file", f}, {"count", 3}}));
  BOOST_TEST(counts.at(1) == nlohmann::json({{"file", two}, {"count", 0}}));
}

BOOST_AUTO_TEST_CASE(objects_are_selected_each) {
  prints({"ls", "--objects", "-p", "name,unit,@object,title", two},
         "name\tunit\t@object\ttitle\na\tN/A\t0\ttwo\nb\tK\t1\ttwo\n");
  prints({"get", "--objects", "-w", "name=b", "-p", "name,dtype", two}, "b uint8\n");
  prints({"get", "-p", "name", two + ":0:1"}, "b\n");
  prints({"get", "-p", "name", two + "@0:-1"}, "b\n");
  BOOST_TEST(run({"get", "-p", "name,@object", "-w", "name=a", two + ":0:1"}).out == "");
}

BOOST_AUTO_TEST_CASE(count_adds_up) {
  prints({"count", f}, "6\n");
  prints({"count", f, two}, "7\n");
  prints({"count", "--objects", f, two}, "8\n");
  prints({"count", "-w", "mars.step>=6", f}, "4\n");
  prints({"count", "-w", "has title", f, two}, "1\n");
  prints({"count", "--objects", "-w", "dtype=uint8", f, two}, "1\n");
  prints({"count", f + ":2"}, "1\n");
  prints({"count", files.file("empty.tgm", "").string()}, "0\n");
}

BOOST_AUTO_TEST_CASE(several_selections_must_all_hold) {
  prints({"get", "-w", "mars.param=2t", "-w", "mars.step=0..6", "-w", "not mars.step=0", "-p", "@message", f}, "2\n");
  BOOST_TEST(run({"count", "-w", "[x]=1", f}).out == "0\n");
}

BOOST_AUTO_TEST_CASE(plain_selections_are_the_references) {
  prints({"count", "--where-plain", "-w", "mars.param=2t/10u", f}, "6\n");
  BOOST_TEST(run({"count", "--where-plain", "-w", "mars.param=2t or mars.step=0", f}).out == "0\n");
  prints({"count", "-w", "mars.param=2t or mars.step=0", f}, "4\n");
  BOOST_TEST(run({"count", "--where-plain", "-w", "mars.step>0", f}).status == 2);
}

BOOST_AUTO_TEST_CASE(the_usual_listing_can_be_selected_too) {
  const auto numbers = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"ls", "-j"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    std::string out;
    for (const auto& line : json_lines(run(arguments).out)) out += line["message"].dump() + " ";
    return out;
  };
  BOOST_TEST(numbers({"-w", "mars.param=10u", f}) == "1 3 5 ");
  BOOST_TEST(numbers({"--objects", "-w", "name=b", two}) == "0 ");
  BOOST_TEST(numbers({"-w", "mars.param=10u", f + ":0"}) == "");
  BOOST_TEST(numbers({"-w", "@object=0", two + ":0:1"}) == "");
  BOOST_TEST(numbers({"-w", "@object=1", two + ":0:1"}) == "0 ");
}

BOOST_AUTO_TEST_CASE(a_selection_that_cannot_be_read_says_where) {
  const auto refused = [&](const std::vector<std::string>& arguments) {
    const outcome seen = run(arguments);
    BOOST_TEST(seen.status == 2);
    BOOST_TEST(seen.out == "");
    return seen.err;
  };
  const std::string behind = "; run `tgmap help where`\n";
  BOOST_TEST(refused({"count", "-w", "mars.step 24", f}) ==
             "tgmap: 'mars.step 24': no operator follows the key, at column 13 of the selection (its end)" + behind);
  BOOST_TEST(refused({"ls", "-w", "a=1 and (b=2", "-p", "x", f}) ==
             "tgmap: 'a=1 and (b=2': a parenthesis is not closed, at column 9 of the selection ('(b=2')" + behind);
  BOOST_TEST(refused({"get", "-w", "@ofset=1", "-p", "x", f}) ==
             "tgmap: '@ofset=1': no property has this name, at column 1 of the selection ('@ofset=1'); did you mean "
             "'@offset'?\n");
  BOOST_TEST(refused({"get", "-p", "name,@lenght", f}).find("did you mean '@length'?") != std::string::npos);
  BOOST_TEST(refused({"get", f}).find("--keys is required") != std::string::npos);
  BOOST_TEST(refused({"ls", "-w", "", f}).find("a key is missing, at column 1") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(every_verb_says_that_nothing_is_selected) {
  const std::string out = (files / "out.tgm").string();
  struct row {
    std::vector<std::string> arguments;
    int status;
    const char* what = "message";
  };
  const row rows[] = {
      {{"count"}, 0},
      {{"get", "-p", "name"}, 0},
      {{"ls"}, 0},
      {{"ls", "-j"}, 0},
      {{"ls", "-p", "name"}, 0},
      {{"ls", "--objects"}, 0, "object"},
      {{"count", "--objects"}, 0, "object"},
      {{"stats"}, 0, "object"},
      {{"du"}, 0},
      {{"dump"}, 0},
      {{"dump", "--frames"}, 0},
      {{"diff", f}, 1},
      {{"set", "-s", "a=1", "OUT"}, 0},
      {{"rehash", "OUT"}, 0},
      {{"convert", "--compression", "none", "OUT"}, 0, "object"},
      {{"copy", "OUT"}, 1},
      {{"merge", "-o", out}, 1},
      {{"split", "-o", out}, 1},
      {{"split", "--count", "2", "-o", out}, 1},
      {{"extract", "-o", out + ".npz"}, 1, "object"},
  };
  for (const row& each : rows) {
    std::vector<std::string> arguments = each.arguments;
    const bool has_output = arguments.back() == "OUT";
    if (has_output) arguments.pop_back();
    arguments.insert(arguments.end(), {"-w", "mars.stp=0", f});
    if (has_output) arguments.push_back(out);
    const outcome seen = run(arguments);
    BOOST_TEST(seen.status == each.status, arguments[0] << ": " << seen.err);
    const std::string wanted = "tgmap: " + f + ": nothing is selected: no " + each.what +
                               " has the key 'mars.stp'; did you mean 'mars.step'?\n";
    BOOST_TEST(seen.err.ends_with(wanted), arguments[0] << ": " << seen.err);
  }
  BOOST_TEST(run({"count", "-w", "mars.stp=0", f}).out == "0\n");
}

BOOST_AUTO_TEST_CASE(every_verb_names_a_key_that_no_message_has) {
  const std::string out = (files / "out.tgm").string();
  struct row {
    std::vector<std::string> arguments;
    const char* what = "message";
  };
  const row rows[] = {
      {{"count"}},
      {{"get", "-p", "name"}},
      {{"ls"}},
      {{"ls", "-j"}},
      {{"ls", "-p", "name"}},
      {{"ls", "--objects"}, "object"},
      {{"count", "--objects"}, "object"},
      {{"stats"}, "object"},
      {{"du"}},
      {{"dump"}},
      {{"set", "-s", "a=1", "OUT"}},
      {{"rehash", "OUT"}},
      {{"convert", "--compression", "none", "OUT"}, "object"},
      {{"copy", "OUT"}},
      {{"append", "OUT"}},
      {{"merge", "-o", out}},
      {{"split", "--count", "9", "-o", out}},
      {{"extract", "-o", out + ".npz"}, "object"},
      {{"explain"}},
  };
  for (const row& each : rows)
    for (const char* where : {"mars.stp!=0", "not mars.stp=0", "mars.stp=0 or name=2t"}) {
      std::vector<std::string> arguments = each.arguments;
      const bool has_output = arguments.back() == "OUT";
      if (has_output) arguments.pop_back();
      arguments.insert(arguments.end(), {"-w", where, f});
      if (has_output) arguments.push_back(out);
      if (arguments.front() == "append") std::swap(arguments.back(), *(arguments.end() - 2));
      std::filesystem::remove(out);
      const outcome seen = run(arguments);
      BOOST_TEST(seen.status == 0, arguments[0] << ": " << seen.err);
      const std::string wanted =
          "tgmap: " + f + ": no " + each.what + " has the key 'mars.stp'; did you mean 'mars.step'?\n";
      BOOST_TEST(seen.err.ends_with(wanted), arguments[0] << ": " << seen.err);
      BOOST_TEST(seen.err.find(wanted) == seen.err.size() - wanted.size(), arguments[0] << ": " << seen.err);
      std::filesystem::remove(out);
      std::filesystem::remove(out + ".npz");
      arguments.insert(arguments.begin() + 1, "-q");
      BOOST_TEST(run(arguments).err.find("mars.stp") == std::string::npos);
    }
  const outcome compared = run({"diff", "-w", "mars.stp!=0", f, f});
  BOOST_TEST(compared.status == 0);
  BOOST_TEST(compared.err == "tgmap: " + f + ": no message has the key 'mars.stp'; did you mean 'mars.step'?\n");
}

BOOST_AUTO_TEST_CASE(keys_of_a_selection_are_those_of_all_archives) {
  const auto hint = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"count"});
    return run(arguments).err;
  };
  BOOST_TEST(hint({"-w", "title!=x", f}) ==
             "tgmap: " + f + ": no message has the key 'title'; run `tgmap dump " + f + "` to see all keys\n");
  BOOST_TEST(hint({"-w", "title!=x", f, two}) == "");
  BOOST_TEST(hint({"-w", "title!=x", two, f}) == "");
  BOOST_TEST(hint({"-w", "titel!=x", f, two}) ==
             "tgmap: 2 archives: no message has the key 'titel'; did you mean 'title'?\n");
  BOOST_TEST(hint({"-w", "title=two or mars.step=0", f, two}) == "");
  BOOST_TEST(hint({"-w", "qq!=1 and mars.stp!=1", f}) ==
             "tgmap: " + f + ": no message has the key 'qq'; run `tgmap dump " + f + "` to see all keys\ntgmap: " + f +
                 ": no message has the key 'mars.stp'; did you mean 'mars.step'?\n");
  BOOST_TEST(hint({"-w", "mars.stp!=0", f + ":1..2"}) ==
             "tgmap: " + f + ": no addressed message has the key 'mars.stp'; did you mean 'mars.step'?\n");
  BOOST_TEST(hint({"-w", "unit!=x", two + ":0:0"}).find("no addressed object has the key 'unit'") != std::string::npos);
  BOOST_TEST(hint({"-w", "mars.step!=99 and not mars.param=x and shape!=7", f}) == "");
  BOOST_TEST(hint({"-w", "not has mars.stp", f}) == "");  // that is what was asked
  BOOST_TEST(hint({"-w", "has mars.stp", f}).find("nothing is selected: no message has the key 'mars.stp'") !=
             std::string::npos);
  BOOST_TEST(hint({f}) == "");
}

BOOST_AUTO_TEST_CASE(the_reason_is_that_of_all_archives) {
  const auto reason = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "count");
    const outcome seen = run(arguments);
    BOOST_TEST(seen.status == 0);
    return seen.err;
  };
  BOOST_TEST(reason({"-w", "mars.step=99", f}) == "tgmap: " + f +
                                                      ": nothing is selected: no message matches 'mars.step=99'; run "
                                                      "`tgmap ls -p mars.step " +
                                                      f + "` to see the values\n");
  BOOST_TEST(reason({"-w", "mars.step=99", "-w", "ok=true", f})
                 .find("matches 'mars.step=99' and 'ok=true'; run `tgmap ls "
                       "-p mars.step,ok ") != std::string::npos);
  // Only the second archive has the key.
  BOOST_TEST(
      reason({"-w", "title=x", f, two}).starts_with("tgmap: 2 archives: nothing is selected: no message matches "));
  BOOST_TEST(reason({"-w", "titel=x", f, two}) ==
             "tgmap: 2 archives: nothing is selected: no message has the key 'titel'; did you mean 'title'?\n");
  BOOST_TEST(reason({"-w", "title=two", f, two}) == "");
  BOOST_TEST(reason({"-w", "wavelength=1", f}) == "tgmap: " + f +
                                                      ": nothing is selected: no message has the key 'wavelength'; run "
                                                      "`tgmap dump " +
                                                      f + "` to see all keys\n");
  BOOST_TEST(reason({"-w", "@object=7", f}).find("no message matches '@object=7'") != std::string::npos);
  BOOST_TEST(reason({f + ":9.."}).find("nothing is selected: the address has no messages; run `tgmap ls ") !=
             std::string::npos);
  BOOST_TEST(reason({"--limit", "0", f}) == "");
  BOOST_TEST(reason({files.file("empty.tgm", "").string()}) == "");
}

BOOST_AUTO_TEST_CASE(keys_are_looked_for_in_a_thousand_messages) {
  bytes data;
  for (unsigned n = 0; n < 1001; ++n) data += numbered(n);
  const auto many = files.file("many.tgm", data + with_keys({cbor::key("late", cbor::text("x"))})).string();
  BOOST_TEST(run({"count", "-w", "late=y", many}).err.find("none of the first 1000 messages has the key 'late'") !=
             std::string::npos);
  BOOST_TEST(run({"count", "-w", "late=x", many}).err == "");
  BOOST_TEST(run({"count", "-w", "late!=x", many}).err.find("none of the first 1000 messages has the key 'late'") !=
             std::string::npos);
  // The index knows the key.
  BOOST_TEST(run({"index", "create", "--key", "late", many}).status == 0);
  BOOST_TEST(run({"count", "-w", "late!=x", many}).err == "");
}

BOOST_AUTO_TEST_CASE(diff_says_that_nothing_was_compared) {
  const outcome seen = run({"diff", "-w", "mars.step=99", f, two});
  BOOST_TEST(seen.status == 1);
  BOOST_TEST(seen.out == "");
  BOOST_TEST(seen.err.starts_with("tgmap: " + f + " and " + two + ": nothing was compared: "), seen.err);
  BOOST_TEST(run({"diff", "-q", f + ":7..", f + ":8.."}).err.find("nothing was compared") != std::string::npos);
  const auto empty = files.file("empty.tgm", "").string();
  BOOST_TEST(run({"diff", empty, empty}).status == 0);
}

BOOST_AUTO_TEST_CASE(damage_is_passed_over_and_the_status_says_so) {
  const auto path = files.file("d.tgm", "noise" + six_messages() + "TENSOGRM").string();
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"count", path},
                                                    {"get", "-p", "name", path},
                                                    {"ls", "-p", "name", path},
                                                    {"ls", "-w", "has name", path}}) {
    const outcome seen = run(arguments);
    BOOST_TEST(seen.status == 3);
    BOOST_TEST(seen.err == "tgmap: " + path +
                               ": the file is damaged; message numbers skip the damaged parts; run "
                               "`tgmap info " +
                               path + "` to see them\n");
    BOOST_TEST(seen.out.find("gap") == std::string::npos);
  }
  BOOST_TEST(run({"count", path}).out == "6\n");
}

BOOST_AUTO_TEST_CASE(an_unreadable_message_is_reported_and_skipped) {
  bytes bad;
  for (int i = 0; i < 12; ++i)
    bad += message({.objects = {bytes_object("x")}, .header_metadata = cbor::text("no map")});
  const auto path = files.file("b.tgm", bad + six_messages()).string();
  const outcome seen = run({"ls", "-p", "name", path});
  BOOST_TEST(seen.status == 1);
  BOOST_TEST(seen.out == "name\n2t\n10u\n2t\n10u\n2t\n10u\n");
  BOOST_TEST(seen.err.find("tgmap: " + path + ":9:0: ") != std::string::npos, seen.err);
  BOOST_TEST(seen.err.find(path + ":10:0: ") == std::string::npos, seen.err);
  BOOST_TEST(seen.err.find("(message ") == std::string::npos, seen.err);
  BOOST_TEST(seen.err.find(path + ": 2 more problems of this kind; run `tgmap validate ") != std::string::npos,
             seen.err);
}

BOOST_AUTO_TEST_CASE(other_files_are_looked_at_when_one_is_missing) {
  const outcome seen = run({"count", f + "gone", f});
  BOOST_TEST(seen.status == 1);
  BOOST_TEST(seen.out == "6\n");
}

BOOST_AUTO_TEST_CASE(control_characters_are_escaped) {
  const auto path =
      files.file("e.tgm", with_keys({cbor::key("k", cbor::text("a\tb\n\x1b[1m\xe2\x80\xae\xff"))})).string();
  prints({"get", "-p", "k", path}, "a\\tb\\n\\x1b[1m\\u{202e}\\xff\n");
  prints({"ls", "-p", "k", path}, "k\na\\tb\\n\\x1b[1m\\u{202e}\\xff\n");
  BOOST_TEST(json_lines(run({"ls", "-j", "-p", "k", path}).out).size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_terminal_shows_columns) {
  const outcome seen = run_at_terminal({"ls", "-p", "name,@length", "-w", "mars.step=0", f});
  BOOST_TEST(seen.status == 0);
  BOOST_TEST(seen.out.starts_with("\x1b[1mname  @length\x1b[0m\n2t    "), seen.out);
  BOOST_TEST(seen.out.find("\n10u   ") != std::string::npos, seen.out);
}

BOOST_AUTO_TEST_CASE(a_closed_pipe_is_the_quiet_end) {
  bytes many;
  for (int i = 0; i < 300; ++i) many += six_messages();
  const auto path = files.file("m.tgm", many).string();
  const outcome seen = shell("\"$TGMAP\" get -p mars.levelist,hash,shape,source,name " + path + " | head -1");
  BOOST_TEST(seen.err == "");
  BOOST_TEST(seen.out.starts_with("[500,850] "));
}

BOOST_AUTO_TEST_CASE(doctor_tells_of_patterns) {
  const auto features = json_lines(run({"doctor", "-j"}).out).at(0)["features"];
  bool told = false;
  for (const auto& feature : features)
    if (feature["name"] == "RE2") {
      told = true;
      BOOST_TEST(feature["state"] == (tgmap::selection::supports_patterns() ? "on" : "off"));
    }
  BOOST_TEST(told);
}

BOOST_AUTO_TEST_SUITE_END()
