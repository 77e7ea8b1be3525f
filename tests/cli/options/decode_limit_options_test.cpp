// SPDX-License-Identifier: Apache-2.0
// Limits on decoding: of one object, at one time, in total; and limits on JSON output.
#include <boost/test/unit_test.hpp>
#include <support/shared_data.hpp>

#include "../process.hpp"
#include "../samples.hpp"

using namespace tgmap_test;
using nlohmann::json;

namespace {

/// Returns a zstd frame of one repeated byte: RLE blocks of four bytes for up to 128 KiB each.
bytes packed(std::uint64_t size, char each) {
  constexpr std::uint64_t most = 1 << 17;
  const auto little = [](std::uint64_t number, int width) {
    bytes out;
    for (int i = 0; i < width; ++i) out += static_cast<char>(number >> 8 * i & 0xff);
    return out;
  };
  bytes out = little(0xFD2FB528, 4) + little(0xE0, 1) + little(size, 8);
  for (std::uint64_t left = size; left > 0;) {
    const std::uint64_t now = std::min(left, most);
    left -= now;
    out += little(now << 3 | 1 << 1 | (left == 0 ? 1 : 0), 3) + bytes(1, each);
  }
  return out;
}

object_spec zeros(std::uint64_t size, char each = 0) {
  return {.dtype = "uint8", .shape = {size}, .payload = packed(size, each), .compression = "zstd"};
}

constexpr std::uint64_t mib = 1 << 20;

struct limited {
  temporary_directory files;

