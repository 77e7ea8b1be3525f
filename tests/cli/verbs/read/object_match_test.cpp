// SPDX-License-Identifier: Apache-2.0
// With -w a message is selected if one of its objects matches, and verbs show or change that object.
#include <boost/test/unit_test.hpp>
#include <support/selection_samples.hpp>

#include "../../rewriting.hpp"

using namespace tgmap_test;

namespace {

bytes fields(std::initializer_list<std::pair<const char*, int>> all) {
  message_spec out{.extra = {cbor::key("title", cbor::text("demo"))}};
  for (const auto& [param, step] : all) {
    out.objects.push_back(bytes_object(param));
    out.base.push_back(cbor::map({cbor::key("name", cbor::text(param)), cbor::key("mars", mars(param, step))}));
  }
  return message(out);
}

bytes named_by_descriptor() {
  object_spec named = bytes_object("abcd");
  named.more = {cbor::key("name", cbor::text("pressure")), cbor::key("unit", cbor::text("Pa"))};
  return message({.objects = {named}});
}

struct matching : rewriting {
  std::vector<bytes> parts{fields({{"2t", 0}, {"10u", 6}}), fields({{"10u", 0}, {"2t", 6}}), fields({{"msl", 3}}),
                           message({.extra = {cbor::key("title", cbor::text("empty"))}})};
  std::string in = make("in.tgm", parts[0] + parts[1] + parts[2] + parts[3]);

  /// Runs the command without and with an index; both print the same.
  std::string printed(std::vector<std::string> arguments) const {
    arguments.push_back(in);
    const outcome without = run(arguments);
    BOOST_TEST(without.status == 0, without.err);
    BOOST_TEST(run({"index", "create", in}).status == 0);
    BOOST_TEST(run(arguments).out == without.out);
    BOOST_TEST(run({"index", "drop", in}).status == 0);
    return without.out;
  }

  /// Returns the names of all objects of a file: "2t 10u|msl".
  std::string names(const std::string& file, const std::string& key = "name") const {
    std::string out;
    for (const tgmap::message& m : open(file)) {
      if (m.index() != 0u) out += '|';
      for (std::size_t j = 0; j < m.size(); ++j)
        out += (j == 0 ? "" : " ") + m[j].metadata().get<std::string>(key).value_or("?");
    }
    return out;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(object_matches, matching)

BOOST_AUTO_TEST_CASE(any_object_selects_its_message) {
  BOOST_TEST(printed({"count", "-w", "mars.param=10u"}) == "2\n");
  BOOST_TEST(printed({"count", "-w", "not mars.param=10u"}) == "4\n");
  BOOST_TEST(printed({"count", "-w", "mars.param=10u", "-w", "mars.step=6"}) == "1\n");
  BOOST_TEST(printed({"count", "-w", "mars.param!=10u/2t"}) == "2\n");
  BOOST_TEST(printed({"count", "-w", "title=empty"}) == "1\n");
  BOOST_TEST(printed({"count", "--objects", "-w", "mars.param=10u"}) == "2\n");
  BOOST_TEST(printed({"count", "--where-plain", "-w", "mars.param=10u"}) == "1\n");
  BOOST_TEST(printed({"count", "--where-plain", "-w", "mars.param!=10u"}) == "3\n");
}

BOOST_AUTO_TEST_CASE(its_keys_are_shown) {
  BOOST_TEST(printed({"get", "-p", "mars.param,mars.step", "-w", "mars.param=10u"}) == "10u 6\n10u 0\n");
  BOOST_TEST(printed({"get", "-p", "mars.param,@object", "-w", "mars.step=6"}) == "10u 1\n2t 1\n");
  BOOST_TEST(printed({"ls", "-p", "mars.param,title", "-w", "mars.param=2t"}) ==
             "mars.param\ttitle\n2t\tdemo\n2t\tdemo\n");
  BOOST_TEST(printed({"ls", "-p", "mars.param,title", "-w", "@objects<2"}) ==
             "mars.param\ttitle\nmsl\tdemo\nN/A\tempty\n");
  BOOST_TEST(printed({"get", "-p", "mars.param", "--where-plain", "-w", "title=demo"}) == "2t\n10u\nmsl\n");
  BOOST_TEST(printed({"ls", "-p", "mars.param"}) == "mars.param\n2t\n10u\nmsl\nN/A\n");
}

BOOST_AUTO_TEST_CASE(its_keys_sort_and_name_files) {
  BOOST_TEST(printed({"get", "-p", "mars.param,mars.step", "--sort", "mars.step", "-w", "mars.param=10u/msl"}) ==
             "10u 0\nmsl 3\n10u 6\n");
  BOOST_TEST(run({"copy", "--no-sync", "-w", "mars.step=6", in, path("[mars.param].out")}).status == 0);
  BOOST_TEST((read("10u.out") == parts[0]));  // whole messages
  BOOST_TEST((read("2t.out") == parts[1]));
  BOOST_TEST(run({"split", "--no-sync", "--by", "mars.param", "-w", "mars.step=6", in, "-o", path("s")}).status == 0);
  BOOST_TEST((read("s_0000") == parts[0]));
  BOOST_TEST((read("s_0001") == parts[1]));
}

BOOST_AUTO_TEST_CASE(set_changes_the_objects_that_match) {
  const auto set = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"set", "--no-sync", "-f"});
    arguments.insert(arguments.end(), {in, path("o")});
    const outcome seen = run(arguments);
    BOOST_TEST(seen.status == 0, seen.err);
    return seen.out;
  };
  BOOST_TEST(set({"-w", "mars.param=10u", "-s", "name=wind"}).find("4 messages, 2 of them changed") !=
             std::string::npos);
  BOOST_TEST(names("o") == "2t wind|wind 2t|msl|");
  set({"-w", "mars.param=10u", "-w", "mars.step=6", "-s", "name=wind"});
  BOOST_TEST(names("o") == "2t wind|10u 2t|msl|");
  set({"-w", "mars.step>0", "-s", "name=late,extra.title=changed"});  // message-wide keys change, too
  BOOST_TEST(names("o") == "2t late|10u late|late|");
  BOOST_TEST(values("o", "title") == "changed changed changed empty");
  set({"-w", "title=empty", "-s", "name=none"});  // a message without objects matches itself
  BOOST_TEST(values("o", "name") == "2t 10u msl none");
  set({"--where-plain", "-w", "mars.param=10u", "-s", "name=wind"});
  BOOST_TEST(names("o") == "2t 10u|wind wind|msl|");
  set({"-s", "name=all"});
  BOOST_TEST(names("o") == "all all|all all|all|");
  set({"-w", "mars.param=10u", "--delete", "name", "--rename", "mars.param=param"});
  BOOST_TEST(names("o") == "2t ?|? 2t|msl|");
  BOOST_TEST(names("o", "param") == "? 10u|10u ?|?|");
}

