// SPDX-License-Identifier: Apache-2.0
// `copy` of selected objects of messages.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <functional>

#include "../../rewriting.hpp"

using namespace tgmap_test;

namespace {

/// Three objects, two with the same param, and a message-wide key.
bytes about(const std::string& name, int step, message_spec how = {}) {
  const auto keys = [&](const std::string& param) {
    return cbor::map({cbor::key("param", cbor::text(param)), cbor::key("step", cbor::integer(step))});
  };
  how.objects = {bytes_object(name + "-first"), bytes_object(name + "-second"), bytes_object(name + "-third")};
  how.base = {keys("u"), keys("v"), keys("u")};
  how.extra = {cbor::key("title", cbor::text(name))};
  how.reserved = cbor::map({cbor::key("uuid", cbor::text("of " + name)), cbor::key("time", cbor::text("then"))});
  return message(how);
}

/// One object of a message.
using picked = std::pair<std::size_t, std::size_t>;

struct picking : rewriting {
  std::vector<bytes> parts{about("a", 0), about("b", 6), about("c", 12)};
  std::string in = make("in.tgm", parts[0] + parts[1] + parts[2]);

  outcome copy(std::vector<std::string> arguments, const std::string& to = "o") const {
    arguments.insert(arguments.begin(), {"copy", "--no-sync"});
    arguments.push_back(path(to));
    return run(arguments);
  }

  /// Returns the payloads of each message as text: "a-first a-third|b-second".
  std::string held(const std::string& name = "o") const {
    std::string out;
    for (const tgmap::message& m : open(name)) {
      out += out.empty() ? "" : "|";
      for (std::size_t j = 0; j < m.size(); ++j) out += (j == 0 ? "" : " ") + bytes_of(m[j].payload());
    }
    return out;
  }

  std::string copied(const std::vector<std::string>& arguments) const {
    std::filesystem::remove(path("o"));
    const outcome seen = copy(arguments);
    BOOST_TEST(seen.status == 0, seen.err);
    return exists("o") ? held() : "";
  }

