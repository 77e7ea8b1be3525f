// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <tgmap/query/metadata_key.hpp>

#include "../../rewriting.hpp"

using namespace tgmap_test;

namespace {

bytes plain_message(int version, tgmap_test::where index, bool hashes) {
  return message({.version = version,
                  .objects = {bytes_object("first"), bytes_object("second")},
                  .index = index,
                  .hashes = hashes,
                  .hash_frames = hashes});
}

struct rehashing : rewriting {
  outcome rehash(std::vector<std::string> arguments, const std::string& from) const {
    arguments.insert(arguments.begin(), {"rehash", "--no-sync", "-f"});
    arguments.push_back(path(from));
    arguments.push_back(path("o"));
    return run(arguments);
  }

  /// Verifies the hash of each object of the first message.
  std::vector<tgmap::hash_result> states(const std::string& name) const {
    const tgmap::archive from = open(name);
    std::vector<tgmap::hash_result> out;
    for (std::size_t j = 0; j < from[0].size(); ++j) out.push_back(from[0][j].verify());
    return out;
  }
};

const std::vector<tgmap::hash_result> all_match(2, tgmap::hash_result::match),
    all_absent(2, tgmap::hash_result::absent);

}  // namespace

BOOST_FIXTURE_TEST_SUITE(rehash, rehashing)

BOOST_AUTO_TEST_CASE(digests_come_and_go) {
  for (const int version : {2, 3})
    for (const tgmap_test::where index :
         {tgmap_test::where::none, tgmap_test::where::header, tgmap_test::where::footer}) {
      make("without", plain_message(version, index, false));
      BOOST_TEST((states("without") == all_absent));
      BOOST_TEST(rehash({}, "without").status == 0);
      BOOST_TEST((states("o") == all_match));
      const tgmap::archive with = open("o");
      BOOST_TEST(with[0].hash_list().has_value());
      BOOST_TEST(bytes_of(with[0][1].payload()) == "second");
      BOOST_TEST((with[0].index_location() == open("without")[0].index_location()));
      const outcome sound = run({"validate", path("o")});
      BOOST_TEST(sound.status == 0, sound.err);
      BOOST_TEST(sound.out.find("hash verified") != std::string::npos, sound.out);

      make("with", read("o"));
      BOOST_TEST(rehash({}, "with").status == 0);
      BOOST_TEST((read("o") == read("with")));  // nothing is left to be done
      BOOST_TEST(rehash({"--remove"}, "with").status == 0);
      BOOST_TEST((states("o") == all_absent));
      BOOST_TEST(!open("o")[0].hash_list());
      BOOST_TEST(run({"validate", path("o")}).status == 0);
    }
}

BOOST_AUTO_TEST_CASE(damage_does_not_become_sound) {
  for (const int version : {2, 3}) {
    bytes hurt = plain_message(version, tgmap_test::where::header, true);
    hurt[hurt.find("second")] = 'S';
    make("hurt", hurt);
    for (const std::vector<std::string>& how : {std::vector<std::string>{}, {"--remove"}}) {
      std::filesystem::remove(path("o"));
      const outcome refused = rehash(how, "hurt");
      BOOST_TEST(refused.status == 1);
      BOOST_TEST(refused.err.find("object 1 of message 0 is damaged: its hash does not match (0x") != std::string::npos,
                 refused.err);
      BOOST_TEST(refused.err.find("; add --take-damaged") != std::string::npos, refused.err);
      BOOST_TEST(!exists("o"));
    }
    BOOST_TEST(rehash({"--take-damaged"}, "hurt").status == 3);
    BOOST_TEST((states("o") == all_match));
    BOOST_TEST(bytes_of(open("o")[0][1].payload()) == "Second");
  }
}

BOOST_AUTO_TEST_CASE(damage_in_what_is_not_selected_is_copied) {
  bytes hurt = plain_message(3, tgmap_test::where::header, true);
  hurt[hurt.find("second")] = 'S';
  make("two", hurt + plain_message(3, tgmap_test::where::header, false));
  BOOST_TEST(rehash({}, "two:1").status == 0);
  BOOST_TEST(read("o").starts_with(hurt));
  BOOST_TEST((open("o")[1][0].verify() == tgmap::hash_result::match));
}

BOOST_AUTO_TEST_CASE(digests_that_are_not_announced_are) {
  const auto file = test_data() / "w0.20.0_streamed_hash.tgm";
  make("old", read_file(file));
  BOOST_TEST(rehash({}, "old").status == 0);
  const tgmap::archive before = open("old"), after = open("o");
  for (std::size_t j = 0; j < before[0].size(); ++j) {
    BOOST_TEST((before[0][j].frame().flags() & 2) == 0);
    BOOST_TEST((after[0][j].frame().flags() & 2) == 2);
    BOOST_TEST((after[0][j].stored_hash() == before[0][j].stored_hash()));
  }
}

