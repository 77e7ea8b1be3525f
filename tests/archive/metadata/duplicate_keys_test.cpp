// SPDX-License-Identifier: Apache-2.0
// Repeated keys: refused if they decide how bytes are read; otherwise the last one wins, however it is read.
#include <boost/test/unit_test.hpp>
#include <support/every_mode.hpp>
#include <support/failures.hpp>
#include <support/samples.hpp>

using namespace tgmap_test;
using tgmap::errc;

BOOST_AUTO_TEST_SUITE(duplicate_keys_test)

namespace {

using pairs = std::vector<cbor::pair>;

tgmap::archive archive_of(const bytes& data) { return tgmap::archive::from_memory(span_of(data)); }

message_spec with_descriptor_key(const char* name, const bytes& item, int version = 3) {
  message_spec spec{.version = version, .objects = {numbers_object<float>("float32", {1, 2})}};
  spec.objects[0].more = {cbor::key(name, item)};
  return spec;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_descriptor_with_two_dtypes) {
  in_every_mode(message(with_descriptor_key("dtype", cbor::text("int32"))), [](const tgmap::archive& archive) {
    const tgmap::object object = archive[0][0];
    BOOST_TEST(object.payload().size() == 8u);
    tgmap::failure why;
    (void)object.descriptor(why);
    TGMAP_FAILED(why, errc::duplicate_key);
    BOOST_TEST(why.offset == object.payload_offset() + 8);
    BOOST_TEST(why.message == 0);
    BOOST_TEST(why.object == 0);
    BOOST_TEST((why.code == tgmap::condition::corrupt));
    BOOST_TEST(why.text().find("comes twice") != std::string::npos, why.text());
    TGMAP_THROWS(object.view<float>(), errc::duplicate_key);
    TGMAP_THROWS(object.view<std::int32_t>(), errc::duplicate_key);
    TGMAP_THROWS(object.decode(), errc::duplicate_key);
    TGMAP_THROWS(object.decoded_size(), errc::duplicate_key);
    TGMAP_THROWS(object.decode_as<double>(), errc::duplicate_key);
    TGMAP_THROWS(object.decode_range(0, 1), errc::duplicate_key);
    TGMAP_THROWS(object.masks(), errc::duplicate_key);
    TGMAP_FAILED(object.why_not_in_place(tgmap::dtype::float32), errc::duplicate_key);
  });
}

BOOST_AUTO_TEST_CASE(other_keys_of_a_descriptor) {
  for (const char* const name : {"shape", "strides", "byte_order", "encoding", "filter", "compression", "type", "ndim"})
    BOOST_TEST_CONTEXT(name) {
      const bytes data = message(with_descriptor_key(name, cbor::text("none")));
      const auto archive = archive_of(data);
      TGMAP_THROWS(archive[0][0].decode(), errc::duplicate_key);
    }
  const bytes harmless = message(with_descriptor_key("comment", cbor::text("a")));
  const auto archive = archive_of(harmless);
  BOOST_TEST(archive[0][0].view<float>()(1) == 2.0F);
}

BOOST_AUTO_TEST_CASE(repeated_masks) {
  message_spec spec{.objects = {numbers_object<float>("float32", {0, 2})}};
  spec.objects[0].masks = {{.kind = "nan", .method = "none", .blob = "\x80"}};
  spec.objects[0].more = {cbor::key("masks", cbor::null())};
  in_every_mode(message(spec), [](const tgmap::archive& archive) {
    tgmap::failure why;
    (void)archive[0].at(0, why);
    TGMAP_FAILED(why, errc::duplicate_key);
    BOOST_TEST(why.offset != 0u);
  });
}

BOOST_AUTO_TEST_CASE(repeated_keys_of_an_index) {
  for (const int version : {2, 3})
    for (const bool header : {true, false})
      for (const char* const name : {"offsets", "lengths", "object_count"}) {
        message_spec spec;
        spec.version = version;
        spec.objects.push_back(bytes_object("abc"));
        spec.index = header ? where::header : where::footer;
        const built_message sound = build(spec);
        pairs keys{cbor::key("lengths", cbor::numbers({100})), cbor::key("offsets", cbor::numbers({sound.objects[0]})),
                   cbor::key("object_count", cbor::integer(1))};
        keys.push_back(cbor::key(name, keys[0].second));
        spec.index = where::none;
        auto& frames = header ? spec.header_frames : spec.footer_frames;
        frames.push_back({.type = static_cast<std::uint16_t>(header ? 2 : 6), .body = cbor::map(keys)});
        in_every_mode(message(spec), [&](const tgmap::archive& archive) {
          if (archive.options().lookup == tgmap::object_lookup::walk) {
            BOOST_TEST(archive[0].size() == 1u);
            return;
          }
          tgmap::failure why;
          (void)archive[0].size(why);
          TGMAP_FAILED(why, errc::duplicate_key);
          BOOST_TEST(why.offset > 0u);
          (void)archive[0].at(0, why);
          TGMAP_FAILED(why, errc::duplicate_key);
        });
      }
}

BOOST_AUTO_TEST_CASE(repeated_keys_of_a_hash_list) {
  message_spec spec{.objects = {bytes_object("abc")}, .hash_frames = false};
  const auto hashes = cbor::key("hashes", cbor::array({cbor::text("0123456789abcdef")}));
  spec.header_frames = {{.type = 3, .body = cbor::map({hashes, cbor::key("algorithm", cbor::text("xxh3")), hashes})}};
  in_every_mode(message(spec), [](const tgmap::archive& archive) {
    tgmap::failure why;
    BOOST_TEST(!archive[0].hash_list(why));
    TGMAP_FAILED(why, errc::duplicate_key);
    BOOST_TEST(archive[0][0].payload().size() == 3u);
  });
}

BOOST_AUTO_TEST_CASE(a_repeated_hash) {
  const bytes digest =
      cbor::map({cbor::key("type", cbor::text("xxh3")), cbor::key("value", cbor::text(xxh3_hex("other")))});
  for (const bool inside : {false, true}) {
    message_spec spec{.version = 2, .objects = {bytes_object("abc")}};
    if (inside) {
      spec.hashes = false;
      spec.objects[0].more = {cbor::key(
          "hash", cbor::map({cbor::key("type", cbor::text("xxh3")), cbor::key("value", cbor::text(xxh3_hex("other"))),
                             cbor::key("value", cbor::text(xxh3_hex("abc")))}))};
    } else {
      spec.objects[0].more = {cbor::key("hash", digest)};
    }
    in_every_mode(message(spec), [](const tgmap::archive& archive) {
      const tgmap::object object = archive[0][0];
      tgmap::failure why;
      (void)object.verify(why);
      TGMAP_FAILED(why, errc::duplicate_key);
      BOOST_TEST(!object.stored_hash());
    });
  }
}

namespace {

/// "param" is repeated in entries, in the keys of the message, in a map inside them and in a preceder.
message_spec repeating_metadata(int version, std::size_t objects, writing how) {
  const pairs twice{cbor::key("param", cbor::text("2t")), cbor::key("step", cbor::integer(6)),
                    cbor::key("param", cbor::text("msl"))};
  pairs entry = twice;
  entry.push_back(cbor::key("mars", cbor::map(twice)));
  entry.push_back(cbor::key("cf", cbor::map(twice)));
  entry.push_back(cbor::key("cf", cbor::map({cbor::key("name", cbor::text("last"))})));
  message_spec spec{.version = version, .writing = how};
  for (std::size_t j = 0; j < objects; ++j) {
    spec.objects.push_back(bytes_object("abc"));
    spec.base.push_back(cbor::map(entry));
  }
  spec.objects.back().preceder = cbor::map(twice);
  spec.extra = twice;
  return spec;
}

/// Checks that the last one wins.
void hold_last(const tgmap::metadata& keys, const char* path) {
  const auto found = keys.find(path);
  BOOST_TEST_REQUIRE(found.has_value());
  BOOST_TEST(found->text() == "msl");
}

void hold_entry(const tgmap::metadata& keys) {
  hold_last(keys, "param");
  hold_last(keys, "mars.param");
  BOOST_TEST(!keys.find("cf.param"));
  BOOST_TEST((keys.get<std::string_view>("cf.name") == "last"));
  BOOST_TEST((keys.find("mars")->find("param")->text() == "msl"));
  std::size_t params = 0;
  keys.visit([&](std::string_view key, const tgmap::cbor_view& item) {
    if (key != "param") return true;
    ++params;
    BOOST_TEST(item.text() == "msl");
    return true;
  });
  BOOST_TEST(params == 1u);
  const tgmap::cbor_value copy = tgmap::cbor_value::copy(keys);
  BOOST_TEST((copy.view().find("param")->text() == "msl"));
  BOOST_TEST((copy.view().at_path("mars.param")->text() == "msl"));
  BOOST_TEST((copy.view().find("mars")->size() == 2u));
  BOOST_TEST(!copy.view().at_path("cf.param"));
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_last_metadata_key_wins_however_it_is_read) {
  for (const int version : {2, 3})
    for (const std::size_t objects : {1u, 3u, 40u})  // the last number is that of a cached message
      for (const auto how : {writing::buffered, writing::streamed})
        in_every_mode(message(repeating_metadata(version, objects, how)), [&](const tgmap::archive& archive) {
          const tgmap::message message = archive[0];
          for (int again = 0; again < 2; ++again) {
            hold_last(message.metadata(), "param");
            hold_last(message.summary().message_metadata, "param");
            hold_entry(message.summary().first_object_metadata);
            for (std::size_t j = 0; j < objects; ++j) {
              hold_entry(message.base(j));
              hold_entry(message[j].metadata());
            }
          }
        });
}

BOOST_AUTO_TEST_CASE(repeated_sections) {
  const auto extra = [](const char* text) {
    return cbor::key("_extra_", cbor::map({cbor::key("a", cbor::text(text))}));
  };
  const auto base = [](const char* text) {
    return cbor::key("base", cbor::array({cbor::map({cbor::key("b", cbor::text(text))})}));
  };
  message_spec spec{.objects = {bytes_object("abc")}};
  spec.header_metadata = cbor::map({base("first"), extra("first"), base("last"), extra("last")});
  in_every_mode(message(spec), [](const tgmap::archive& archive) {
    BOOST_TEST((archive[0].metadata().get<std::string_view>("a") == "last"));
    BOOST_TEST((archive[0].summary().message_metadata.get<std::string_view>("a") == "last"));
    BOOST_TEST((archive[0].summary().first_object_metadata.get<std::string_view>("b") == "last"));
    BOOST_TEST((archive[0].base(0).get<std::string_view>("b") == "last"));
    BOOST_TEST((archive[0][0].metadata().get<std::string_view>("b") == "last"));
  });
}

BOOST_AUTO_TEST_CASE(written_maps_hold_each_key_once) {
  const bytes data = message(repeating_metadata(3, 1, writing::buffered));
  const auto archive = archive_of(data);
  tgmap::stored_message stored;
  stored.load(archive[0]);
  for (const tgmap::cbor_value& each :
       {stored.content.extra, std::get<tgmap::stored_object>(stored.content.objects[0]).base}) {
    std::size_t params = 0;
    each.view().visit([&](const tgmap::cbor_view& key, const tgmap::cbor_view& item) {
      if (key.text() != "param") return true;
      ++params;
      BOOST_TEST(item.text() == "msl");
      return true;
    });
    BOOST_TEST(params == 1u);
  }
  // A frame is copied unchanged, unless no reader accepts its descriptor.
  const bytes two = message(with_descriptor_key("dtype", cbor::text("int32")));
  const auto refused = archive_of(two);
  stored.load(refused[0]);
  TGMAP_THROWS(tgmap::to_bytes(stored.content), errc::duplicate_key);
}

BOOST_AUTO_TEST_SUITE_END()