  void nothing(const std::vector<std::string>& arguments, const std::string& what = "object") const {
    make("o", "old");
    const outcome seen = copy(arguments);
    BOOST_TEST(seen.status == 1);
    BOOST_TEST(seen.out == "");
    BOOST_TEST(seen.err.find("no " + what + " is selected; nothing was written") != std::string::npos, seen.err);
    BOOST_TEST(read("o") == "old");
  }
};

bytes frame_bytes(const tgmap::archive& in, const tgmap::object& of) {
  std::vector<std::byte> out(static_cast<std::size_t>(of.frame().length()));
  in.read(of.frame().offset(), out);
  return bytes_of(out);
}

/// Compares byte for byte, except for the hash flag, which releases 0.17 to 0.20 did not set.
bool same_frame(const tgmap::archive& in_a, const tgmap::object& a, const tgmap::archive& in_b,
                const tgmap::object& b) {
  bytes one = frame_bytes(in_a, a), other = frame_bytes(in_b, b);
  constexpr std::size_t flags = 6;  // where they are in a frame
  if (a.frame().flags() != b.frame().flags() && b.stored_hash()) one.replace(flags, 2, other, flags, 2);
  return one == other && a.stored_hash() == b.stored_hash();
}

/// Returns the keys without `_reserved_`, which each writer sets.
bytes own_keys(const tgmap::metadata& from) {
  tgmap::cbor_value out = tgmap::cbor_value::copy(from);
  out.erase("_reserved_");
  return bytes_of(out.encoded());
}

tgmap::write_options lists(const tgmap::message& of) {
  tgmap::write_options out{.index = tgmap::index_placement::none, .hash_list = tgmap::index_placement::none};
  for (const tgmap::frame& each : of.frames()) {
    if (each.type() == tgmap::frame_type::footer_index && out.index == tgmap::index_placement::none)
      out.index = tgmap::index_placement::footer;
    if (each.type() == tgmap::frame_type::header_index) out.index = tgmap::index_placement::header;
    if (each.type() == tgmap::frame_type::footer_hash && out.hash_list == tgmap::index_placement::none)
      out.hash_list = tgmap::index_placement::footer;
    if (each.type() == tgmap::frame_type::header_hash) out.hash_list = tgmap::index_placement::header;
  }
  return out;
}

/// Checks that every object equals the expected one byte for byte, in a message like its original one.
void check_objects(const tgmap::archive& before, const std::vector<std::vector<picked>>& wanted,
                   const tgmap::archive& after) {
  BOOST_TEST_REQUIRE(after.size() == wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const tgmap::message from = before[wanted[i].front().first], to = after[i];
    BOOST_TEST_CONTEXT("message " << wanted[i].front().first) {
      BOOST_TEST_REQUIRE(to.size() == wanted[i].size());
      BOOST_TEST(to.version() == from.version());
      BOOST_TEST(own_keys(to.metadata()) == own_keys(from.metadata()));
      BOOST_TEST(bytes_of(tgmap::cbor_value::copy(to.provenance()).encoded()) ==
                 bytes_of(tgmap::cbor_value::copy(from.provenance()).encoded()));
      BOOST_TEST((lists(to).index == lists(from).index));
      BOOST_TEST((lists(to).hash_list == lists(from).hash_list));
      for (std::size_t j = 0; j < to.size(); ++j) {
        const std::size_t source = wanted[i][j].second;
        BOOST_TEST(same_frame(after, to[j], before, from[source]));
        BOOST_TEST((to[j].verify() == from[source].verify()));
        BOOST_TEST(own_keys(to.base(j)) == own_keys(from.base(source)));
      }
      if (to.size() == from.size() && std::ranges::is_sorted(wanted[i]))
        BOOST_TEST((bytes_of(to.bytes()) == bytes_of(from.bytes())));
    }
  }
}

using choice = std::function<bool(std::size_t object, std::size_t count)>;

std::vector<std::vector<picked>> picked_of(const tgmap::archive& in, const choice& wanted) {
  std::vector<std::vector<picked>> out;
  for (std::size_t i = 0; i < in.size(); ++i) {
    const tgmap::message m = in[i];
    if (m.version() == 1 || m.is_incomplete()) continue;
    std::vector<picked> here;
    for (std::size_t j = 0; j < m.size(); ++j)
      if (wanted(j, m.size())) here.emplace_back(i, j);
    if (!here.empty()) out.push_back(std::move(here));
  }
  return out;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(copy_objects, picking)

BOOST_AUTO_TEST_CASE(every_form_of_an_address) {
  BOOST_TEST(copied({in + ":0:1"}) == "a-second");
  BOOST_TEST(copied({in + ":-1:-1"}) == "c-third");
  BOOST_TEST(copied({in + ":1:1.."}) == "b-second b-third");
  BOOST_TEST(copied({in + ":1:..1"}) == "b-first b-second");
  BOOST_TEST(copied({in + ":..:0"}) == "a-first|b-first|c-first");
  BOOST_TEST(copied({in + ":-2..:1..-2"}) == "b-second|c-second");
  BOOST_TEST(copied({in + ":..1:-2.."}) == "a-second a-third|b-second b-third");
  BOOST_TEST(copied({in + "@" + std::to_string(parts[0].size()) + ":2"}) == "b-third");
  BOOST_TEST(copied({in + "@" + std::to_string(parts[0].size()) + ":..0"}) == "b-first");
  BOOST_TEST(copied({in + ":2:2", in + ":0:0..1"}) == "c-third|a-first a-second");
  BOOST_TEST(copied({in + ":0:0", in + ":0:1"}) == "a-first|a-second");  // each address by itself
  BOOST_TEST(copied({"--io", "read", in + ":..:2"}) == "a-third|b-third|c-third");
}

BOOST_AUTO_TEST_CASE(objects_beside_whole_messages) {
  BOOST_TEST(copied({in + ":0:1", in + ":1", in + ":2:0"}) == "a-second|b-first b-second b-third|c-first");
  BOOST_TEST((read("o").find(parts[1]) != bytes::npos));
  const std::string other = make("other", two_objects() + streamed_message());
  BOOST_TEST(copied({other + ":0:1", in + ":0:2", other + ":0:1"}) == "abcd|a-third|abcd");
}

BOOST_AUTO_TEST_CASE(all_objects_are_the_unchanged_message) {
  copied({in + ":1:.."});
  BOOST_TEST((read("o") == parts[1]));
  copied({"--objects", in});
  BOOST_TEST((read("o") == parts[0] + parts[1] + parts[2]));
  const bytes strange = message({.version = 2,
                                 .objects = {bytes_object("one"), bytes_object("two")},
                                 .header_frames = {{.type = 77, .body = "unknown"}}});
  const std::string from = make("strange", strange + streamed_message() + message({}) + parts[0]);
  copied({"--objects", from});
  BOOST_TEST((read("o") == strange + streamed_message() + parts[0]));  // without objects there is nothing to select
}

BOOST_AUTO_TEST_CASE(no_byte_of_a_frame_is_another) {
  struct way {
    std::vector<std::string> flags;
    std::string address;
    choice wanted;
  };
  const std::vector<way> ways{
      {{}, ":..:0", [](std::size_t j, std::size_t) { return j == 0; }},
      {{}, ":..:-1..", [](std::size_t j, std::size_t count) { return j + 1 == count; }},
      {{"--io", "read"}, ":..:1..", [](std::size_t j, std::size_t) { return j >= 1; }},
      {{"--objects", "-w", "@object!=1"}, "", [](std::size_t j, std::size_t) { return j != 1; }},
  };
  unsigned compared = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test_data())) {
    const std::string from = entry.path().string();
    if (entry.path().extension() != ".tgm" || run({"ls", "--objects", from}).status == 1) continue;
    const tgmap::archive before(from, {.damage = tgmap::on_damage::skip});
    const bool sound = run({"validate", "--full", "--canonical", from}).err.empty();
    for (const way& each : ways) {
      const auto wanted = picked_of(before, each.wanted);
      auto arguments = each.flags;
      arguments.push_back(from + each.address);
      BOOST_TEST_CONTEXT(entry.path().filename() << " " << each.address) {
        const outcome seen = copy(arguments);
        if (wanted.empty()) {
          BOOST_TEST(seen.status == 1);
          continue;
        }
        BOOST_TEST_REQUIRE((seen.status == 0 || seen.status == 3), seen.err);
        check_objects(before, wanted, open("o"));
        if (sound)
          BOOST_TEST(run({"validate", "--full", "--canonical", path("o")}).err == "");
        else
          BOOST_TEST(run({"validate", "--quick", path("o")}).status == 0);
        ++compared;
      }
    }
  }
  BOOST_TEST(compared > 150u);
}