/// Returns true if a descriptor contradicts itself about its shape; no frame is written with such a descriptor.
bool contradicts_itself(const std::filesystem::path& archive) {
  return archive.stem() == "descriptor_ndim_wrong" || archive.stem() == "descriptor_strides_short";
}

BOOST_AUTO_TEST_CASE(every_archive_there_is) {
  unsigned done = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test_data())) {
    if (entry.path().extension() != ".tgm") continue;
    BOOST_TEST_CONTEXT(entry.path().filename()) {
      make("in", read_file(entry.path()));
      if (rehash({}, "in").status == 1) continue;
      ++done;
      for (const tgmap::message& m : open("o"))
        for (std::size_t j = 0; j < m.size(); ++j) BOOST_TEST((m[j].verify() == tgmap::hash_result::match));
      make("with", read("o"));
      const outcome removed = rehash({"--remove"}, "with");
      if (contradicts_itself(entry.path())) {
        BOOST_TEST(removed.status == 1);
        BOOST_TEST(removed.err.find("descriptor") != std::string::npos, removed.err);
        continue;
      }
      BOOST_TEST(removed.status == 0, removed.err);
      const tgmap::archive with = open("with"), without = open("o");
      for (std::size_t i = 0; i < with.size(); ++i)
        for (std::size_t j = 0; j < with[i].size(); ++j) {
          BOOST_TEST(bytes_of(with[i][j].payload_and_masks()) == bytes_of(without[i][j].payload_and_masks()));
          BOOST_TEST(!without[i][j].stored_hash());
        }
    }
  }
  BOOST_TEST(done > 60u);
}

BOOST_AUTO_TEST_CASE(correct_messages_are_copied) {
  for (const int version : {2, 3}) {
    message_spec how{.version = version,
                     .objects = {bytes_object("first"), bytes_object("second")},
                     .junk_before = {{0, bytes(4088, '\0')}}};
    const bytes with = message(how);
    make("with", with);
    const outcome seen = rehash({}, "with");
    BOOST_TEST(seen.out.find(" 0 of them changed") != std::string::npos, seen.out);
    BOOST_TEST((read("o") == with));
    BOOST_TEST(rehash({"--remove"}, "with").out.find("1 of them changed") != std::string::npos);
    how.hashes = how.hash_frames = false;
    const bytes without = message(how);
    make("without", without);
    BOOST_TEST(rehash({"--remove"}, "without").out.find(" 0 of them changed") != std::string::npos);
    BOOST_TEST((read("o") == without));
    how.hashes = true;
    make("unlisted", message(how));
    BOOST_TEST(rehash({}, "unlisted").out.find("1 of them changed") != std::string::npos);
    BOOST_TEST(open("o")[0].hash_list().has_value());
  }
}

BOOST_AUTO_TEST_CASE(a_wrong_list_is_corrected) {
  for (const int version : {2, 3}) {
    bytes one = plain_message(version, tgmap_test::where::header, true);
    const tgmap::archive in = tgmap::archive::from_memory(span_of(one));
    for (const tgmap::frame& each : in[0].frames())
      if (each.type() == tgmap::frame_type::header_hash) {
        const std::size_t digit =
            one.find("xxh3", each.body_offset()) == bytes::npos ? 0 : one.find("hashes", each.body_offset());
        BOOST_TEST_REQUIRE(digit != 0u);
        one[digit + 8] = one[digit + 8] == '0' ? '1' : '0';  // behind the heads of the list and of its first text
        if (version == 3)
          put_u64(one, each.offset() + each.length() - 12,
                  xxh3(std::string_view(one).substr(each.body_offset(), each.body_size())));
      }
    make("in", one);
    BOOST_TEST(rehash({}, "in").out.find("1 of them changed") != std::string::npos);
    BOOST_TEST(run({"validate", path("o")}).status == 0);
  }
}

BOOST_AUTO_TEST_CASE(messages_that_need_an_upgrade) {
  object_spec one = numbers_object<float>("float32", {1, 0});
  one.type = 9;
  one.masks = {{.kind = "nan", .method = "none", .blob = bytes("\x40", 1)}};
  make("in", message({.version = 2, .objects = {one}}));
  const outcome seen = rehash({"--remove"}, "in");
  BOOST_TEST(seen.status == 1);
  BOOST_TEST(seen.err.find("; run `tgmap upgrade` first") != std::string::npos, seen.err);
}

BOOST_AUTO_TEST_SUITE_END()
