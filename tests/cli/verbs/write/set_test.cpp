// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <tgmap/query/metadata_key.hpp>
#include <tgmap/query/selection.hpp>

#include "../../rewriting.hpp"

using namespace tgmap_test;

namespace {

bytes keyed(const std::string& param, std::int64_t step, message_spec how = {}) {
  const bytes mars = cbor::map({cbor::key("param", cbor::text(param)), cbor::key("step", cbor::integer(step))});
  how.objects = {bytes_object(param), bytes_object("second")};
  how.base = {cbor::map({cbor::key("mars", mars)}), cbor::map({cbor::key("mars", mars)})};
  how.extra = {cbor::key("title", cbor::text("demo")), cbor::key("ok", bytes("\xf5"))};
  return message(how);
}

struct setting : rewriting {
  std::vector<bytes> parts{keyed("2t", 0), keyed("10u", 6), keyed("2t", 12)};
  std::string in = make("in.tgm", parts[0] + parts[1] + parts[2]);

  outcome set(std::vector<std::string> arguments, const std::string& from = {}) const {
    arguments.insert(arguments.begin(), {"set", "--no-sync"});
    arguments.push_back(from.empty() ? in : from);
    arguments.push_back(path("o"));
    return run(arguments);
  }

  std::string value(const std::string& key, std::size_t m = 0) const {
    const tgmap::archive from = open("o");
    tgmap::key_lookup keys(from[m]);
    const auto found = keys.find(tgmap::metadata_key(key));
    return found ? found.text() : "?";
  }

