// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <tgmap/query/metadata_key.hpp>

#include "../../rewriting.hpp"

using namespace tgmap_test;

namespace {

bytes titled(const std::string& title, const std::string& payload, int version = 3) {
  return message({.version = version,
                  .objects = {bytes_object(payload)},
                  .base = {cbor::map({cbor::key("name", cbor::text(payload))})},
                  .extra = {cbor::key("title", cbor::text(title)), cbor::key("only_" + payload, cbor::integer(1))}});
}

bytes szip_message(std::optional<std::string> release) {
  object_spec one = bytes_object("stored");
  one.dtype = "float64";
  one.shape = {8};
  one.encoding = "simple_packing";
  one.compression = "szip";
  one.more = {cbor::key("reference_value", cbor::real(0)),
              cbor::key("binary_scale_factor", cbor::integer(0)),
              cbor::key("decimal_scale_factor", cbor::integer(0)),
              cbor::key("bits_per_value", cbor::integer(16)),
              cbor::key("szip_rsi", cbor::integer(128)),
              cbor::key("szip_block_size", cbor::integer(16)),
              cbor::key("szip_flags", cbor::integer(8))};
  message_spec out{.version = 2, .objects = {one}};
  if (release)
    out.reserved = cbor::map({cbor::key("encoder", cbor::map({cbor::key("name", cbor::text("tensogram")),
                                                              cbor::key("version", cbor::text(*release))}))});
  return message(out);
}

struct merging : rewriting {
  outcome merge(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"merge", "--no-sync", "-f", "-o", path("o")});
    return run(arguments);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(merge, merging)

BOOST_AUTO_TEST_CASE(all_objects_of_all_messages) {
  const std::string a = make("a", two_objects() + titled("t", "x")), b = make("b", streamed_message());
  const outcome seen = merge({a, b});
  BOOST_TEST(seen.status == 0, seen.err);
  BOOST_TEST(seen.out == "Merged 4 objects from 2 file(s) into " + path("o") + " (strategy: first)\n");
  const tgmap::archive from_a = open("a"), from_b = open("b"), to = open("o");
  BOOST_TEST(to.size() == 1u);
  std::vector<seen_object> wanted = objects_of(from_a[0]);
  for (const auto& m : {from_a[1], from_b[0]})
    for (auto& each : objects_of(m)) wanted.push_back(std::move(each));
  BOOST_TEST((objects_of(to[0]) == wanted));
  BOOST_TEST(to[0].base(2).find("name")->text() == "x");
  BOOST_TEST(to[0].metadata().find("title")->text() == "t");
  BOOST_TEST(to[0].provenance().find("encoder.name")->text() == "tgmap");
  BOOST_TEST(run({"validate", path("o")}).status == 0);
}

BOOST_AUTO_TEST_CASE(strategies) {
  const std::string a = make("a", titled("one", "x")), b = make("b", titled("two", "y"));
  const auto title = [&](const std::string& strategy) {
    const outcome seen = merge({"-s", strategy, a, b});
    BOOST_TEST(seen.status == 0, seen.err);
    BOOST_TEST(seen.out.find("(strategy: " + strategy + ")") != std::string::npos);
    BOOST_TEST(open("o")[0].metadata().find("only_x").has_value());
    BOOST_TEST(open("o")[0].metadata().find("only_y").has_value());
    return open("o")[0].metadata().find("title")->text();
  };
  BOOST_TEST(title("first") == "one");
  BOOST_TEST(title("last") == "two");
  std::filesystem::remove(path("o"));
  const outcome seen = merge({"--strategy", "error", a, b});
  BOOST_TEST(seen.status == 1);
  BOOST_TEST(
      seen.err.find("conflicting values for key 'title'; use --strategy first or last to resolve") != std::string::npos,
      seen.err);
  BOOST_TEST(!exists("o"));
  BOOST_TEST(merge({"-s", "error", a, a}).status == 0);  // the same values are no conflict
  BOOST_TEST(merge({"-s", "both", a, b}).status == 2);
}

BOOST_AUTO_TEST_CASE(versions) {
  const std::string a = make("a", titled("one", "x", 2)), b = make("b", titled("two", "y", 3));
  BOOST_TEST(merge({a, a}).status == 0);
  BOOST_TEST(open("o")[0].version() == 2);
  BOOST_TEST((objects_of(open("o")[0])[1] == objects_of(open("a")[0])[0]));
  for (const auto& order : {std::vector<std::string>{a, b}, {b, a}}) {
    const outcome seen = merge(order);
    BOOST_TEST(seen.status == 0, seen.err);
    const tgmap::archive to = open("o");
    BOOST_TEST(to[0].version() == 3);
    for (std::size_t j = 0; j < 2; ++j) {
      BOOST_TEST((to[0][j].verify() == tgmap::hash_result::match));
      BOOST_TEST(bytes_of(to[0][j].payload()) == to[0].base(j).find("name")->text());
    }
    BOOST_TEST(run({"validate", path("o")}).status == 0);
  }
}

BOOST_AUTO_TEST_CASE(digests_are_of_all_objects_or_of_none) {
  for (const int version : {2, 3}) {
    const std::string with =
                          make("with", message({.version = version, .objects = {bytes_object("x")}, .hashes = true})),
                      without = make("without",
                                     message({.version = version, .objects = {bytes_object("y")}, .hashes = false}));
    for (const auto& [which, found] : {std::pair(std::vector{with, without}, tgmap::hash_result::match),
                                       std::pair(std::vector{without, with}, tgmap::hash_result::match),
                                       std::pair(std::vector{without, without}, tgmap::hash_result::absent)}) {
      BOOST_TEST(merge(which).status == 0);
      const tgmap::archive& all = open("o");
      BOOST_TEST_REQUIRE(all[0].size() == 2u);
      BOOST_TEST((all[0][0].verify() == found));
      BOOST_TEST((all[0][1].verify() == found));
      const outcome sound = run({"validate", path("o")});
      BOOST_TEST(sound.status == 0, sound.err);
      BOOST_TEST((sound.out.find("hash verified") != std::string::npos) == (found == tgmap::hash_result::match),
                 sound.out);
    }
  }
  // Objects of version 2 are stored again in version 3, with a hash.
  const std::string without = make("without", message({.objects = {bytes_object("y")}, .hashes = false}));
  BOOST_TEST(merge({make("old", message({.version = 2, .objects = {bytes_object("x")}})), without}).status == 0);
  BOOST_TEST((open("o")[0][1].verify() == tgmap::hash_result::match));
}

BOOST_AUTO_TEST_CASE(a_legacy_payload_stays_one) {
  for (const std::optional<std::string>& release : {std::optional<std::string>(), {"0.6.1"}, {"0.7.0"}, {"0.16.1"}}) {
    const std::string a = make("a", szip_message(release)), b = make("b", titled("t", "x", 2));
    BOOST_TEST(merge({b, a, a}).status == 0);
    const auto said = open("o")[0].provenance().find("encoder.version");
    BOOST_TEST(((said ? std::optional(said->text()) : std::nullopt) == release));
  }
  const std::string old = make("old", szip_message("0.6.1")), later = make("later", szip_message("0.16.1"));
  const outcome mixed = merge({old, later});
  BOOST_TEST(mixed.status == 1);
  BOOST_TEST(mixed.err.find("tgmap upgrade") != std::string::npos, mixed.err);
  const outcome raised = merge({old, make("new", titled("t", "x"))});
  BOOST_TEST(raised.status == 1);
  BOOST_TEST(merge({later, path("new")}).status == 0);
}

BOOST_AUTO_TEST_CASE(selections_and_addresses) {
  const std::string a = make("a", two_objects() + titled("t", "x") + titled("u", "y"));
  const auto count = [&](const std::vector<std::string>& arguments) {
    BOOST_TEST(merge(arguments).status == 0);
    return open("o")[0].size();
  };
  BOOST_TEST(count({"-w", "name=x", a}) == 1u);
  BOOST_TEST(count({a + ":0:1"}) == 1u);
  BOOST_TEST(count({a + ":0..1"}) == 3u);
  BOOST_TEST(count({"--objects", "-w", "dtype=uint8", a}) == 3u);
  BOOST_TEST(count({a, a}) == 8u);
  std::filesystem::remove(path("o"));
  BOOST_TEST(merge({"-w", "name=z", a}).status == 1);
  BOOST_TEST(!exists("o"));
}

BOOST_AUTO_TEST_CASE(reproducible) {
  const std::string a = make("a", forecast().substr(0, two_objects().size()) + titled("t", "x"));
  BOOST_TEST(merge({"--reproducible", a}).status == 0);
  const bytes once = read("o");
  BOOST_TEST(merge({"--reproducible", a}).status == 0);
  BOOST_TEST((read("o") == once));
  BOOST_TEST(!open("o")[0].provenance().find("time"));
  BOOST_TEST(merge({a}).status == 0);
  BOOST_TEST(open("o")[0].provenance().find("uuid").has_value());
}

BOOST_AUTO_TEST_CASE(unreadable_input_leaves_no_output) {
  const std::string a = make("a", two_objects());
  BOOST_TEST(merge({a, path("gone")}).status == 1);
  BOOST_TEST(!exists("o"));
  const outcome hurt = merge({a, make("hurt", two_objects() + "tail")});
  BOOST_TEST(hurt.status == 3);
  BOOST_TEST(open("o")[0].size() == 4u);
  const outcome cut = merge({make("cut", streamed_message().substr(0, streamed_message().size() - 20))});
  BOOST_TEST(cut.status == 1);
}

BOOST_AUTO_TEST_CASE(other_outputs) {
  const std::string a = make("a", two_objects());
  const outcome piped = run({"merge", "--reproducible", a, "-o", "-"});
  BOOST_TEST(merge({"--reproducible", a}).status == 0);
  BOOST_TEST((piped.out == read("o")));
  BOOST_TEST(run({"merge", "-j", a, "-o", "-"}).status == 2);
  BOOST_TEST(run({"merge", a, a, "-o", a}).status == 0);  // an input
  BOOST_TEST(open("a")[0].size() == 4u);
  const auto line = json_lines(run({"merge", "-n", "-j", a, "-o", path("none")}).out).at(0);
  BOOST_TEST(!exists("none"));
  BOOST_TEST(line["objects"] == 4);
  BOOST_TEST(line["version"] == 3);
}

BOOST_AUTO_TEST_CASE(a_message_without_its_end_is_left_out) {
  const bytes cut = streamed_message();
  const std::string in = make("cut", two_objects() + cut.substr(0, cut.size() - 24));
  const outcome seen = merge({in});
  BOOST_TEST(seen.status == 3, seen.err);
  BOOST_TEST(seen.err.find("cut: left out the incomplete message at offset " + std::to_string(two_objects().size())) !=
                 std::string::npos,
             seen.err);
  BOOST_TEST(open("o")[0].size() == 2u);
  std::filesystem::remove(path("o"));
  BOOST_TEST(merge({make("alone", cut.substr(0, cut.size() - 24))}).status == 1);
  BOOST_TEST(!exists("o"));
}

BOOST_AUTO_TEST_CASE(a_bar_shows_how_far_it_is) {
  const std::string in = make("in", message({.objects = {bytes_object(bytes(1 << 20, 'x')), bytes_object("y")}}));
  const terminal at_once{.columns = 80, .rows = 24, .environment = {{"TGMAP_PROGRESS_DELAY", "0"}}};
  const outcome seen = run_at_terminal({"merge", "--no-sync", "-f", "-o", path("o"), in}, at_once);
  BOOST_TEST(seen.status == 0);
  BOOST_TEST(seen.out.find("writing ") != std::string::npos, seen.out);
}

BOOST_AUTO_TEST_CASE(a_dry_run_says_that_it_is_one) {
  const outcome seen = merge({"--dry-run", make("in", two_objects())});
  BOOST_TEST(seen.out.ends_with("(strategy: first), not written\n"), seen.out);
  BOOST_TEST(!exists("o"));
}

BOOST_AUTO_TEST_SUITE_END()
