// SPDX-License-Identifier: Apache-2.0
// Keys in options that no selected message has.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <support/selection_samples.hpp>

#include "../process.hpp"

using namespace tgmap_test;

namespace {

struct key_samples {
  temporary_directory files{};
  std::string f = files.file("f.tgm", six_messages()).string(),
              two = files.file("two.tgm", two_named_objects()).string(), out = (files / "out").string();

  std::size_t count_files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(files.path()), {}));
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(required_keys, key_samples)

BOOST_AUTO_TEST_CASE(an_absent_key_is_a_mistake_and_nothing_is_written) {
  struct row {
    std::vector<std::string> arguments;
    std::string option, kind = "message";
  };
  const std::string name = out + "/[mars.stp]";
  const std::vector<row> rows{
      {{"ls", "--sort", "mars.stp", f}, "--sort"},
      {{"ls", "--sort", "mars.param,mars.stp:desc", f}, "--sort"},
      {{"ls", "--objects", "--sort", "mars.stp", f}, "--sort", "object"},
      {{"ls", "-p", "name", "--sort", "mars.stp", f}, "--sort"},
      {{"ls", "--json", "--sort", "mars.stp", f + ":2.."}, "--sort"},
      {{"get", "-p", "name", "--sort", "mars.stp", f}, "--sort"},
      {{"count", "--sort", "mars.stp", f}, "--sort"},
      {{"dump", "--sort", "mars.stp", f}, "--sort"},
      {{"copy", "--sort", "mars.stp", f, out}, "--sort"},
      {{"append", "--sort", "mars.stp", out, f}, "--sort"},
      {{"copy", f, name}, "'" + name + "'"},
      {{"copy", "--objects", f, name}, "'" + name + "'", "object"},
      {{"split", "--by", "mars.stp", f, "-o", out}, "--by"},
      {{"split", "--by", "mars.param", f, "-o", name}, "'" + name + "'"},
      {{"split", "--count", "2", f, "-o", name}, "'" + name + "'"},
      {{"split", f, "-o", name}, "'" + name + "'"},
      {{"extract", f, "-o", name + "_[@message].npy"}, "'" + name + "_[@message].npy'", "object"},
      {{"extract", f + ":0:0", "-o", name + ".npy"}, "'" + name + ".npy'", "object"},
      {{"du", "--by", "mars.stp", f}, "--by"},
      {{"du", "--json", "--objects", "--by", "mars.stp", f}, "--by", "object"},
      {{"diff", "-k", "mars.stp", f, f}, "--key"},
      {{"diff", "--ignore", "mars.class,mars.stp", f, f}, "--ignore"},
      {{"diff", "--objects", "--ignore", "mars.stp", f, f}, "--ignore", "object"},
  };
  for (const row& each : rows) {
    const outcome seen = run(each.arguments);
    BOOST_TEST(seen.status == 2, each.arguments[0] << ": " << seen.err);
    BOOST_TEST(seen.out == "");
    BOOST_TEST(seen.err == "tgmap: " + each.option + ": no selected " + each.kind +
                               " has the key 'mars.stp'; did you mean 'mars.step'?\n");
    BOOST_TEST(count_files() == 2u);
  }
}

BOOST_AUTO_TEST_CASE(frames_and_streams_need_the_keys_too) {
  if (!has_zeromq_or_skip("tens export")) return;
  const std::string name = out + "/[mars.stp]_[index]";
  BOOST_TEST(run({"tens", "export", f, "-o", name}).status == 2);
  BOOST_TEST(run({"tens", "export", "--sort", "mars.stp", f, "-o", out + "/"}).status == 2);
  BOOST_TEST(run({"send", "--sort", "mars.stp", f, "--to", "ipc://" + out}).status == 2);
  BOOST_TEST(count_files() == 2u);
}

BOOST_AUTO_TEST_CASE(a_key_of_some_is_enough) {
  BOOST_TEST(run({"ls", "--sort", "title", f, two}).err == "");
  BOOST_TEST(run({"count", "--sort", "unit", two}).out == "1\n");
  BOOST_TEST(run({"count", "--sort", "mars.step", "-w", "mars.step=12", f}).out == "2\n");
  BOOST_TEST(run({"diff", "--ignore", "title,mars", f, two, "--metadata-only"}).status == 1);
  BOOST_TEST(run({"split", two, "-o", out + "/[name]_[@object]_[@message]"}).status == 0);
  BOOST_TEST(run({"du", "--by", "unit", two}).status == 0);
  BOOST_TEST(run({"diff", "--reserved", "--ignore", "_reserved_.none", f, f}).status == 0);
  // The key of an object that is not selected does not count.
  const outcome seen = run({"ls", "--objects", "--sort", "unit", "-w", "name=a", two});
  BOOST_TEST(seen.err.find("no selected object has the key 'unit'") != std::string::npos, seen.err);
}

BOOST_AUTO_TEST_CASE(other_errors_come_from_the_verb) {
  const std::string gone = (files / "gone.tgm").string(), grib = files.file("f.grib", "GRIB, or so").string();
  for (const std::string& file : {gone, grib}) {
    const outcome seen = run({"ls", "--sort", "nokey", file});
    BOOST_TEST(seen.status == 1);
    BOOST_TEST(seen.err.find("nokey") == std::string::npos, seen.err);
  }
  BOOST_TEST(run({"ls", "--sort", "nokey", "-w", "mars.step=99", f}).err.find("nothing is selected") !=
             std::string::npos);
  BOOST_TEST(run({"ls", "--sort", "nokey", files.file("empty.tgm", "").string()}).status == 0);
  const outcome property = run({"copy", f, out + "/[@object]"});
  BOOST_TEST(property.err.find("'@object'; it is a property of objects: add --objects") != std::string::npos,
             property.err);
}

BOOST_AUTO_TEST_CASE(standard_input_is_read_once) {
  const bytes all = six_messages();
  BOOST_TEST(run({"ls", "--sort", "mars.stp", "-"}, all).status == 2);
  const outcome seen = run({"get", "-p", "mars.step", "--sort", "mars.step:desc", "--limit", "2", "-"}, all);
  BOOST_TEST(seen.out == "12\n12\n");
  const std::string from_pipe = "cat '" + f + "' | \"$TGMAP\" ";
  BOOST_TEST(shell(from_pipe + "copy - '" + out + "/[mars.param]'").status == 0);
  BOOST_TEST(run({"count", out + "/2t", out + "/10u"}).out == "6\n");
  BOOST_TEST(shell(from_pipe + "diff --ignore mars.param - '" + f + "'").status == 0);
  BOOST_TEST(shell(from_pipe + "du --by mars.param -").out.find("10u") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(keys_to_print_that_nothing_has_are_pointed_out) {
  const std::string hint = "tgmap: no selected message has the key 'mars.stp'; did you mean 'mars.step'?\n";
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"ls", "-p", "mars.stp,name", f},
                                             {"ls", "--json", "-p", "mars.stp:i", f},
                                             {"dump", "-j", "-p", "mars.stp", f}}) {
    const outcome seen = run(arguments);
    BOOST_TEST(seen.status == 0);
    BOOST_TEST(seen.err == hint);
  }
  BOOST_TEST(run_at_terminal({"ls", "-p", "mars.stp", f}).out.ends_with(hint));
  BOOST_TEST(run({"ls", "-q", "-p", "mars.stp", f}).err == "");
  BOOST_TEST(run({"ls", "-p", "title", f, two}).err == "");
}

BOOST_AUTO_TEST_SUITE_END()
