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

BOOST_AUTO_TEST_SUITE_END()
