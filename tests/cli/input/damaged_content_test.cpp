// SPDX-License-Identifier: Apache-2.0
// Every verb that writes messages of archives again, with one bit of each kind of frame flipped: the verb writes
// nothing and names the place, or the wrong hash is still in the output.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <tgmap/tools/validate.hpp>
#include <vector>

#include "../rewriting.hpp"
#include "cli/command/command.hpp"
#include "cli/command/option_model.hpp"

using namespace tgmap_test;

namespace {

using words = std::vector<std::string>;

/// A call of a verb; IN and OUT stand for the files.
struct verb_call {
  words arguments;
  std::set<int> versions = {2, 3};         ///< of the messages that it writes again
  std::set<std::size_t> objects = {0, 1};  ///< that it writes
};

/// Calls of each verb that has --take-damaged.
const std::map<std::string, std::vector<verb_call>> calls{
    {"copy", {{{"copy", "IN:1:0", "OUT"}, {2, 3}, {0}}, {{"copy", "--objects", "IN:1:1", "OUT"}, {2, 3}, {1}}}},
    {"split", {{{"split", "IN", "-o", "OUT"}}}},
    {"set", {{{"set", "-s", "mars.class=rd", "IN", "OUT"}}, {{"set", "-s", "objects.0.units=X", "IN", "OUT"}}}},
    {"rehash", {{{"rehash", "IN:1", "OUT"}}, {{"rehash", "--remove", "IN", "OUT"}}}},
    {"reindex", {{{"reindex", "--index", "none", "IN", "OUT"}}}},
    {"reshuffle", {{{"reshuffle", "IN", "-o", "OUT"}}}},
    {"merge", {{{"merge", "IN", "-o", "OUT"}}, {{"merge", "IN", "NEW", "-o", "OUT"}}}},
    {"upgrade", {{{"upgrade", "IN", "OUT"}, {2}}}},
    {"convert",
     {{{"convert", "--encoding", "none", "--filter", "none", "--compression", "none", "IN", "OUT"}},
      {{"convert", "--compression", "none", "IN:1:1", "OUT"}}}},
};

/// Verbs that write archives but never write content of an archive again, and why.
const std::map<std::string, std::string> others{
    {"create", "reads no archives"},
    {"append", "copies messages byte for byte"},
    {"import grib", "reads no archives"},
    {"tens import", "reads no archives"},
};

/// Returns the names of the verbs that have an option.
std::set<std::string> verbs_with(const std::string& option) {
  tgmap::cli::session run;
  tgmap::cli::command command(run);
  std::set<std::string> out;
  const auto add = [&](const auto& self, const std::vector<tgmap::cli::verb_model>& all,
                       const std::string& before) -> void {
    for (const auto& verb : all) {
      for (const auto& each : verb.options)
        if (std::ranges::find(each.names, option) != each.names.end()) out.insert(before + verb.name);
      self(self, verb.verbs, before + verb.name + " ");
    }
  };
  add(add, tgmap::cli::verbs_of(command.app()), "");
  return out;
}

/// One bit that is flipped: its place in the message, and the object that it belongs to.
struct flip {
  std::string name;
  std::size_t at;
  std::optional<std::size_t> object;
};

struct sample {
  bytes message;
  std::vector<flip> flips;
};

message_spec layout(int version) {
  object_spec first = bytes_object("first payload"), second = bytes_object("second");
  first.more = {cbor::key("units", cbor::text("kelvin"))};
  if (version == 3) first.masks = {{.kind = "nan", .method = "none", .blob = bytes("\x40\x00", 2)}};
  const bytes keys = cbor::map({cbor::key("mars", cbor::map({cbor::key("class", cbor::text("od"))}))});
  if (version == 3) first.preceder = keys;
  return {.version = version,
          .objects = {first, second},
          .index = tgmap_test::where::both,
          .metadata = tgmap_test::where::both,
          .base = {keys, keys}};
}

/// Adds bits of the frame of an object.
void add_object(const built_message& built, const message_spec& how, std::size_t j, std::size_t end, sample& to) {
  const std::size_t begin = built.objects[j], payload = begin + 16;
  const auto add = [&](const char* what, std::size_t at) { to.flips.push_back({what, at, j}); };
  add("payload", payload);
  if (j == 1) return;
  if (how.version == 2) return add("hash", built.data.find_first_of("02468", built.data.find("value", begin) + 6));
  add("mask", payload + how.objects[0].payload.size());
  add("descriptor", built.data.find("kelvin", begin));
  add("hash of an object", end - 5);
}

/// Returns a message, and a bit in each kind of frame.
sample sample_of(const message_spec& how) {
  const built_message built = build(how);
  sample out{.message = built.data, .flips = {}};
  for (const auto& each : built.frames) {
    const std::size_t begin = each.offset, end = begin + each.length;
    const auto object = std::ranges::find(built.objects, each.offset);
    if (object != built.objects.end()) {
      add_object(built, how, static_cast<std::size_t>(object - built.objects.begin()), end, out);
    } else if (how.version == 3) {
      const bool is_index = each.type == 2 || each.type == 6, is_hash_list = each.type == 3 || each.type == 5;
      const std::size_t at = is_index       ? end - 13
                             : is_hash_list ? built.data.find("hashes", begin) + 8
                                            : built.data.find("od", begin);
      const std::string type(to_string_view(static_cast<tgmap::frame_type>(each.type)));
      out.flips.push_back({type, at, std::nullopt});
      if (each.type == 1) out.flips.push_back({type + ": hash", end - 5, std::nullopt});
    }
  }
  return out;
}

struct damaging : rewriting {
  /// Runs a call into an empty folder.
  outcome write(words arguments, bool take) const {
    std::filesystem::remove_all(files / "out");
    std::filesystem::create_directory(files / "out");
    for (std::string& each : arguments) {
      if (each.starts_with("IN")) each.replace(0, 2, path("in.tgm"));
      if (each == "NEW") each = path("new.tgm");
      if (each == "OUT") each = path("out/o.tgm");
    }
    arguments.insert(arguments.begin() + 1, "--no-sync");
    if (take) arguments.insert(arguments.begin() + 1, "--take-damaged");
    return run(arguments);
  }