BOOST_AUTO_TEST_CASE(masks_preceders_and_every_layout) {
  unsigned compared = 0;
  for (const int version : {2, 3})
    for (const writing how : {writing::buffered, writing::streamed})
      for (const where index : {where::none, where::header, where::footer, where::both})
        for (const bool hashed : {true, false}) {
          message_spec spec{.version = version, .writing = how, .index = index};
          spec.hashes = spec.hash_frames = hashed;
          spec.objects = {numbers_object<double>("float64", {1, 2}), bytes_object("abcd"), bytes_object("efg")};
          if (version == 3) spec.objects[0].masks = {{.kind = "nan", .method = "rle", .blob = bytes("\0\1\1", 3)}};
          spec.objects[1].preceder = cbor::map({cbor::key("step", cbor::integer(7))});
          spec.base = {cbor::map({cbor::key("k", cbor::integer(1))}), cbor::map({cbor::key("k", cbor::integer(2))})};
          const std::string from = make("made", message(spec) + parts[0]);
          BOOST_TEST_CONTEXT("version " << version << (how == writing::streamed ? ", streamed" : "") << ", index "
                                        << static_cast<int>(index) << (hashed ? ", digests" : "")) {
            BOOST_TEST(copy({from + ":0:..1"}).status == 0);
            check_objects(open("made"), {{{0, 0}, {0, 1}}}, open("o"));
            BOOST_TEST(values("o", "step") == "7");
            BOOST_TEST(!open("o")[0].is_streamed());
            BOOST_TEST(copy({"--objects", "-w", "step=7", from}).status == 0);
            check_objects(open("made"), {{{0, 1}}}, open("o"));
            BOOST_TEST(values("o", "k") == "2");
            const outcome checked = run({"validate", "--full", "--canonical", path("o")});
            BOOST_TEST(checked.status == 0);
            if (hashed) BOOST_TEST(checked.err == "");
            ++compared;
          }
        }
  BOOST_TEST(compared == 32u);
}

