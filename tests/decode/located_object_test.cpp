// SPDX-License-Identifier: Apache-2.0
// Objects of which only the place is known give what the objects themselves give, also of files that are damaged, cut
// or changed.
#include <tgmap/located_object.hpp>

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <support/counted_source.hpp>
#include <support/every_mode.hpp>
#include <support/failures.hpp>
#include <support/numbered.hpp>
#include <support/temporary.hpp>
#include <tgmap/tgmap.hpp>
#include <utility>
#include <vector>

using namespace tgmap_test;
using tgmap::errc;

BOOST_AUTO_TEST_SUITE(located_object_test)

namespace {

bytes text_of(const tgmap::tensor& decoded) { return bytes(view_of(decoded.bytes())); }

object_spec reversed(std::initializer_list<std::uint32_t> values) {
  object_spec out{.dtype = "uint32", .shape = {values.size()}};
  for (const std::uint32_t each : values) out.payload += big_endian(each, 4);
  out.byte_order = "big";
  return out;
}

object_spec masked() {
  object_spec out = numbers_object<float>("float32", {1, 2, 3});
  out.masks = {{.kind = "inf+", .method = "rle", .blob = bytes("\0\x01\x01\x01", 4)}};
  return out;
}

object_spec run_lengths() {
  object_spec out{.dtype = "bitmask", .shape = {16}, .payload = big_endian(16, 4) + bytes("\0\x08\x08", 3)};
  out.compression = "rle";
  return out;
}

/// Objects that are stored in different ways, one after the other, and their elements.
struct stored_objects {
  std::vector<object_spec> objects{};
  std::vector<bytes> elements{};

  explicit stored_objects(std::size_t size) {
    object_spec first = bytes_object(payload_of(2, size));
    first.cbor_first = true;
    add(bytes_object(payload_of(1, size)), payload_of(1, size));
    add(run_lengths(), bytes("\0\xff", 2));
    add(masked(), native<float>({1, std::numeric_limits<float>::infinity(), 3}));
    add(std::move(first), payload_of(2, size));
    add(reversed({1, 0x01020304, 3}), native<std::uint32_t>({1, 0x01020304, 3}));
    add(bytes_object(payload_of(3, size)), payload_of(3, size));
  }

  void add(object_spec object, bytes of) {
    objects.push_back(std::move(object));
    elements.push_back(std::move(of));
  }

  bytes archive(int version, writing how) const {
    bytes out;
    message_spec all;
    all.version = version;
    all.writing = how;
    all.objects = objects;
    out += message(all);
    for (const object_spec& each : objects) {
      message_spec one;
      one.version = version;
      one.writing = how;
      one.objects = {each};
      out += message(one);
    }
    return out;
  }
};

void check_all(const tgmap::archive& archive, const std::vector<bytes>& elements) {
  for (std::size_t j = 0; j < elements.size(); ++j) {
    BOOST_TEST((text_of(tgmap::locate(archive[0], j).decode()) == elements[j]), "object " << j);
    BOOST_TEST((text_of(tgmap::locate(archive[j + 1], 0).decode()) == elements[j]), "message " << j + 1);
  }
  TGMAP_THROWS(tgmap::locate(archive[0], elements.size()), errc::out_of_range);
  TGMAP_THROWS(tgmap::locate(archive[1], 1), errc::out_of_range);
}

}  // namespace

BOOST_AUTO_TEST_CASE(elements_in_every_mode) {
  for (const std::size_t size : {0u, 40u, 5'000u, 70'000u, 1'100'000u})
    for (const int version : {2, 3})
      for (const writing how : {writing::buffered, writing::streamed}) {
        const stored_objects stored(size);
        const bytes data = stored.archive(version, how);
        for (const auto guard : {tgmap::guard_use::automatic, tgmap::guard_use::never})
          in_every_mode(data, [&](const tgmap::archive& archive) { check_all(archive, stored.elements); },
                        {.guard = guard});
        const auto source = std::make_shared<counted_source>(data);
        check_all(tgmap::archive::from_source(source, {.index = tgmap::index_use::none}), stored.elements);
        BOOST_TEST(source->breach == "");
      }
}

