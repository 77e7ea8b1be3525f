// SPDX-License-Identifier: Apache-2.0
// Verbs that select by the columns of an index.
#include <array>
#include <boost/test/unit_test.hpp>
#include <support/samples.hpp>
#include <support/selection_samples.hpp>
#include <tgmap/query/key_columns.hpp>

#include "../../rewriting.hpp"

using namespace tgmap_test;

namespace {

struct selecting : rewriting {
  outcome create(const std::string& file, std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"index", "create", "--no-sync", file});
    return run(more);
  }
  static bytes searchable() {
    bytes out;
    for (int k = 0; k < 20; ++k) out += six_messages();
    return out + two_named_objects();
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(index_selections, selecting)

BOOST_AUTO_TEST_CASE(every_verb_selects_the_same_with_an_index) {
  const std::string file = make("f.tgm", searchable());
  std::vector<std::vector<std::string>> calls;
  for (const std::string where : {"mars.param=2t and mars.step>=6", "not has mars", "name=b", "name!=10u", "x=1.5",
                                  "mars.param~^1 or unit=K", "mars.levelist[0]=500 and mars.step=12", "absent=1"})
    for (const std::vector<std::string>& verb : {std::vector<std::string>{"ls"},
                                                 {"ls", "--objects"},
                                                 {"ls", "-p", "mars.step,name"},
                                                 {"ls", "-j", "--sort", "mars.step:desc", "--limit", "5"},
                                                 {"get", "-p", "name"},
                                                 {"get", "--objects", "-p", "name"},
                                                 {"count"},
                                                 {"count", "--objects"},
                                                 {"count", "--limit", "7"},
                                                 {"du"},
                                                 {"du", "--objects"},
                                                 {"stats"},
                                                 {"dump", "-j"}}) {
      calls.push_back(verb);
      calls.back().insert(calls.back().end(), {"-w", where, file});
    }
  std::vector<outcome> without;
  for (const auto& call : calls) without.push_back(run(call));
  BOOST_TEST_REQUIRE(create(file).status == 0);
  for (std::size_t k = 0; k < calls.size(); ++k) {
    const outcome with = run(calls[k]);
    const std::string what = calls[k][0] + " " + calls[k][1] + " -w " + calls[k][calls[k].size() - 2];
    BOOST_TEST(with.status == without[k].status, what);
    BOOST_TEST(with.out == without[k].out, what);
    BOOST_TEST(with.err == without[k].err, what);
  }
}

BOOST_AUTO_TEST_CASE(copy_and_extract_take_the_same) {
  const std::string file = make("f.tgm", searchable());
  const std::vector<std::string> copy{"copy", "-f", "--no-sync", "-w", "mars.step=6", file, path("o")};
  BOOST_TEST_REQUIRE(run(copy).status == 0);
  const bytes without = read_file(path("o"));
  BOOST_TEST_REQUIRE(create(file).status == 0);
  BOOST_TEST_REQUIRE(run(copy).status == 0);
  BOOST_TEST((read_file(path("o")) == without));
  BOOST_TEST(open("o").size() == 40u);
}

BOOST_AUTO_TEST_CASE(create_prints_its_columns) {
  const std::string file = make("f.tgm", searchable());
  const outcome made = create(file);
  BOOST_TEST(made.out.find("\n  key\tvalues\tmessages\tbytes\n") != made.out.npos, made.out);
  BOOST_TEST(made.out.find("\n  mars.step\t3\t120\t") != made.out.npos, made.out);
  BOOST_TEST(made.out.find("\n  mars.levelist\t1\t120\t") != made.out.npos, made.out);
  const auto line = json_lines(run({"index", "show", "-j", file}).out).at(0);
  bool found = false;
  for (const auto& each : line["columns"])
    if (each["key"] == "name") {
      found = true;
      BOOST_TEST(each["describes_objects"] == true);
      BOOST_TEST(each["messages"] == 121);
    }
  BOOST_TEST(found);
}

BOOST_AUTO_TEST_CASE(keys_can_be_named) {
  const std::string file = make("f.tgm", searchable());
  const outcome made = create(file, {"--only-keys", "-k", "mars.param", "--key", "absent"});
  BOOST_TEST(made.status == 0, made.err);
  BOOST_TEST(made.out.find("mars.param\t2\t120\t") != made.out.npos, made.out);
  BOOST_TEST(made.out.find("absent\t0\t0\t") != made.out.npos, made.out);
  BOOST_TEST(made.out.find("mars.step") == made.out.npos, made.out);
  for (const char* wrong : {"mars.levelist[0]", "@offset", "shape", "extra.title", "a..b", ""}) {
    const outcome refused = create(file, {"-k", wrong});
    BOOST_TEST(refused.status == 2, wrong);
    BOOST_TEST(refused.err.find("there can be no column of this key") != refused.err.npos, refused.err);
  }
}

BOOST_AUTO_TEST_CASE(json_names_the_level_of_trust) {
  const std::string file = make("f.tgm", searchable());
  const std::vector<std::string> count{"count", "-j", "-w", "mars.param=2t", file};
  BOOST_TEST(!json_lines(run(count).out).at(0).contains("trust"));
  BOOST_TEST_REQUIRE(create(file).status == 0);
  const auto line = json_lines(run(count).out).at(0);
  BOOST_TEST(line["count"] == 60);
  BOOST_TEST(line["trust"] == "sampled");
}

BOOST_AUTO_TEST_CASE(keys_are_printed_as_without_an_index) {
  bytes data;
  for (int k = 0; k < 300; ++k) data += six_messages();
  const std::string file = make("f.tgm", data);
  std::vector<std::vector<std::string>> calls;
  for (const std::string verb : {"ls", "get"})
    for (const std::string keys : {"mars.param", "mars.step,mars.param,x"})
      for (const std::vector<std::string>& more :
           {std::vector<std::string>{}, {"-j"}, {"--objects"}, {"-w", "mars.param=10u and x=1.5"}}) {
        calls.push_back({verb, "-p", keys});
        calls.back().insert(calls.back().end(), more.begin(), more.end());
        calls.back().push_back(file);
      }
  std::vector<outcome> without;
  for (const auto& call : calls) without.push_back(run(call));
  BOOST_TEST_REQUIRE(create(file).status == 0);
  const auto time = std::filesystem::last_write_time(file);
  for (std::size_t k = 0; k < calls.size(); ++k) {
    const outcome with = run(calls[k]);
    BOOST_TEST(with.status == without[k].status, k);
    BOOST_TEST(with.out == without[k].out, k);
    BOOST_TEST(with.err == without[k].err, k);
  }
  tgmap::failure why;
  const std::array keys{tgmap::metadata_key("mars.param"), tgmap::metadata_key("mars.step")};
  const tgmap::archive in(file);
  // Another process empties the archive and sets its time back, so that reading a message would fail.
  write_file(file, bytes(data.size(), ' '));
  std::filesystem::last_write_time(file, time);
  const auto values = tgmap::indexed_keys::of_objects(in, keys, why);
  BOOST_TEST(!why, why.text());
  BOOST_TEST_REQUIRE(static_cast<bool>(values));
  BOOST_TEST(values.find(0, 1799, 0).text() == "10u");
  BOOST_TEST(values.find(1, 2, 0).text() == "6");
  BOOST_TEST(values.object_count(1799) == 1u);
  BOOST_TEST(values.object_count(1800) == 0u);
  BOOST_TEST(tgmap::indexed_keys::of_messages(in, keys).find(0, 4).text() == "2t");
  const std::array shape{tgmap::metadata_key("mars.param"), tgmap::metadata_key("shape")};
  BOOST_TEST(!tgmap::indexed_keys::of_messages(in, shape));
  write_file(file, data);
  BOOST_TEST(!tgmap::indexed_keys::of_messages(tgmap::archive(file), keys), "not current");
}

BOOST_AUTO_TEST_CASE(values_of_the_index_are_printed_whatever_the_messages_say) {
  bytes data;
  for (int k = 0; k < 400; ++k) data += six_messages();
  const std::string file = make("f.tgm", data);
  BOOST_TEST_REQUIRE(create(file).status == 0);
  const auto time = std::filesystem::last_write_time(file);
  for (const std::vector<std::string>& call : {std::vector<std::string>{"ls", "-p", "mars.param", file},
                                               {"ls", "--objects", "-j", "-p", "mars.param", file},
                                               {"get", "-p", "mars.param", "-w", "mars.param=10u", file}}) {
    write_file(file, data);
    std::filesystem::last_write_time(file, time);
    const outcome expected = run(call);
    BOOST_TEST(expected.status == 0, expected.err);
    std::size_t same = 0, used = 0;
    for (std::size_t k = 1; k < 12; ++k) {
      bytes changed = data;
      const std::size_t param = changed.find(cbor::text("param") + cbor::text("10u"), data.size() / 12 * k);
      changed.replace(changed.find("10u", param), 3, "11u");
      write_file(file, changed);
      std::filesystem::last_write_time(file, time);
      const outcome seen = run(call);
      if (seen.err.find("index") != seen.err.npos) continue;  // the change is in a sample
      ++used;
      same += seen.out == expected.out;
    }
    BOOST_TEST(used > 3u);
    BOOST_TEST(same == used, call.front());
  }
}

BOOST_AUTO_TEST_CASE(explain_says_how_much_the_index_answers) {
  const std::string file = make("f.tgm", searchable());
  const std::vector<std::string> call{"explain", "-w", "mars.param=2t and mars.levelist[0]=500", file};
  BOOST_TEST(run(call).out ==
             "fact\tvalue\nselection\tmars.param=2t and mars.levelist[0]=500\nindex file\tnone\nto be read\tevery "
             "message\n");
  BOOST_TEST_REQUIRE(create(file).status == 0);
  BOOST_TEST(run(call).out ==
             "fact\tvalue\nselection\tmars.param=2t and mars.levelist[0]=500\nindex file\tsampled\nselected\t0 "
             "messages\nnot selected\t61 messages\nto be read\t60 messages\nno column\tmars.levelist[0]\n");
  const auto objects = json_lines(run({"explain", "-j", "--objects", "-w", "name=b", file}).out).at(0);
  BOOST_TEST(objects["of"] == "objects");
  BOOST_TEST(objects["selected"] == 1);
  BOOST_TEST(objects["not_selected"] == 121);
  BOOST_TEST(objects["unknown"] == 0);
  BOOST_TEST(objects["index"]["trust"] == "sampled");
  BOOST_TEST(objects["index"]["current"] == true);
  append_file(file, six_messages());
  const auto grown = json_lines(run({"explain", "-j", "-w", "name=b", file}).out).at(0);
  BOOST_TEST(grown["index"]["current"] == false);
  BOOST_TEST(grown["bytes_after_index"] == std::filesystem::file_size(file));
  BOOST_TEST(
      run({"explain", "-w", "name=b", file}).out.find("\nindex file\tnot current\nto be read\tevery message\n") !=
      std::string::npos);
  BOOST_TEST(run({"index", "check", file}).status == 0);
  const auto checked = json_lines(run({"explain", "-j", "-w", "name=b", file}).out).at(0);
  BOOST_TEST(checked["bytes_after_index"] == six_messages().size());
  BOOST_TEST(run({"explain", "-w", "name=b", file + ":0"}).status == 2);
  BOOST_TEST(run({"explain", "--objects", file}).status == 2);
}

BOOST_AUTO_TEST_CASE(a_value_that_is_not_there_is_an_error) {
  bytes data;
  for (int k = 0; k < 400; ++k) data += six_messages();
  const std::string file = make("f.tgm", data);
  BOOST_TEST_REQUIRE(create(file).status == 0);
  const auto time = std::filesystem::last_write_time(file);
  std::size_t noticed = 0, used = 0;
  for (std::size_t k = 1; k < 12; ++k) {
    bytes changed = data;
    const std::size_t param = changed.find(cbor::text("param") + cbor::text("10u"), data.size() / 12 * k);
    changed.replace(changed.find("10u", param), 3, "11u");
    write_file(file, changed);
    std::filesystem::last_write_time(file, time);            // else the index is not current
    if (run({"index", "show", file}).status != 0) continue;  // a sample was there
    ++used;
    const outcome row = run({"ls", "-w", "mars.param=10u", file});
    // Which samples are compared differs from time to time: the one with the change is a reason to scan.
    const auto is_noticed = [](const outcome& seen) {
      return (seen.status == 1 && (seen.out + seen.err).find("does not belong") != std::string::npos) ||
             seen.err.find("its index is not used") != std::string::npos;
    };
    noticed += is_noticed(row);
  }
  BOOST_TEST(noticed == used);
}

BOOST_AUTO_TEST_SUITE_END()