BOOST_AUTO_TEST_CASE(a_wrong_digest_stays_wrong) {
  bytes hurt = parts[0];
  hurt[hurt.find("a-second")] ^= 1;
  const std::string from = make("hurt", hurt);
  BOOST_TEST(copy({from + ":0:1.."}).status == 0);
  BOOST_TEST((open("o")[0][0].verify() == tgmap::hash_result::mismatch));
  BOOST_TEST((open("o")[0][1].verify() == tgmap::hash_result::match));
}

BOOST_AUTO_TEST_CASE(objects_by_their_own_keys) {
  BOOST_TEST(copied({"--objects", "-w", "param=v", in}) == "a-second|b-second|c-second");
  BOOST_TEST(copied({"--objects", "-w", "param=u", "-w", "step>=6", in}) == "b-first b-third|c-first c-third");
  BOOST_TEST(copied({"-w", "param=u", in + ":..:1.."}) == "a-third|b-third|c-third");
  BOOST_TEST(copied({"--objects", "-w", "title=b and param=v", in}) == "b-second");  // message-wide keys come last
  BOOST_TEST(copied({"--objects", "--where-plain", "-w", "param=v", in + ":1"}) == "b-second");
  nothing({"--where-plain", "-w", "param=v", in}, "message");                      // the first object counts
  BOOST_TEST(copied({"-w", "param=v", in + ":1"}) == "b-first b-second b-third");  // whole messages
  nothing({"-w", "param=v", "-w", "step=7", in}, "message");
}

BOOST_AUTO_TEST_CASE(limits_and_order) {
  BOOST_TEST(copied({"--objects", "--limit", "4", in}) == "a-first a-second a-third|b-first");
  BOOST_TEST(copied({"--objects", "--sort", "param:desc,step", in}) ==
             "a-second|b-second|c-second|a-first a-third|b-first b-third|c-first c-third");
  BOOST_TEST(copied({"--objects", "--sort", "step:desc,@object:desc", "--limit", "4", in}) ==
             "c-third c-second c-first|b-third");
  check_objects(open("in.tgm"), {{{2, 2}, {2, 1}, {2, 0}}, {{1, 2}}}, open("o"));
}

BOOST_AUTO_TEST_CASE(sorted_into_files) {
  const outcome seen = copy({"--json", "--objects", in}, "d/[param]_[step].tgm");
  BOOST_TEST(seen.status == 0, seen.err);
  BOOST_TEST(held("d/u_0.tgm") == "a-first a-third");
  BOOST_TEST(held("d/v_0.tgm") == "a-second");
  BOOST_TEST(held("d/u_12.tgm") == "c-first c-third");
  const auto lines = json_lines(seen.out);
  BOOST_TEST_REQUIRE(lines.size() == 6u);
  BOOST_TEST(lines[1]["output"] == path("d/v_0.tgm"));
  for (const auto& line : lines) {
    const std::filesystem::path file = line["output"].get<std::string>();
    BOOST_TEST(line["messages"] == 1);
    BOOST_TEST(line["bytes"] == std::filesystem::file_size(file));
    BOOST_TEST(run({"validate", "--full", file.string()}).err == "");
  }
  BOOST_TEST(copy({"--objects", in}, "e/[param]").status == 0);
  BOOST_TEST(held("e/u") == "a-first a-third|b-first b-third|c-first c-third");
  BOOST_TEST(held("e/v") == "a-second|b-second|c-second");
  BOOST_TEST(copy({in + ":1:.."}, "f/[title]_[@object]_[index]").status == 0);
  BOOST_TEST(held("f/b_0_0000") == "b-first");
  BOOST_TEST(held("f/b_2_0002") == "b-third");
  BOOST_TEST(copy({"--objects", "--sort", "param", in}, "g/[step]").status == 0);
  BOOST_TEST(held("g/6") == "b-first b-third b-second");  // of one message, though others lie between them
  BOOST_TEST(copy({in + ":0", in + ":1:0"}, "h/[param]").status == 0);  // a message by its first object
  BOOST_TEST(held("h/u") == "a-first a-second a-third|b-first");
}