BOOST_AUTO_TEST_CASE(elements_with_an_index) {
  const temporary_directory files;
  const stored_objects stored(5'000);
  const auto path = files.file("a.tgm", stored.archive(3, writing::buffered));
  tgmap::write_index(path);
  const tgmap::archive archive(path, {.io = tgmap::io_mode::read});
  BOOST_TEST(archive.index_status().is_current);
  check_all(archive, stored.elements);
}

BOOST_AUTO_TEST_CASE(options_and_descriptors) {
  const temporary_directory files;
  const stored_objects stored(5'000);
  const auto path = files.file("a.tgm", stored.archive(3, writing::buffered));
  for (const auto mode : {tgmap::io_mode::map, tgmap::io_mode::read}) {
    const tgmap::archive archive(path, {.io = mode, .guard = tgmap::guard_use::never});
    const tgmap::located_object swapped = tgmap::locate(archive[5], 0), with_mask = tgmap::locate(archive[3], 0);
    BOOST_TEST(
        (text_of(swapped.decode({.byte_order = tgmap::output_byte_order::stored})) == stored.objects[4].payload));
    BOOST_TEST((text_of(with_mask.decode({.restore_missing = false})) == stored.objects[2].payload));
    BOOST_TEST((text_of(with_mask.decode({.verify = true})) == stored.elements[2]));
    for (std::size_t j = 0; j < stored.objects.size(); ++j) {
      const tgmap::located_object at = tgmap::locate(archive[0], j);
      BOOST_TEST(at.is_read() == (j != 0));  // other objects of a few are read with those before them
      BOOST_TEST(at.index() == j);
      std::shared_ptr<const tgmap::descriptor> what;
      const tgmap::object object = at.read(what);
      BOOST_REQUIRE(what);
      BOOST_TEST(what->dtype == tgmap::from_string<tgmap::dtype>(stored.objects[j].dtype).value());
      BOOST_TEST(what->element_count == stored.objects[j].shape[0]);
      BOOST_TEST(object.payload_size() == stored.objects[j].payload.size());
      BOOST_TEST(object.payload_offset() == archive[0][j].payload_offset());
      BOOST_TEST(tgmap::locate(archive[0], j).is_read());
    }
  }
  const tgmap::located_object none;
  TGMAP_THROWS(none.decode(), errc::no_archive);
  TGMAP_THROWS(none.read(), errc::no_archive);
  TGMAP_THROWS(tgmap::locate({}, 0), errc::no_archive);
}

BOOST_AUTO_TEST_CASE(damaged_objects_fail_as_they_do_alone) {
  message_spec spec;
  spec.objects = {bytes_object(payload_of(0, 300)), masked(), bytes_object(payload_of(1, 300))};
  const bytes sound = message(spec), before = numbered(9, 3, 500);
  unsigned failed = 0;
  const temporary_directory files;
  for (std::size_t at = 0; at < sound.size(); ++at) {
    bytes data = before + sound;
    data[before.size() + at] = static_cast<char>(data[before.size() + at] ^ 0x55);
    const auto path = files.file("a.tgm", data);
    for (std::size_t j = 0; j < spec.objects.size(); ++j) {
      const tgmap::open_options options{.io = tgmap::io_mode::read};
      const tgmap::archive one(path, options), other(path, options);
      tgmap::failure expected, why;
      const tgmap::message in = one.at(1, expected), same = other.at(1, why);
      tgmap::tensor alone;
      const tgmap::object object = expected ? tgmap::object() : in.at(j, expected);
      if (!expected) object.decode_into(alone, expected);
      const tgmap::located_object place = why ? tgmap::located_object() : tgmap::locate(same, j, why);
      const tgmap::tensor decoded = why ? tgmap::tensor() : place.decode(why);
      failed += why ? 1 : 0;
      BOOST_TEST(why.code == expected.code, "byte " << at << ", object " << j << ": " << why.text());
      BOOST_TEST((text_of(decoded) == text_of(alone)));
    }
  }
  BOOST_TEST(failed > 500u);
}

BOOST_AUTO_TEST_CASE(a_file_that_is_cut_or_changed_meanwhile) {
  const temporary_directory files;
  const bytes data = numbered(1, 3, 50'000);
  for (const auto mode : {tgmap::io_mode::map, tgmap::io_mode::read}) {
    const auto path = files.file("a.tgm", data);
    const tgmap::archive archive(path, {.io = mode, .guard = tgmap::guard_use::never});
    const tgmap::located_object place = tgmap::locate(archive[0], 0);
    const tgmap::object object = archive[0][0];
    {
      std::fstream out(path, std::ios::in | std::ios::out | std::ios::binary);
      out.seekp(static_cast<std::streamoff>(object.payload_offset()));
      out << payload_of(7, 50'000);
    }
    // Nothing of the elements was kept from the calls before.
    tgmap::tensor decoded;
    object.decode_into(decoded);
    BOOST_TEST((text_of(decoded) == payload_of(7, 50'000)));
    BOOST_TEST((text_of(place.decode()) == payload_of(7, 50'000)));
    std::filesystem::resize_file(path, 20'000);
    TGMAP_THROWS(place.decode(), errc::file_shrank);
    TGMAP_THROWS(object.decode_into(decoded), errc::file_shrank);
  }
}

BOOST_AUTO_TEST_SUITE_END()
