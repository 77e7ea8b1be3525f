// SPDX-License-Identifier: Apache-2.0
// Verbs that change the layout of messages: reindex and reshuffle.
#include <boost/test/unit_test.hpp>
#include <tgmap/query/metadata_key.hpp>

#include "../../rewriting.hpp"

using namespace tgmap_test;

namespace {

struct arranging : rewriting {
  outcome reindex(const std::string& index, const std::string& from) const {
    return run({"reindex", "--no-sync", "-f", "--index", index, path(from), path("o")});
  }
  outcome reshuffle(const std::string& from) const {
    return run({"reshuffle", "--no-sync", "-f", path(from), "-o", path("o")});
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(reindex, arranging)

BOOST_AUTO_TEST_CASE(the_index_is_put_where_requested) {
  const std::pair<const char*, tgmap::index_location> places[] = {{"header", tgmap::index_location::header},
                                                                  {"footer", tgmap::index_location::footer},
                                                                  {"none", tgmap::index_location::none}};
  for (const bytes& one : {two_objects(), old_message(), streamed_message(), forecast()}) {
    make("in", one);
    for (const auto& [name, layout] : places) {
      const outcome seen = reindex(name, "in");
      BOOST_TEST(seen.status == 0, seen.err);
      const tgmap::archive before = open("in"), after = open("o");
      BOOST_TEST_REQUIRE(after.size() == before.size());
      for (std::size_t i = 0; i < before.size(); ++i) {
        BOOST_TEST((after[i].index_location() == layout));
        BOOST_TEST(!after[i].is_streamed());
        BOOST_TEST(after[i].version() == before[i].version());
        BOOST_TEST((objects_of(after[i]) == objects_of(before[i])));
      }
      BOOST_TEST(run({"validate", path("o")}).status == 0);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_wrong_index_is_corrected) {
  make("in", lying_message());
  BOOST_TEST(run({"validate", path("in")}).status == 1);
  BOOST_TEST(reindex("header", "in").status == 0);
  BOOST_TEST(run({"validate", path("o")}).status == 0);
  BOOST_TEST(bytes_of(open("o")[0][0].payload()) == "abcd");
}

BOOST_AUTO_TEST_CASE(usage) {
  make("in", forecast());
  BOOST_TEST(run({"reindex", path("in"), path("o")}).status == 2);
  BOOST_TEST(reindex("middle", "in").status == 2);
  BOOST_TEST(run({"reshuffle", path("in")}).status == 2);
}

BOOST_AUTO_TEST_CASE(reshuffling) {
  make("in", forecast());
  const outcome seen = reshuffle("in");
  BOOST_TEST(seen.status == 0, seen.err);
  BOOST_TEST(seen.out == "Reshuffled 3 message(s) from " + path("in") + " to " + path("o") + "\n");
  const tgmap::archive before = open("in"), after = open("o");
  for (std::size_t i = 0; i < 3; ++i) {
    BOOST_TEST(!after[i].is_streamed());
    BOOST_TEST((after[i].index_location() == tgmap::index_location::header));
    BOOST_TEST(after[i].hash_list().has_value());
    BOOST_TEST((objects_of(after[i]) == objects_of(before[i])));
  }
  BOOST_TEST(run({"validate", path("o")}).status == 0);
  const auto lines = json_lines(run({"reshuffle", "-n", "-j", path("in"), "-o", path("o")}).out);
  BOOST_TEST(lines.at(0)["changed"] == 3);  // each is written anew
}

BOOST_AUTO_TEST_CASE(reshuffling_gives_digests_to_what_has_none) {
  for (const int version : {2, 3}) {
    make("in", message({.version = version, .objects = {bytes_object("abc")}, .hashes = false, .hash_frames = false}));
    BOOST_TEST(reshuffle("in").status == 0);
    BOOST_TEST((open("o")[0][0].verify() == tgmap::hash_result::match));
  }
}

BOOST_AUTO_TEST_CASE(reshuffling_keeps_a_wrong_digest_wrong) {
  bytes hurt = streamed_message();
  hurt[hurt.find(native({0.5}))] ^= 1;
  make("in", hurt);
  BOOST_TEST((open("in")[0][0].verify() == tgmap::hash_result::mismatch));
  BOOST_TEST(reshuffle("in").status == 0);
  BOOST_TEST((open("o")[0][0].verify() == tgmap::hash_result::mismatch));
}

BOOST_AUTO_TEST_CASE(every_archive_there_is) {
  unsigned done = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test_data())) {
    if (entry.path().extension() != ".tgm") continue;
    BOOST_TEST_CONTEXT(entry.path().filename()) {
      make("in", read_file(entry.path()));
      if (reshuffle("in").status == 1) continue;
      ++done;
      make("shuffled", read("o"));
      BOOST_TEST(reshuffle("shuffled").status == 0);
      BOOST_TEST((read("o") == read("shuffled")));  // nothing is left to be done
      BOOST_TEST(reindex("footer", "shuffled").status == 0);
      make("footer", read("o"));
      BOOST_TEST(reindex("header", "footer").status == 0);
      make("header", read("o"));
      BOOST_TEST(reshuffle("header").status == 0);
      BOOST_TEST((read("o") == read("header")));
      BOOST_TEST(reindex("footer", "header").status == 0);
      BOOST_TEST((read("o") == read("footer")));
    }
  }
  BOOST_TEST(done > 60u);
}

/// Returns a message whose payloads are not at the offsets that a writer would choose.
bytes spread_message(int version = 3) {
  return message({.version = version,
                  .objects = {bytes_object("abcd"), bytes_object("efgh")},
                  .junk_before = {{0, bytes(4096, '\0')}}});
}

BOOST_AUTO_TEST_CASE(correct_layouts_are_copied) {
  for (const int version : {2, 3}) {
    const bytes one = spread_message(version);
    make("in", one);
    BOOST_TEST(reindex("header", "in").out.find("1 message, 0 of them changed") != std::string::npos);
    BOOST_TEST((read("o") == one));
    BOOST_TEST(reindex("footer", "in").out.find("1 of them changed") != std::string::npos);
    BOOST_TEST((open("o")[0].index_location() == tgmap::index_location::footer));
    make("foot", read("o"));
    BOOST_TEST(reindex("footer", "foot").out.find(" 0 of them changed") != std::string::npos);
    BOOST_TEST(reindex("none", "foot").out.find("1 of them changed") != std::string::npos);
    make("none", read("o"));
    BOOST_TEST(reindex("none", "none").out.find(" 0 of them changed") != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(imperfect_messages_are_rewritten) {
  const auto changed = [&](const bytes& one) {
    make("in", one);
    return reindex("header", "in").out.find("1 of them changed") != std::string::npos;
  };
  const std::vector<object_spec> objects{bytes_object("abcd"), bytes_object("efgh")};
  BOOST_TEST(!changed(message({.objects = objects})));
  BOOST_TEST(changed(message({.objects = objects, .index = tgmap_test::where::both})));
  BOOST_TEST(changed(message({.objects = objects, .lie = [](index_spec& index) { ++index.lengths[1]; }})));
  BOOST_TEST(changed(message({.objects = objects, .lie = [](index_spec& index) { index.offsets.pop_back(); }})));
  BOOST_TEST(changed(message({.objects = objects, .lie = [](index_spec& index) { index.lengths.push_back(1); }})));
  BOOST_TEST(changed(message({.objects = objects, .flags = std::uint16_t{1}})));
  BOOST_TEST(run({"validate", path("o")}).status == 0);
}

BOOST_AUTO_TEST_CASE(messages_are_changed_whole) {
  make("in", forecast());
  for (const std::string verb : {"reindex", "rehash", "reshuffle"}) {
    std::vector<std::string> arguments{verb, path("in") + ":0:0"};
    if (verb == "reindex") arguments.insert(arguments.end(), {"--index", "footer"});
    if (verb == "reshuffle") arguments.push_back("-o");
    arguments.push_back(path("o"));
    const outcome seen = run(arguments);
    BOOST_TEST(seen.status == 2, verb);
    BOOST_TEST(seen.err.find("remove the objects from the address") != std::string::npos, seen.err);
  }
  const outcome one = run({"reshuffle", "--no-sync", path("in") + ":2", "-o", path("o")});
  BOOST_TEST(one.out.starts_with("Reshuffled 1 message(s) from "), one.out);
  const outcome dry = run({"reshuffle", "-n", path("in"), "-o", path("o")});
  BOOST_TEST(dry.out.ends_with(", not written\n"), dry.out);
}

BOOST_AUTO_TEST_SUITE_END()
