// SPDX-License-Identifier: Apache-2.0
// --verify of all verbs that have it, and copy --sound.
#include <boost/test/unit_test.hpp>

#include "../rewriting.hpp"

using namespace tgmap_test;

namespace {

bytes hashed_message(int version, const bytes& first, const bytes& second) {
  return message({.version = version, .objects = {bytes_object(first), bytes_object(second)}});
}

/// Three messages of two objects; one byte of object 1 of message 1 changed after its hash was taken.
bytes changed_archive(int version) {
  bytes out = hashed_message(version, "aaaa", "bbbb") + hashed_message(version, "cccc", "dddd") +
              hashed_message(version, "eeee", "ffff");
  out[out.find("dddd")] = 'x';
  return out;
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t out = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++out;
  return out;
}

struct verifying : rewriting {
  /// Checks that the error names the address and both hashes.
  void check_mismatch(const outcome& seen, const std::string& address, std::string_view stored_as) const {
    BOOST_TEST(seen.status == 3, seen.err);
    BOOST_TEST(seen.err.starts_with("tgmap: " + path(address) + ": "), seen.err);
    BOOST_TEST(seen.err.find("the stored hash ") != std::string::npos, seen.err);
    BOOST_TEST(seen.err.find("is not the hash ") != std::string::npos, seen.err);
    if (!stored_as.empty()) BOOST_TEST(seen.err.find(stored_as) != std::string::npos, seen.err);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(verify, verifying)

BOOST_AUTO_TEST_CASE(every_verb_names_the_object_and_both_hashes) {
  for (const int version : {2, 3}) {
    const std::string name = "v" + std::to_string(version) + ".tgm", file = make(name, changed_archive(version)),
                      hurt = name + ":1:1";
    // Version 2 hashes the payload, version 3 the body of the frame.
    const std::string stored = version == 2 ? xxh3_hex("dddd") : "", found = version == 2 ? xxh3_hex("xddd") : "";
    for (const std::vector<std::string>& how :
         std::vector<std::vector<std::string>>{{"stats", "--verify", file},
                                               {"show", "--verify", file + ":1:1"},
                                               {"show", "--verify", "--slice", "[0:2]", file + ":1:1"},
                                               {"extract", "--verify", file + ":1:1", "-o", path("o.npy")},
                                               {"extract", "--verify", file + ":1:1[0:2]", "-o", path("o.npy")},
                                               {"extract", "--verify", "--stored", file + ":1:1", "-o", path("o.bin")},
                                               {"extract", "--verify", file, "-o", path("all.npz")},
                                               {"copy", "--verify", file, path("o.tgm")},
                                               {"copy", "--verify", "--objects", file, path("o.tgm")},
                                               {"copy", "--verify", "--sort", "@offset", file, path("o.tgm")},
                                               {"get", "--verify", "-p", "@offset", file},
                                               {"get", "--verify", "-p", "@offset", "--sort", "@offset", file},
                                               {"get", "--verify", "--objects", "-p", "shape", file}}) {
      BOOST_TEST_CONTEXT(how.front() << " in version " << version) {
        const outcome seen = run(how);
        check_mismatch(seen, hurt, stored);
        check_mismatch(seen, hurt, found);
        std::vector<std::string> unchecked = how;
        std::erase(unchecked, "--verify");
        BOOST_TEST(run(unchecked).status == 0);
        for (const char* const out : {"o.npy", "o.bin", "all.npz", "o.tgm"}) std::filesystem::remove(path(out));
        BOOST_TEST(run(how).status == 3);
        for (const char* const out : {"o.npy", "o.bin", "all.npz", "o.tgm"}) BOOST_TEST(!exists(out));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(sound_objects_are_printed_and_written) {
  const std::string file = make("f.tgm", changed_archive(3));
  BOOST_TEST(run({"get", "--verify", "-p", "@message", file}).out == "0\n2\n");
  BOOST_TEST(run({"get", "--verify", "--objects", "-p", "@message,@object", file}).out == "0 0\n0 1\n1 0\n2 0\n2 1\n");
  BOOST_TEST(run({"extract", "--verify", file, "-o", path("all/")}).status == 3);
  BOOST_TEST(exists("all/1_0.npy"));
  BOOST_TEST(!exists("all/1_1.npy"));
  BOOST_TEST(exists("all/2_1.npy"));
  const outcome rows = run({"stats", "--verify", "--json", file});
  BOOST_TEST(json_lines(rows.out).size() == 6U);
  BOOST_TEST(count_of(rows.out, "\"error\":") == 1U);
}

BOOST_AUTO_TEST_CASE(sound_archives_pass) {
  const std::string file = make("f.tgm", hashed_message(3, "aaaa", "bbbb") + hashed_message(2, "cccc", "dddd"));
  for (const std::vector<std::string>& how :
       std::vector<std::vector<std::string>>{{"stats", "--verify", file},
                                             {"show", "--verify", file + ":0:1"},
                                             {"extract", "--verify", file, "-o", path("all/")},
                                             {"copy", "--verify", file, path("o.tgm")},
                                             {"copy", "--sound", file, path("o.tgm")},
                                             {"get", "--verify", "-p", "@offset", file}}) {
    const outcome seen = run(how);
    BOOST_TEST(seen.status == 0, seen.err);
    BOOST_TEST(seen.err == "");
  }
  BOOST_TEST((read("o.tgm") == read("f.tgm")));
}

BOOST_AUTO_TEST_CASE(metadata_is_verified_too) {
  bytes hurt = message({.objects = {bytes_object("abcd")}, .extra = {{"note", cbor::text("sound")}}});
  hurt[hurt.find("sound")] = 'x';
  const std::string file = make("f.tgm", hurt);
  check_mismatch(run({"get", "--verify", "-p", "note", file}), "f.tgm:0", "");
  check_mismatch(run({"copy", "--verify", file, path("o.tgm")}), "f.tgm:0", "");
  check_mismatch(run({"copy", "--verify", file + ":0:0", path("o.tgm")}), "f.tgm:0", "");
}

BOOST_AUTO_TEST_CASE(objects_without_a_hash_are_counted) {
  const std::string file = make(
      "f.tgm", hashed_message(3, "aaaa", "bbbb") +
                   message({.objects = {bytes_object("c"), bytes_object("d")}, .hashes = false, .hash_frames = false}));
  const std::string said = "tgmap: " + file + ": not verified: 2 objects without a hash, first " + file +
                           ":1:0; `tgmap rehash` adds hashes\n";
  for (const std::vector<std::string>& how :
       std::vector<std::vector<std::string>>{{"stats", "-q", "--verify", file},
                                             {"extract", "-q", "--verify", file, "-o", path("all/")},
                                             {"extract", "-q", "--verify", "--stored", file, "-o", path("stored/")},
                                             {"copy", "-q", "--verify", file, path("o.tgm")},
                                             {"get", "-q", "--verify", "-p", "@offset", file}}) {
    const outcome seen = run(how);
    BOOST_TEST(seen.status == 0);
    BOOST_TEST(seen.err == said);
  }
}

BOOST_AUTO_TEST_CASE(sound_leaves_out_messages) {
  for (const int version : {2, 3}) {
    const std::string file = make("f.tgm", changed_archive(version));
    const outcome seen = run({"copy", "-f", "--sound", file, path("o.tgm")});
    BOOST_TEST(seen.status == 3);
    BOOST_TEST(seen.err.starts_with("tgmap: " + file + ":1:1: left out: the stored hash "), seen.err);
    BOOST_TEST(seen.err.ends_with(": 1 message left out: 1 with a hash that does not match\n"), seen.err);
    BOOST_TEST((read("o.tgm") == hashed_message(version, "aaaa", "bbbb") + hashed_message(version, "eeee", "ffff")));
  }
}

BOOST_AUTO_TEST_CASE(sound_leaves_out_objects) {
  const std::string file = make("f.tgm", changed_archive(3));
  const outcome seen = run({"copy", "--sound", "--objects", file, path("o.tgm")});
  BOOST_TEST(seen.status == 3);
  BOOST_TEST(seen.err.ends_with(": 1 object left out: 1 with a hash that does not match\n"), seen.err);
  const tgmap::archive& out = open("o.tgm");
  BOOST_TEST(out.size() == 3U);
  BOOST_TEST(out[1].size() == 1U);
  BOOST_TEST(bytes_of(out[1][0].payload()) == "cccc");
  BOOST_TEST(run({"validate", path("o.tgm")}).status == 0);
}

BOOST_AUTO_TEST_CASE(sound_leaves_out_what_cannot_be_read) {
  bytes no_descriptor = message({.objects = {bytes_object("abcd")}, .hashes = false, .hash_frames = false});
  no_descriptor[no_descriptor.find("dtype")] = 'D';
  const std::string file = make("f.tgm", two_objects() + lying_message() + no_descriptor + streamed_message());
  for (const char* const where : {"", "@objects>0"}) {
    std::vector<std::string> how{"copy", "-f", "--sound", file, path("o.tgm")};
    if (*where != '\0') how.insert(how.end(), {"-w", where});
    const outcome seen = run(how);
    BOOST_TEST(seen.status == 3, seen.err);
    BOOST_TEST(seen.err.ends_with(": 2 messages left out: 2 that cannot be read\n"), seen.err);
    BOOST_TEST((read("o.tgm") == two_objects() + streamed_message()));
  }
}

BOOST_AUTO_TEST_CASE(sound_without_a_sound_message_writes_nothing) {
  bytes hurt = two_objects();
  hurt[hurt.find("abcd")] = 'x';
  const outcome seen = run({"copy", "--sound", make("f.tgm", hurt), path("o.tgm")});
  BOOST_TEST(seen.status == 1);
  BOOST_TEST(seen.err.find("no message is left; nothing was written") != std::string::npos, seen.err);
  BOOST_TEST(!exists("o.tgm"));
}

BOOST_AUTO_TEST_CASE(many_problems_are_counted) {
  bytes all;
  for (int i = 0; i < 25; ++i) {
    bytes one = hashed_message(3, "aaaa", "bbbb");
    one[one.find("bbbb")] = 'x';
    all += one;
  }
  const std::string file = make("f.tgm", all + two_objects());
  const outcome seen = run({"copy", "--sound", file, path("o.tgm")});
  BOOST_TEST(seen.status == 3);
  BOOST_TEST(count_of(seen.err, "\n") == 11U);
  BOOST_TEST(seen.err.ends_with(": 25 messages left out: 25 with a hash that does not match\n"), seen.err);
  const outcome got = run({"get", "--verify", "-p", "@message", file});
  BOOST_TEST(got.status == 3);
  BOOST_TEST(got.out == "25\n");
  BOOST_TEST(got.err.find("15 more problems of this kind") != std::string::npos, got.err);
}

BOOST_AUTO_TEST_SUITE_END()