BOOST_AUTO_TEST_CASE(many_files_and_many_objects) {
  message_spec many;
  for (int i = 0; i < 600; ++i) {
    many.objects.push_back(bytes_object("object " + std::to_string(i)));
    many.base.push_back(cbor::map({cbor::key("n", cbor::integer(i)), cbor::key("rest", cbor::integer(i % 7))}));
  }
  many.objects[3] = bytes_object(bytes(300000, 'x'));
  const std::string from = make("many", message(many) + parts[0] + message(many));
  BOOST_TEST(copy({"--objects", "-w", "has n", from}, "d/[n]").status == 0);
  for (int i = 0; i < 600; ++i) {
    const bytes payload = many.objects[static_cast<std::size_t>(i)].payload;
    BOOST_TEST((held("d/" + std::to_string(i)) == payload + "|" + payload));
    opened.clear();
  }
  BOOST_TEST(copy({"--objects", from}, "e/[rest]").status == 0);
  const tgmap::archive before = open("many"), after = open("e/3");
  std::vector<std::vector<picked>> wanted(2);
  for (std::size_t i = 3; i < 600; i += 7) {
    wanted[0].emplace_back(0, i);
    wanted[1].emplace_back(2, i);
  }
  check_objects(before, wanted, after);
  BOOST_TEST((read("e/unknown") == parts[0]));
}

BOOST_AUTO_TEST_CASE(an_output_may_be_an_input) {
  BOOST_TEST(run({"copy", "--no-sync", in + ":1..:1..", in + ":0:0", in}).status == 0);
  BOOST_TEST(held("in.tgm") == "b-second b-third|c-second c-third|a-first");
}

BOOST_AUTO_TEST_CASE(nothing_selected_is_no_file) {
  nothing({"--objects", "-w", "param=w", in});
  nothing({"--objects", "--limit", "0", in});
  nothing({in + ":..:7"});
  nothing({in + ":0:3.."});
  nothing({"--objects", make("none", message({}))});
  nothing({"--objects", make("first", version_1_message({"x"}))});
  nothing({"-w", "param=w", in}, "message");
  const outcome seen = copy({in + ":0:3"});
  BOOST_TEST(seen.status == 1);
  BOOST_TEST(seen.err.find("no object 3; there are objects 0 to 2") != std::string::npos, seen.err);
  BOOST_TEST(read("o") == "old");
}

BOOST_AUTO_TEST_CASE(unreadable_input_leaves_no_file) {
  const std::string lying = make("lying", lying_message());
  for (const std::vector<std::string>& what :
       {std::vector<std::string>{in + ":0:0", lying + ":0:0"}, {"--objects", in, lying}, {in + ":0:0", path("gone")}}) {
    const outcome seen = copy(what);
    BOOST_TEST(seen.status == 1);
    BOOST_TEST(!exists("o"));
    BOOST_TEST(seen.err.find("o: nothing was written because of the error above") != std::string::npos, seen.err);
  }
  message_spec spec{.objects = {bytes_object("a"), bytes_object("b")}, .header_metadata = bytes("\xa1", 1)};
  const outcome unread = copy({make("unread", message(spec)) + ":0:1"});
  BOOST_TEST(unread.status == 1);
  BOOST_TEST(unread.err.find("unread:0: ") != std::string::npos, unread.err);
  BOOST_TEST(!exists("o"));
}