  std::size_t outputs() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(files / "out"), {}));
  }

  /// Returns true if validation finds the wrong hash in a written file.
  bool is_detectable() const {
    struct visitor final : tgmap::validation_visitor {
      void message(const tgmap::message_report& m) override {
        for (const auto& each : m.findings) found = found || each.code == tgmap::finding_code::hash_mismatch;
      }
      bool found = false;
    } seen;
    for (const auto& each : std::filesystem::directory_iterator(files / "out"))
      static_cast<void>(tgmap::validate(tgmap::archive(each.path(), {.damage = tgmap::on_damage::skip}), seen));
    return seen.found;
  }

  /// Checks a call without --take-damaged. Returns true if it fails.
  bool check_refused(const verb_call& call, const flip& at) const {
    const outcome seen = write(call.arguments, false);
    if (seen.status == 0) {
      BOOST_TEST(at.object.has_value());
      BOOST_TEST(is_detectable());
      return false;
    }
    BOOST_TEST(seen.status == 1);
    BOOST_TEST(outputs() == 0u);
    BOOST_TEST((seen.err.find("in.tgm:1") != std::string::npos || seen.err.find("message 1") != std::string::npos),
               seen.err);
    const bool is_index = at.name.find("index") != std::string::npos;  // a wrong index may prevent what comes before
    BOOST_TEST((is_index || seen.err.find("add --take-damaged") != std::string::npos), seen.err);
    return true;
  }

  void check_taken(const verb_call& call, const flip& at, bool is_refused) const {
    const outcome seen = write(call.arguments, true);
    BOOST_TEST(seen.status == (is_refused ? 3 : 0), seen.err);
    BOOST_TEST(outputs() != 0u);
    BOOST_TEST(is_detectable() == !is_refused);
    if (is_refused) BOOST_TEST(seen.err.find("its hash does not match (0x") != std::string::npos, at.name + seen.err);
  }

  /// Checks all verbs with each flipped bit. Returns the number of calls that failed.
  unsigned check_all(const sample& of, int version) const {
    unsigned refused = 0;
    make("new.tgm", message({.version = 5 - version, .objects = {bytes_object("new")}}));
    for (const flip& at : of.flips) {
      bytes hurt = of.message;
      hurt[at.at] ^= 1;
      make("in.tgm", of.message + hurt);
      for (const auto& [verb, all] : calls)
        for (const verb_call& call : all) {
          if (!call.versions.contains(version) || (at.object && !call.objects.contains(*at.object))) continue;
          BOOST_TEST_CONTEXT(verb << ' ' << call.arguments[1] << ", version " << version << ", " << at.name) {
            const bool is_refused = check_refused(call, at);
            check_taken(call, at, is_refused);
            refused += is_refused;
          }
        }
    }
    return refused;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(damaged_content, damaging)

BOOST_AUTO_TEST_CASE(every_verb_that_writes_archives_is_known) {
  std::set<std::string> known;
  for (const auto& [verb, why] : others) known.insert(verb);
  for (const auto& [verb, all] : calls) known.insert(verb);
  for (const std::string& verb : verbs_with("--write-index")) BOOST_TEST(known.contains(verb), verb);
  std::set<std::string> called;
  for (const auto& [verb, all] : calls) called.insert(verb);
  BOOST_TEST((verbs_with("--take-damaged") == called));
}

BOOST_AUTO_TEST_CASE(flipped_bits_of_messages) { BOOST_TEST(check_all(sample_of(layout(3)), 3) > 100u); }

BOOST_AUTO_TEST_CASE(flipped_bits_of_streams) {
  message_spec how = layout(3);
  how.writing = writing::streamed;
  how.index.reset();
  how.metadata.reset();
  sample stream = sample_of(how);
  std::erase_if(stream.flips,
                [](const flip& each) { return each.object || each.name.find("footer") == std::string::npos; });
  BOOST_TEST(stream.flips.size() == 3u);
  BOOST_TEST(check_all(stream, 3) > 30u);
}

BOOST_AUTO_TEST_CASE(flipped_bits_of_version_2) { BOOST_TEST(check_all(sample_of(layout(2)), 2) > 10u); }

BOOST_AUTO_TEST_CASE(whole_messages_are_copied_with_their_hashes) {
  const sample of = sample_of(layout(3));
  bytes hurt = of.message;
  hurt[of.flips.front().at] ^= 1;
  make("in.tgm", of.message + hurt);
  for (const words& call : {words{"copy", "IN", "OUT"}, words{"copy", "--objects", "IN:1", "OUT"},
                            words{"split", "--count", "2", "IN", "-o", "OUT"}, words{"append", "OUT", "IN"}}) {
    BOOST_TEST(write(call, false).status == 0);
    for (const auto& each : std::filesystem::directory_iterator(files / "out"))
      BOOST_TEST(read_file(each.path()).ends_with(hurt));
    BOOST_TEST(is_detectable());
  }
}

BOOST_AUTO_TEST_CASE(damage_in_many_places_has_few_lines) {
  const sample of = sample_of(layout(3));
  bytes hurt = of.message, many;
  hurt[of.flips.front().at] ^= 1;
  for (int i = 0; i < 12; ++i) many += hurt;
  make("in.tgm", many);
  const outcome seen = write({"reshuffle", "IN", "-o", "OUT"}, true);
  BOOST_TEST(seen.status == 3);
  BOOST_TEST(seen.err.find("in.tgm:9: the header metadata of message 9 is damaged") != std::string::npos, seen.err);
  BOOST_TEST(seen.err.find("in.tgm:10: ") == std::string::npos, seen.err);
  BOOST_TEST(seen.err.find("in.tgm: 2 more such errors") != std::string::npos, seen.err);
}

BOOST_AUTO_TEST_SUITE_END()
