// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <tgmap/query/metadata_key.hpp>

#include "../../rewriting.hpp"

using namespace tgmap_test;

namespace {

struct appends : rewriting {
  bytes a = two_objects(), b = old_message(), c = streamed_message();
  std::string in = make("in", a + b + c);

  outcome append(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "append");
    return run(arguments);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(append, appends)

BOOST_AUTO_TEST_CASE(messages_are_added_byte_for_byte) {
  const outcome begun = append({path("o"), in + ":1"});
  BOOST_TEST(begun.status == 0, begun.err);
  BOOST_TEST(begun.out == path("o") + ": 1 message added, " + std::to_string(b.size()) + " bytes\n");
  BOOST_TEST((read("o") == b));
  BOOST_TEST(append({path("o"), in, in + ":0"}).status == 0);
  BOOST_TEST((read("o") == b + a + b + c + a));
  BOOST_TEST(append({"--sync", path("o"), "-"}).status == 1);  // nothing in it
  BOOST_TEST(run({"append", path("o"), "-"}, c).status == 0);
  BOOST_TEST(read("o").ends_with(a + c));
}

BOOST_AUTO_TEST_CASE(selections_and_order) {
  BOOST_TEST(append({"--sort", "@length:desc", "--limit", "2", path("o"), in}).status == 0);
  BOOST_TEST(open("o").size() == 2u);
  BOOST_TEST(append({"-w", "@version=2", path("o"), in}).status == 0);
  BOOST_TEST(read("o").ends_with(b));
  const outcome none = append({"-w", "@version=7", path("new"), in});
  BOOST_TEST(none.status == 1);
  BOOST_TEST(!exists("new"));
}

BOOST_AUTO_TEST_CASE(an_archive_to_itself) {
  BOOST_TEST(append({in, in}).status == 0);
  BOOST_TEST((read("in") == a + b + c + a + b + c));
}

BOOST_AUTO_TEST_CASE(a_dry_run_adds_nothing) {
  const outcome seen = append({"--dry-run", path("o"), in});
  BOOST_TEST(seen.out ==
             path("o") + ": 3 messages added, " + std::to_string((a + b + c).size()) + " bytes, not written\n");
  BOOST_TEST(!exists("o"));
  const auto lines = json_lines(append({"--json", path("o"), in}).out);
  BOOST_TEST(lines.at(0)["messages"] == 3);
  BOOST_TEST(lines.at(0)["added"] == (a + b + c).size());
}

BOOST_AUTO_TEST_CASE(another_program_that_adds) {
  make("o", a);
  const int held = ::open(path("o").c_str(), O_RDWR | O_CLOEXEC);
  BOOST_TEST_REQUIRE(::flock(held, LOCK_EX | LOCK_NB) == 0);
  const outcome seen = append({path("o"), in});
  BOOST_TEST(seen.status == 1);
  BOOST_TEST(
      seen.err.find(path("o") + ": another program is appending to the archive; wait until the other writer is done") !=
          std::string::npos,
      seen.err);
  BOOST_TEST((read("o") == a));
  ::close(held);
  BOOST_TEST(append({path("o"), in}).status == 0);
}

BOOST_AUTO_TEST_CASE(an_incomplete_tail_is_refused_or_cut_off) {
  for (const bytes& tail : {a.substr(0, a.size() - 1), c.substr(0, c.size() - 20), a.substr(0, 10)}) {
    make("o", b + tail);
    const outcome refused = append({path("o"), in + ":0"});
    BOOST_TEST(refused.status == 1);
    BOOST_TEST(refused.err.find("--repair") != std::string::npos, refused.err);
    BOOST_TEST((read("o") == b + tail));
    BOOST_TEST(append({"--repair", path("o"), in + ":0"}).status == 0);
    BOOST_TEST((read("o") == b + a));
  }
}

BOOST_AUTO_TEST_CASE(unreadable_input_adds_nothing) {
  make("o", a);
  const outcome hurt = append({path("o"), make("hurt", b + "noise")});
  BOOST_TEST(hurt.status == 3);
  BOOST_TEST((read("o") == a + b));
  const outcome cut = append({path("o"), make("cut", b + c.substr(0, c.size() - 20))});
  BOOST_TEST(cut.status == 3);
  BOOST_TEST(cut.err.find(path("cut") + ": left out the incomplete message at offset " + std::to_string(b.size())) !=
                 std::string::npos,
             cut.err);
  BOOST_TEST((read("o") == a + b + b));
}

BOOST_AUTO_TEST_CASE(damage_is_reported_with_the_next_step) {
  const std::string hurt = make("hurt", b + "noise" + c), none = make("field.npy", "no archive");
  for (const bool dry : {false, true}) {
    const outcome seen = append(dry ? std::vector<std::string>{"-n", hurt, in} : std::vector<std::string>{hurt, in});
    BOOST_TEST(seen.status == 1);
    BOOST_TEST(seen.err.find("nothing is added after damage; run `tgmap copy " + hurt +
                             " NEW` to copy the intact messages") != std::string::npos,
               seen.err);
    BOOST_TEST(append({none, in}).err.find("name the archive to add to first") != std::string::npos);
  }
  BOOST_TEST((read("hurt") == b + "noise" + c));
  BOOST_TEST(read("field.npy") == "no archive");
}

BOOST_AUTO_TEST_CASE(a_name_that_is_mistaken_adds_nothing) {
  for (const std::string& mistaken : {path("gone"), in + ":7", in + ":-4", in + "@100000"}) {
    const outcome seen = append({path("o"), in + ":0", mistaken});
    BOOST_TEST(seen.status == 1, mistaken);
    BOOST_TEST(!exists("o"));
    BOOST_TEST(seen.err.find(path("o") + ": nothing was added") != std::string::npos, seen.err);
  }
  BOOST_TEST(run({"append", path("o"), "-", in + ":0"}, b).status == 0);  // which is opened once
  BOOST_TEST((read("o") == b + a));
}

BOOST_AUTO_TEST_CASE(a_dry_run_promises_nothing_that_would_fail) {
  const auto same = [&](std::vector<std::string> arguments, const std::string& text) {
    const outcome real = append(arguments);
    arguments.insert(arguments.begin(), "-n");
    const outcome dry = append(arguments);
    BOOST_TEST(real.status == 1);
    BOOST_TEST(dry.status == 1);
    BOOST_TEST(dry.out == "");
    BOOST_TEST(dry.err == real.err);
    BOOST_TEST(dry.err.find(text) != std::string::npos, dry.err);
  };
  same({"--no-create", path("o"), in}, "No such file");
  same({path("gone/o"), in}, "does not exist; create it, or name another file");
  for (const bytes& tail : {a.substr(0, a.size() - 1), c.substr(0, c.size() - 20), a.substr(0, 10)}) {
    make("o", b + tail);
    same({path("o"), in}, "--repair");
    const outcome repaired = append({"-n", "--repair", path("o"), in + ":0"});
    BOOST_TEST(repaired.status == 0);
    BOOST_TEST((read("o") == b + tail));
  }
  make("o", a + "noise");
  BOOST_TEST(append({"-n", path("o"), in}).status == 1);
  BOOST_TEST(append({path("o"), in}).status == 1);
  same({"/dev/null", in}, "is not a regular file");
  same({files.path().string(), in}, "is a directory");
  BOOST_TEST(append({"-n", make("empty", ""), in}).status == 0);
  BOOST_TEST(append({"-n", make("whole", c), in}).status == 0);
  BOOST_TEST((read("whole") == c));
}

BOOST_AUTO_TEST_CASE(an_empty_archive_is_removed) {
  make("text.npy", "no array");
  const outcome refused = append({"--align", "64", path("o"), path("text.npy")});
  BOOST_TEST(refused.status == 1);
  BOOST_TEST(!exists("o"));

  const std::string large = make("large", message({.objects = {bytes_object(bytes(100000, 'x'))}}));
  const std::string line = "ulimit -f 20; exec \"$TGMAP\" append ";
  const outcome full = shell(line + path("o") + " " + large);
  BOOST_TEST(full.status == 1);
  BOOST_TEST(full.err.find(path("o") + ": File too large") != std::string::npos, full.err);
  BOOST_TEST(!exists("o"));

  make("o", "");  // which was there
  BOOST_TEST(shell(line + path("o") + " " + large).status == 1);
  BOOST_TEST(exists("o"));
  std::filesystem::remove(path("o"));
  BOOST_TEST(shell(line + path("o") + " " + in + " " + large).status == 1);
  BOOST_TEST((read("o") == a + b + c));
}

BOOST_AUTO_TEST_CASE(an_empty_archive_behind_a_link_is_removed) {
  std::filesystem::create_symlink("new", files / "link");
  const std::string large = make("large", message({.objects = {bytes_object(bytes(100000, 'x'))}}));
  BOOST_TEST(shell("ulimit -f 20; exec \"$TGMAP\" append " + path("link") + " " + large).status == 1);
  BOOST_TEST(!exists("new"));
  BOOST_TEST(std::filesystem::is_symlink(files / "link"));
}

BOOST_AUTO_TEST_CASE(an_archive_that_must_be_there) {
  const outcome seen = append({"--no-create", path("o"), in});
  BOOST_TEST(seen.status == 1);
  BOOST_TEST(!exists("o"));
  make("o", "");
  BOOST_TEST(append({"--no-create", path("o"), in}).status == 0);
}

BOOST_AUTO_TEST_CASE(arrays_are_added_as_create_takes_them) {
  BOOST_TEST(run({"extract", in + ":0:0", "-o", path("f.npy")}).status == 0);
  BOOST_TEST(run({"extract", in + ":0", "-o", path("f.npz")}).status == 0);
  make("o", b);
  const outcome seen = append({"-s", "step:i=6", path("o"), path("f.npy"), path("f.npz")});
  BOOST_TEST(seen.status == 0, seen.err);
  const auto& to = open("o");
  BOOST_TEST_REQUIRE(to.size() == 2u);
  BOOST_TEST(to[1].size() == 3u);
  BOOST_TEST(to[1].base(2).find("step")->text() == "6");
  BOOST_TEST(bytes_of(to[1][0].payload()) == bytes_of(open("in")[0][0].payload()));
  BOOST_TEST(append({"--separate", path("o"), path("f.npz")}).status == 0);
  BOOST_TEST(open("o").size() == 4u);
  BOOST_TEST(run({"validate", path("o")}).status == 0);

  const bytes before = read("o");
  make("bad.npy", "no array");
  BOOST_TEST(append({"--separate", path("o"), path("f.npy"), path("bad.npy")}).status == 1);
  BOOST_TEST((read("o") == before));
  BOOST_TEST(append({path("o"), in, path("f.npy")}).status == 2);
  BOOST_TEST(append({"-w", "a=b", path("o"), path("f.npy")}).status == 2);
}

BOOST_AUTO_TEST_CASE(options_that_do_not_apply_are_refused) {
  BOOST_TEST(run({"extract", in + ":0:0", "-o", path("f.npy")}).status == 0);
  const auto refused = [&](std::vector<std::string> flag, const std::string& from) {
    const std::string name = flag.front();
    flag.insert(flag.end(), {path("o"), from});
    const outcome seen = append(flag);
    BOOST_TEST(seen.status == 2, name);
    BOOST_TEST(seen.err.find("tgmap: " + name) == 0u, seen.err);
    BOOST_TEST(!exists("o"));
  };
  refused({"--separate"}, in);
  refused({"--dtype", "uint8"}, in);
  refused({"--byte-order", "big"}, in);
  refused({"--meta", "{}"}, in);
  refused({"--set", "a=b"}, in);
  refused({"--compression", "zstd"}, in);
  refused({"--bits", "8"}, in);
  refused({"--allow-nan"}, in);
  refused({"--align", "64"}, in);
  refused({"--wire", "2"}, in);
  refused({"--reproducible"}, in);
  refused({"--limit", "1"}, path("f.npy"));
  refused({"--sort", "a"}, path("f.npy"));
  refused({"--where", "a=b"}, path("f.npy"));
  const outcome by_environment = shell("TENSOGRAM_ALLOW_NAN=1 exec \"$TGMAP\" append " + path("o") + " " + in + "");
  BOOST_TEST(by_environment.status == 0, by_environment.err);
}

BOOST_AUTO_TEST_CASE(usage) {
  BOOST_TEST(append({path("o")}).status == 2);
  BOOST_TEST(append({"-", in}).status == 2);
  BOOST_TEST(append({path("o"), in + ":0:0"}).status == 2);
  BOOST_TEST(append({"--sync", "--no-sync", path("o"), in}).status == 2);
  BOOST_TEST(append({files.path().string(), in}).status == 1);
}

BOOST_AUTO_TEST_SUITE_END()
