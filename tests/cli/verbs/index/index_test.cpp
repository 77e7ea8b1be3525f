// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>

#include <boost/test/unit_test.hpp>
#include <support/forged/forged_index.hpp>
#include <support/samples.hpp>

#include "../../rewriting.hpp"

using namespace tgmap_test;

namespace {

struct indexing : rewriting {
  outcome index(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "index");
    if (arguments.at(1) == "create") arguments.emplace_back("--no-sync");
    return run(arguments);
  }
  bool has_index(const std::string& name) const { return std::filesystem::exists(path(name) + ".tgx"); }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(index_verbs, indexing)

BOOST_AUTO_TEST_CASE(create_check_show_and_drop) {
  make("f.tgm", mixed_archive(20));
  const std::string file = path("f.tgm");
  const outcome made = index({"create", file});
  BOOST_TEST(made.status == 0, made.err);
  BOOST_TEST(made.out.starts_with(file + ".tgx: created: 20 messages, 20 objects, "), made.out);
  BOOST_TEST(made.err == "");
  const outcome sound = index({"check", file}), used = index({"show", file});
  BOOST_TEST(sound.status == 0, sound.err);
  BOOST_TEST(sound.out.starts_with(file + ".tgx: sound, checked: 20 messages, "), sound.out);
  BOOST_TEST(used.status == 0, used.err);
  BOOST_TEST(used.out.starts_with(file + ".tgx: used, sampled: 20 messages, "), used.out);
  BOOST_TEST(used.out.find("\n  made by tgmap ") != used.out.npos, used.out);
  const outcome dropped = index({"drop", file});
  BOOST_TEST(dropped.out == file + ".tgx: removed\n");
  BOOST_TEST(!has_index("f.tgm"));
  BOOST_TEST(index({"drop", file}).status == 1);
  BOOST_TEST(index({"check", file}).status == 1);
  BOOST_TEST(index({"show", file}).status == 1);
}

BOOST_AUTO_TEST_CASE(every_verb_prints_the_same_with_an_index) {
  for (const bytes& end : {bytes(), "damage" + mixed_archive(3) + numbered(9).substr(0, 60)}) {
    const std::string file = make("f.tgm", mixed_archive(20) + end);
    std::vector<std::vector<std::string>> calls{{"ls", file},
                                                {"ls", "-l", file},
                                                {"ls", "-w", "n=3", file},
                                                {"info", file},
                                                {"count", file},
                                                {"du", file},
                                                {"stats", file},
                                                {"validate", file},
                                                {"ls", file + ":-1"},
                                                {"count", "-w", "n=1/5", file}};
    // With an index, the damage is known before these reach it.
    if (end.empty()) calls.insert(calls.end(), {{"get", "-p", "n", file + ":7"}, {"dump", file + ":3"}});
    std::vector<outcome> without;
    for (const auto& call : calls) without.push_back(run(call));
    BOOST_TEST(index({"create", file}).status == (end.empty() ? 0 : 3));
    for (std::size_t k = 0; k < calls.size(); ++k) {
      const outcome with = run(calls[k]);
      BOOST_TEST(with.status == without[k].status, calls[k].front());
      BOOST_TEST(with.out == without[k].out, calls[k].front());
      BOOST_TEST(with.err == without[k].err, calls[k].front());
    }
    BOOST_TEST(index({"drop", file}).status == 0);
  }
}

BOOST_AUTO_TEST_CASE(an_index_that_does_not_fit_is_named_and_not_used) {
  make("f.tgm", mixed_archive(20));
  const std::string file = path("f.tgm");
  BOOST_TEST(index({"create", file}).status == 0);
  make("f.tgm", mixed_archive(19));
  const outcome listed = run({"count", file});
  BOOST_TEST(listed.out == "19\n");
  BOOST_TEST(
      listed.err.find("f.tgm: its index is not used: the index does not belong to these bytes") != listed.err.npos,
      listed.err);
  BOOST_TEST(run({"count", "--no-index", file}).err == "");
  BOOST_TEST(run({"count", "-q", file}).err == "");
  const outcome shown = index({"show", file}), checked = index({"check", file});
  BOOST_TEST(shown.status == 1);
  BOOST_TEST(checked.status == 1);
  BOOST_TEST(checked.err.find("tgmap index create") != checked.err.npos, checked.err);
  BOOST_TEST(index({"create", file}).status == 0);
  BOOST_TEST(run({"count", file}).err == "");
}

BOOST_AUTO_TEST_CASE(only_indexes_are_replaced_and_removed) {
  make("f.tgm", mixed_archive(3));
  make("other", "something else");
  const std::string file = path("f.tgm"), other = path("other");
  for (const char* verb : {"create", "drop", "check", "show"}) {
    const outcome refused = index({verb, file, "--index", other});
    BOOST_TEST(refused.status == 1, verb);
    BOOST_TEST(refused.err.find("other") != refused.err.npos, refused.err);
  }
  BOOST_TEST(read_file(other) == "something else");
  BOOST_TEST(index({"create", file, "--index", path("elsewhere")}).status == 0);
  BOOST_TEST(!has_index("f.tgm"));
  BOOST_TEST(index({"show", file, "--index", path("elsewhere")}).status == 0);
  make("elsewhere", read_file(path("elsewhere")).substr(0, 5000));  // cut, but it was an index
  BOOST_TEST(index({"create", file, "--index", path("elsewhere")}).status == 1);
}

BOOST_AUTO_TEST_CASE(mistakes_are_usage_errors) {
  make("f.tgm", mixed_archive(3));
  const std::string file = path("f.tgm");
  BOOST_TEST(index({"create", "-"}).status == 2);
  BOOST_TEST(index({"create", file, file, "--index", "x"}).status == 2);
  BOOST_TEST(index({"create"}).status == 2);
  BOOST_TEST(run({"index"}).status == 2);
  BOOST_TEST(index({"create", path("absent")}).status == 1);
}

BOOST_AUTO_TEST_CASE(the_rest_of_an_archive_that_is_not_covered_is_said) {
  make("f.tgm", mixed_archive(3) + numbered(4).substr(0, 60));
  const outcome made = index({"create", path("f.tgm")});
  BOOST_TEST(made.status == 0);
  BOOST_TEST(made.err.find("its last 60 bytes are not in the index") != made.err.npos, made.err);
}

BOOST_AUTO_TEST_CASE(json_names_the_level_and_the_structure) {
  const std::string file = make("f.tgm", mixed_archive(20));
  const auto made = json_lines(index({"create", "-j", file}).out).at(0);
  const auto checked = json_lines(index({"check", "-j", file}).out).at(0);
  const auto shown = json_lines(index({"show", "-j", file}).out).at(0);
  BOOST_TEST(!made.contains("trust"));
  BOOST_TEST(checked["trust"] == "checked");
  BOOST_TEST(shown["trust"] == "sampled");
  BOOST_TEST(made["structure"].get<std::string>().size() == 16u);
  BOOST_TEST(made["structure"] == checked["structure"]);
  BOOST_TEST(made["structure"] == shown["structure"]);
  make("g.tgm", mixed_archive(21));
  const auto other = json_lines(index({"create", "-j", path("g.tgm")}).out).at(0);
  BOOST_TEST(made["structure"] != other["structure"]);
}

BOOST_AUTO_TEST_CASE(the_cache_folder_serves_every_verb) {
  const std::string file = make("f.tgm", mixed_archive(20)), cache = path("cache");
  const auto cached = [&](const std::string& arguments) {
    return shell("XDG_CACHE_HOME='" + cache + "' \"$TGMAP\" " + arguments + " '" + file + "'");
  };
  for (const char* verb : {"check", "show", "drop"}) {
    const outcome absent = cached(std::string("index ") + verb + " --cache");
    BOOST_TEST(absent.status == 1, verb);
    BOOST_TEST(absent.err.find("has no index in the cache folder; make it with `tgmap index create --cache`") !=
                   absent.err.npos,
               absent.err);
  }
  const outcome made = cached("index create --cache");
  BOOST_TEST(made.status == 0, made.err);
  BOOST_TEST(made.out.starts_with(cache + "/tgmap/"), made.out);
  BOOST_TEST(made.out.find(".tgx: created: 20 messages, ") != made.out.npos, made.out);
  BOOST_TEST(!has_index("f.tgm"));
  BOOST_TEST(cached("index check --cache").out.find(": sound, checked: 20 messages, ") != std::string::npos);
  BOOST_TEST(cached("index show --index-cache").out.find(": used, sampled: 20 messages, ") != std::string::npos);
  const auto used = [&](const std::string& option) {
    return json_lines(shell("XDG_CACHE_HOME='" + cache + "' \"$TGMAP\" explain -j " + option + " '" + file + ":7'").out)
        .at(0)["index"]["used"]
        .get<bool>();
  };
  BOOST_TEST(used("--index-cache"));
  BOOST_TEST(!used(""));
  BOOST_TEST(!used("--index-cache --no-index"));
  const outcome with = cached("ls --index-cache"), without = cached("ls");
  BOOST_TEST(with.out == without.out);
  BOOST_TEST(with.err == "");
  BOOST_TEST(cached("index drop --cache").status == 0);
  BOOST_TEST(cached("index show --cache").status == 1);
  BOOST_TEST(cached("index create --cache --index x").status == 2);
}

BOOST_AUTO_TEST_CASE(a_cache_that_cannot_be_written_is_named) {
  const std::string file = make("f.tgm", mixed_archive(3));
  const outcome made = shell("XDG_CACHE_HOME=/dev/null \"$TGMAP\" index create --cache '" + file + "'");
  BOOST_TEST(made.status == 1);
  BOOST_TEST(made.err.find("the cache folder: Not a directory") != made.err.npos, made.err);
  const std::string empty = make("empty.tgm", "");
  const outcome nothing =
      shell("XDG_CACHE_HOME='" + path("cache") + "' \"$TGMAP\" index create --cache '" + empty + "'");
  BOOST_TEST(nothing.status == 1);
  BOOST_TEST(nothing.err.find("nothing to index") != nothing.err.npos, nothing.err);
}

// The index hides a message whose hash does not match, and 160 bytes that belong to no message.
BOOST_AUTO_TEST_CASE(verbs_that_say_that_bytes_are_sound_read_them) {
  auto damaged = build(numbered_spec(1));
  damaged.data[damaged.objects[0] + 20] ^= 1;
  const bytes first = numbered(0), last = numbered(2);
  const std::string file = make("f.tgm", first + bytes(160, '#') + damaged.data + last),
                    other = make("other.tgm", first + last);
  BOOST_TEST(index({"create", file}).status == 3);
  make("f.tgm.tgx", hiding_message(read_file(path("f.tgm.tgx")), 1));
  BOOST_TEST(index({"show", file}).out.find("used, sampled: 2 messages") != std::string::npos);

  for (const char* level : {"--quick", "--checksum", "--full"}) {
    const outcome validated = run({"validate", level, file});
    BOOST_TEST(validated.status == 1);
    BOOST_TEST(validated.out == "");
    BOOST_TEST(
        validated.err.find("160 unrecognized bytes at offset " + std::to_string(first.size())) != std::string::npos,
        validated.err);
  }
  const outcome validated = run({"validate", file});
  BOOST_TEST(validated.err.find("message 2, object 1: frame hash mismatch") != std::string::npos, validated.err);
  BOOST_TEST(validated.err.ends_with(file + ": FAILED (2 errors, 3 messages, 3 objects)\n"), validated.err);
  BOOST_TEST(nlohmann::json::parse(run({"validate", "-j", file}).out)[0]["status"] == "failed");

  const outcome told = run({"info", file});
  BOOST_TEST(told.status == 3);
  BOOST_TEST(told.out.find("  Messages: 3\n") != std::string::npos, told.out);
  BOOST_TEST(told.out.find("  Gap: [" + std::to_string(first.size()) + ", ") != std::string::npos, told.out);
  const auto used = json_lines(run({"du", "-j", file}).out).at(0);
  BOOST_TEST(used["parts"]["gap"]["bytes"] == 160);
  BOOST_TEST(run({"diff", file, other}).status == 1);

  for (const std::vector<std::string>& call : {std::vector<std::string>{"get", "--verify", "-p", "n", file},
                                               {"stats", "--verify", file},
                                               {"copy", "--verify", file, path("copied.tgm")},
                                               {"extract", "--verify", file, "-o", path("out") + "/"},
                                               {"show", "--verify", file + ":1:0"}}) {
    const outcome verified = run(call);
    BOOST_TEST(verified.status == 3, call.front());
    BOOST_TEST(verified.err.find("f.tgm:1:0") != std::string::npos, verified.err);
  }
}

BOOST_AUTO_TEST_CASE(a_pipe_is_no_index) {
  const std::string file = make("f.tgm", mixed_archive(3)), pipe = file + ".tgx";
  const auto timed = [&](const std::string& arguments) {
    return shell("timeout 20 \"$TGMAP\" " + arguments + " '" + file + "'");
  };
  BOOST_REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  for (const char* verb : {"ls", "count", "info", "dump", "validate"}) {
    const outcome read = timed(verb);
    BOOST_TEST(read.status == 0, verb);
  }
  BOOST_TEST(timed("ls").err.find("its index is not used: not an index file") != std::string::npos);
  for (const char* verb : {"show", "check", "update", "create", "drop"}) {
    const outcome refused = timed(std::string("index ") + verb);
    BOOST_TEST(refused.status == 1, verb);
    BOOST_TEST(refused.err.find("not an index") != std::string::npos, refused.err);
  }
  const outcome copied = timed("copy --write-index --force '" + make("g.tgm", mixed_archive(2)) + "'");
  BOOST_TEST(copied.status == 1, copied.err);
  BOOST_TEST(std::filesystem::is_fifo(pipe));
}

BOOST_AUTO_TEST_SUITE_END()