  tgmap::cbor_kind kind_of(const std::string& path_in_base) const {
    const tgmap::archive from = open("o");
    return from[0].base(0).find(path_in_base)->kind();
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(set, setting)

BOOST_AUTO_TEST_CASE(a_value_keeps_the_type_of_the_key) {
  const outcome seen = set({"-s", "mars.step=24,mars.param=10v,extra.ok=false,new=12"});
  BOOST_TEST(seen.status == 0, seen.err);
  BOOST_TEST(seen.out ==
             path("o") + ": 3 messages, 3 of them changed, " + std::to_string(read("o").size()) + " bytes\n");
  BOOST_TEST(values("o", "mars.step") == "24 24 24");
  BOOST_TEST((kind_of("mars.step") == tgmap::cbor_kind::integer));
  BOOST_TEST((kind_of("mars.param") == tgmap::cbor_kind::text));
  BOOST_TEST((kind_of("new") == tgmap::cbor_kind::integer));
  BOOST_TEST(value("extra.ok") == "false");
  const tgmap::archive from = open("o");
  BOOST_TEST((from[0].metadata().find("ok")->kind() == tgmap::cbor_kind::boolean));
  BOOST_TEST(run({"validate", path("o")}).status == 0);
}

BOOST_AUTO_TEST_CASE(types_can_be_said) {
  BOOST_TEST(set({"-s", "a:i=12,b:d=1,c:s=12,d:b=true,e:null", "-s", "f:j=[1, {\"g\": null}]"}).status == 0);
  const std::pair<const char*, tgmap::cbor_kind> wanted[] = {
      {"a", tgmap::cbor_kind::integer}, {"b", tgmap::cbor_kind::floating}, {"c", tgmap::cbor_kind::text},
      {"d", tgmap::cbor_kind::boolean}, {"e", tgmap::cbor_kind::null},     {"f", tgmap::cbor_kind::array}};
  for (const auto& [key, type] : wanted) BOOST_TEST((kind_of(key) == type), key);
  BOOST_TEST(value("f") == "[1,{\"g\":null}]");
}

BOOST_AUTO_TEST_CASE(new_keys_are_numbers_if_they_are_printed_as_given) {
  const outcome seen = set({"-s", "a=6,b=-6,c=0.5,d=18446744073709551615,e=-1.25e-07"});
  BOOST_TEST(seen.status == 0, seen.err);
  for (const char* key : {"a", "b", "d"}) BOOST_TEST((kind_of(key) == tgmap::cbor_kind::integer), key);
  for (const char* key : {"c", "e"}) BOOST_TEST((kind_of(key) == tgmap::cbor_kind::floating), key);
  BOOST_TEST(set({"-f", "-s", "a=0600,b=1.10,c=+6,d=nan,e=-,f=18446744073709551616,g=,h=0x10,i:s=6"}).status == 0);
  for (const char* key : {"a", "b", "c", "d", "e", "f", "g", "h", "i"})
    BOOST_TEST((kind_of(key) == tgmap::cbor_kind::text), key);
  BOOST_TEST(value("a") == "0600");
  BOOST_TEST(value("b") == "1.10");
}

BOOST_AUTO_TEST_CASE(one_value_does_not_replace_a_list_or_a_map) {
  BOOST_TEST(set({"-s", "l:j=[1,2]", "-s", "n:null"}).status == 0);
  make("listed", read("o"));
  for (const auto& [argument, text] : {std::pair("l=3", "l is a list, but '3' is one value; write l:j=JSON"),
                                       std::pair("mars=x", "mars is a map, but 'x' is one value; write mars:j=JSON")}) {
    const outcome seen = set({"-f", "-s", argument}, path("listed"));
    BOOST_TEST(seen.status == 2);
    BOOST_TEST(seen.err.find(text) != std::string::npos, seen.err);
  }
  BOOST_TEST(set({"-f", "-s", "l:s=3,n=4"}, path("listed")).status == 0);
  BOOST_TEST((kind_of("l") == tgmap::cbor_kind::text));
  BOOST_TEST((kind_of("n") == tgmap::cbor_kind::integer));
}

BOOST_AUTO_TEST_CASE(a_value_that_is_none_of_the_type_is_refused) {
  const outcome seen = set({"-s", "mars.step=soon"});
  BOOST_TEST(seen.status == 2);
  BOOST_TEST(seen.err.find("'soon' for mars.step is not an integer") != std::string::npos, seen.err);
  BOOST_TEST(!exists("o"));
}

BOOST_AUTO_TEST_CASE(payloads_and_digests_are_untouched) {
  BOOST_TEST(set({"-s", "mars.step=7"}).status == 0);
  const tgmap::archive before = open("in.tgm"), after = open("o");
  for (std::size_t i = 0; i < 3; ++i) {
    BOOST_TEST((objects_of(before[i]) == objects_of(after[i])));
    BOOST_TEST(objects_of(after[i])[0].digest.has_value());
  }
}

BOOST_AUTO_TEST_CASE(unselected_messages_are_copied_byte_for_byte) {
  BOOST_TEST(set({"-w", "mars.step=6", "-s", "mars.class=od"}).status == 0);
  BOOST_TEST(values("o", "mars.class") == "? od ?");
  BOOST_TEST(read("o").substr(0, parts[0].size()) == parts[0]);
  BOOST_TEST(read("o").ends_with(parts[2]));
  for (const std::string& address :
       std::vector<std::string>{":1", ":-2", ":1..1", ":-2..-2", "@" + std::to_string(parts[0].size())}) {
    const bytes expected = read("o");
    BOOST_TEST(set({"-f", "-s", "mars.class=od"}, in + address).status == 0, address);
    BOOST_TEST((read("o") == expected), address);
  }
}

BOOST_AUTO_TEST_CASE(nothing_that_becomes_another_is_the_same_bytes) {
  const outcome seen = set({"-s", "extra.title=demo,extra.ok=true"});
  BOOST_TEST(seen.out.find("3 messages, 0 of them changed") != std::string::npos, seen.out);
  BOOST_TEST((read("o") == read("in.tgm")));
  BOOST_TEST(set({"-s", "mars.step=6"}).status == 0);
  BOOST_TEST((bytes_of(open("o")[1].bytes()) == parts[1]));
}

BOOST_AUTO_TEST_CASE(places) {
  BOOST_TEST(set({"-s", "name=x,extra.title=y,_extra_.more=z,base[1].only=w"}).status == 0);
  const tgmap::archive from = open("o");
  BOOST_TEST(from[0].base(0).find("name")->text() == "x");
  BOOST_TEST(from[0].base(1).find("name")->text() == "x");
  BOOST_TEST(!from[0].base(0).find("only"));
  BOOST_TEST(from[0].base(1).find("only")->text() == "w");
  BOOST_TEST(from[0].metadata().find("title")->text() == "y");
  BOOST_TEST(from[0].metadata().find("more")->text() == "z");
}

BOOST_AUTO_TEST_CASE(one_object_by_its_address_or_selection) {
  BOOST_TEST(set({"-s", "name=x"}, in + ":0:1").status == 0);
  BOOST_TEST(!open("o")[0].base(0).find("name"));
  BOOST_TEST(open("o")[0].base(1).find("name").has_value());
  BOOST_TEST(!open("o")[1].base(1).find("name"));
  BOOST_TEST(set({"-f", "--objects", "-w", "@object=0 and mars.step>0", "-s", "name=x"}).status == 0);
  BOOST_TEST(!open("o")[0].base(0).find("name"));
  BOOST_TEST(open("o")[2].base(0).find("name").has_value());
  BOOST_TEST(!open("o")[2].base(1).find("name"));
}

BOOST_AUTO_TEST_CASE(a_message_without_objects_has_message_wide_keys_only) {
  make("none.tgm", message({}));
  BOOST_TEST(set({"-s", "name=x"}, path("none.tgm")).status == 0);
  BOOST_TEST(open("o")[0].metadata().find("name")->text() == "x");
}

BOOST_AUTO_TEST_CASE(a_scalar_in_the_way_is_replaced) {
  BOOST_TEST(set({"-s", "mars.step.hours:i=6"}).status == 0);
  BOOST_TEST(value("mars.step.hours") == "6");
}

BOOST_AUTO_TEST_CASE(commas) {
  BOOST_TEST(set({"-s", "a=b\\,c,d=e", "-s", "f=g,h=i"}).status == 0);
  BOOST_TEST(value("a") == "b,c");
  BOOST_TEST(value("d") == "e");
  BOOST_TEST(value("h") == "i");
}

BOOST_AUTO_TEST_CASE(keys_are_deleted_and_renamed_before_they_are_set) {
  const outcome seen = set({"-s", "mars.step=now", "--rename", "mars.step=mars.old", "--delete", "extra.title",
                            "--rename", "extra.ok=extra.fine"});
  BOOST_TEST(seen.status == 0, seen.err);
  BOOST_TEST(value("mars.old") == "0");
  BOOST_TEST(value("mars.step") == "now");
  BOOST_TEST(value("extra.title") == "?");
  BOOST_TEST(value("extra.fine") == "true");
  const outcome none = set({"-f", "--delete", "nowhere"});
  BOOST_TEST(none.status == 0);
  BOOST_TEST(none.err.find("no selected message has the key 'nowhere'") != std::string::npos, none.err);
  BOOST_TEST((read("o") == read("in.tgm")));
}

BOOST_AUTO_TEST_CASE(keys_of_storage_are_refused) {
  for (const char* key :
       {"shape", "mars.shape", "extra.dtype", "base[0].szip_rsi", "objects.0.encoding", "_reserved_.time",
        "extra._reserved_", "objects.0.byte_order", "objects.0.masks.nan", "objects.0.zfp_rate", "a.hash[0]"}) {
    for (const std::vector<std::string>& how : {std::vector<std::string>{"-s", std::string(key) + "=1"},
                                                {"--delete", key},
                                                {"--rename", std::string(key) + "=b"}}) {
      const outcome seen = set(how);
      BOOST_TEST(seen.status == 1, key);
      BOOST_TEST(seen.err.find("cannot be changed") != std::string::npos, seen.err);
      BOOST_TEST(!exists("o"));
    }
  }
  BOOST_TEST(set({"--rename", "a=shape"}).status == 1);
}

BOOST_AUTO_TEST_CASE(usage) {
  BOOST_TEST(set({}).status == 2);
  BOOST_TEST(set({"-s", "a"}).status == 2);
  BOOST_TEST(set({"-s", "extra.=1"}).status == 2);
  BOOST_TEST(set({"--rename", "a"}).status == 2);
  BOOST_TEST(set({"--rename", "a=extra.b"}).status == 2);
  BOOST_TEST(run({"set", "-s", "a=b", in}).status == 2);
  BOOST_TEST(run({"set", "--json", "-s", "a=b", in, "-"}).status == 2);
}

BOOST_AUTO_TEST_CASE(a_descriptor_gets_a_new_digest) {
  BOOST_TEST(set({"-s", "objects.1.units=K,objects.1.level:i=500"}).status == 0);
  const tgmap::archive before = open("in.tgm"), after = open("o");
  const auto old_ones = objects_of(before[0]), new_ones = objects_of(after[0]);
  BOOST_TEST((new_ones[0] == old_ones[0]));
  BOOST_TEST((new_ones[1].region == old_ones[1].region));
  BOOST_TEST((new_ones[1].digest != old_ones[1].digest));
  BOOST_TEST(after[0][1].descriptor().entries.find("units")->text() == "K");
  BOOST_TEST((after[0][1].verify() == tgmap::hash_result::match));
  const outcome seen = set({"-f", "-s", "objects.2.units=K"});
  BOOST_TEST(seen.status == 1);
  BOOST_TEST(seen.err.find("message 0 has no object 2") != std::string::npos, seen.err);
}

BOOST_AUTO_TEST_CASE(a_damaged_object_is_not_made_to_look_sound) {
  bytes hurt = parts[0];
  hurt[hurt.find("second")] = 'S';
  make("hurt.tgm", hurt);
  const outcome refused = set({"-s", "objects.1.units=K"}, path("hurt.tgm"));
  BOOST_TEST(refused.status == 1);
  BOOST_TEST(refused.err.find("hurt.tgm:0:1: object 1 of message 0 is damaged") != std::string::npos, refused.err);
  BOOST_TEST(!exists("o"));
  BOOST_TEST(set({"-s", "name=x"}, path("hurt.tgm")).status == 0);  // its own frame stays
  BOOST_TEST((open("o")[0][1].verify() == tgmap::hash_result::mismatch));
  const outcome taken = set({"-f", "--take-damaged", "-s", "objects.1.units=K"}, path("hurt.tgm"));
  BOOST_TEST(taken.status == 3);
  BOOST_TEST(taken.err.find("hurt.tgm:0:1: object 1 of message 0 is damaged: its hash does not match (0x") !=
                 std::string::npos,
             taken.err);
  BOOST_TEST((open("o")[0][1].verify() == tgmap::hash_result::match));
}

BOOST_AUTO_TEST_CASE(a_damaged_message_that_does_not_change_is_copied) {
  bytes hurt = parts[0];
  hurt[hurt.find("2t")] ^= 1;
  make("hurt.tgm", hurt);
  const outcome refused = set({"-s", "name=x"}, path("hurt.tgm"));
  BOOST_TEST(refused.status == 1);
  BOOST_TEST(refused.err.find("hurt.tgm:0: the header metadata of message 0 is damaged") != std::string::npos,
             refused.err);
  BOOST_TEST(set({"-f", "--delete", "nothing"}, path("hurt.tgm")).status == 0);
  BOOST_TEST((read("o") == hurt));
}

BOOST_AUTO_TEST_CASE(layouts_stay) {
  for (const int version : {2, 3})
    for (const tgmap_test::where index :
         {tgmap_test::where::none, tgmap_test::where::header, tgmap_test::where::footer})
      for (const bool hashes : {false, true}) {
        make("one.tgm", keyed("2t", 0, {.version = version, .index = index, .hashes = hashes, .hash_frames = hashes}));
        BOOST_TEST(set({"-f", "-s", "mars.step=1"}, path("one.tgm")).status == 0);
        const tgmap::archive before = open("one.tgm"), after = open("o");
        BOOST_TEST((after[0].index_location() == before[0].index_location()));
        BOOST_TEST(after[0].version() == version);
        BOOST_TEST(after[0].hash_list().has_value() == hashes);
        BOOST_TEST((objects_of(after[0]) == objects_of(before[0])));
        BOOST_TEST(run({"validate", path("o")}).status == 0);
      }
}

BOOST_AUTO_TEST_CASE(streams_get_a_length) {
  object_spec one = bytes_object("abcd");
  one.preceder = cbor::map({cbor::key("early", cbor::text("bird"))});
  make("s.tgm", message({.objects = {one}, .writing = writing::streamed}));
  BOOST_TEST(set({"-s", "late=x"}, path("s.tgm")).status == 0);
  const tgmap::archive after = open("o");
  BOOST_TEST(!after[0].is_streamed());
  BOOST_TEST(after[0].base(0).find("early")->text() == "bird");
  BOOST_TEST(after[0].base(0).find("late")->text() == "x");
  BOOST_TEST((after[0].index_location() == tgmap::index_location::footer));
}

BOOST_AUTO_TEST_CASE(provenance_stays) {
  const bytes encoder =
      cbor::map({cbor::key("name", cbor::text("tensogram")), cbor::key("version", cbor::text("0.6.1"))});
  for (const auto& reserved : {std::optional<bytes>(), std::optional(cbor::map({cbor::key("encoder", encoder)})),
                               std::optional(cbor::map({cbor::key("time", cbor::text("now"))}))}) {
    make("p.tgm", keyed("2t", 0, {.version = 2, .reserved = reserved}));
    BOOST_TEST(set({"-f", "-s", "a=b"}, path("p.tgm")).status == 0);
    const auto before = open("p.tgm"), after = open("o");
    BOOST_TEST(after[0].provenance().entries().size() == before[0].provenance().entries().size());
    for (const auto& [key, value] : before[0].provenance().entries())
      BOOST_TEST((bytes_of(after[0].provenance().find(key)->bytes()) == bytes_of(value.bytes())), key);
  }
}

BOOST_AUTO_TEST_CASE(an_output_may_be_the_input) {
  BOOST_TEST(run({"set", "-s", "a=b", in, in}).status == 0);
  BOOST_TEST(values("in.tgm", "a") == "b b b");
  const bytes before = read("in.tgm");
  BOOST_TEST(run({"set", "-s", "mars.step=x", in, in}).status == 2);
  BOOST_TEST((read("in.tgm") == before));
}

BOOST_AUTO_TEST_CASE(pipes) {
  const outcome seen = run({"set", "-s", "a=b", "-", "-"}, read("in.tgm"));
  BOOST_TEST(seen.status == 0);
  make("o", seen.out);
  BOOST_TEST(values("o", "a") == "b b b");
  BOOST_TEST(seen.err.find("3 of them changed") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_dry_run_writes_nothing) {
  const outcome dry = set({"--dry-run", "--json", "-w", "mars.param=2t", "-s", "a=b"});
  BOOST_TEST(!exists("o"));
  const outcome seen = set({"--json", "-w", "mars.param=2t", "-s", "a=b"});
  BOOST_TEST(dry.out == seen.out);
  const auto lines = json_lines(seen.out);
  BOOST_TEST(lines.at(0)["messages"] == 3);
  BOOST_TEST(lines.at(0)["changed"] == 2);
  BOOST_TEST(lines.at(0)["bytes"] == read("o").size());
}

BOOST_AUTO_TEST_CASE(damage_is_reported_and_left_out_unless_kept) {
  const bytes cut = parts[2].substr(0, parts[2].size() - 9);
  make("hurt.tgm", "noise" + parts[0] + "more" + parts[1] + cut);
  const outcome seen = set({"-s", "a=b"}, path("hurt.tgm"));
  BOOST_TEST(seen.status == 3);
  BOOST_TEST(seen.err.find("the file is damaged") != std::string::npos, seen.err);
  BOOST_TEST(values("o", "a") == "b b");
  BOOST_TEST(run({"validate", path("o")}).status == 0);

  BOOST_TEST(set({"-f", "--keep-damage", "-w", "mars.step=6", "-s", "a=b"}, path("hurt.tgm")).status == 3);
  BOOST_TEST(read("o").starts_with("noise" + parts[0] + "more"));
  BOOST_TEST(read("o").ends_with(cut));
  BOOST_TEST(set({"-f", "--keep-damage", "--delete", "zz"}, path("hurt.tgm")).status == 3);
  BOOST_TEST((read("o") == read("hurt.tgm")));
}

BOOST_AUTO_TEST_CASE(unchangeable_keys_leave_no_output) {
  make("v1.tgm", version_1_message({"abc"}) + parts[0]);
  const outcome seen = set({"-s", "a=b"}, path("v1.tgm"));
  BOOST_TEST(seen.status == 1);
  BOOST_TEST(seen.err.find("nothing was written because of the error above") != std::string::npos, seen.err);
  BOOST_TEST(!exists("o"));
  BOOST_TEST(set({"-s", "a=b"}, path("v1.tgm") + ":1").status == 0);
  BOOST_TEST(read("o").starts_with(version_1_message({"abc"})));
  make("none", "no archive at all");
  BOOST_TEST(set({"-f", "-s", "a=b"}, path("none")).status == 1);
  BOOST_TEST(set({"-f", "-s", "a=b"}, path("gone")).status == 1);
  BOOST_TEST(set({"-f", "-s", "a=b"}, in + ":7").status == 1);
}

BOOST_AUTO_TEST_CASE(large_and_small_messages_keep_their_order) {
  bytes all;
  for (int i = 0; i < 300; ++i) {
    const std::size_t size = i % 7 == 0 ? 400000 : 100;
    all += message({.objects = {bytes_object(bytes(size, static_cast<char>('a' + i % 26)))},
                    .base = {cbor::map({cbor::key("i", cbor::integer(i)), cbor::key("odd", cbor::integer(i % 2))})}});
  }
  make("many.tgm", all);
  for (const std::string mode : {"map", "read"})
    for (const std::string which : {"odd=1", "i=0..100", "i>=0", "i=-1"}) {
      BOOST_TEST(set({"-f", "--io", mode, "-w", which, "-s", "new=x"}, path("many.tgm")).status == 0);
      const auto before = open("many.tgm"), after = open("o");
      BOOST_TEST_REQUIRE(after.size() == before.size());
      for (std::size_t i = 0; i < before.size(); ++i) {
        const auto wanted = tgmap::selection(which).matches(before[i]);
        BOOST_TEST(after[i].base(0).find("new").has_value() == wanted);
        BOOST_TEST((objects_of(after[i]) == objects_of(before[i])));
      }
    }
}

BOOST_AUTO_TEST_CASE(an_element_that_is_not_there) {
  BOOST_TEST(set({"-s", "l:j=[1,2]"}).status == 0);
  make("listed", read("o"));
  const outcome there = set({"-s", "l[1]=7"}, path("listed"));
  BOOST_TEST(there.status == 0, there.err);
  BOOST_TEST(values("o", "l") == "[1,7] [1,7] [1,7]");
  std::filesystem::remove(path("o"));
  const outcome beyond = set({"-s", "l[9]=7"}, path("listed"));
  BOOST_TEST(beyond.status == 1);
  BOOST_TEST(beyond.err.find("'l[9]' does not exist in message 0; name an existing element") != std::string::npos,
             beyond.err);
  BOOST_TEST(!exists("o"));
}

BOOST_AUTO_TEST_CASE(every_archive_there_is) {
  unsigned done = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test_data())) {
    if (entry.path().extension() != ".tgm") continue;
    BOOST_TEST_CONTEXT(entry.path().filename()) {
      const outcome seen = set({"-f", "-s", "zz:i=5"}, entry.path().string());
      if (seen.status == 1) continue;
      ++done;
      const tgmap::archive before(entry.path(), {.damage = tgmap::on_damage::skip}), after = open("o");
      std::size_t i = 0;
      for (const tgmap::message& m : before) {
        if (m.is_incomplete()) continue;
        BOOST_TEST((objects_of(after[i]) == objects_of(m)));
        BOOST_TEST(after[i].metadata().find("zz").has_value() == (m.size() == 0));
        for (std::size_t j = 0; j < m.size(); ++j) BOOST_TEST(after[i].base(j).find("zz")->text() == "5");
        ++i;
      }
      BOOST_TEST(after.size() == i);
      BOOST_TEST(run({"set", "--no-sync", "-f", "--delete", "zz", path("o"), path("back")}).status == 0);
      BOOST_TEST(open("back").size() == i);
    }
  }
  BOOST_TEST(done > 70u);
}

BOOST_AUTO_TEST_CASE(keys_without_names) {
  for (const std::string name : {"a..b", ".a", "a.", "extra.a..b", "[0]"}) {
    BOOST_TEST(set({"-s", name + "=x"}).status == 2, name);
    BOOST_TEST(set({"--rename", "mars.step=" + name}).status == 2, name);
  }
  const outcome strange = set({"-s", "k=a\xff"});
  BOOST_TEST(strange.status == 2);
  BOOST_TEST(strange.err.find("the value for k is not UTF-8; ") != std::string::npos, strange.err);
  BOOST_TEST(set({"-s", "k\xff=a"}).status == 2);
  BOOST_TEST(!exists("o"));
  BOOST_TEST(set({"-s", "a.b=\xc3\xa4"}).status == 0);
  BOOST_TEST(value("a.b") == "\xc3\xa4");
}

BOOST_AUTO_TEST_CASE(a_name_that_is_taken) {
  BOOST_TEST(set({"--rename", "mars.step=mars.step"}).status == 2);
  const outcome taken = set({"--rename", "mars.step=mars.param"});
  BOOST_TEST(taken.status == 1);
  BOOST_TEST(
      taken.err.find("'mars.step' cannot be renamed to 'mars.param', which already exists; ") != std::string::npos,
      taken.err);
  BOOST_TEST(!exists("o"));
  BOOST_TEST(set({"--rename", "mars.step=mars.step.at"}).status == 0);
  BOOST_TEST(value("mars.step.at") == "0");
}

BOOST_AUTO_TEST_SUITE_END()