BOOST_AUTO_TEST_CASE(damage_is_left_out_and_reported) {
  const std::string gap = make("gap", parts[0] + "noise" + parts[1]);
  BOOST_TEST(copy({gap + ":..:0"}).status == 3);
  BOOST_TEST(held() == "a-first|b-first");
  message_spec stream{.objects = {bytes_object("one"), bytes_object("two")}, .writing = writing::streamed};
  const bytes whole = message(stream);
  const std::string cut = make("cut", parts[0] + whole.substr(0, whole.size() - 10));
  const outcome seen = copy({"--objects", cut, in + ":1:2"});
  BOOST_TEST(seen.status == 3);
  BOOST_TEST(held() == "a-first a-second a-third|b-third");
  const std::string told = "left out the incomplete message";
  BOOST_TEST(seen.err.find(told) != std::string::npos);
  BOOST_TEST(seen.err.find(told) == seen.err.rfind(told), seen.err);  // once, not for each object
  BOOST_TEST(copy({cut + ":1:0"}, "p").status == 1);
  BOOST_TEST(!exists("p"));
}

BOOST_AUTO_TEST_CASE(a_dry_run_tells_the_same_and_writes_nothing) {
  for (const std::string to : {"d/[param]", "d/all"}) {
    const bool makes_folders = to == "d/[param]";
    const outcome without = copy({"--dry-run", "--objects", "-w", "step!=0", in}, to);
    BOOST_TEST(without.status == (makes_folders ? 0 : 1));
    BOOST_TEST(!exists("d"));
    std::filesystem::create_directory(files / "d");
    const outcome dry = copy({"--dry-run", "--objects", "-w", "step!=0", in}, to);
    BOOST_TEST(dry.status == 0);
    BOOST_TEST(std::filesystem::is_empty(files / "d"));
    BOOST_TEST(copy({"--objects", "-w", "step!=0", in}, to).out == without_dry(dry.out));
    std::filesystem::remove_all(files / "d");
  }
  make("o", "old");
  BOOST_TEST(copy({"-n", "--no-clobber", in + ":0:0"}).status == 1);
  BOOST_TEST(copy({"--no-clobber", in + ":0:0"}).status == 1);
  BOOST_TEST(read("o") == "old");
}

BOOST_AUTO_TEST_CASE(standard_input_and_output) {
  const bytes all = parts[0] + parts[1];
  copied({in + ":0:1"});
  const outcome seen = run({"copy", "-:0:1", "-"}, all);
  BOOST_TEST(seen.status == 0);
  BOOST_TEST((seen.out == read("o")));
  BOOST_TEST((shell("cat '" + in + "' | \"$TGMAP\" copy -q -:0:1 - | cat").out == read("o")));
  BOOST_TEST(run({"copy", "--json", in + ":0:1", "-"}).status == 2);
  const outcome full = shell("\"$TGMAP\" copy -q '" + in + "':0:1 /dev/full");
  BOOST_TEST(full.status == 1);
  BOOST_TEST(full.err.find("/dev/full: No space left") != std::string::npos, full.err);
}

BOOST_AUTO_TEST_CASE(objects_that_differ_never_share_a_file) {
  const auto keys = [](const char* param) { return cbor::map({cbor::key("param", cbor::text(param))}); };
  const bytes two =
      message({.objects = {bytes_object("first"), bytes_object("second")}, .base = {keys("x/y"), keys("x_y")}});
  const outcome seen = run({"copy", "--objects", make("two", two), path("[param].tgm")});
  BOOST_TEST(seen.status == 1);
  BOOST_TEST(seen.err.find("[param] is 'x/y' in some and 'x_y' in others") != std::string::npos, seen.err);
  BOOST_TEST(!exists("x_y.tgm"));
}

BOOST_AUTO_TEST_SUITE_END()