  std::string path(const std::string& name) const { return (files.path() / name).string(); }
  std::string archive(const std::string& name, const std::vector<object_spec>& objects) const {
    return files.file(name, message({.objects = objects})).string();
  }
  void refuses(const std::vector<std::string>& arguments, const std::vector<std::string>& parts) const {
    const outcome seen = run(arguments);
    BOOST_TEST_CONTEXT(arguments.front()) {
      BOOST_TEST(seen.status == 1, seen.out);
      const std::string told = seen.out + seen.err;
      for (const std::string& part : parts) BOOST_TEST(told.find(part) != told.npos, part << " in " << told);
    }
  }
  void takes(const std::vector<std::string>& arguments) const {
    const outcome seen = run(arguments);
    BOOST_TEST_CONTEXT(arguments.front()) { BOOST_TEST(seen.status == 0, seen.err); }
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(limits, limited)

BOOST_AUTO_TEST_CASE(one_object) {
  const std::string one = archive("a.tgm", {zeros(3 * mib)});
  const std::vector<std::string> numbers{"3145728 bytes", "2097152", "--max-decoded", "--max-memory"};
  for (const char* option : {"--max-decoded", "--max-memory"}) {
    for (std::vector<std::string> verb :
         std::vector<std::vector<std::string>>{{"show", one + ":0:0"},
                                               {"stats", one},
                                               {"extract", one + ":0:0", "-o", path("x.npy")},
                                               {"convert", "--compression", "none", one, path("c.tgm")}}) {
      const bool pair = verb.front() == "convert";
      std::vector<std::string> wanted = numbers;
      if (pair && std::string(option) == "--max-memory") wanted[1] = "1048576";
      std::vector<std::string> more = verb;
      verb.insert(verb.end(), {option, "2MiB"});
      refuses(verb, wanted);
      more.insert(more.end(), {option, pair ? "6MiB" : "3MiB"});
      takes(more);
    }
  }
}

BOOST_AUTO_TEST_CASE(two_that_are_compared) {
  const std::string one = archive("a.tgm", {zeros(3 * mib)}), other = archive("b.tgm", {zeros(3 * mib, 1)});
  BOOST_TEST(run({"diff", "--max-memory", "6MiB", one, other}).status == 1);
  const outcome seen = run({"diff", "--max-memory", "4MiB", one, other});
  BOOST_TEST(seen.status == 4);
  BOOST_TEST(seen.err.find("3145728 bytes would come out, but max_decoded_bytes is 2097152") != seen.err.npos,
             seen.err);
  BOOST_TEST(run({"diff", "--max-decoded", "2MiB", one, other}).status == 4);
  BOOST_TEST(run({"diff", "--max-decoded", "2MiB", one, one}).status == 0);  // equal bytes are not decoded
}

BOOST_AUTO_TEST_CASE(the_object_is_named) {
  const std::string one = archive("a.tgm", {bytes_object("x"), zeros(3 * mib)});
  refuses({"extract", "--max-decoded", "1MiB", one, "-o", path("f/")}, {one + ":0:1: 3145728 bytes"});
  refuses({"show", "--max-decoded", "1MiB", one + ":0:1"}, {one + ":0:1: "});
  const outcome seen = run({"stats", "--json", "--max-decoded", "1MiB", one});
  BOOST_TEST(seen.status == 1);
  BOOST_TEST(json_lines(seen.out).at(1)["object"] == 1);
}

BOOST_AUTO_TEST_CASE(four_gibibytes_unless_more_is_asked_for) {
  const std::string one =
      archive("a.tgm", {{.dtype = "uint8", .shape = {std::uint64_t{5} << 30}, .payload = "?", .compression = "zstd"}});
  refuses({"stats", one}, {"allow more with --max-decoded"});
  const outcome seen = run({"show", one + ":0:0"});
  BOOST_TEST(seen.err.find("5368709120 bytes would come out, but max_decoded_bytes is 4294967296") != seen.err.npos,
             seen.err);
  refuses({"show", "--max-decoded", "6GiB", one + ":0:0"}, {"zstd"});  // which it now looks at
  // Verbs that do not decode still print the size.
  BOOST_TEST(run({"du", "--json", one}).out.find("5368709120") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(at_one_time) {
  std::vector<object_spec> many;
  for (int i = 0; i < 6; ++i) many.push_back(zeros(mib + static_cast<std::uint64_t>(i)));
  const std::string one = archive("a.tgm", many);
  for (const char* threads : {"1", "4"}) {
    takes({"extract", "--threads", threads, "--max-memory", "2MiB", one, "-o", path("f/")});
    takes({"stats", "--threads", threads, "--max-memory", "2MiB", one});
    takes({"validate", "--full", "--threads", threads, "--max-memory", "2MiB", one});
    takes({"extract", "--threads", threads, "--max-memory", "2MiB", one + ":0:0[::2]", "-o", path("s.npy")});
  }
}

BOOST_AUTO_TEST_CASE(arrays_that_inflate) {
  const std::string one = archive("a.tgm", {zeros(3 * mib)});
  BOOST_TEST(run({"create", path("b.tgm"), one, "--max-decoded", "none"}).status == 2);
  BOOST_TEST(run({"stats", one, "--max-decoded", "0"}).status == 2);
  BOOST_TEST(run({"ls", one, "--max-decoded", "1MiB"}).status == 2);  // decodes nothing
}

BOOST_AUTO_TEST_CASE(all_objects_of_an_archive) {
  const std::string one = files
                              .file("a.tgm", message({.objects = {zeros(mib), bytes_object("x"), zeros(2 * mib)}}) +
                                                 message({.objects = {bytes_object("y"), zeros(mib)}}))
                              .string();
  for (const char* threads : {"1", "3"}) {
    takes({"validate", "--full", "--threads", threads, "--max-total", "4MiB", one});
    refuses({"validate", "--full", "--threads", threads, "--max-total", "3145729", one},
            {one + ":1:1: 4194304 bytes would be decoded in all, but the limit is 3145729", "--max-total"});
    refuses({"validate", "--full", "--threads", threads, "--max-total", "2MiB", one}, {one + ":0:2: "});
    const outcome seen = run({"validate", "--json", "--full", "--threads", threads, "--max-total", "3145729", one});
    const json found = json::parse(seen.out);
    BOOST_TEST(seen.status == 1);
    BOOST_TEST(found[0]["status"] == "failed");
    BOOST_TEST(found[0]["message_reports"].size() == 1u);  // what comes before it is told
  }
  takes({"validate", "--max-total", "1", one});  // which decodes nothing
}

// 40 KB decode to 1.25 GiB, in objects that are each far below the limit for one object.
BOOST_AUTO_TEST_CASE(a_thousand_times_what_was_read) {
  std::vector<object_spec> many(40, zeros(32 * mib));
  const std::string one = archive("a.tgm", many);
  refuses({"validate", "--full", one}, {"bytes would be decoded in all, but the limit is", ":0:3", "--max-total"});
}

BOOST_AUTO_TEST_CASE(json_of_metadata) {
  bytes deep = cbor::array({});
  for (int i = 0; i < 200; ++i) deep = cbor::array({cbor::integer(1), deep, cbor::integer(2)});
  const std::string indented =
      files.file("deep.tgm", message({.extra = {cbor::key("k", cbor::array(std::vector<bytes>(40, deep)))}})).string();
  const std::string words = "its JSON exceeds ";
  refuses({"dump", "-j", indented},
          {indented + ":0: its JSON ", words, "bytes of metadata; allow more with --max-memory"});
  refuses({"dump", "-j", "--typed", "-p", "k", indented}, {words, "--max-memory"});
  takes({"dump", "-j", "--max-memory", "64MiB", indented});
  takes({"dump", "-j", "--typed", "-p", "k", "--max-memory", "64MiB", indented});
  takes({"dump", "--frames", "-j", indented});  // one line: nothing is indented

  // Each empty map takes a byte; in a JSON tree it would take a hundred.
  const std::string empty =
      files
          .file("empty.tgm",
                message({.extra = {cbor::key("k", cbor::array(std::vector<bytes>(1000000, cbor::map({}))))}}))
          .string();
  for (const char* how : {"-j", "-j --typed -p k", "--frames", "--frames -j"})
    for (const char* io : {"map", "read"}) {
      const outcome seen = shell("ulimit -v 120000; exec \"$TGMAP\" dump --io " + std::string(io) + " --threads 1 " +
                                 how + " '" + empty + "' | wc -c");
      if (std::getenv("ASAN_OPTIONS") != nullptr || std::getenv("TSAN_OPTIONS") != nullptr) continue;  // too large
      BOOST_TEST(seen.err == "", how);
      BOOST_TEST(std::stoul(seen.out) > 3000000u, how);
    }
}

BOOST_AUTO_TEST_CASE(streamed_json_is_the_same_document) {
  const bytes odd = cbor::map({cbor::key("b", cbor::map({})),
                               cbor::key("a", cbor::array({})),
                               {cbor::integer(1), cbor::null()},
                               cbor::key("b", cbor::tag(1, cbor::integer(2)))});
  const std::string one =
      files.file("a.tgm", message({.objects = {bytes_object("x")}, .extra = {cbor::key("k", odd)}})).string();
  const json found = json::parse(run({"dump", "-j", one}).out);
  const json wanted{{"a", json::array()}, {"b", 2}, {"Integer(Integer(1))", nullptr}};
  BOOST_TEST(found["extra"]["k"] == wanted);
  BOOST_TEST(found["objects"][0]["shape"] == json::array({1}));
  BOOST_TEST(
      run({"dump", "-j", "--typed", "-p", "k,shape,none", one}).out ==
      "{\n  \"k\": {\n    \"Integer(Integer(1))\": null,\n    \"a\": [],\n    \"b\": 2\n  },\n  \"shape\": [\n    "
      "1\n  ]\n}\n");
}

BOOST_AUTO_TEST_SUITE_END()