BOOST_AUTO_TEST_CASE(other_verbs_of_objects_take_those_that_match) {
  const outcome extracted = run({"extract", "-w", "mars.param=10u", in, "-o", path("[@message]_[@object].raw")});
  BOOST_TEST(extracted.status == 0, extracted.err);
  BOOST_TEST(read("0_1.raw") == "10u");
  BOOST_TEST(read("1_0.raw") == "10u");
  BOOST_TEST(!exists("0_0.raw"));
  BOOST_TEST(json_lines(run({"stats", "--json", "-w", "mars.param=10u", in}).out).size() == 2u);
  const outcome converted =
      run({"convert", "--no-sync", "--compression", "lz4", "-w", "mars.param=10u", in, path("c")});
  BOOST_TEST(converted.status == 0, converted.err);
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 2; ++j)
      BOOST_TEST((open("c")[i][j].descriptor().compression == tgmap::compression::lz4) == (i != j));
}

BOOST_AUTO_TEST_CASE(a_name_in_the_descriptor_is_printed) {
  const std::string file = make("named.tgm", named_by_descriptor() + parts[2]);
  const auto check = [&] {
    BOOST_TEST(run({"get", "-p", "name", file}).out == "pressure\nmsl\n");
    BOOST_TEST(run({"get", "--objects", "-p", "name", file}).out == "pressure\nmsl\n");
    BOOST_TEST(run({"ls", "-p", "name,unit", file}).out == "name\tunit\npressure\tN/A\nmsl\tN/A\n");
    BOOST_TEST(run({"count", "-w", "name=pressure", file}).out == "1\n");
    BOOST_TEST(run({"count", "-w", "not has name", file}).out == "0\n");
    BOOST_TEST(run({"count", "--where-plain", "-w", "name=pressure", file}).out == "1\n");
    BOOST_TEST(run({"count", "--objects", "-w", "name~press", file}).out == "1\n");
    BOOST_TEST(run({"count", "-w", "unit=Pa", file}).out == "0\n");
  };
  check();
  BOOST_TEST(run({"index", "create", "--key", "name", file}).status == 0);
  check();
}

BOOST_AUTO_TEST_SUITE_END()
