// SPDX-License-Identifier: Apache-2.0
// Parts of a message that a copy keeps: metadata as values, provenance, frames of objects.
#include <boost/test/unit_test.hpp>
#include <support/builder.hpp>
#include <support/shared_data.hpp>
#include <support/temporary.hpp>
#include <tgmap/archive.hpp>
#include <tgmap/write/writer.hpp>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(stored_object_test)

namespace {

struct archive_in_memory {
  bytes data;
  tgmap::archive from = tgmap::archive::from_memory(std::as_bytes(std::span(data)));
};

bytes encoder_of(const std::string& release) {
  return cbor::map({cbor::key(
      "encoder", cbor::map({cbor::key("name", cbor::text("tensogram")), cbor::key("version", cbor::text(release))}))});
}

tgmap::new_message copy_of(const tgmap::message& message) {
  tgmap::new_message out;
  for (std::size_t j = 0; j < message.size(); ++j)
    out.objects.emplace_back(tgmap::stored_object::of(message, j, message.version()));
  out.extra = tgmap::cbor_value::copy(message.metadata());
  out.provenance = tgmap::cbor_value::copy(message.provenance());
  return out;
}

/// Checks that a copy of metadata as one value has all entries.
void check_copy(const tgmap::metadata& metadata) {
  const tgmap::cbor_value copy = tgmap::cbor_value::copy(metadata);
  BOOST_TEST(copy.is_map());
  const auto entries = metadata.entries();
  BOOST_TEST(copy.view().size() == entries.size());
  for (const auto& [key, value] : entries) {
    const auto found = copy.view().find(key);
    BOOST_TEST_REQUIRE(found.has_value(), key);
    BOOST_TEST(std::ranges::equal(found->bytes(), tgmap::cbor_value::copy(value).encoded()), key);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(metadata_as_one_value) {
  unsigned layers = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test_data())) {
    if (entry.path().extension() != ".tgm") continue;
    const tgmap::archive archive(entry.path(), {.damage = tgmap::on_damage::skip});
    for (const tgmap::message& m : archive) {
      tgmap::failure why;
      const std::size_t count = m.size(why);
      if (why) continue;
      check_copy(m.metadata());
      check_copy(m.provenance());
      layers += 2;
      for (std::size_t j = 0; j < count; ++j) {
        check_copy(m.base(j));
        check_copy(m[j].metadata());
      }
    }
  }
  BOOST_TEST(layers > 200u);
  check_copy({});
}

BOOST_AUTO_TEST_CASE(provenance_is_kept) {
  for (const auto& provenance :
       {cbor::map({}), encoder_of("0.5.0"), cbor::map({cbor::key("time", cbor::text("then"))})})
    for (const int version : {2, 3}) {
      const archive_in_memory one{
          message({.version = version, .objects = {bytes_object("abc")}, .reserved = provenance})};
      const auto written = tgmap::to_bytes(copy_of(one.from[0]), {.version = version});
      const auto again = tgmap::archive::from_memory(written);
      BOOST_TEST((tgmap::cbor_value::copy(again[0].provenance()) == tgmap::cbor_value::copy(one.from[0].provenance())));
    }
}

BOOST_AUTO_TEST_CASE(provenance_must_be_a_map) {
  tgmap::new_message message;
  message.provenance = tgmap::cbor_value("tgmap");
  tgmap::memory_sink sink;
  tgmap::failure why;
  tgmap::writer out(sink);
  out.write(message, why);
  BOOST_TEST((why.code == tgmap::errc::wrong_kind));
  BOOST_TEST(sink.bytes_written() == 0u);
  message.provenance.reset();
  out.write(message);  // with the provenance of the options again
  BOOST_TEST(tgmap::archive::from_memory(sink.bytes()).size() == 1u);
}

BOOST_AUTO_TEST_CASE(hashes_of_releases_before_0_21_are_announced) {
  const tgmap::archive archive(test_data() / "w0.20.0_streamed_hash.tgm");
  const auto written = tgmap::to_bytes(copy_of(archive[0]), {.hashes = false});
  const auto again = tgmap::archive::from_memory(written);
  for (std::size_t j = 0; j < archive[0].size(); ++j) {
    constexpr std::uint16_t hash_present = 2;
    BOOST_TEST((archive[0][j].frame().flags() & hash_present) == 0);
    BOOST_TEST((again[0][j].frame().flags() & hash_present) == hash_present);
    BOOST_TEST((again[0][j].stored_hash() == archive[0][j].stored_hash()));
    BOOST_TEST((again[0][j].verify() == tgmap::hash_result::match));
  }
}

BOOST_AUTO_TEST_CASE(frames_of_every_size_are_copied_unchanged) {
  for (const std::size_t size : {0, 1, 15000, 16384, 20000, 300000}) {
    const temporary_directory files;
    const auto path = files.file("in", message({.objects = {bytes_object(bytes(size, 'x')), bytes_object("y")}}));
    for (const tgmap::io_mode io : {tgmap::io_mode::map, tgmap::io_mode::read}) {
      const tgmap::archive archive(path, {.io = io});
      const auto written = tgmap::to_bytes(copy_of(archive[0]));
      const auto again = tgmap::archive::from_memory(written);
      for (std::size_t j = 0; j < 2; ++j) {
        const auto bytes_of = [](const tgmap::archive& in, const tgmap::frame& frame) {
          std::vector<std::byte> out(frame.length());
          in.read(frame.offset(), out);
          return out;
        };
        BOOST_TEST((bytes_of(again, again[0][j].frame()) == bytes_of(archive, archive[0][j].frame())));
      }
    }
  }
}

namespace {

message_spec keyed(std::size_t objects) {
  message_spec out;
  for (std::size_t j = 0; j < objects; ++j) {
    out.objects.push_back(bytes_object("payload" + std::to_string(j)));
    out.base.push_back(cbor::map({cbor::key("step", cbor::text("step" + std::to_string(j)))}));
  }
  return out;
}

/// Returns the archive with the lowest bit of the first byte of `text` flipped.
archive_in_memory flipped(bytes data, const std::string& text) {
  data[data.find(text)] ^= 1;
  return {std::move(data)};
}

tgmap::failure failure_of(const tgmap::message& from, std::size_t j, int version = 3,
                          tgmap::on_mismatch rule = tgmap::on_mismatch::refuse) {
  tgmap::failure why;
  static_cast<void>(tgmap::stored_object::of(from, j, version, rule, why));
  return why;
}

}  // namespace

BOOST_AUTO_TEST_CASE(keys_are_compared_with_their_hash) {
  for (const std::size_t objects : {1u, 2u, 16u, 17u, 40u}) {
    const auto in = flipped(message(keyed(objects)), "step0");
    for (std::size_t j = 0; j < objects; ++j) {
      const tgmap::failure why = failure_of(in.from[0], j);
      BOOST_TEST_REQUIRE(why.code == tgmap::errc::hash_mismatch);
      const tgmap::frame metadata = *in.from[0].frames().begin();
      BOOST_TEST((metadata.stored_hash() == why.expected));
      BOOST_TEST(tgmap::xxh3(metadata.body()) == why.found);
      BOOST_TEST(why.offset == metadata.offset());
      BOOST_TEST(why.text().find("header metadata: the stored hash 0x") == 0u, why.text());
      BOOST_TEST((why.message == 0u && why.object == j));
    }
    BOOST_CHECK_THROW(tgmap::stored_object::of(in.from[0], 0), tgmap::error);
    const auto taken = tgmap::stored_object::of(in.from[0], 0, 3, tgmap::on_mismatch::take);
    BOOST_TEST((taken.base == tgmap::cbor_value::map({{"step", "rtep0"}})));

    const archive_in_memory sound{message(keyed(objects))};
    for (int again = 0; again < 2; ++again)  // later from the cache
      for (std::size_t j = 0; j < objects; ++j) BOOST_TEST(!failure_of(sound.from[0], j));
  }
}

BOOST_AUTO_TEST_CASE(preceders_are_compared_with_their_hash) {
  for (const auto how : {writing::buffered, writing::streamed}) {
    message_spec spec = keyed(3);
    spec.writing = how;
    spec.objects[1].preceder = cbor::map({cbor::key("own", cbor::text("ahead"))});
    const auto in = flipped(message(spec), "ahead");
    BOOST_TEST(!failure_of(in.from[0], 0));
    BOOST_TEST(!failure_of(in.from[0], 2));
    const tgmap::failure why = failure_of(in.from[0], 1);
    BOOST_TEST(why.code == tgmap::errc::hash_mismatch);
    BOOST_TEST(std::string(why.argument) == "preceder metadata");
    BOOST_TEST((why.object == 1u));
    tgmap::stored_message all;
    tgmap::failure refused;
    all.load(in.from[0], refused);
    BOOST_TEST((refused.code == tgmap::errc::hash_mismatch && refused.object == 1u && refused.offset == why.offset));
    all.load(in.from[0], tgmap::on_mismatch::take);
    BOOST_TEST_REQUIRE(all.mismatches.size() == 1u);
    BOOST_TEST((all.mismatches[0].object == 1u));
  }
}

BOOST_AUTO_TEST_CASE(frames_that_are_made_again_are_compared_with_their_hash) {
  for (const std::string text : {"step0", "offsets", "xxh3"}) {
    const auto in = flipped(message(keyed(2)), text);
    tgmap::stored_message out;
    tgmap::failure why;
    out.load(in.from[0], why);
    BOOST_TEST((why.code == tgmap::errc::hash_mismatch), text);
    out.load(in.from[0], std::vector<std::size_t>(), why);
    BOOST_TEST((why.code == tgmap::errc::hash_mismatch), text);
    BOOST_CHECK_THROW(out.load(in.from[0]), tgmap::error);
    BOOST_CHECK_THROW(out.load(in.from[0], std::vector<std::size_t>()), tgmap::error);
    // The walk needs no index, which may be wrong.
    const auto walked = tgmap::archive::from_memory(span_of(in.data), {.lookup = tgmap::object_lookup::walk});
    for (int again = 0; again < 2; ++again) {
      out.load(walked[0], std::vector<std::size_t>(), tgmap::on_mismatch::take);
      BOOST_TEST(out.mismatches.size() == 1u);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_payload_of_version_2_is_compared_before_it_gets_a_new_hash) {
  message_spec spec = keyed(2);
  spec.version = 2;
  const auto in = flipped(message(spec), "payload1");
  BOOST_TEST(!failure_of(in.from[0], 0, 3));
  BOOST_TEST(!failure_of(in.from[0], 1, 2));  // keeps its hash
  const tgmap::failure why = failure_of(in.from[0], 1, 3);
  BOOST_TEST((why.code == tgmap::errc::hash_mismatch && why.message == 0u && why.object == 1u));
  BOOST_TEST(why.expected == xxh3("payload1"));
  BOOST_TEST(why.found == xxh3("qayload1"));
  BOOST_TEST(!failure_of(in.from[0], 1, 3, tgmap::on_mismatch::take));
}

BOOST_AUTO_TEST_SUITE_END()
